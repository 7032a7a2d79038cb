import {describe, expect, test} from 'vitest';
import type {WatchEvent} from '../../../src/cluster/api/request.ts';
import type {JsonObject} from '../../../src/cluster/json.ts';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {absent} from '../../../src/cluster/owner-gc/gc-memory.ts';
import {
  dependentsOf,
  emptyGraph,
  type Graph,
  isKnownAbsent,
  withAbsentOwner,
} from '../../../src/cluster/owner-gc/graph.ts';
import {changed, type GraphChange} from '../../../src/cluster/owner-gc/graph-change.ts';
import {thing} from '../small-world.ts';

function part(uid: string, metadata: JsonObject = {}): KubeObject {
  return thing('Part', uid, {uid, resourceVersion: '1', ...metadata});
}

/** A reference to the owner of this uid, as an App called shop unless said otherwise. */
function owner(uid: string, rest: JsonObject = {}): JsonObject {
  return {apiVersion: 'example.org/v1', kind: 'App', name: 'shop', uid, ...rest};
}

function tell(graph: Graph, type: WatchEvent['type'], object: KubeObject, before?: KubeObject): GraphChange {
  return changed(graph, {type, object, revision: 1}, before);
}

function graphOf(...objects: readonly KubeObject[]): Graph {
  return objects.reduce((graph, object) => tell(graph, 'ADDED', object).graph, emptyGraph);
}

const identity = {apiVersion: 'example.org/v1', kind: 'App', name: 'shop', uid: 'app', namespace: ''};

describe('the graph', () => {
  test('makes a virtual node of an owner nobody saw, and asks for it', () => {
    const {graph, toDelete} = tell(emptyGraph, 'ADDED', part('db', {ownerReferences: [owner('app')]}));
    expect(toDelete).toEqual(['app']);
    expect(graph.nodes.get('app')).toMatchObject({isVirtual: true, identity});
    expect(dependentsOf(graph, 'app').map((node) => node.identity.uid)).toEqual(['db']);
  });

  test('gives a virtual owner its true identity when an informer shows it, and doubts those who named another', () => {
    const graph = graphOf(
      part('db', {ownerReferences: [owner('app')]}),
      part('odd', {ownerReferences: [owner('app', {name: 'other'})]}),
    );
    const app = thing('App', 'shop', {uid: 'app', namespace: 'red'});
    const {toDelete, graph: next} = tell(graph, 'ADDED', app);
    expect(next.nodes.get('app')).toMatchObject({isVirtual: false, identity: {...identity, namespace: 'red'}});
    expect(toDelete).toEqual(['db', 'odd']);
  });

  test('is the same graph after an event that changes nothing in it', () => {
    const graph = graphOf(part('db'));
    expect(tell(graph, 'MODIFIED', part('db', {labels: {a: 'b'}})).graph).toBe(graph);
  });

  test('looks at an owner again when a dependent stops blocking it', () => {
    const blocking = part('db', {ownerReferences: [owner('app', {blockOwnerDeletion: true})]});
    const graph = graphOf(thing('App', 'shop', {uid: 'app'}), blocking);
    const freed = part('db', {ownerReferences: [owner('app', {blockOwnerDeletion: false})]});
    expect(tell(graph, 'MODIFIED', freed, blocking).toDelete).toEqual(['app']);
    expect(tell(graph, 'MODIFIED', part('db'), blocking).toDelete).toEqual(['app']);
  });

  test('orphans once, when the deletion with that finalizer begins', () => {
    const graph = graphOf(part('db'));
    const going = part('db', {deletionTimestamp: 't', finalizers: ['orphan']});
    expect(tell(graph, 'MODIFIED', going, part('db')).toOrphan).toEqual(['db']);
    expect(tell(graph, 'MODIFIED', going, going).toOrphan).toEqual([]);
  });

  test('remembers 500 absent owners and forgets the oldest', () => {
    const names = Array.from({length: 501}, (_, index) => ({...identity, uid: `app-${index}`}));
    const graph = names.reduce(withAbsentOwner, emptyGraph);
    expect(graph.absentOwners).toHaveLength(500);
    expect(isKnownAbsent(graph, {...identity, uid: 'app-0'})).toBe(false);
    expect(isKnownAbsent(graph, {...identity, uid: 'app-500'})).toBe(true);
  });
});

describe('an owner the API server does not know', () => {
  test('leaves the graph, and its dependents are looked at', () => {
    const graph = graphOf(part('db', {ownerReferences: [owner('app')]}));
    const change = absent(graph, identity);
    expect(change.graph.nodes.has('app')).toBe(false);
    expect(change.toDelete).toEqual(['db']);
    expect(isKnownAbsent(change.graph, identity)).toBe(true);
  });

  test('takes another identity where some dependents call it by another name', () => {
    const other = part('cache', {ownerReferences: [owner('app', {name: 'store'})]});
    const graph = graphOf(part('db', {ownerReferences: [owner('app')]}), other);
    const change = absent(graph, identity);
    expect(change.toDelete).toEqual(['db']);
    expect(change.later).toEqual(['app']);
    expect(change.graph.nodes.get('app')?.identity.name).toBe('store');
  });

  test('is not taken from the graph where an informer showed it by another name', () => {
    const app = thing('App', 'store', {uid: 'app'});
    const graph = graphOf(app, part('db', {ownerReferences: [owner('app')]}));
    const change = absent(graph, identity);
    expect(change.graph.nodes.has('app')).toBe(true);
    expect(change.toDelete).toEqual(['db']);
  });
});
