// A composed resource is untouched when it is the same object as before: same uid, same external name, same spec, never
// marked for deletion, and nobody so much as asked to delete it. Labels, owner references and status may change: being
// adopted is not being touched.

import {equal} from '../../cluster/json.ts';
import {isDeleting, type KubeObject} from '../../cluster/object.ts';
import {annotationExternalName, annotationResourceName} from '../../cluster/vocabulary.ts';

export interface Touch {
  readonly object: KubeObject;
  readonly resourceName: string;
  /** What is not as it was, in words. */
  readonly how: string;
}

/** One request to delete an object, denied or not. */
export interface DeleteSent {
  readonly atMs: number;
  readonly actor: string;
  readonly kind: string;
  readonly name: string;
}

export function composedResources(objects: readonly KubeObject[]): readonly KubeObject[] {
  return objects.filter((object) => resourceNameOf(object) !== undefined);
}

/** The composed resources of `before`, but for those named in `except`, that are not as they were. */
export function touchedAmong(
  before: readonly KubeObject[],
  after: readonly KubeObject[],
  deletes: readonly DeleteSent[],
  except: readonly string[],
): readonly Touch[] {
  return composedResources(before).flatMap((object) => {
    const resourceName = resourceNameOf(object) ?? '';
    if (except.includes(resourceName)) return [];
    const how = change(object, after, deletes);
    return how === undefined ? [] : [{object, resourceName, how}];
  });
}

function resourceNameOf(object: KubeObject): string | undefined {
  return object.metadata.annotations?.[annotationResourceName];
}

function change(object: KubeObject, after: readonly KubeObject[], deletes: readonly DeleteSent[]): string | undefined {
  const {kind, metadata} = object;
  const sent = deletes.find((one) => one.kind === kind && one.name === metadata.name);
  if (sent !== undefined) return `${sent.actor} asked to delete it`;
  const now = after.find((other) => other.metadata.uid === metadata.uid);
  if (now === undefined) return 'it is gone';
  if (isDeleting(now)) return 'it is being deleted';
  const [was, is] = [object, now].map((one) => one.metadata.annotations?.[annotationExternalName]);
  if (was !== is) return `its external name was ${was ?? 'not set'} and is ${is ?? 'not set'}`;
  return equal(object.spec, now.spec) ? undefined : 'its spec changed';
}
