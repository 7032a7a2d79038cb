// The store: objects by kind, in the shape of their storage version, under one revision counter, as etcd keeps them.
//
// Modelled: resourceVersion is the revision of the last write to the object; a delete takes a revision too. Not
// modelled: compaction and continue tokens, since lists are answered whole. Uids and generated names come from
// counters in the state and a salt, so that a run is a function of its requests and its seed.

import {remembering} from '../memo.ts';
import type {KubeObject} from '../object.ts';
import {drop, emptyTable, put, sorted, type Table} from '../table.ts';
import {coreKinds} from './core-kinds.ts';
import {definitionOf, type Kind, type KindDefinition, kindOf} from './kinds.ts';
import type {WatchEvent} from './request.ts';

export interface ServerState {
  readonly revision: number;
  /** By `Kind.group`. */
  readonly kinds: Table<Kind>;
  /** By `Kind.group`, then by `namespace/name`. */
  readonly objects: Table<Table<KubeObject>>;
  /** How many uids and generated names were given out. */
  readonly issued: number;
  /** Makes uids and generated names those of one run: what follows from their order differs between seeds. */
  readonly salt: number;
}

export interface Stored {
  readonly server: ServerState;
  readonly object: KubeObject;
  readonly event: WatchEvent;
}

export const crdGroupKind = 'CustomResourceDefinition.apiextensions.k8s.io';

export function serverWithCoreKinds(): ServerState {
  const server: ServerState = {revision: 1, kinds: emptyTable(), objects: emptyTable(), issued: 0, salt: 0};
  return coreKinds.reduce(withKind, server);
}

/** The server with one more kind, or another definition of a kind it has. */
export function withKind(server: ServerState, definition: KindDefinition): ServerState {
  const kind = kindOf(definition);
  return {...server, kinds: put(server.kinds, kind.groupKind, kind)};
}

function withoutKind(server: ServerState, groupKind: string): ServerState {
  return {...server, kinds: drop(server.kinds, groupKind)};
}

export function keyOf(namespace: string | undefined, name: string): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

export function lookUp(
  server: ServerState,
  kind: Kind,
  namespace: string | undefined,
  name: string,
): KubeObject | undefined {
  return server.objects.get(kind.groupKind)?.get(keyOf(namespace, name));
}

const ordered = remembering((table: Table<KubeObject>): readonly KubeObject[] =>
  sorted(table).map(([, object]) => object),
);
const nothing: readonly KubeObject[] = [];

/** All objects of a kind in the order of their keys, as etcd lists them. */
export function allOf(server: ServerState, groupKind: string): readonly KubeObject[] {
  const table = server.objects.get(groupKind);
  return table === undefined ? nothing : ordered(table);
}

/** Writes the object under the next revision. */
export function write(server: ServerState, kind: Kind, object: KubeObject): Stored {
  const revision = server.revision + 1;
  const {namespace, name} = object.metadata;
  const stored = at(object, revision);
  const table = server.objects.get(kind.groupKind) ?? emptyTable<KubeObject>();
  const key = keyOf(namespace, name);
  const type = table.has(key) ? 'MODIFIED' : 'ADDED';
  const objects = put(server.objects, kind.groupKind, put(table, key, stored));
  const next = withDefinedKind({...server, revision, objects}, kind, stored);
  return {server: next, object: stored, event: {type, object: stored, revision}};
}

/**
 * Removes the object. A watcher sees it as it was stored, under the next revision: a write that takes the last finalizer
 * deletes instead of storing, so the finalizer is still on the object of the event (recordings managed/a-sync-lifecycle).
 */
export function remove(server: ServerState, kind: Kind, object: KubeObject): Stored {
  const revision = server.revision + 1;
  const {namespace, name} = object.metadata;
  const table = server.objects.get(kind.groupKind) ?? emptyTable<KubeObject>();
  const objects = put(server.objects, kind.groupKind, drop(table, keyOf(namespace, name)));
  const last = at(table.get(keyOf(namespace, name)) ?? object, revision);
  const next = withoutDefinedKind({...server, revision, objects}, kind, object);
  return {server: next, object: last, event: {type: 'DELETED', object: last, revision}};
}

export interface Issued {
  readonly server: ServerState;
  readonly value: string;
}

/** A new uid: unique and scattered, but the same in every run of one salt. */
export function newUid(server: ServerState): Issued {
  const issued = server.issued + 1;
  const count = salted(server.salt, issued);
  const words = [1, 2, 3, 4].map((salt) => scatter(count, salt).toString(16).padStart(8, '0')).join('');
  const value = [
    words.slice(0, 8),
    words.slice(8, 12),
    `4${words.slice(13, 16)}`,
    `8${words.slice(17, 20)}`,
    words.slice(20),
  ];
  return {server: {...server, issued}, value: value.join('-')};
}

/** kubernetes/apiserver 24a394e51 pkg/storage/names/generate.go: five letters that form no words. */
export function newName(server: ServerState, prefix: string): Issued {
  const issued = server.issued + 1;
  let left = scatter(salted(server.salt, issued), 5);
  let suffix = '';
  for (let index = 0; index < 5; index++) {
    suffix += suffixLetters[left % suffixLetters.length];
    left = Math.floor(left / suffixLetters.length);
  }
  return {server: {...server, issued}, value: prefix.slice(0, 58) + suffix};
}

const suffixLetters = 'bcdfghjklmnpqrstvwxz2456789';

function at(object: KubeObject, revision: number): KubeObject {
  return {...object, metadata: {...object.metadata, resourceVersion: String(revision)}};
}

function withDefinedKind(server: ServerState, kind: Kind, object: KubeObject): ServerState {
  if (kind.groupKind !== crdGroupKind) return server;
  const definition = definitionOf(object);
  return definition === undefined ? server : withKind(server, definition);
}

function withoutDefinedKind(server: ServerState, kind: Kind, object: KubeObject): ServerState {
  if (kind.groupKind !== crdGroupKind) return server;
  const definition = definitionOf(object);
  return definition === undefined ? server : withoutKind(server, kindOf(definition).groupKind);
}

/** The counter of one run: still another one for every count. */
function salted(salt: number, count: number): number {
  return (count ^ Math.imul(salt, 0x27d4eb2f)) >>> 0;
}

/** 32 well mixed bits of a counter: MurmurHash3's finalizer (public domain, Austin Appleby). */
function scatter(count: number, salt: number): number {
  let bits = (Math.imul(count, 0x9e3779b1) ^ Math.imul(salt, 0x85ebca6b)) >>> 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b) >>> 0;
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35) >>> 0;
  return (bits ^ (bits >>> 16)) >>> 0;
}
