// Copies the connection secret of an XR to where its claim wants it.
// crossplane/crossplane 2d040d2da internal/controller/apiextensions/claim/connection.go.

import {at, equal} from '../../json.ts';
import {now, type Step} from '../../kernel/call.ts';
import {controllerOf, type KubeObject} from '../../object.ts';
import {timestamp} from '../../timestamp.ts';
import {kindSecret} from '../../vocabulary.ts';
import {create, getLive, update} from '../client.ts';
import {connectionSecret} from '../composite/connection.ts';
import {failed, type Result, success, wrapped} from '../failure.ts';

/** The claim, dated where the copy changed anything. */
export function* propagateConnection(claim: KubeObject, xr: KubeObject): Step<Result<KubeObject>> {
  const to = at(claim.spec, ['writeConnectionSecretToRef', 'name']);
  const name = at(xr.spec, ['writeConnectionSecretToRef', 'name']);
  const namespace = at(xr.spec, ['writeConnectionSecretToRef', 'namespace']);
  if (typeof to !== 'string' || typeof name !== 'string' || typeof namespace !== 'string') return success(claim);
  const source = yield* getLive({...kindSecret, namespace, name});
  if (!source.ok) return wrapped('cannot get composite connection secret', source);
  if (source.value === undefined) return failed(`cannot get composite connection secret: secret "${name}" not found`);
  if (controllerOf(source.value)?.uid !== xr.metadata.uid) {
    return failed('cannot establish control of existing connection secret');
  }
  return yield* copy(claim, to, source.value);
}

function* copy(claim: KubeObject, name: string, source: KubeObject): Step<Result<KubeObject>> {
  const {namespace = ''} = claim.metadata;
  const current = yield* getLive({...kindSecret, namespace, name});
  if (!current.ok) return wrapped('cannot create or update connection secret', current);
  const controller = current.value === undefined ? undefined : controllerOf(current.value);
  if (controller !== undefined && controller.uid !== claim.metadata.uid) {
    return failed('cannot create or update connection secret: existing secret is not controlled by the claim');
  }
  const data = source['data'] ?? {};
  if (current.value !== undefined && equal(current.value['data'] ?? {}, data)) return success(claim);
  const secret = connectionSecret(claim, namespace, name, data);
  const resourceVersion = current.value?.metadata.resourceVersion;
  const written = yield* resourceVersion === undefined
    ? create(secret)
    : update({...secret, metadata: {...secret.metadata, resourceVersion}});
  if (!written.ok) return wrapped('cannot create or update connection secret', written);
  const lastPublishedTime = timestamp(yield* now());
  return success({...claim, status: {...claim.status, connectionDetails: {lastPublishedTime}}});
}
