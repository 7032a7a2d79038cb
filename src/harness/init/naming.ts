// The name of an external resource, as far as a pipeline shows where it comes from: its author gives it by the annotation,
// or it is the object's own name, if another resource refers to the external resource by that name.

import {at, isList, isObject, type Json, type JsonObject} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';
import {isInCluster} from '../../cluster/provider/in-cluster.ts';
import {annotationExternalName} from '../../cluster/vocabulary.ts';
import type {NamedBy} from './trial.ts';

export type Naming = {readonly [groupKind: string]: {readonly namedBy: NamedBy}};

/** `desired`: what functions desire, by kind. Kinds of which nothing is shown are left out. */
export function namingIn(
  desired: ReadonlyMap<string, readonly JsonObject[]>,
  isManaged: (kind: string) => boolean,
): Naming {
  const managed = [...desired].filter(([kind]) => isManaged(kind));
  const words = managed.flatMap(([, objects]) => objects.flatMap(referencesIn));
  const found = managed.flatMap(([kind, objects]) => {
    const namedBy = namedByOf(objects as unknown as readonly KubeObject[], words);
    return namedBy === undefined ? [] : [[kind, {namedBy}] as const];
  });
  return Object.fromEntries(found.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

function namedByOf(objects: readonly KubeObject[], words: readonly Word[]): NamedBy | undefined {
  if (objects.some(isInCluster)) return undefined;
  if (objects.some((one) => at(one, ['metadata', 'annotations', annotationExternalName]) !== undefined))
    return 'author';
  const isReferred = ({kind, metadata}: KubeObject) =>
    words.some(({key, value}) => value === metadata?.name && key.toLowerCase().startsWith(kind.toLowerCase()));
  return objects.some(isReferred) ? 'object' : undefined;
}

interface Word {
  readonly key: string;
  readonly value: string;
}

/**
 * Texts of forProvider by their fields, without references. References name the object, whichever side names the external
 * resource.
 */
function referencesIn(object: JsonObject): readonly Word[] {
  const own = at(object, ['metadata', 'name']);
  return wordsIn(at(object, ['spec', 'forProvider']) ?? null, '').filter(({value}) => value !== own);
}

function wordsIn(value: Json, key: string): readonly Word[] {
  if (typeof value === 'string') return [{key, value}];
  if (isList(value)) return value.flatMap((one) => wordsIn(one, key));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    /(?:Ref|Refs|Selector)$/.test(name) ? [] : wordsIn(one, name),
  );
}
