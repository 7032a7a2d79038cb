// Removes an identity from the graph after the API server answered that its object does not exist. Dependents may name one uid by
// different coordinates. Then only those with this identity lost their owner, and a virtual owner takes the next identity that a
// dependent names.
// Source: kubernetes/kubernetes v1.34 pkg/controller/garbagecollector/graph_builder.go processGraphChanges (virtual),
// partitionDependents, getAlternateOwnerIdentity.

import {equal} from '../json.ts';
import {
  coordinatesMatch,
  dependentsOf,
  type Graph,
  type GraphNode,
  type Identity,
  identityKey,
  ownerIdentity,
  withAbsentOwner,
  withNode,
} from './graph.ts';
import {type GraphChange, unchanged, withoutNode} from './graph-change.ts';

export interface VirtualDelete extends GraphChange {
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
