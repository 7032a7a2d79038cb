// Publishes connection details as a Secret that the managed resource controls. Nothing is written where the object asks
// for no Secret or the Secret already holds them. Source: crossplane/crossplane-runtime 4e7ed235
// pkg/reconciler/managed/api.go:79-180, pkg/resource/resource.go:96-122, api.go (APIPatchingApplicator).
// Not modelled: unpublishing, which upstream leaves to owner GC, and external secret stores.

import type {ApiError, ApiResponse} from '../api/request.ts';
import {reconcileError} from '../crossplane/conditions.ts';
import {equal, isObject, type Json, type JsonObject} from '../json.ts';
import {api, type Outcome, type Step} from '../kernel/call.ts';
import {controllerOf, type KubeObject, type ResourceRef} from '../object.ts';
import {asController} from '../owner-references.ts';
import type {ConditionDraft} from './conditions.ts';
import type {ConnectionDetails} from './external-client.ts';
import {conclude, event, isConflict, type ManagedRun, requeue, retryOnConflict} from './managed-writes.ts';

/** How the reconcile ends where the details could not be published; undefined where it goes on. */
export function* publishConnection(
  run: ManagedRun,
  managed: KubeObject,
  details: ConnectionDetails,
  conditions: readonly ConditionDraft[] = [],
): Step<Outcome | undefined> {
  const ref = secretRefOf(managed);
  if (ref === undefined) return undefined;
  const error = yield* applySecret(run, managed, ref, details);
  if (error === undefined) return undefined;
  if (isConflict(error)) return retryOnConflict;
  const message = `cannot create or update connection secret: ${error.message}`;
  yield* event(managed, 'Warning', 'CannotPublishConnectionDetails', message);
  return yield* conclude(run, managed, [...conditions, reconcileError(message)], requeue(message));
}

function secretRefOf({spec, metadata}: KubeObject): ResourceRef | undefined {
  const wanted = spec?.['writeConnectionSecretToRef'];
  if (!isObject(wanted)) return undefined;
  // A modern kind writes beside itself, a legacy one where it is told to.
  const namespace = metadata.namespace ?? String(wanted['namespace'] ?? 'default');
  return {apiVersion: 'v1', kind: 'Secret', namespace, name: String(wanted['name'])};
}

function* applySecret(
  {settings: {manager}}: ManagedRun,
  managed: KubeObject,
  ref: ResourceRef,
  details: ConnectionDetails,
): Step<ApiError | undefined> {
  const data = encoded(details);
  const read = yield* api({verb: 'get', ref});
  if (!read.ok && read.code !== 404) return read;
  if (!read.ok) return errorOf(yield* api({verb: 'create', object: secretOf(managed, ref, data), manager}));
  const secret = read.object;
  const controller = secret === undefined ? undefined : controllerOf(secret);
  if (controller !== undefined && controller.uid !== managed.metadata.uid) {
    return {
      ok: false,
      code: 403,
      reason: 'Forbidden',
      message: `existing secret is not controllable by UID "${managed.metadata.uid}"`,
    };
  }
  if (equal(secret?.['data'] ?? {}, data)) return undefined;
  const body: JsonObject = {data, metadata: {ownerReferences: [asController(managed)]}};
  return errorOf(yield* api({verb: 'patch', type: 'merge', ref, body, manager}));
}

function secretOf(managed: KubeObject, {namespace, name}: ResourceRef, data: JsonObject): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {name, namespace: namespace ?? 'default', ownerReferences: [asController(managed)]},
    type: 'connection.crossplane.io/v1alpha1',
    data,
  };
}

function encoded(details: ConnectionDetails): {readonly [key: string]: Json} {
  return Object.fromEntries(Object.entries(details).map(([key, value]) => [key, base64(value)]));
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Base64 of the UTF-8 bytes; pure folders know no Buffer of Node's. */
function base64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let out = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [first = 0, second, third] = bytes.subarray(at, at + 3);
    const word = (first << 16) | ((second ?? 0) << 8) | (third ?? 0);
    out += alphabet[word >> 18] ?? '';
    out += alphabet[(word >> 12) & 63] ?? '';
    out += second === undefined ? '=' : (alphabet[(word >> 6) & 63] ?? '');
    out += third === undefined ? '=' : (alphabet[word & 63] ?? '');
  }
  return out;
}

function errorOf(response: ApiResponse): ApiError | undefined {
  return response.ok ? undefined : response;
}
