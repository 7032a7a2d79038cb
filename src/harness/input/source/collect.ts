// Collects the values of a reader, and keeps the objects of a control plane: each once, in its newest state. Values of a Secret
// are dropped here, for every reader.

import {equal, isList, isObject, type Json, type JsonObject, without} from '../../../cluster/json.ts';
import {addressOf, groupOf, type KubeObject} from '../../../cluster/object.ts';
import {InputError} from '../input-error.ts';
import {isNamedByExpression, listedIn} from '../manifests/kube-object.ts';
import {metaGroups} from '../manifests/read-manifests.ts';
import type {FoundKind} from './kinds.ts';
import type {Origin, Tally} from './source.ts';

interface Collected {
  readonly objects: readonly KubeObject[];
  readonly skipped: readonly Tally[];
  readonly notUnderstood: readonly Tally[];
}

/** Where a source came from, and how much of it was read. */
export interface Read {
  readonly origin: Origin;
  readonly files: number;
  readonly bytes: number;
  readonly kinds?: readonly FoundKind[];
}

export interface Collector {
  /** A document: an object, or a list of objects as kubectl prints one. */
  readonly take: (value: Json, place: string) => void;
  readonly skip: (why: string, place: string) => void;
  readonly misunderstand: (why: string, place: string) => void;
  readonly count: () => number;
  readonly collected: () => Collected;
}

/** Throws InputError from `take` where two objects of one name contradict each other. */
export function collector(): Collector {
  const objects = new Map<string, Held>();
  const skipped = tallies();
  const notUnderstood = tallies();
  const take = (value: Json, place: string): void => {
    const listed = listedIn(value);
    if (listed !== undefined) {
      for (const [index, item] of listed.entries()) take(item, `${place}, item ${index + 1}`);
      return;
    }
    // A kustomization has no name.
    if (isObject(value) && metaGroups.includes(groupOf(String(value['apiVersion'])))) {
      return skipped.add('for tools, not for a cluster', place);
    }
    const why = whyNoObject(value);
    if (why !== undefined) return notUnderstood.add(why, place);
    const object = withoutSecrets(value as KubeObject);
    if (object.kind === 'Event') return skipped.add('an event', place);
    const address = addressOf(object);
    const before = objects.get(address);
    if (before === undefined) return void objects.set(address, {object, place});
    const again = sameObject(before, {object, place});
    if (again.isRead) skipped.add(again.why, place);
    else
      notUnderstood.add(
        again.why,
        `${place}, where ${object.kind} "${object.metadata.name}" is not as in ${before.place}`,
      );
    if (again.isBetter) objects.set(address, {object, place});
  };
  return {
    take,
    skip: skipped.add,
    misunderstand: notUnderstood.add,
    count: () => objects.size,
    collected: () => ({
      objects: [...objects.values()].map(({object}) => object),
      skipped: skipped.all(),
      notUnderstood: notUnderstood.all(),
    }),
  };
}

interface Held {
  readonly object: KubeObject;
  readonly place: string;
}

function whyNoObject(value: Json): string | undefined {
  if (!isObject(value)) return 'no Kubernetes object';
  const {apiVersion, kind, metadata} = value;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return 'no Kubernetes object';
  if (!isObject(metadata) || typeof metadata['name'] !== 'string') return 'an object without a name';
  const {name, namespace, labels = {}, annotations = {}, ownerReferences = [], finalizers = []} = metadata;
  const isSound =
    (namespace === undefined || typeof namespace === 'string') &&
    [labels, annotations].every(
      (map) => isObject(map) && Object.values(map).every((text) => typeof text === 'string'),
    ) &&
    isList(ownerReferences) &&
    ownerReferences.every((owner) => isObject(owner) && typeof owner['name'] === 'string') &&
    isList(finalizers) &&
    [value['spec'] ?? {}, value['status'] ?? {}].every(isObject);
  if (!isSound) return 'an object whose fields are not of the form that Kubernetes gives them';
  if (isNamedByExpression(metadata)) return 'an object whose name is an expression, as test tools write it';
  const owners = (ownerReferences as readonly JsonObject[]).flatMap((owner) => [owner['kind'], owner['name']]);
  return [apiVersion, kind, name, namespace, ...owners].some(commandsTerminal)
    ? 'an object with control characters in a name'
    : undefined;
}

/** No API server takes such a name, and a terminal that it is printed on would obey it. */
function commandsTerminal(name: Json | undefined): boolean {
  return /\p{Cc}/u.test(String(name ?? ''));
}

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** A Secret without what it holds. */
export function withoutContents(secret: KubeObject): KubeObject {
  return ['data', 'stringData', 'immutable'].reduce<KubeObject>(
    (kept, key) => without(kept, key) as KubeObject,
    secret,
  );
}

/** Values of a Secret are never kept; kubectl copies them into an annotation, too. */
function withoutSecrets(object: KubeObject): KubeObject {
  if (object.kind !== 'Secret' || groupOf(object.apiVersion) !== '') return object;
  const kept = withoutContents(object);
  const {annotations, ...metadata} = kept.metadata;
  if (annotations === undefined) return kept;
  return {...kept, metadata: {...metadata, annotations: without(annotations, lastApplied) as typeof annotations}};
}

interface Again {
  readonly why: string;
  /** True if the reader got all of it. */
  readonly isRead: boolean;
  /** True if this one replaces the one before it. */
  readonly isBetter: boolean;
}

/**
 * Dumps overlap, and a repository has overlays: one object for each environment, which never were in a control plane together.
 * Two that were, and cannot be the same, are a mistake.
 */
function sameObject(before: Held, after: Held): Again {
  if (equal(before.object, after.object)) return {why: 'the same object again', isRead: true, isBetter: false};
  const [uid, other] = [before.object.metadata.uid, after.object.metadata.uid];
  if (uid === undefined && other === undefined) {
    return {why: 'an object that another file has in another form, as overlays do', isRead: false, isBetter: false};
  }
  if (uid === undefined || other === undefined) {
    return {why: 'an object as it was written, beside its state', isRead: true, isBetter: uid === undefined};
  }
  const areSame = uid === other && [before, after].every(({object}) => versionOf(object) !== undefined);
  if (areSame) {
    return {why: 'another state of an object', isRead: true, isBetter: isNewer(after.object, before.object)};
  }
  const {kind, metadata} = after.object;
  const cause = uid === other ? 'and nothing says which is newer' : 'with another uid';
  throw new InputError(
    `${kind} "${metadata.name}" is there twice, in ${before.place} and in ${after.place}, ${cause}: a source is one moment of one control plane`,
  );
}

function isNewer(object: KubeObject, than: KubeObject): boolean {
  return (versionOf(object) ?? 0) > (versionOf(than) ?? 0);
}

function versionOf({metadata}: KubeObject): number | undefined {
  const version = Number(metadata.resourceVersion ?? '');
  return version > 0 ? version : undefined;
}

function tallies(): {readonly add: (why: string, place: string) => void; readonly all: () => readonly Tally[]} {
  const counts = new Map<string, Tally>();
  return {
    add: (why, place) => {
      const {count, first} = counts.get(why) ?? {count: 0, first: place};
      counts.set(why, {why, count: count + 1, first});
    },
    all: () => [...counts.values()],
  };
}
