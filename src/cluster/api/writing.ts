// The last steps of every create, update and patch: from the object a request asks for to the store.
// kubernetes/apiserver 24a394e51 pkg/registry/generic/registry/store.go Create and Update.

import {equal, type JsonObject, without} from '../json.ts';
import type {KubeObject, ManagedFieldsEntry} from '../object.ts';
import {timestamp} from '../timestamp.ts';
import {asCreated, firstStatus, hasNamespaceFinalizers} from './core-behaviour.ts';
import {alreadyExists, conflict, invalid, invalidValue, notFound, optimisticLock, plainError} from './errors.ts';
import {trackWrite, type Writer} from './managed-fields.ts';
import {withoutEqualOwners} from './metadata.ts';
import type {ApiError, ApiResponse, Subresource, WatchEvent} from './request.ts';
import {createRefusal, inVersion, isError, readAs, type Scope} from './scope.ts';
import {lookUp, newName, newUid, remove, type ServerState, write} from './store.ts';
import {createErrors, prepareCreate, prepareUpdate, updateErrors, withMeta} from './strategy.ts';

export interface Result {
  readonly server: ServerState;
  readonly response: ApiResponse;
  readonly events: readonly WatchEvent[];
}

export interface Target {
  readonly scope: Scope;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly subresource: Subresource | undefined;
}

export function answer(server: ServerState, response: ApiResponse): Result {
  return {server, response, events: []};
}

export function writerOf(
  {scope, subresource}: Pick<Target, 'scope' | 'subresource'>,
  manager: string,
  nowMs: number,
): Writer {
  const typing = subresource === 'status' ? scope.statusTyping : scope.typing;
  return {
    manager,
    apiVersion: scope.apiVersion,
    subresource,
    now: timestamp(nowMs),
    typing,
    empty: scope.kind.definition.empty ?? nothing,
  };
}

const nothing: JsonObject = {};

/** A new object as it is stored; what the server's own controllers add at once is theirs in its managedFields. */
function asStored(scope: Scope, object: KubeObject, nowMs: number): KubeObject {
  const {groupKind} = scope.kind;
  const created = asCreated(scope.kind, object);
  const status = firstStatus(groupKind, created, timestamp(nowMs));
  if (status === undefined || status === created.status) return created;
  const writer = writerOf({scope, subresource: 'status'}, 'kube-apiserver', nowMs);
  return trackWrite(created, {...created, status}, writer);
}

/** Stores a new object; its managedFields are already tracked. */
export function storeNew(server: ServerState, scope: Scope, object: KubeObject, nowMs: number): Result {
  const refused = createRefusal(server, scope, object);
  if (refused !== undefined) return answer(server, refused);
  const named = nameFor(server, scope, object);
  const identified = newUid(named.server);
  const now = timestamp(nowMs);
  const bare = withMeta(withoutEqualOwners(prepareCreate(scope, named.object)), {
    uid: identified.value,
    creationTimestamp: now,
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
    selfLink: undefined,
    resourceVersion: undefined,
  });
  const filled = scope.kind.definition.born?.(bare) ?? bare;
  const wrong = createErrors(scope, filled) ?? occupied(server, scope, filled);
  if (wrong !== undefined) return answer(server, wrong);
  const stored = write(identified.server, scope.kind, forStorage(scope, asStored(scope, filled, nowMs)));
  return {
    server: stored.server,
    response: {ok: true, code: 201, object: readAs(scope, stored.object)},
    events: [stored.event],
  };
}

/**
 * Replaces a stored object by what `change` makes of it. `change` gets undefined where there is none, and only if
 * `mayCreate`; its result then is created.
 */
export function storeChange(
  server: ServerState,
  target: Target,
  mayCreate: boolean,
  nowMs: number,
  change: (old: KubeObject | undefined) => KubeObject | ApiError,
): Result {
  const {scope, namespace, name, subresource} = target;
  const stored = lookUp(server, scope.kind, namespace, name);
  if (stored === undefined && !mayCreate) return answer(server, notFound(scope.kind.resource, name));
  const old = stored === undefined ? undefined : readAs(scope, stored);
  const changed = change(old);
  if (isError(changed)) return answer(server, changed);
  if (old === undefined) return createByChange(server, target, changed, nowMs);
  // Nothing is wrong with what is stored already, as far as an update is asked; but a rule may be about changes.
  if (changed === stored && scope.structural?.hasRules !== true)
    return answer(server, {ok: true, code: 200, object: old});
  const stale = versionProblem(scope, changed, old);
  if (stale !== undefined) return answer(server, stale);
  const current = withMeta(withoutEqualOwners(changed), {resourceVersion: old.metadata.resourceVersion});
  const next = withOldTimes(prepareUpdate(scope, current, old, subresource), old);
  const wrong = updateErrors(scope, next, old, subresource);
  if (wrong !== undefined) return answer(server, wrong);
  const settled = forStorage(scope, next);
  if (isLastFinalizerGone(settled, old)) return removed(server, scope, settled);
  if (equal(settled, stored)) return answer(server, {ok: true, code: 200, object: old});
  const written = write(server, scope.kind, settled);
  return {
    server: written.server,
    response: {ok: true, code: 200, object: readAs(scope, written.object)},
    events: [written.event],
  };
}

/** The object in the storage version, without fields unknown to that version. */
function forStorage({kind}: Scope, object: KubeObject): KubeObject {
  return inVersion(kind.storage, object);
}

/** Removes the object as its last write leaves it, which is also the answer. */
function removed(server: ServerState, scope: Scope, last: KubeObject): Result {
  const gone = remove(server, scope.kind, last);
  return {
    server: gone.server,
    response: {ok: true, code: 200, object: readAs(scope, last)},
    events: [gone.event],
  };
}

function createByChange(server: ServerState, {scope, name}: Target, object: KubeObject, nowMs: number): Result {
  const {uid} = object.metadata;
  if (uid !== undefined) {
    const detail = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    return answer(server, conflict(scope.kind.resource, name, detail));
  }
  return storeNew(server, scope, object, nowMs);
}

function versionProblem(scope: Scope, next: KubeObject, old: KubeObject): ApiError | undefined {
  const {kind} = scope;
  const {resourceVersion} = next.metadata;
  if (resourceVersion === undefined || resourceVersion === '' || resourceVersion === '0') {
    if (kind.definition.unconditionalUpdate === true) return undefined;
    const error = invalidValue('metadata.resourceVersion', 0, 'must be specified for an update');
    return invalid(kind.resource, old.metadata.name, [error]);
  }
  if (!/^\d+$/.test(resourceVersion)) {
    return plainError(`strconv.ParseUint: parsing ${JSON.stringify(resourceVersion)}: invalid syntax`);
  }
  return resourceVersion === old.metadata.resourceVersion
    ? undefined
    : conflict(kind.resource, old.metadata.name, optimisticLock);
}

function isLastFinalizerGone(next: KubeObject, old: KubeObject): boolean {
  const {deletionTimestamp, deletionGracePeriodSeconds} = old.metadata;
  return (
    (next.metadata.finalizers ?? []).length === 0 &&
    deletionTimestamp !== undefined &&
    (deletionGracePeriodSeconds ?? 0) === 0 &&
    !hasNamespaceFinalizers(next)
  );
}

/** How often a generated name that is taken is drawn again. */
const maxNameAttempts = 8;

function nameFor(
  server: ServerState,
  scope: Scope,
  object: KubeObject,
): {readonly server: ServerState; readonly object: KubeObject} {
  const {name, generateName, namespace} = object.metadata as Partial<KubeObject['metadata']>;
  if (name !== undefined || generateName === undefined) return {server, object};
  let generated = newName(server, generateName);
  for (let attempt = 1; attempt < maxNameAttempts; attempt++) {
    if (lookUp(server, scope.kind, namespace, generated.value) === undefined) break;
    generated = newName(generated.server, generateName);
  }
  return {server: generated.server, object: withMeta(object, {name: generated.value})};
}

function occupied(server: ServerState, {kind}: Scope, {metadata}: KubeObject): ApiError | undefined {
  const there = lookUp(server, kind, metadata.namespace, metadata.name);
  if (there === undefined) return undefined;
  const error = alreadyExists(kind.resource, metadata.name);
  const isGoing = there.metadata.deletionTimestamp !== undefined;
  return isGoing ? {...error, message: `object is being deleted: ${error.message}`} : error;
}

/**
 * A write whose only effect would be new times in managedFields keeps the old ones, so that it is no write at all.
 * kubernetes/apiserver 24a394e51 pkg/endpoints/handlers/fieldmanager/equality.go.
 */
function withOldTimes(next: KubeObject, old: KubeObject): KubeObject {
  const before = old.metadata.managedFields;
  const after = next.metadata.managedFields;
  if (before === undefined || after === undefined || before.length !== after.length) return next;
  if (!after.some((entry, index) => entry.time !== before[index]?.time)) return next;
  if (!after.every((entry, index) => isSameButTime(entry, before[index]))) return next;
  const reverted = withMeta(next, {managedFields: before});
  return equal(reverted, old) ? reverted : next;
}

function isSameButTime(left: ManagedFieldsEntry, right: ManagedFieldsEntry | undefined): boolean {
  if (left === right) return true;
  return right !== undefined && equal(without(left, 'time'), without(right, 'time'));
}
