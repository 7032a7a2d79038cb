// Deletes. An object with finalizers, or with a propagation policy that needs one, is only marked. The owner GC and the controllers
// that set the finalizers do their work, and the update that removes the last finalizer removes the object.
//
// kubernetes/apiserver 24a394e51 pkg/registry/generic/registry/store.go (Delete, deletionFinalizersForGarbageCollection,
// markAsDeleting), pkg/registry/rest/delete.go (BeforeDelete), pkg/storage/etcd3/store.go (conditionalDelete). Not modelled: grace
// periods, since no custom resource has any; field selectors of delete-collection.

import {equal} from '../json.ts';
import type {KubeObject} from '../object.ts';
import {timestamp} from '../timestamp.ts';
import {asDeleting, hasNamespaceFinalizers} from './core-behaviour.ts';
import {conflict, forbidden, noSuchResource} from './errors.ts';
import {storageError} from './mutating.ts';
import {
  type ApiError,
  type ApiRequest,
  matches,
  type Preconditions,
  type PropagationPolicy,
  type WatchEvent,
} from './request.ts';
import {existing, isError, objectsOf, readAs, type Scope, scopeOf} from './scope.ts';
import {lookUp, remove, type ServerState, write} from './store.ts';
import {withMeta} from './strategy.ts';
import {answer, type Result} from './writing.ts';

/** A validating admission webhook for deletes. It may write to the store before it denies. */
export interface Admission {
  readonly reviewDelete: (
    server: ServerState,
    object: KubeObject,
    request: ApiRequest & {readonly verb: 'delete' | 'delete-collection'},
    nowMs: number,
  ) => {readonly server: ServerState; readonly events: readonly WatchEvent[]; readonly denial?: ApiError};
}

export interface ServeContext {
  readonly nowMs: number;
  readonly admission?: Admission;
}

type DeleteRequest = ApiRequest & {readonly verb: 'delete'};
type DeleteCollectionRequest = ApiRequest & {readonly verb: 'delete-collection'};

export function deleteOne(server: ServerState, request: DeleteRequest, context: ServeContext): Result {
  const {ref, propagationPolicy, preconditions} = request;
  const scope = scopeOf(server, ref);
  if (isError(scope)) return answer(server, scope);
  if (scope.kind.definition.namespaced && ref.namespace === undefined) return answer(server, noSuchResource());
  const object = existing(server, scope, ref.namespace, ref.name);
  if (isError(object)) return answer(server, object);
  return deleteObject(server, scope, object, {request, propagationPolicy, preconditions}, context);
}

/** Deletes what the scope lists, one by one in the order of the list, until one is refused. */
export function deleteCollection(server: ServerState, request: DeleteCollectionRequest, context: ServeContext): Result {
  const scope = scopeOf(server, request);
  if (isError(scope)) return answer(server, scope);
  // The path of a whole namespaced kind knows GET and POST only.
  if (scope.kind.definition.namespaced && request.namespace === undefined) return answer(server, noSuchResource());
  const doomed = objectsOf(server, scope, request.namespace).filter((object) => matches(object, request.selector));
  const {propagationPolicy} = request;
  let result: Result = answer(server, {ok: true, code: 200});
  for (const {metadata} of doomed) {
    const object = existing(result.server, scope, metadata.namespace, metadata.name);
    if (isError(object)) continue;
    const options = {request, propagationPolicy, preconditions: undefined};
    const {server: next, response, events} = deleteObject(result.server, scope, object, options, context);
    result = {server: next, response: result.response, events: [...result.events, ...events]};
    if (!response.ok) return {...result, response};
  }
  return result;
}

interface Options {
  readonly request: DeleteRequest | DeleteCollectionRequest;
  readonly propagationPolicy: PropagationPolicy | undefined;
  readonly preconditions: Preconditions | undefined;
}

function deleteObject(
  server: ServerState,
  scope: Scope,
  object: KubeObject,
  options: Options,
  context: ServeContext,
): Result {
  const refused = immortal(scope, object) ?? preconditionProblem(scope, object, options.preconditions);
  if (refused !== undefined) return answer(server, refused);
  const isInternal = options.request.verb === 'delete-collection' && options.request.isInternal === true;
  const admission = isInternal ? undefined : context.admission;
  const review = admission?.reviewDelete(server, object, options.request, context.nowMs);
  if (review === undefined) return removeOrMark(server, scope, object, options, context.nowMs);
  const current = lookUp(review.server, scope.kind, object.metadata.namespace, object.metadata.name);
  const now = current === undefined ? object : readAs(scope, current);
  const denial = review.denial === undefined ? undefined : denialOf(scope, now, options.preconditions, review.denial);
  if (denial !== undefined) return {server: review.server, response: denial, events: review.events};
  const done = removeOrMark(review.server, scope, now, options, context.nowMs);
  return {...done, events: [...review.events, ...done.events]};
}

/**
 * A webhook that wrote to the object before it denied made the store look again: with a resourceVersion among the
 * preconditions, that second look fails first.
 */
function denialOf(
  {kind}: Scope,
  {metadata}: KubeObject,
  preconditions: Preconditions | undefined,
  denial: ApiError,
): ApiError {
  const wanted = preconditions?.resourceVersion;
  if (wanted === undefined || wanted === metadata.resourceVersion) return denial;
  return versionMismatch(kind, metadata, wanted);
}

function versionMismatch(kind: Scope['kind'], metadata: KubeObject['metadata'], wanted: string): ApiError {
  const detail = `Precondition failed: ResourceVersion in precondition: ${wanted}, ResourceVersion in object meta: ${metadata.resourceVersion}`;
  return conflict(kind.resource, metadata.name, storageError(kind.definition, metadata, detail));
}

function removeOrMark(
  server: ServerState,
  scope: Scope,
  object: KubeObject,
  {propagationPolicy, preconditions}: Options,
  nowMs: number,
): Result {
  const {kind} = scope;
  const now = timestamp(nowMs);
  const begun = asDeleting(kind.groupKind, object, now);
  const finalizers = deletionFinalizers(begun.metadata.finalizers ?? [], propagationPolicy, kind.definition.deletedAs);
  const isPending = finalizers.length > 0 || hasNamespaceFinalizers(begun);
  if (!isPending) {
    // Where the policy takes the last finalizer away, the store compares the version with that of an object it never
    // read, which has none.
    if ((begun.metadata.finalizers ?? []).length > 0 && preconditions?.resourceVersion !== undefined) {
      return answer(server, versionMismatch(kind, object.metadata, ''));
    }
    const gone = remove(server, kind, stored(server, scope, object));
    return {server: gone.server, response: {ok: true, code: 200, object}, events: [gone.event]};
  }
  const marked = markedAsDeleting(withMeta(begun, {finalizers: finalizers.length === 0 ? undefined : finalizers}), now);
  const settled = {...marked, apiVersion: kind.storage.apiVersion};
  if (equal(settled, stored(server, scope, object))) return answer(server, {ok: true, code: 200, object});
  const written = write(server, kind, settled);
  return {
    server: written.server,
    response: {ok: true, code: 200, object: readAs(scope, written.object)},
    events: [written.event],
  };
}

/** Finalizers after a delete with this policy. An explicit policy replaces the one of an earlier delete. */
function deletionFinalizers(
  finalizers: readonly string[],
  policy: PropagationPolicy | undefined,
  byDefault: 'Orphan' | undefined,
): readonly string[] {
  const unsaid = byDefault === 'Orphan' && !finalizers.includes('foregroundDeletion');
  const orphans = policy === undefined ? finalizers.includes('orphan') || unsaid : policy === 'Orphan';
  const foreground =
    policy === undefined ? !orphans && finalizers.includes('foregroundDeletion') : policy === 'Foreground';
  const others = finalizers.filter((finalizer) => finalizer !== 'orphan' && finalizer !== 'foregroundDeletion');
  const next = [...others, ...(orphans ? ['orphan'] : []), ...(foreground ? ['foregroundDeletion'] : [])];
  const same = next.length === finalizers.length && next.every((finalizer) => finalizers.includes(finalizer));
  return same ? finalizers : next;
}

function markedAsDeleting(object: KubeObject, now: string): KubeObject {
  const {deletionTimestamp, generation} = object.metadata;
  return withMeta(object, {
    deletionGracePeriodSeconds: 0,
    deletionTimestamp: deletionTimestamp ?? now,
    generation: deletionTimestamp === undefined && generation !== undefined ? generation + 1 : generation,
  });
}

function preconditionProblem(
  {kind}: Scope,
  {metadata}: KubeObject,
  preconditions: Preconditions | undefined,
): ApiError | undefined {
  const {uid, resourceVersion} = preconditions ?? {};
  if (uid !== undefined && uid !== metadata.uid) {
    const detail = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`;
    return conflict(kind.groupKind, metadata.name, detail);
  }
  if (resourceVersion === undefined || resourceVersion === metadata.resourceVersion) return undefined;
  const detail = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`;
  return conflict(kind.groupKind, metadata.name, detail);
}

function immortal({kind}: Scope, {metadata}: KubeObject): ApiError | undefined {
  if (kind.groupKind !== 'Namespace' || !immortalNamespaces.has(metadata.name)) return undefined;
  return forbidden(kind.resource, metadata.name, 'this namespace may not be deleted');
}

const immortalNamespaces = new Set(['default', 'kube-system', 'kube-public']);

function stored(server: ServerState, {kind}: Scope, object: KubeObject): KubeObject {
  return lookUp(server, kind, object.metadata.namespace, object.metadata.name) ?? object;
}
