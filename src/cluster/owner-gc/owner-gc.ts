// The Kubernetes garbage collector that follows owner references, as the process kube-controller-manager.
// Source: kubernetes/kubernetes v1.34 pkg/controller/garbagecollector/garbagecollector.go; recordings with kube 1.34.4. Modelled:
// background, foreground and orphan deletion, several owners, blockOwnerDeletion, owners that never existed (an object restored
// with an old owner uid is deleted at once), the look at discovery every 30 s, and with it the leak: the dependents of a kind that
// came and went between two looks stay for ever, because their owner's kind can no longer be looked up; the delete that is tried
// again with 5 ms doubled up to 1000 s while a webhook denies it. Not modelled: the other controllers of the process; its 20
// workers (each key has its own here); the REST mapper's own reset, which runs beside the look at discovery every 30 s and here
// with it.

import {coreKinds} from '../api/core-kinds.ts';
import type {KindDefinition} from '../api/kinds.ts';
import {isNative} from '../api/native/native-kinds.ts';
import type {PropagationPolicy} from '../api/request.ts';
import {cached, done, enqueue, memory, type Outcome, type Reconcile, type Step, sleep, spawn} from '../kernel/call.ts';
import type {Controller, Process, Watch} from '../kernel/process.ts';
import {remembering} from '../memo.ts';
import {groupKindOf, isDeleting, type KubeObject, type OwnerReference} from '../object.ts';
import {emptyTable} from '../table.ts';
import {type DiscoveredKind, discover} from './discovery.ts';
import {type Failure, type Found, failureText, isNotFound, OwnerGcClient} from './gc-client.ts';
import {
  backoff,
  deleteKey,
  holding,
  initialMemory,
  keysOf,
  noteAbsent,
  type OwnerGcMemory,
  ownerGcController,
  parseGcKey,
  readMemory,
  readNode,
  resynced,
} from './gc-memory.ts';
import {
  blockingDependentsOf,
  dependentsOf,
  finalizerForeground,
  finalizerOrphan,
  type GraphNode,
  hasFinalizer,
  isKnownAbsent,
  ownerIdentity,
  withAbsentOwner,
} from './graph.ts';
import {changed} from './graph-change.ts';

const resyncMs = 30_000;

/** The process. `kinds` are those the API server has besides its core kinds and without a CustomResourceDefinition. */
export function ownerGc(kinds: readonly KindDefinition[]): Process<OwnerGcMemory> {
  const installed = [...coreKinds, ...kinds];
  const client = new OwnerGcClient(installed);
  const rare = new Set(
    kinds.filter((one) => one.rare).map(({group, kind}) => groupKindOf({apiVersion: `${group}/`, kind})),
  );
  const controllers: readonly Controller[] = [
    {name: ownerGcController, reconcile: (key) => work(client, key), backoff, timeoutMs: resyncMs},
  ];
  return {
    name: 'kube-controller-manager',
    start: () => initialMemory,
    controllers: () => controllers,
    watches: ({monitored}) => watchesOf(monitored),
    isQuiet: (kind) => isNative(kind) || rare.has(groupKindOf(kind)),
    routines: {resync: () => resync(installed)},
    background: ['resync'],
  };
}

function work(client: OwnerGcClient, key: string): Reconcile {
  const {work, uid} = parseGcKey(key);
  return work === 'orphan' ? attemptToOrphan(client, uid) : attemptToDelete(client, uid);
}

// Made once for a list of kinds: the kernel asks after every event.
const watchesOf = remembering((monitored: readonly DiscoveredKind[]) => monitored.map(watchOf));

function watchOf({apiVersion, kind}: DiscoveredKind): Watch<OwnerGcMemory> {
  return {
    apiVersion,
    kind,
    controller: ownerGcController,
    id: 'monitor',
    handle: (event, {before, memory: current}) => {
      const change = changed(current.graph, event, before);
      const keys = keysOf(change);
      if (change.graph === current.graph && keys.length === 0) return {keys: []};
      const next = {...current, graph: change.graph};
      if (!current.hasStarted) return {keys: [], memory: {...next, held: holding(current, keys)}};
      return {keys: keys.map((key) => ({key})), memory: next};
    },
  };
}

// One look at discovery; each starts the next, so that no routine grows old.
function* resync(installed: readonly KindDefinition[]): Step<void> {
  const discovery = yield* discover(installed);
  if (discovery !== undefined) {
    const {hasStarted, monitored} = yield* memory<OwnerGcMemory>((current) => resynced(current, discovery));
    if (!hasStarted) yield* startWorkers(monitored);
  }
  yield* sleep(resyncMs);
  yield* spawn('resync', {});
}

// Workers wait for the first informers, or a foreground deletion would look finished while dependents are unseen.
function* startWorkers(monitored: readonly DiscoveredKind[]): Step<void> {
  for (const {apiVersion, kind} of monitored) yield* cached({verb: 'list', apiVersion, kind});
  const {held} = yield* readMemory();
  yield* memory<OwnerGcMemory>((current) => ({...current, hasStarted: true, held: emptyTable()}));
  for (const key of held.keys()) yield* enqueue(ownerGcController, key);
}

// The owner GC's two workers: one deletes an object whose owners are gone and finishes foreground deletions, the other
// takes an owner's reference off its dependents. Both trust the API server for what exists and the graph for who depends.
// Source: kubernetes/kubernetes v1.34 pkg/controller/garbagecollector/garbagecollector.go attemptToDeleteItem,
// classifyReferences, processDeletingDependentsItem, attemptToOrphanWorker.

/** Looks at one node: deletes its object, or finishes its foreground deletion, or lets it be. */
function* attemptToDelete(client: OwnerGcClient, uid: string): Reconcile {
  const node = yield* readNode(uid);
  if (node === undefined || (node.isDeleting && !node.deletesDependents)) return done;
  const latest = yield* client.get(node.identity);
  if (!latest.ok) return yield* missing(node, latest.failure);
  if (latest.value.metadata.uid !== uid) return yield* missing(node, undefined);
  const current = (yield* readNode(uid)) ?? node;
  const outcome = current.deletesDependents
    ? yield* finishForeground(client, current)
    : yield* deleteUnowned(client, current, latest.value);
  // A virtual node is looked at until an informer shows it or the API server denies it.
  return outcome.kind === 'done' && current.isVirtual ? {kind: 'retry', reason: 'not observed yet'} : outcome;
}

function* missing(node: GraphNode, failure: Failure | undefined): Reconcile {
  if (failure !== undefined && !isNotFound(failure)) return ended({ok: false, failure});
  yield* noteAbsent(node.identity);
  return done;
}

function* finishForeground(client: OwnerGcClient, node: GraphNode): Reconcile {
  const {graph} = yield* readMemory();
  const blocking = blockingDependentsOf(graph, node.identity.uid);
  if (blocking.length === 0) return ended(yield* client.removeFinalizer(node.identity, finalizerForeground));
  for (const dependent of blocking) {
    if (!dependent.deletesDependents) yield* enqueue(ownerGcController, deleteKey(dependent.identity.uid));
  }
  return done;
}

function* deleteUnowned(client: OwnerGcClient, node: GraphNode, latest: KubeObject): Reconcile {
  const owners = latest.metadata.ownerReferences ?? [];
  if (owners.length === 0) return done;
  const classes = yield* classify(client, node, owners);
  if (!classes.ok) return ended(classes);
  const {solid, dangling, waiting} = classes.value;
  if (solid.length > 0) {
    const stale = new Set([...dangling, ...waiting].map((owner) => owner.uid));
    if (stale.size === 0) return done;
    return ended(yield* client.patchOwners(node.identity, (kept) => kept.filter((owner) => !stale.has(owner.uid))));
  }
  const dependents = dependentsOf((yield* readMemory()).graph, node.identity.uid);
  if (waiting.length === 0 || dependents.length === 0) {
    return yield* deleteNow(client, node, latest, policyOf(latest));
  }
  if (dependents.some((dependent) => dependent.deletesDependents)) {
    // Owner and dependent both wait, so neither may block the other.
    const unblocked = yield* client.patchOwners(node.identity, () =>
      node.owners.map((owner) => ({...owner, blockOwnerDeletion: false})),
    );
    if (!unblocked.ok) return ended(unblocked);
  }
  return yield* deleteNow(client, node, latest, 'Foreground');
}

function* deleteNow(client: OwnerGcClient, node: GraphNode, latest: KubeObject, policy: PropagationPolicy): Reconcile {
  const deleted = yield* client.delete(node.identity, latest, policy);
  if (deleted.ok || !isNotFound(deleted.failure)) return ended(deleted);
  return yield* missing(node, undefined);
}

/** A finalizer that is already there determines how the object is deleted. */
function policyOf(latest: KubeObject): PropagationPolicy {
  if (hasFinalizer(latest, finalizerOrphan)) return 'Orphan';
  return hasFinalizer(latest, finalizerForeground) ? 'Foreground' : 'Background';
}

interface Classes {
  /** Owners that exist and do not wait for their dependents. */
  readonly solid: readonly OwnerReference[];
  /** Owners that do not exist. */
  readonly dangling: readonly OwnerReference[];
  /** Owners in foreground deletion. */
  readonly waiting: readonly OwnerReference[];
}

function* classify(client: OwnerGcClient, node: GraphNode, owners: readonly OwnerReference[]): Step<Found<Classes>> {
  const solid: OwnerReference[] = [];
  const dangling: OwnerReference[] = [];
  const waiting: OwnerReference[] = [];
  for (const reference of owners) {
    const owner = yield* findOwner(client, node, reference);
    if (!owner.ok) return owner;
    if (owner.value === undefined) dangling.push(reference);
    else if (isDeleting(owner.value) && hasFinalizer(owner.value, finalizerForeground)) waiting.push(reference);
    else solid.push(reference);
  }
  return {ok: true, value: {solid, dangling, waiting}};
}

function* findOwner(
  client: OwnerGcClient,
  node: GraphNode,
  reference: OwnerReference,
): Step<Found<KubeObject | undefined>> {
  const identity = ownerIdentity(reference, node.identity.namespace);
  const {graph} = yield* readMemory();
  const isAbsent = isKnownAbsent(graph, {...identity, namespace: ''}) || isKnownAbsent(graph, identity);
  if (isAbsent) return {ok: true, value: undefined};
  const located = yield* client.locate(identity);
  if (!located.ok) return located;
  const read = yield* client.get(identity);
  if (read.ok && read.value.metadata.uid === reference.uid) return read;
  if (!read.ok && !isNotFound(read.failure)) return read;
  const absent = {...identity, namespace: located.value.namespace ?? ''};
  yield* memory<OwnerGcMemory>((current) => ({...current, graph: withAbsentOwner(current.graph, absent)}));
  return {ok: true, value: undefined};
}

/** Takes the owner's reference off all its dependents, then the orphan finalizer off the owner. */
function* attemptToOrphan(client: OwnerGcClient, uid: string): Reconcile {
  const {graph} = yield* readMemory();
  const owner = graph.nodes.get(uid);
  if (owner === undefined) return done;
  let failed: Found<true> | undefined;
  for (const dependent of dependentsOf(graph, uid)) {
    const patched = yield* client.patchOwners(dependent.identity, (kept) => kept.filter((other) => other.uid !== uid));
    if (!patched.ok && !isNotFound(patched.failure)) failed = patched;
  }
  return ended(failed ?? (yield* client.removeFinalizer(owner.identity, finalizerOrphan)));
}

/** Anything that failed is tried again with back-off, but for what no retry can mend. */
function ended(result: Found<unknown>): Outcome {
  if (result.ok || result.failure.kind === 'namespaced-owner') return done;
  return {kind: 'retry', reason: failureText(result.failure)};
}
