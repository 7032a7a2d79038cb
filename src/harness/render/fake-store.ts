// The API server of a render: a map of objects that takes what it is given.
// crossplane/crossplane 2d040d2da internal/render/client.go (InMemoryClient): an apply replaces the stored object, a
// status write replaces the status, an update ignores resourceVersions, a delete removes at once. No managed fields, no
// finalizers, no webhooks. That is what `crossplane render` answers from, so it is what ours must answer from.

import type {ApiRequest, ApiResponse, ListScope} from '../../cluster/api/request.ts';
import type {CacheRead, CacheReply} from '../../cluster/kernel/call.ts';
import {groupOf, type KubeObject, type ResourceRef, refOf} from '../../cluster/object.ts';

export interface FakeStore {
  answer(request: ApiRequest): ApiResponse;
  read(read: CacheRead): CacheReply;
  /** Applied, deleted and updated objects, each list in the order of time. */
  readonly applied: readonly KubeObject[];
  readonly deleted: readonly KubeObject[];
  readonly updated: readonly KubeObject[];
}

export function fakeStore(initial: readonly KubeObject[]): FakeStore {
  const objects = new Map(initial.map((object) => [addressOf(object), object]));
  const applied: KubeObject[] = [];
  const deleted: KubeObject[] = [];
  const updated: KubeObject[] = [];
  const stored = (ref: ResourceRef): KubeObject | undefined => objects.get(keyOf(ref));

  const write = (given: KubeObject, isStatus: boolean, log: KubeObject[]): ApiResponse => {
    const object = typed(given);
    const ref = refOf(object);
    const next = isStatus ? withStatusOf(stored(ref), object) : object;
    objects.set(addressOf(object), next);
    log.push(next);
    return {ok: true, code: 200, object: next};
  };

  const remove = (ref: ResourceRef): ApiResponse => {
    const object = stored(ref);
    if (object === undefined) return notFound(ref);
    objects.delete(keyOf(ref));
    deleted.push(object);
    return {ok: true, code: 200, object};
  };

  const answer = (request: ApiRequest): ApiResponse => {
    switch (request.verb) {
      case 'get': {
        const object = stored(request.ref);
        return object === undefined ? notFound(request.ref) : {ok: true, code: 200, object};
      }
      case 'list':
        return {ok: true, code: 200, items: list(objects.values(), request)};
      case 'create':
        return write(request.object, false, []);
      case 'update':
        return write(request.object, request.subresource === 'status', updated);
      case 'patch': {
        if (request.type === 'apply')
          return write(request.body as KubeObject, request.subresource === 'status', applied);
        // The upgrade of managed fields, which a render leaves out.
        const object = stored(request.ref);
        return object === undefined ? notFound(request.ref) : {ok: true, code: 200, object};
      }
      case 'delete':
        return remove(request.ref);
      case 'delete-collection':
        return {ok: true, code: 200};
    }
  };

  const read = (wanted: CacheRead): CacheReply => {
    if (wanted.verb === 'list') return {ok: true, object: undefined, items: list(objects.values(), wanted)};
    return {ok: true, object: stored(wanted.ref), items: []};
  };

  return {answer, read, applied, deleted, updated};
}

/** An object without a type gets an empty one (toUnstructured). */
function typed(object: KubeObject): KubeObject {
  const {apiVersion = '', kind = ''} = object as Partial<KubeObject>;
  return object.apiVersion === apiVersion && object.kind === kind ? object : {...object, apiVersion, kind};
}

function withStatusOf(before: KubeObject | undefined, object: KubeObject): KubeObject {
  if (before === undefined) return object;
  return object.status === undefined ? before : {...before, status: object.status};
}

function list(objects: Iterable<KubeObject>, scope: ListScope): readonly KubeObject[] {
  const labels = Object.entries(scope.selector?.matchLabels ?? {});
  return [...objects].filter(
    ({apiVersion, kind, metadata}) =>
      apiVersion === scope.apiVersion &&
      kind === scope.kind &&
      (scope.namespace === undefined || metadata.namespace === scope.namespace) &&
      labels.every(([key, value]) => metadata.labels?.[key] === value),
  );
}

/** Equal for one object, different for two: kind, namespace and name. */
export function addressOf(object: KubeObject): string {
  return keyOf(refOf(object));
}

function keyOf({apiVersion, kind, namespace, name}: ResourceRef): string {
  return JSON.stringify([apiVersion, kind, namespace ?? '', name]);
}

function notFound({apiVersion, kind, name}: ResourceRef): ApiResponse {
  const group = groupOf(apiVersion);
  const message = `${group === '' ? kind : `${kind}.${group}`} "${name}" not found`;
  return {ok: false, code: 404, reason: 'NotFound', message};
}
