// The change of the graph by a watch event, and the nodes that the owner GC then examines.
// Source: kubernetes/kubernetes v1.34 pkg/controller/garbagecollector/graph_builder.go processGraphChanges. Not modelled: the
// Warning event about an owner in another namespace; no actor in the world reads it.

import type {WatchEvent} from '../api/request.ts';
import {equal} from '../json.ts';
import {isDeleting, type KubeObject, type OwnerReference} from '../object.ts';
import {drop} from '../table.ts';
import {
  coordinatesMatch,
  dependentsOf,
  finalizerForeground,
  finalizerOrphan,
  type Graph,
  type GraphNode,
  hasFinalizer,
  type Identity,
  identityOf,
  ownerIdentity,
  withAbsentOwner,
  withNode,
} from './graph.ts';

export interface GraphChange {
  readonly graph: Graph;
  /** Uids to attempt to delete. */
  readonly toDelete: readonly string[];
  /** Uids whose dependents are to be orphaned. */
  readonly toOrphan: readonly string[];
}

export function changed(graph: Graph, event: WatchEvent, before: KubeObject | undefined): GraphChange {
  if (event.type === 'DELETED') return removed(graph, event.object);
  const observed = observe(graph, event.object);
  const node = observed.graph.nodes.get(event.object.metadata.uid ?? '');
  const next = node === undefined ? inserted(observed, event.object) : updated(observed, node, event.object);
  return transitions(next, event.object, before);
}

/** A virtual node that an informer shows for the first time takes its true identity. */
function observe(graph: Graph, object: KubeObject): GraphChange {
  const identity = identityOf(object);
  const node = graph.nodes.get(identity.uid);
  if (node === undefined || !node.isVirtual) return unchanged(graph);
  const doubtful = dependentsOf(graph, identity.uid).filter((dependent) => disagrees(dependent, node, object));
  const toDelete = equal({...node.identity}, {...identity}) ? [] : doubtful.map(uidOf);
  return {graph: withNode(graph, {...node, identity, isVirtual: false}), toDelete, toOrphan: []};
}

function disagrees(dependent: GraphNode, owner: GraphNode, observed: KubeObject): boolean {
  const identity = identityOf(observed);
  if (identity.namespace !== '' && identity.namespace !== dependent.identity.namespace) return true;
  return dependent.owners.some(
    (reference) => reference.uid === owner.identity.uid && !coordinatesMatch(reference, identity),
  );
}

function inserted(change: GraphChange, object: KubeObject): GraphChange {
  const deleting = isDeleting(object);
  const node: GraphNode = {
    identity: identityOf(object),
    owners: object.metadata.ownerReferences ?? [],
    isVirtual: false,
    isDeleting: deleting,
    deletesDependents: deleting && hasFinalizer(object, finalizerForeground),
  };
  return linked({...change, graph: withNode(change.graph, node)}, node, node.owners);
}

function updated(change: GraphChange, node: GraphNode, object: KubeObject): GraphChange {
  const owners = object.metadata.ownerReferences ?? [];
  const {apiVersion, kind} = object;
  const sameOwners = equal(node.owners, owners);
  const isNowDeleting = node.isDeleting || isDeleting(object);
  const {identity} = node;
  // Most events change nothing here, and a graph that stays the same costs nothing.
  const sameNode = identity.apiVersion === apiVersion && identity.kind === kind && isNowDeleting === node.isDeleting;
  if (sameOwners && sameNode) return change;
  const next = {...node, identity: {...identity, apiVersion, kind}, owners, isDeleting: isNowDeleting};
  const graph = withNode(change.graph, next);
  if (sameOwners) return {...change, graph};
  const added = owners.filter((owner) => !node.owners.some((old) => old.uid === owner.uid));
  const unblocked = node.owners.filter((old) => unblocks(old, owners) && graph.nodes.has(old.uid));
  const toDelete = [...change.toDelete, ...unblocked.map((owner) => owner.uid)];
  return linked({...change, graph, toDelete}, next, added);
}

/** True if the object no longer blocks this owner's foreground deletion. */
function unblocks(old: OwnerReference, owners: readonly OwnerReference[]): boolean {
  if (old.blockOwnerDeletion !== true) return false;
  return owners.find((owner) => owner.uid === old.uid)?.blockOwnerDeletion !== true;
}

/** Adds virtual nodes for owners that no event showed, and marks the object for a check if its references look wrong. */
function linked(change: GraphChange, node: GraphNode, owners: readonly OwnerReference[]): GraphChange {
  let {graph} = change;
  const toDelete = [...change.toDelete];
  let isDoubtful = false;
  for (const reference of owners) {
    const owner = graph.nodes.get(reference.uid);
    if (owner === undefined) {
      graph = withNode(graph, virtualOwner(reference, node.identity.namespace));
      toDelete.push(reference.uid);
    } else if (!isDoubtful) {
      isDoubtful = isDoubtfulOwner(reference, owner, node.identity.namespace);
    }
  }
  if (isDoubtful) toDelete.push(node.identity.uid);
  return {...change, graph, toDelete};
}

function virtualOwner(reference: OwnerReference, namespace: string): GraphNode {
  const identity = ownerIdentity(reference, namespace);
  return {identity, owners: [], isVirtual: true, isDeleting: false, deletesDependents: false};
}

function isDoubtfulOwner(reference: OwnerReference, owner: GraphNode, namespace: string): boolean {
  const ownerNamespace = owner.identity.namespace;
  if (ownerNamespace !== '' && ownerNamespace !== namespace) return true;
  if (!coordinatesMatch(reference, owner.identity)) return true;
  return ownerNamespace === '' && namespace !== '' && owner.isVirtual;
}

function transitions(change: GraphChange, object: KubeObject, before: KubeObject | undefined): GraphChange {
  const uid = object.metadata.uid ?? '';
  if (startsWith(finalizerOrphan, object, before)) return {...change, toOrphan: [...change.toOrphan, uid]};
  if (!startsWith(finalizerForeground, object, before)) return change;
  const node = change.graph.nodes.get(uid);
  if (node === undefined) return change;
  const graph = withNode(change.graph, {...node, deletesDependents: true});
  return {...change, graph, toDelete: [...change.toDelete, ...dependentsOf(graph, uid).map(uidOf), uid]};
}

/** True if the object is being deleted with the finalizer, and was not before. */
function startsWith(finalizer: string, object: KubeObject, before: KubeObject | undefined): boolean {
  if (!isDeleting(object) || !hasFinalizer(object, finalizer)) return false;
  return before === undefined || !isDeleting(before) || !hasFinalizer(before, finalizer);
}

function removed(graph: Graph, object: KubeObject): GraphChange {
  return withoutNode(graph, identityOf(object));
}

/** The graph after the object of the node is gone: its dependents, and owners that wait for it, are looked at. */
export function withoutNode(graph: Graph, identity: Identity): GraphChange {
  const {uid} = identity;
  const node = graph.nodes.get(uid);
  if (node === undefined) return unchanged(graph);
  const dependents = dependentsOf(graph, uid);
  const bare: Graph = {...graph, nodes: drop(graph.nodes, uid)};
  const next = dependents.length === 0 ? bare : withAbsentOwner(bare, identity);
  const waiting = node.owners.filter((owner) => next.nodes.get(owner.uid)?.deletesDependents === true);
  const toDelete = [...dependents.map(uidOf), ...waiting.map((owner) => owner.uid)];
  return {graph: next, toDelete, toOrphan: []};
}

export function unchanged(graph: Graph): GraphChange {
  return {graph, toDelete: [], toOrphan: []};
}

function uidOf(node: GraphNode): string {
  return node.identity.uid;
}
