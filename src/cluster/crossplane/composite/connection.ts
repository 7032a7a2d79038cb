// Connection details: secrets that resources write and legacy XRs publish.
// crossplane/crossplane 2d040d2da internal/controller/apiextensions/composite/connection.go, api.go
// (APIFilteredSecretPublisher). Secrets are never cached. Values travel as bytes, and lie in Secrets as base64.

import {fromBase64, toBase64} from '../../bytes.ts';
import {at, equal, type Json, type JsonObject} from '../../json.ts';
import type {Step} from '../../kernel/call.ts';
import {asController, controllerOf, type KubeObject} from '../../object.ts';
import {kindSecret} from '../../vocabulary.ts';
import {applyByPatch, getLive} from '../client.ts';
import {failed, type Result, success, wrapped} from '../failure.ts';

export type ConnectionDetails = ReadonlyMap<string, Uint8Array>;

const none: ConnectionDetails = new Map();

/** The connection details in the resource's secret; none if it names no secret or the secret does not exist. */
export function* fetchConnection(object: KubeObject): Step<Result<ConnectionDetails>> {
  const ref = at(object.spec, ['writeConnectionSecretToRef']) as JsonObject | undefined;
  if (ref === undefined) return success(none);
  const namespace = object.metadata.namespace ?? String(ref['namespace'] ?? '');
  const secret = yield* getLive({...kindSecret, namespace, name: String(ref['name'])});
  if (!secret.ok) return wrapped('cannot get connection secret of composed resource', secret);
  return success(secret.value === undefined ? none : secretData(secret.value));
}

/** A Secret's data as bytes. */
export function secretData(secret: KubeObject): ConnectionDetails {
  const data = (secret['data'] ?? {}) as {readonly [key: string]: string};
  return new Map(Object.entries(data).map(([key, value]) => [key, fromBase64(value)]));
}

/** Writes the details an XR may publish into the secret it names. Answers whether that changed anything. */
export function* publishConnection(
  xr: KubeObject,
  details: ConnectionDetails,
  allowed: readonly string[],
): Step<Result<boolean>> {
  const ref = at(xr.spec, ['writeConnectionSecretToRef']) as JsonObject | undefined;
  if (ref === undefined) return success(false);
  const published = [...details].filter(([key]) => allowed.length === 0 || allowed.includes(key));
  const data = Object.fromEntries(published.map(([key, bytes]) => [key, toBase64(bytes)]));
  const secret = connectionSecret(xr, String(ref['namespace'] ?? 'default'), String(ref['name']), data);
  let foreign: string | undefined;
  let changed = true;
  const applied = yield* applyByPatch(secret, 'live', (current) => {
    const controller = controllerOf(current);
    if (controller !== undefined && controller.uid !== xr.metadata.uid) foreign = controller.name;
    // Publishing only adds: a key that is no longer published stays in the secret.
    changed = !equal({...(current['data'] as JsonObject | undefined), ...data}, current['data'] ?? {});
    return foreign !== undefined || !changed;
  });
  if (!applied.ok) return wrapped('cannot apply connection secret', applied);
  if (foreign !== undefined) return failed('cannot apply connection secret: existing secret is not controlled by UID');
  return success(changed);
}

/** The Secret of connection details that its owner controls. */
export function connectionSecret(owner: KubeObject, namespace: string, name: string, data: Json): KubeObject {
  return {
    ...kindSecret,
    metadata: {name, namespace, ownerReferences: [asController(owner)]},
    type: 'connection.crossplane.io/v1alpha1',
    data,
  };
}
