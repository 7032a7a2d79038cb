// The simulated kube-apiserver: one request in, the next state, the response and the watch events out.
//
// Modelled: storage with resourceVersions and preconditions, the handlers of every verb controllers use, server-side apply with
// managedFields, custom resources with their schemas, subresource status, finalizers and propagation, namespaces, CRDs that come
// and go. A request is atomic, as etcd's transactions make it; the retries of a write that raced another one are upstream's own and
// show nothing. Not modelled: authentication and authorization, quotas, priority and fairness, mutating webhooks, dry run of
// patches and deletes, pagination, strategic merge patch (custom resources answer it with 415), protobuf. Nothing in the recorded
// scenarios depends on these.
//
// kubernetes/apiserver 24a394e51, kubernetes/apiextensions-apiserver 1aa2717a5 (v1.34 behaves the same where recorded).

import type {GroupVersionKind, KubeObject} from '../object.ts';
import {deleteCollection, deleteOne, type ServeContext} from './deleting.ts';
import {noSuchResource} from './errors.ts';
import type {KindDefinition} from './kinds.ts';
import {create, patch, update} from './mutating.ts';
import {type ApiRequest, type ApiResponse, type ListScope, matches} from './request.ts';
import {existing, isError, objectsOf, readAs, type Scope, scopeOf} from './scope.ts';
import {type ServerState, serverWithCoreKinds, withKind} from './store.ts';
import {answer, type Result} from './writing.ts';

export type {Admission, ServeContext} from './deleting.ts';
export type {ServerState} from './store.ts';
export type Served = Result;

/** A server with the core kinds and the namespaces every cluster has. */
export function emptyServer(): ServerState {
  return bootNamespaces.reduce((server, name) => {
    const namespace = {apiVersion: 'v1', kind: 'Namespace', metadata: {name}} as unknown as KubeObject;
    return serve(server, {verb: 'create', object: namespace, manager: 'kube-apiserver'}, {nowMs: 0}).server;
  }, serverWithCoreKinds());
}

/** The server with a kind that no CustomResourceDefinition in the store stands for. */
export function installKind(server: ServerState, definition: KindDefinition): ServerState {
  return withKind(server, definition);
}

export function serve(server: ServerState, request: ApiRequest, context: ServeContext): Served {
  switch (request.verb) {
    case 'get':
      return answer(server, getOne(server, request));
    case 'list':
      return answer(server, list(server, request));
    case 'create':
      return kept(server, request, create(server, request, context.nowMs));
    case 'update':
      return kept(server, request, update(server, request, context.nowMs));
    case 'patch':
      return patch(server, request, context.nowMs);
    case 'delete':
      return deleteOne(server, request, context);
    case 'delete-collection':
      return deleteCollection(server, request, context);
  }
}

/** The outcome of a write; a dry run changes no state. */
function kept(server: ServerState, {dryRun}: {readonly dryRun?: true}, written: Served): Served {
  return dryRun === true ? answer(server, written.response) : written;
}

/** The served kinds, once per served version, as discovery lists them. */
export function discover(server: ServerState): readonly (GroupVersionKind & {readonly namespaced: boolean})[] {
  return [...server.kinds.values()].flatMap(({definition, versions}) =>
    [...versions.values()]
      .filter(({served}) => served)
      .map(({apiVersion}) => ({apiVersion, kind: definition.kind, namespaced: definition.namespaced})),
  );
}

const bootNamespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

function getOne(server: ServerState, {ref}: ApiRequest & {readonly verb: 'get'}): ApiResponse {
  const scope = scopeOf(server, ref);
  if (isError(scope)) return scope;
  if (scope.kind.definition.namespaced && ref.namespace === undefined) return noSuchResource();
  const object = existing(server, scope, ref.namespace, ref.name);
  return isError(object) ? object : {ok: true, code: 200, object};
}

function list(server: ServerState, request: ListScope): ApiResponse {
  const scope = scopeOf(server, request);
  if (isError(scope)) return scope;
  const namespace = scope.kind.definition.namespaced ? request.namespace : undefined;
  const {selector} = request;
  const all = objectsOf(server, scope, namespace);
  const listed = selector === undefined ? all : all.filter((object) => matches(object, selector));
  return {ok: true, code: 200, items: read(scope, listed)};
}

/** The objects in the version of the scope. If none changes, the same array, so that callers see that nothing changed. */
function read(scope: Scope, objects: readonly KubeObject[]): readonly KubeObject[] {
  const items = objects.map((object) => readAs(scope, object));
  return items.every((item, index) => item === objects[index]) ? objects : items;
}
