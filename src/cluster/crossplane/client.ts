// The clients Crossplane's controllers use: writes that answer the written object, and reads through the cache or past
// it. crossplane/crossplane-runtime v2.4.0 pkg/resource/api.go.

import type {LabelSelector, PropagationPolicy} from '../api/request.ts';
import type {Json, JsonObject} from '../json.ts';
import {without} from '../json.ts';
import {type CacheReply, cached, type Step, throughClient} from '../kernel/call.ts';
import {type GroupVersionKind, type KubeObject, type ResourceRef, refOf} from '../object.ts';
import {managerCrossplane} from '../vocabulary.ts';
import {type Failure, failedWith, failureOf, isNotFound, objectOf, type Result, success, wrapped} from './failure.ts';
import type {Profile} from './profile.ts';

export function* update(object: KubeObject): Step<Result<KubeObject>> {
  return objectOf(yield* throughClient({verb: 'update', object, manager: managerCrossplane}));
}

export function* updateStatus(object: KubeObject): Step<Result<KubeObject>> {
  return objectOf(yield* throughClient({verb: 'update', object, manager: managerCrossplane, subresource: 'status'}));
}

export function* create(object: KubeObject): Step<Result<KubeObject>> {
  return objectOf(yield* throughClient({verb: 'create', object, manager: managerCrossplane}));
}

/** Server-side apply with force. `body` needs apiVersion, kind and metadata.name. */
export function* apply(body: KubeObject, manager: string, subresource?: 'status'): Step<Result<KubeObject>> {
  const request = {verb: 'patch', type: 'apply', ref: refOf(body), body, manager, force: true} as const;
  return objectOf(yield* throughClient(subresource === undefined ? request : {...request, subresource}));
}

export function* jsonPatch(ref: ResourceRef, body: Json): Step<Result<KubeObject>> {
  return objectOf(yield* throughClient({verb: 'patch', type: 'json', ref, body, manager: managerCrossplane}));
}

export interface DeleteOptions {
  readonly propagationPolicy?: PropagationPolicy;
  readonly uid?: string;
}

/** Deletes; an object that is gone already counts as deleted. */
export function* remove(ref: ResourceRef, options: DeleteOptions = {}): Step<Failure | undefined> {
  const {propagationPolicy, uid} = options;
  const response = yield* throughClient({
    verb: 'delete',
    ref,
    ...(propagationPolicy === undefined ? {} : {propagationPolicy}),
    ...(uid === undefined ? {} : {preconditions: {uid}}),
  });
  if (response.ok || response.code === 404) return undefined;
  return failureOf(response);
}

export function* getLive(ref: ResourceRef): Step<Result<KubeObject | undefined>> {
  const result = objectOf(yield* throughClient({verb: 'get', ref}));
  return result.ok || !isNotFound(result.failure) ? result : success(undefined);
}

export function* listLive(list: ObjectList): Step<Result<readonly KubeObject[]>> {
  const response = yield* throughClient({verb: 'list', ...list});
  return response.ok ? success(response.items ?? []) : failedWith(failureOf(response));
}

/** Reads through the cache, which starts an informer of the kind and waits for it where there is none. */
export function* getCached(ref: ResourceRef): Step<Result<KubeObject | undefined>> {
  const reply = yield* cached({verb: 'get', ref});
  return reply.ok ? success(reply.object) : unread(reply);
}

/** Past the cache where a version reads so. */
export function* get(ref: ResourceRef, reads: Profile['reads']): Step<Result<KubeObject | undefined>> {
  return yield* reads === 'live' ? getLive(ref) : getCached(ref);
}

function unread({reason, message}: Extract<CacheReply, {ok: false}>): Result<never> {
  return failedWith(reason === 'Timeout' ? {message, timeout: true} : {message, refused: 'no-match'});
}

/** Selects the objects to list; without a namespace, from all namespaces. */
export interface ObjectList extends GroupVersionKind {
  readonly namespace?: string;
  readonly selector?: LabelSelector;
}

export function* listCached(list: ObjectList): Step<Result<readonly KubeObject[]>> {
  const reply = yield* cached({verb: 'list', ...list});
  return reply.ok ? success(reply.items) : unread(reply);
}

export function* addFinalizer(object: KubeObject, finalizer: string): Step<Result<KubeObject>> {
  const finalizers = object.metadata.finalizers ?? [];
  if (finalizers.includes(finalizer)) return success(object);
  const metadata = {...object.metadata, finalizers: [...finalizers, finalizer]};
  return wrapped('cannot update object', yield* update({...object, metadata}));
}

export function* removeFinalizer(object: KubeObject, finalizer: string): Step<Result<KubeObject>> {
  const finalizers = object.metadata.finalizers ?? [];
  if (!finalizers.includes(finalizer)) return success(object);
  const rest = finalizers.filter((other) => other !== finalizer);
  const kept = without(object.metadata, 'finalizers') as KubeObject['metadata'];
  const metadata = rest.length === 0 ? kept : {...kept, finalizers: rest};
  const next: KubeObject = {...object, metadata};
  const result = yield* update(next);
  if (!result.ok && isNotFound(result.failure)) return success(next);
  return wrapped('cannot update object', result);
}

/** A merge patch with the whole object as its body, as APIPatchingApplicator sends; the object is made if absent. */
export function* applyByPatch(
  desired: KubeObject,
  reads: Profile['reads'],
  unless: (current: KubeObject) => boolean = () => false,
): Step<Result<KubeObject>> {
  const ref = refOf(desired);
  const read = yield* get(ref, reads);
  if (!read.ok) return wrapped('cannot get object', read);
  if (read.value === undefined) return wrapped('cannot create object', yield* create(withoutServerFields(desired)));
  if (unless(read.value)) return success(read.value);
  const response = yield* throughClient({verb: 'patch', type: 'merge', ref, body: desired, manager: managerCrossplane});
  return wrapped('cannot patch object', objectOf(response));
}

// A create with a resourceVersion is refused.
function withoutServerFields(object: KubeObject): KubeObject {
  return {...object, metadata: without(object.metadata as JsonObject, 'resourceVersion') as KubeObject['metadata']};
}
