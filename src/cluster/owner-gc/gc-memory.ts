// The memory of the owner GC, and its workers' reads and changes of it. All of it is lost on a restart.

import {equal} from '../json.ts';
import {enqueue, memory, type Step} from '../kernel/call.ts';
import {emptyTable, put, type Table} from '../table.ts';
import type {DiscoveredKind, Discovery} from './discovery.ts';
import {
  coordinatesMatch,
  dependentsOf,
  emptyGraph,
  type Graph,
  type GraphNode,
  type Identity,
  identityKey,
  ownerIdentity,
  withAbsentOwner,
  withNode,
} from './graph.ts';
import {type GraphChange, unchanged, withoutNode} from './graph-change.ts';

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

// Removes an identity from the graph after the API server answered that its object does not exist. Dependents may name one uid by
// different coordinates. Then only those with this identity lost their owner, and a virtual owner takes the next identity that a
// dependent names.
// Source: kubernetes/kubernetes v1.34 pkg/controller/garbagecollector/graph_builder.go processGraphChanges (virtual),
// partitionDependents, getAlternateOwnerIdentity.

interface VirtualDelete extends GraphChange {
  /** A virtual owner with a new identity, to be looked at after a back-off. */
  readonly later: readonly string[];
}

export function absent(graph: Graph, identity: Identity): VirtualDelete {
  const node = graph.nodes.get(identity.uid);
  if (node === undefined) return {...unchanged(graph), later: []};
  const dependents = dependentsOf(graph, identity.uid);
  const matching = dependents.filter((dependent) => namesOwner(dependent, identity, true));
  const others = dependents.filter((dependent) => namesOwner(dependent, identity, false));
  const isSame = equal({...node.identity}, {...identity});
  if (node.isVirtual ? others.length === 0 : isSame) return {...withoutNode(graph, identity), later: []};
  const noted = matching.length === 0 ? graph : withAbsentOwner(graph, identity);
  const toDelete = matching.map((dependent) => dependent.identity.uid);
  const next = node.isVirtual && isSame ? alternate(others, identity) : undefined;
  if (next === undefined) return {graph: noted, toDelete, toOrphan: [], later: []};
  return {graph: withNode(noted, {...node, identity: next}), toDelete, toOrphan: [], later: [identity.uid]};
}

/** True if some reference of the dependent to this uid agrees (or disagrees) with the identity. */
function namesOwner(dependent: GraphNode, identity: Identity, agrees: boolean): boolean {
  if (identity.namespace !== '' && identity.namespace !== dependent.identity.namespace) return !agrees;
  const references = dependent.owners.filter((owner) => owner.uid === identity.uid);
  return references.some((owner) => coordinatesMatch(owner, identity) === agrees);
}

/** The identity after the absent one, in order, or the first; undefined if no dependent names another. */
function alternate(dependents: readonly GraphNode[], absentIdentity: Identity): Identity | undefined {
  const candidates = dependents.flatMap((dependent) => candidatesOf(dependent, absentIdentity));
  const sorted = candidates.sort((left, right) => (orderKey(left) < orderKey(right) ? -1 : 1));
  return sorted.find((candidate) => orderKey(candidate) > orderKey(absentIdentity)) ?? sorted[0];
}

function candidatesOf(dependent: GraphNode, absentIdentity: Identity): readonly Identity[] {
  return dependent.owners
    .filter((owner) => owner.uid === absentIdentity.uid)
    .map((owner) => {
      const sameKind = owner.apiVersion === absentIdentity.apiVersion && owner.kind === absentIdentity.kind;
      const isClusterScoped = absentIdentity.namespace === '' && sameKind;
      return ownerIdentity(owner, isClusterScoped ? '' : dependent.identity.namespace);
    })
    .filter((candidate) => identityKey(candidate) !== identityKey(absentIdentity));
}

// Kind and version weigh more than the place, the place more than the name.
function orderKey({kind, apiVersion, namespace, name, uid}: Identity): string {
  return [kind, apiVersion, namespace, name, uid].join('\u0000');
}
