// Create, update and patch as the handlers of the API server do them.
// kubernetes/apiserver 24a394e51 pkg/endpoints/handlers/{create,update,patch}.go.

import {equal, isList, isObject, type Json, type JsonObject} from '../json.ts';
import {memo} from '../memo.ts';
import {type KubeObject, versionOf} from '../object.ts';
import {coerce, withDefaults} from './coerce.ts';
import {asDecoded} from './core-behaviour.ts';
import {
  badRequest,
  conflict,
  forbiddenField,
  invalid,
  invalidValue,
  noSuchResource,
  plainError,
  required,
  unprocessable,
} from './errors.ts';
import {jsonPatch, mergePatch} from './json-patch.ts';
import {applyWrite, managerOf, trackWrite} from './managed-fields.ts';
import type {Manager} from './managers.ts';
import {normalMetadata, withoutEqualOwners} from './metadata.ts';
import type {ApiError, ApiRequest} from './request.ts';
import {decodeObject, isError, readAs, type Scope, scopeOf} from './scope.ts';
import {lookUp, type ServerState} from './store.ts';
import {withMeta} from './strategy.ts';
import {schemaErrors} from './validation.ts';
import {answer, type Result, storeChange, storeNew, type Target, writerOf} from './writing.ts';

type Request<Verb extends ApiRequest['verb']> = ApiRequest & {readonly verb: Verb};

export function create(server: ServerState, {object, manager}: Request<'create'>, nowMs: number): Result {
  if (!isTyped(object)) return answer(server, untyped());
  const scope = scopeOf(server, object);
  if (isError(scope)) return answer(server, scope);
  if (scope.kind.definition.namespaced && object.metadata?.namespace === undefined) {
    return answer(server, noSuchResource());
  }
  const decoded = decode(scope, object, object.metadata?.namespace);
  if (isError(decoded)) return answer(server, decoded);
  const wiped = withMeta(withoutEqualOwners(decoded), {
    uid: undefined,
    creationTimestamp: undefined,
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
    selfLink: undefined,
  });
  const tracked = trackWrite(undefined, wiped, writerOf({scope, subresource: undefined}, manager, nowMs));
  const result = storeNew(server, scope, tracked, nowMs);
  const {response} = result;
  // The store refuses a version before it looks for the name, but after everything else was found good.
  const isVersioned = /^0*[1-9]\d*$/.test(decoded.metadata.resourceVersion ?? '');
  if (!isVersioned || !(response.ok || response.code === 409)) return result;
  return answer(server, plainError('resourceVersion should not be set on objects to be created'));
}

export function update(server: ServerState, request: Request<'update'>, nowMs: number): Result {
  const {object, manager, subresource} = request;
  if (!isTyped(object)) return answer(server, untyped());
  const scope = scopeOf(server, object, subresource);
  if (isError(scope)) return answer(server, scope);
  const decoded = decode(scope, object, object.metadata?.namespace);
  if (isError(decoded)) return answer(server, decoded);
  const {namespace, name, uid} = decoded.metadata;
  const target: Target = {scope, namespace, name, subresource};
  const stored = lookUp(server, scope.kind, namespace, name);
  if (stored !== undefined && uid !== undefined && uid !== stored.metadata.uid) {
    return answer(server, uidProblem(scope, stored, uid));
  }
  const writer = writerOf(target, manager, nowMs);
  const mayCreate = scope.kind.definition.createdByUpdate === true && subresource === undefined;
  return storeChange(server, target, mayCreate, nowMs, (old) => trackWrite(old, withoutEqualOwners(decoded), writer));
}

export function patch(server: ServerState, request: Request<'patch'>, nowMs: number): Result {
  const {ref, subresource} = request;
  const scope = scopeOf(server, ref, subresource);
  if (isError(scope)) return answer(server, scope);
  const {namespaced} = scope.kind.definition;
  if (namespaced && ref.namespace === undefined) return answer(server, noSuchResource());
  const target: Target = {scope, namespace: namespaced ? ref.namespace : undefined, name: ref.name, subresource};
  if (request.type === 'apply') return apply(server, request, target, nowMs);
  if (request.force === true) {
    const error = forbiddenField('force', 'may not be specified for non-apply patch');
    return answer(server, invalid('PatchOptions.meta.k8s.io', '', [error]));
  }
  return storeChange(server, target, false, nowMs, (old) =>
    old === undefined ? noSuchResource() : patched(old, request, target, nowMs),
  );
}

function apply(server: ServerState, request: Request<'patch'>, target: Target, nowMs: number): Result {
  const {body, manager, force = false} = request;
  if (manager === '') {
    const error = required('fieldManager', 'is required for apply patch');
    return answer(server, invalid('PatchOptions.meta.k8s.io', '', [error]));
  }
  if (!isObject(body)) return answer(server, badRequest('error decoding patch: expected an object'));
  const config = body as KubeObject;
  const mayCreate = target.subresource === undefined;
  const before = lookUp(server, target.scope.kind, target.namespace, target.name);
  const writer = writerOf(target, manager, nowMs);
  const applier = before === undefined ? undefined : managerOf(before, writer);
  if (before !== undefined && isSettled(applier, {config, scope: target.scope, object: before})) {
    return answer(server, {ok: true, code: 200, object: before});
  }
  const result = storeChange(server, target, mayCreate, nowMs, (old) => {
    const mismatch = kindMismatch(config, target);
    if (mismatch !== undefined) return mismatch;
    // A Go struct has no null: a map or list that loses its last item is gone.
    const bySchema = target.scope.kind.definition.isStruct ? coerce : withDefaults;
    const complete = (object: KubeObject) =>
      bySchema(asDecoded(target.scope.kind, object), target.scope.structural) as KubeObject;
    const applied = applyWrite(old, config, {force, complete}, writer);
    return isError(applied) ? applied : placed(withNormalMetadata(applied), target);
  });
  if (before !== undefined && result.response.ok && result.events.length === 0) {
    noteSettled(applier, {config, scope: target.scope, object: before});
  }
  return result;
}

/** An applied configuration may bring empty maps or nulls, which Go's ObjectMeta cannot express. */
function withNormalMetadata(object: KubeObject): KubeObject {
  const metadata = normalMetadata(object.metadata) ?? object.metadata;
  return metadata === object.metadata ? object : {...object, metadata};
}

/** True if a body has apiVersion and kind, as every request needs. */
function isTyped(body: Json): boolean {
  if (!isObject(body) || !isObject(body['metadata'] ?? {})) return false;
  return typeof body['apiVersion'] === 'string' && typeof body['kind'] === 'string';
}

function untyped(): ApiError {
  return badRequest("the object provided is unrecognized (must be of type Object): Object 'Kind' is missing");
}

function decode(scope: Scope, object: KubeObject, namespace: string | undefined): KubeObject | ApiError {
  const decoded = decodeObject(scope, object, namespace);
  if (isError(decoded)) return decoded;
  return wrongType(scope, decoded) ?? asDecoded(scope.kind, decoded);
}

/** The 400 for a value that Go cannot decode into the struct of one of Kubernetes' own kinds. */
function wrongType({kind, apiVersion, structural}: Scope, object: KubeObject): ApiError | undefined {
  if (structural === undefined || kind.definition.isStruct !== true) return undefined;
  const [wrong] = schemaErrors(object, structural, '', undefined).filter(({type}) => type === 'FieldValueTypeInvalid');
  const name = kind.definition.kind;
  return wrong === undefined
    ? undefined
    : badRequest(
        `${name} in version "${versionOf(apiVersion)}" cannot be handled as a ${name}: json: cannot unmarshal ${wrong.field}`,
      );
}

function patched(
  old: KubeObject,
  {type, body, manager}: Request<'patch'>,
  target: Target,
  nowMs: number,
): KubeObject | ApiError {
  if (type === 'merge' ? !isObject(body) : !isList(body)) {
    return badRequest(`error decoding patch: expected ${type === 'merge' ? 'an object' : 'a list of operations'}`);
  }
  const result = type === 'merge' ? mergePatch(old, body) : jsonPatch(old, body as readonly Json[]);
  if (result === undefined || !isObject(result)) return unprocessable();
  if (!isTyped(result)) return invalid('', '', [invalidValue('patch', JSON.stringify(result), untyped().message)]);
  const decoded = decode(target.scope, result as KubeObject, undefined);
  if (isError(decoded)) {
    const error = invalidValue('patch', JSON.stringify(result), decoded.message);
    return invalid('', '', [error]);
  }
  const tracked = trackWrite(old, decoded, writerOf(target, manager, nowMs));
  return placed(tracked, target);
}

/** The object with the request's name and namespace, or a 400 if its own differ. */
function placed(object: KubeObject, {namespace, name}: Target): KubeObject | ApiError {
  const said = object.metadata as {readonly name?: string; readonly namespace?: string};
  if (said.namespace !== undefined && said.namespace !== namespace && namespace !== undefined) {
    return badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (said.name === undefined) {
    return badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  if (said.name !== name) {
    return badRequest(`the name of the object (${said.name}) does not match the name on the URL (${name})`);
  }
  return withMeta(object, {name, namespace});
}

function kindMismatch(config: KubeObject, {scope}: Target): ApiError | undefined {
  const {kind, apiVersion} = config as JsonObject;
  const expected = scope.kind.definition.kind;
  if (kind === expected && apiVersion === scope.apiVersion) return undefined;
  return badRequest(`invalid object type: ${String(apiVersion)}, Kind=${String(kind)}`);
}

/** kubernetes/apiserver 24a394e51 pkg/storage/interfaces.go Preconditions.Check. */
function uidProblem({kind}: Scope, {metadata}: KubeObject, uid: string): ApiError {
  const detail = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid}`;
  return conflict(kind.resource, metadata.name, storageError(kind.definition, metadata, detail));
}

export function storageError(
  {group, plural}: {readonly group: string; readonly plural: string},
  {namespace, name}: KubeObject['metadata'],
  detail: string,
): string {
  const key = ['/registry', group, plural, namespace, name]
    .filter((part) => part !== undefined && part !== '')
    .join('/');
  return `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${detail}`;
}

// Applies that are known to change nothing. A controller applies the same configuration at every reconcile, while other writers
// change other parts of the object.
//
// The outcome of an apply follows from the configuration, from the object's values of the configured fields, and from the fields
// its manager owned. If all three are as they were when the apply changed nothing, it changes nothing again. A manager's record
// stays the same value until its fields change, so the finding is kept with it.

interface Finding {
  readonly config: KubeObject;
  readonly scope: Scope;
  readonly object: KubeObject;
}

const findings = memo<Manager, Finding>();

/** Notes that the manager's apply of the configuration left the stored object as it was. */
function noteSettled(applier: Manager | undefined, finding: Finding): void {
  if (applier !== undefined) findings.set(applier, finding);
}

/** True if the apply is known to leave the stored object as it is. */
function isSettled(applier: Manager | undefined, {config, scope, object}: Finding): boolean {
  const found = applier === undefined ? undefined : findings.get(applier);
  if (found === undefined || found.scope !== scope || readAs(scope, object) !== object) return false;
  return holdsSame(found.object, object, config) && equal(found.config, config);
}

/** True if two states of an object share the values of all top-level and metadata fields in the configuration. */
function holdsSame(left: KubeObject, right: KubeObject, config: KubeObject): boolean {
  for (const key in config) if (key !== 'metadata' && left[key] !== right[key]) return false;
  const {metadata} = config as {readonly metadata?: JsonObject};
  for (const key in metadata) if (left.metadata[key] !== right.metadata[key]) return false;
  return true;
}
