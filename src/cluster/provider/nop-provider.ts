// The provider of the recorded control planes: an emulation, not a managed reconciler. It puts a finalizer on every object of its
// kinds, marks it ready after a while, and removes the finalizer of a deleted object after another while. It never touches anything
// else, so other changes of its objects come from Crossplane and the owner GC.
// Source: the recorder's own words (README of the recordings, "The provider is an emulation") and its writes there: merge patches
// by manager `provider`, finalizers with a resourceVersion, status without. Managed resources with an external resource behind them
// are another provider's.

import {definitionOf} from '../api/kinds.ts';
import {api, cached, done, memory, now, type Reconcile, type Step} from '../kernel/call.ts';
import {type Controller, keyOf, type Process, parseKey, type Watch} from '../kernel/process.ts';
import {add} from '../kernel/queue.ts';
import type {World} from '../kernel/world.ts';
import {remembering} from '../memo.ts';
import type {KubeObject, ResourceRef} from '../object.ts';
import {type GroupVersionKind, groupKindOf, isDeleting, isTrue, refOf} from '../object.ts';
import {drop, emptyTable, put, type Table} from '../table.ts';
import {timestamp} from '../timestamp.ts';
import {resourceNameOf} from '../vocabulary.ts';

export interface NopProviderOptions {
  /** False: it sleeps. */
  readonly enabled: boolean;
  /** False: it takes no finalizer. */
  readonly finalizer: boolean;
  readonly readyDelayMs: number;
  readonly deleteDelayMs: number | 'never';
  /** Other delays for objects of this composition-resource-name. */
  readonly per: {readonly [resource: string]: Partial<NopProviderOptions>};
}

export interface NopProviderMemory {
  readonly options: NopProviderOptions;
  /** Kinds of ours that are established. */
  readonly served: Table<GroupVersionKind>;
  /** When an object was first seen, and first seen deleting, by uid. */
  readonly seenMs: Table<number>;
  readonly deletingMs: Table<number>;
}

export const nopProviderName = 'nop-provider';

export const defaultNopOptions: NopProviderOptions = {
  enabled: true,
  finalizer: true,
  readyDelayMs: 100,
  deleteDelayMs: 300,
  per: {},
};

const manager = 'provider';
const finalizerManaged = 'finalizer.managedresource.crossplane.io';
const kindCrd: GroupVersionKind = {apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition'};

/** A provider of these kinds, each as `Kind.group`: it serves them while their CustomResourceDefinition is established. */
export function nopProvider(groupKinds: readonly string[], options = defaultNopOptions): Process<NopProviderMemory> {
  return {
    name: nopProviderName,
    start: () => ({options, served: emptyTable(), seenMs: emptyTable(), deletingMs: emptyTable()}),
    controllers: onceFor((served) => [...served.values()].map(controllerOf)),
    watches: onceFor((served) => [watchDefinitions(groupKinds), ...[...served.values()].map(watchObjects)]),
  };
}

// The kernel asks after every change of memory, and starts over where the answer is another list.
function onceFor<T extends object>(make: (served: Table<GroupVersionKind>) => T): (memory: NopProviderMemory) => T {
  const made = remembering(make);
  return ({served}) => made(served);
}

/** The world with other options for the running provider; it then reconciles every object again. */
export function configureNopProvider(world: World, change: Partial<NopProviderOptions>): World {
  const process = world.processes.get(nopProviderName);
  if (process === undefined) return world;
  const before = process.memory as NopProviderMemory;
  const next: NopProviderMemory = {...before, options: {...before.options, ...change}};
  let {queues} = process;
  for (const kind of before.served.values()) {
    const informer = [...process.informers.values()].find((one) => sameKind(one.kind, kind));
    for (const key of informer?.objects.keys() ?? []) {
      const queue = queues.get(controllerName(kind));
      if (queue !== undefined) queues = put(queues, controllerName(kind), add(queue, key, world.nowMs));
    }
  }
  return {...world, processes: put(world.processes, nopProviderName, {...process, memory: next, queues})};
}

function sameKind(left: GroupVersionKind, right: GroupVersionKind): boolean {
  return left.apiVersion === right.apiVersion && left.kind === right.kind;
}

function controllerName(kind: GroupVersionKind): string {
  return `nop/${groupKindOf(kind)}`;
}

function watchDefinitions(groupKinds: readonly string[]): Watch<NopProviderMemory> {
  return {
    ...kindCrd,
    controller: 'definitions',
    id: 'definitions',
    handle: ({type, object}, {memory: current}) => {
      const kind = servedBy(object);
      if (kind === undefined || !groupKinds.includes(groupKindOf(kind))) return {keys: []};
      const isServed = type !== 'DELETED' && isTrue(object, 'Established');
      const key = groupKindOf(kind);
      if (isServed === current.served.has(key)) return {keys: []};
      const served = isServed ? put(current.served, key, kind) : drop(current.served, key);
      return {keys: [], memory: {...current, served}};
    },
  };
}

function servedBy(crd: KubeObject): GroupVersionKind | undefined {
  const definition = definitionOf(crd);
  const version = definition?.versions.find((one) => one.served);
  if (definition === undefined || version === undefined) return undefined;
  return {apiVersion: `${definition.group}/${version.name}`, kind: definition.kind};
}

function watchObjects(kind: GroupVersionKind): Watch<NopProviderMemory> {
  return {
    ...kind,
    controller: controllerName(kind),
    id: 'objects',
    handle: ({type, object}, {memory: current}) => {
      const keys = [{key: keyOf(object.metadata)}];
      const {uid = ''} = object.metadata;
      if (type !== 'DELETED') return {keys};
      return {keys, memory: {...current, seenMs: drop(current.seenMs, uid), deletingMs: drop(current.deletingMs, uid)}};
    },
  };
}

function controllerOf(kind: GroupVersionKind): Controller {
  return {
    name: controllerName(kind),
    reconcile: (key) => reconcile({...kind, ...parseKey(key)}),
    backoff: {baseMs: 5, maxMs: 1_000},
    timeoutMs: 60_000,
  };
}

function* reconcile(ref: ResourceRef): Reconcile {
  const read = yield* cached({verb: 'get', ref});
  if (!read.ok || read.object === undefined) return done;
  const {options} = yield* memory<NopProviderMemory>((current) => current);
  const mine = optionsFor(options, read.object);
  if (!mine.enabled) return done;
  return isDeleting(read.object) ? yield* letGo(read.object, mine) : yield* serveObject(read.object, mine);
}

function optionsFor(options: NopProviderOptions, object: KubeObject): NopProviderOptions {
  const resource = resourceNameOf(object);
  return {...options, ...(resource === undefined ? {} : options.per[resource])};
}

function* serveObject(object: KubeObject, options: NopProviderOptions): Reconcile {
  const {finalizers = []} = object.metadata;
  const seenMs = yield* firstSeen('seenMs', object);
  if (options.finalizer && !finalizers.includes(finalizerManaged)) {
    return yield* patchFinalizers(object, [...finalizers, finalizerManaged]);
  }
  if (isTrue(object, 'Ready')) return done;
  const nowMs = yield* now();
  if (nowMs < seenMs + options.readyDelayMs) {
    return {kind: 'requeue-after', afterMs: seenMs + options.readyDelayMs - nowMs};
  }
  const time = timestamp(nowMs);
  const conditions = [
    {type: 'Ready', status: 'True', reason: 'Available', lastTransitionTime: time},
    {type: 'Synced', status: 'True', reason: 'ReconcileSuccess', lastTransitionTime: time},
  ];
  const body = {status: {conditions}};
  const ref = refOf(object);
  const response = yield* api({verb: 'patch', type: 'merge', ref, body, manager, subresource: 'status'});
  return response.ok || response.code === 404 ? done : {kind: 'retry', reason: response.message};
}

function* letGo(object: KubeObject, options: NopProviderOptions): Reconcile {
  const {finalizers = []} = object.metadata;
  if (options.deleteDelayMs === 'never' || !finalizers.includes(finalizerManaged)) return done;
  const dueMs = (yield* firstSeen('deletingMs', object)) + options.deleteDelayMs;
  const nowMs = yield* now();
  if (nowMs < dueMs) return {kind: 'requeue-after', afterMs: dueMs - nowMs};
  const rest = finalizers.filter((finalizer) => finalizer !== finalizerManaged);
  return yield* patchFinalizers(object, rest);
}

// A conflict needs no retry of its own: what changed the object wakes the provider again.
function* patchFinalizers(object: KubeObject, finalizers: readonly string[]): Reconcile {
  const {resourceVersion = ''} = object.metadata;
  const body = {metadata: {resourceVersion, finalizers}};
  const response = yield* api({verb: 'patch', type: 'merge', ref: refOf(object), body, manager});
  if (response.ok || response.code === 404) return done;
  return {kind: 'retry', reason: response.message};
}

function* firstSeen(what: 'seenMs' | 'deletingMs', object: KubeObject): Step<number> {
  const {uid = ''} = object.metadata;
  const nowMs = yield* now();
  const current = yield* memory<NopProviderMemory>((before) =>
    before[what].has(uid) ? before : {...before, [what]: put(before[what], uid, nowMs)},
  );
  return current[what].get(uid) ?? nowMs;
}
