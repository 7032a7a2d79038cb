import {expect, test} from 'vitest';
import {emptyServer, installKind, serve} from '../../../src/cluster/api/server.ts';
import type {ServerState} from '../../../src/cluster/api/store.ts';
import {discovered, mapped} from '../../../src/cluster/client/rest-mapper.ts';
import {crdOf, kindNamed} from '../small-world.ts';

// What a process's client knows of kinds that come and go.

const part = {apiVersion: 'example.org/v1', kind: 'Part'};
const local = {apiVersion: 'example.org/v1', kind: 'Local'};

function withCrd(server: ServerState, kind: string, namespaced = false): ServerState {
  const created = serve(server, {verb: 'create', object: crdOf(kind, namespaced), manager: 'user'}, {nowMs: 0});
  expect(created.response.ok).toBe(true);
  return created.server;
}

function withoutCrd(server: ServerState, name: string): ServerState {
  const ref = {apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name};
  const going = serve(server, {verb: 'delete', ref}, {nowMs: 0}).server;
  // The finalizer of the CRD controller, for whose work there is nothing to do.
  const body = {metadata: {finalizers: null}};
  return serve(going, {verb: 'patch', type: 'merge', ref, body, manager: 'crd'}, {nowMs: 0}).server;
}

test('a kind that is served has its scope', () => {
  const server = installKind(installKind(emptyServer(), kindNamed('Part')), kindNamed('Local', true));
  const mapper = discovered(server);
  expect(mapped(mapper, part, server)).toEqual({mapper, scope: 'Cluster'});
  expect(mapped(mapper, local, server)).toEqual({mapper, scope: 'Namespaced'});
  expect(mapped(mapper, {apiVersion: 'v1', kind: 'Secret'}, server).scope).toBe('Namespaced');
});

test('a kind that was never there has no match, in any version', () => {
  const server = installKind(emptyServer(), kindNamed('Part'));
  const mapper = discovered(server);
  expect(mapped(mapper, local, server).scope).toBeUndefined();
  expect(mapped(mapper, {apiVersion: 'example.org/v2', kind: 'Part'}, server).scope).toBeUndefined();
  expect(mapped(mapper, {apiVersion: 'nosuch.example.org/v1', kind: 'Part'}, server).scope).toBeUndefined();
});

test('a kind that comes later is found when it is asked for', () => {
  const before = emptyServer();
  const known = discovered(before);
  const server = installKind(before, kindNamed('Part'));
  const {mapper, scope} = mapped(known, part, server);
  expect(scope).toBe('Cluster');
  expect(mapped(mapper, part, before).scope).toBe('Cluster');
});

test('a kind that vanished keeps its mapping, one that vanished before anybody asked does not', () => {
  const before = emptyServer();
  const server = withCrd(before, 'Part');
  const asked = mapped(discovered(before), part, server).mapper;
  const gone = withoutCrd(server, 'parts.example.org');
  expect(discovered(gone).get('example.org/v1')).toBeUndefined();
  expect(mapped(asked, part, gone).scope).toBe('Cluster');
  expect(mapped(discovered(before), part, gone).scope).toBeUndefined();
});

test('a look for another kind of the same version forgets what vanished', () => {
  const both = withCrd(withCrd(emptyServer(), 'Part'), 'Local', true);
  const known = discovered(both);
  const left = withoutCrd(both, 'parts.example.org');
  const looked = mapped(known, {apiVersion: 'example.org/v1', kind: 'Absent'}, left).mapper;
  expect(mapped(looked, part, left).scope).toBeUndefined();
  expect(mapped(looked, local, left).scope).toBe('Namespaced');
});

test('a look at a version that is gone forgets the whole group', () => {
  const server = withCrd(emptyServer(), 'Part');
  const known = discovered(server);
  const gone = withoutCrd(server, 'parts.example.org');
  const looked = mapped(known, {apiVersion: 'example.org/v1', kind: 'Absent'}, gone).mapper;
  expect(mapped(looked, part, gone).scope).toBeUndefined();
  expect(looked.get('v1')).toBe(known.get('v1'));
});
