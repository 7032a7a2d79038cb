// The memory of the owner GC, and its workers' reads and changes of it. All of it is lost on a restart.

import type {Step} from '../kernel/call.ts';
import {enqueue, memory} from '../kernel/call.ts';
import {emptyTable, put, type Table} from '../table.ts';
import type {DiscoveredKind, Discovery} from './discovery.ts';
import {emptyGraph, type Graph, type GraphNode, type Identity} from './graph.ts';
import type {GraphChange} from './graph-change.ts';
import {absent} from './virtual-delete.ts';

export interface OwnerGcMemory {
  readonly graph: Graph;
  /** Kinds it watches. */
  readonly monitored: readonly DiscoveredKind[];
  /** Kinds it can name to the API server; undefined until someone asks after a reset. */
  readonly mapper: readonly DiscoveredKind[] | undefined;
  /** Workers start when the first informers have synced. */
  readonly hasStarted: boolean;
  /** Keys that came before, numbered in their order. */
  readonly held: Table<number>;
}

export const initialMemory: OwnerGcMemory = {
  graph: emptyGraph,
  monitored: [],
  mapper: undefined,
  hasStarted: false,
  held: emptyTable(),
};

export const ownerGcController = 'garbage-collector';

/** Where a rate-limited add starts: workqueue.DefaultTypedControllerRateLimiter. */
export const backoff = {baseMs: 5, maxMs: 1_000_000};

export type GcKey = {readonly work: 'delete' | 'orphan'; readonly uid: string};

export function keysOf({toDelete, toOrphan}: GraphChange): readonly string[] {
  if (toDelete.length === 0 && toOrphan.length === 0) return [];
  return [...new Set([...toDelete.map(deleteKey), ...toOrphan.map((uid) => `orphan ${uid}`)])];
}

export function holding({held}: OwnerGcMemory, keys: readonly string[]): Table<number> {
  return keys.reduce((all, key) => (all.has(key) ? all : put(all, key, all.size)), held);
}

export function deleteKey(uid: string): string {
  return `delete ${uid}`;
}

export function parseGcKey(key: string): GcKey {
  const [work, uid = ''] = key.split(' ');
  return {work: work === 'orphan' ? 'orphan' : 'delete', uid};
}

export function* readMemory(): Step<OwnerGcMemory> {
  return yield* memory<OwnerGcMemory>((current) => current);
}

export function* readNode(uid: string): Step<GraphNode | undefined> {
  return (yield* readMemory()).graph.nodes.get(uid);
}

/** Takes in that no object of this identity exists, and lets the workers look at who depended on it. */
export function* noteAbsent(identity: Identity): Step<void> {
  const before = yield* readMemory();
  const change = absent(before.graph, identity);
  yield* memory<OwnerGcMemory>((current) => ({...current, graph: change.graph}));
  for (const key of keysOf(change)) yield* enqueue(ownerGcController, key);
  for (const uid of change.later) yield* enqueue(ownerGcController, deleteKey(uid), backoff.baseMs);
}

/** Memory after a look at discovery. The REST mapper forgets, to be filled when it is asked next. */
export function resynced(current: OwnerGcMemory, {preferred}: Discovery): OwnerGcMemory {
  const mapper = undefined;
  const same = sameKinds(current.monitored, preferred);
  return same ? {...current, mapper} : {...current, mapper, monitored: preferred};
}

function sameKinds(left: readonly DiscoveredKind[], right: readonly DiscoveredKind[]): boolean {
  // A kind that stayed as it was is the same value, and mostly all did.
  if (left.length === right.length && left.every((kind, index) => kind === right[index])) return true;
  const names = (kinds: readonly DiscoveredKind[]) =>
    kinds
      .map((kind) => `${kind.apiVersion} ${kind.kind} ${kind.namespaced}`)
      .sort()
      .join('\n');
  return left.length === right.length && names(left) === names(right);
}
