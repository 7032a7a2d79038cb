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
import {cached, enqueue, memory, type Reconcile, type Step, sleep, spawn} from '../kernel/call.ts';
import type {Controller, Process, Watch} from '../kernel/process.ts';
import {remembering} from '../memo.ts';
import {groupKindOf} from '../object.ts';
import {emptyTable} from '../table.ts';
import {attemptToDelete, attemptToOrphan} from './attempt.ts';
import {type DiscoveredKind, discover} from './discovery.ts';
import {OwnerGcClient} from './gc-client.ts';
import {
  backoff,
  holding,
  initialMemory,
  keysOf,
  type OwnerGcMemory,
  ownerGcController,
  parseGcKey,
  readMemory,
  resynced,
} from './gc-memory.ts';
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
