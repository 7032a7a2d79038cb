// Binding a claim to its XR with server-side apply: the claim is updated first, so that it names the XR before the XR
// exists. crossplane/crossplane 2d040d2da internal/controller/apiextensions/claim/syncer_ssa.go.

import {at, type Json, type JsonObject} from '../../json.ts';
import type {Step} from '../../kernel/call.ts';
import type {KubeObject} from '../../object.ts';
import {managerClaim} from '../../vocabulary.ts';
import {apply, update, updateStatus} from '../client.ts';
import {withRandomName} from '../composite/desired.ts';
import {conditionsOf} from '../conditions.ts';
import {type Result, success, wrapped} from '../failure.ts';
import {
  claimLabels,
  claimReference,
  fields,
  propagatedAnnotations,
  propagatedSpec,
  propagatedStatus,
  resourceRefOf,
  type Synced,
  type Syncing,
  withDecided,
} from './claim-objects.ts';

export function* syncServerSide(claim: KubeObject, xr: KubeObject | undefined, how: Syncing): Step<Result<Synced>> {
  const body = yield* xrBody(claim, xr, how);
  if (!body.ok) return wrapped('cannot generate a name for composite resource', body);
  const named = fields.with(claim, 'resourceRef', {...how.xrd.composite, name: body.value.metadata.name});
  const bound = xr === undefined ? named : withDecided(named, xr, how.enforced);
  const updated = yield* update(bound);
  if (!updated.ok) return wrapped('cannot update claim', updated);
  const applied = yield* apply(body.value, managerClaim);
  if (!applied.ok) return wrapped('cannot apply composite resource', applied);
  return yield* syncStatus(updated.value, applied.value, how);
}

function* xrBody(claim: KubeObject, xr: KubeObject | undefined, how: Syncing): Step<Result<KubeObject>> {
  const annotations = propagatedAnnotations(claim, xr);
  const name = resourceRefOf(claim);
  const body = {
    ...how.xrd.composite,
    metadata: {
      ...(name === undefined ? {generateName: `${claim.metadata.name}-`} : {name}),
      labels: claimLabels(claim),
      ...(Object.keys(annotations).length === 0 ? {} : {annotations}),
    } as KubeObject['metadata'],
    spec: {...propagatedSpec(claim, xr, how.enforced, how.profile), claimRef: claimReference(claim)},
  };
  return name === undefined ? yield* withRandomName(body, claim.metadata.uid ?? '', how.profile.reads) : success(body);
}

function* syncStatus(claim: KubeObject, xr: KubeObject, how: Syncing): Step<Result<Synced>> {
  if (xr.status === undefined) return success({claim, xr});
  const conditions = conditionsOf(claim) as readonly Json[];
  const published = at(claim.status, ['connectionDetails']);
  const status: JsonObject = {
    ...propagatedStatus(xr, how.profile),
    ...(conditions.length === 0 ? {} : {conditions}),
    ...(published === undefined ? {} : {connectionDetails: published}),
  };
  const updated = yield* updateStatus({...claim, status});
  if (!updated.ok) return wrapped('cannot update claim status', updated);
  return success({claim: updated.value, xr});
}
