// The owner GC's picture of who owns whom. A node is an object it saw, or a virtual one: an owner that some object names
// and that it has not seen.
// Source: kubernetes/kubernetes v1.34 pkg/controller/garbagecollector/graph.go.
// An owner's dependents are not kept beside it but read off the nodes: they are those whose references name its uid.

import {remembering} from '../memo.ts';
import type {GroupVersionKind, KubeObject, OwnerReference} from '../object.ts';
import {emptyTable, put, type Table} from '../table.ts';

export interface Identity extends GroupVersionKind {
  readonly name: string;
  readonly uid: string;
  /** '' for cluster-scoped objects, and for virtual owners of cluster-scoped objects. */
  readonly namespace: string;
}

export interface GraphNode {
  readonly identity: Identity;
  readonly owners: readonly OwnerReference[];
  readonly isVirtual: boolean;
  readonly isDeleting: boolean;
  /** Deleting in the foreground: it waits for its dependents. Never taken back. */
  readonly deletesDependents: boolean;
}

export interface Graph {
  readonly nodes: Table<GraphNode>;
  /** Owners known not to exist, by `identityKey`, oldest first. */
  readonly absentOwners: readonly string[];
}

export const emptyGraph: Graph = {nodes: emptyTable(), absentOwners: []};

export const finalizerForeground = 'foregroundDeletion';
export const finalizerOrphan = 'orphan';

const absentOwnersMax = 500;

export function dependentsOf({nodes}: Graph, uid: string): readonly GraphNode[] {
  return nodes.pieces.flatMap((piece) => byOwner(piece).get(uid) ?? none);
}

const none: readonly GraphNode[] = [];

/** The nodes of a piece of the table by the uids of their owners: found once, because an event changes one piece. */
const byOwner = remembering((piece: readonly GraphNode[]): ReadonlyMap<string, readonly GraphNode[]> => {
  const found = new Map<string, GraphNode[]>();
  for (const node of piece) {
    for (const uid of new Set(node.owners.map((owner) => owner.uid))) {
      const known = found.get(uid);
      if (known === undefined) found.set(uid, [node]);
      else known.push(node);
    }
  }
  return found;
});

/** Dependents that hold their owner's foreground deletion up. */
export function blockingDependentsOf(graph: Graph, uid: string): readonly GraphNode[] {
  const blocks = (owner: OwnerReference) => owner.uid === uid && owner.blockOwnerDeletion === true;
  return dependentsOf(graph, uid).filter((node) => node.owners.some(blocks));
}

export function withNode(graph: Graph, node: GraphNode): Graph {
  return {...graph, nodes: put(graph.nodes, node.identity.uid, node)};
}

/** Notes that the owner does not exist; the oldest of 500 notes is forgotten. */
export function withAbsentOwner(graph: Graph, identity: Identity): Graph {
  const key = identityKey(identity);
  const rest = graph.absentOwners.filter((other) => other !== key);
  return {...graph, absentOwners: [...rest.slice(Math.max(0, rest.length + 1 - absentOwnersMax)), key]};
}

export function isKnownAbsent(graph: Graph, identity: Identity): boolean {
  return graph.absentOwners.includes(identityKey(identity));
}

export function identityKey({apiVersion, kind, namespace, name, uid}: Identity): string {
  return [apiVersion, kind, namespace, name, uid].join(' ');
}

export function identityOf({apiVersion, kind, metadata}: KubeObject): Identity {
  const {name, namespace, uid} = metadata;
  return {apiVersion, kind, name, uid: uid ?? '', namespace: namespace ?? ''};
}

/** The owner an object of `namespace` names. */
export function ownerIdentity({apiVersion, kind, name, uid}: OwnerReference, namespace: string): Identity {
  return {apiVersion, kind, name, uid, namespace};
}

/** True if the reference names the identity, apart from the namespace. */
export function coordinatesMatch(owner: OwnerReference, identity: Identity): boolean {
  const {apiVersion, kind, name, uid} = identity;
  return owner.apiVersion === apiVersion && owner.kind === kind && owner.name === name && owner.uid === uid;
}

export function hasFinalizer(object: KubeObject | undefined, finalizer: string): boolean {
  return object?.metadata.finalizers?.includes(finalizer) === true;
}
