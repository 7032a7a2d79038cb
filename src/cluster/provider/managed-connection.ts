// Publishes connection details as a Secret that the managed resource controls. Nothing is written where the object asks
// for no Secret or the Secret already holds them. Source: crossplane/crossplane-runtime 4e7ed235
// pkg/reconciler/managed/api.go:79-180, pkg/resource/resource.go:96-122, api.go (APIPatchingApplicator).
// Not modelled: unpublishing, which upstream leaves to owner GC, and external secret stores.

import type {ApiError, ApiResponse} from '../api/request.ts';
import {toBase64} from '../bytes.ts';
import {connectionSecret} from '../crossplane/composite/connection.ts';
import {equal, isObject, type JsonObject} from '../json.ts';
import {api, type Outcome, type Step} from '../kernel/call.ts';
import {asController, controllerOf, type KubeObject, type ResourceRef} from '../object.ts';
import type {ConditionDraft} from './conditions.ts';
import type {ConnectionDetails} from './external-client.ts';
import {failing, isConflict, type ManagedRun, retryOnConflict} from './managed-writes.ts';

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
  return yield* failing(run, managed, {reason: 'CannotPublishConnectionDetails', message, conditions});
}

function secretRefOf({spec, metadata}: KubeObject): ResourceRef | undefined {
  const wanted = spec?.['writeConnectionSecretToRef'];
  if (!isObject(wanted)) return undefined;
  // A modern kind writes into its own namespace, a legacy one into the namespace of its reference.
  const namespace = metadata.namespace ?? String(wanted['namespace'] ?? 'default');
  return {apiVersion: 'v1', kind: 'Secret', namespace, name: String(wanted['name'])};
}

function* applySecret(
  {settings: {manager}}: ManagedRun,
  managed: KubeObject,
  ref: ResourceRef,
  details: ConnectionDetails,
): Step<ApiError | undefined> {
  const data = Object.fromEntries(Object.entries(details).map(([key, value]) => [key, toBase64(value)]));
  const read = yield* api({verb: 'get', ref});
  if (!read.ok && read.code !== 404) return read;
  if (!read.ok) {
    const object = connectionSecret(managed, ref.namespace ?? 'default', ref.name, data);
    return errorOf(yield* api({verb: 'create', object, manager}));
  }
  const secret = read.object;
  const controller = secret === undefined ? undefined : controllerOf(secret);
  if (controller !== undefined && controller.uid !== managed.metadata.uid) {
    const message = `existing secret is not controllable by UID "${managed.metadata.uid}"`;
    return {ok: false, code: 403, reason: 'Forbidden', message};
  }
  if (equal(secret?.['data'] ?? {}, data)) return undefined;
  const body: JsonObject = {data, metadata: {ownerReferences: [asController(managed)]}};
  return errorOf(yield* api({verb: 'patch', type: 'merge', ref, body, manager}));
}

function errorOf(response: ApiResponse): ApiError | undefined {
  return response.ok ? undefined : response;
}
