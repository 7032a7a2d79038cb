// Binding a claim to its XR as v1.16 does: a create, later merge patches of the whole XR, and the XR's spec merged back
// into the claim, which so gets fields it never set, such as compositionUpdatePolicy.
// crossplane/crossplane v1.16.1 internal/controller/apiextensions/claim/syncer_csa.go.

import {at, equal, isObject, type Json, type JsonObject} from '../../json.ts';
import type {Step} from '../../kernel/call.ts';
import type {KubeObject} from '../../object.ts';
import {managerClaim} from '../../vocabulary.ts';
import {apply, applyByPatch, update, updateStatus} from '../client.ts';
import {withRandomName} from '../composite/desired.ts';
import {conditionsOf} from '../conditions.ts';
import {type Result, success, wrapped} from '../failure.ts';
import {propagatedFields, xrSpecFields} from '../xr-schema.ts';
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
  withoutFields,
} from './claim-objects.ts';

export function* syncClientSide(claim: KubeObject, xr: KubeObject | undefined, how: Syncing): Step<Result<Synced>> {
  const desired = yield* desiredXr(claim, xr, how);
  if (!desired.ok) return wrapped('cannot generate a name for composite resource', desired);
  const {name} = desired.value.metadata;
  let bound = claim;
  if (resourceRefOf(claim) !== name) {
    const updated = yield* update(fields.with(claim, 'resourceRef', {...how.xrd.composite, name}));
    if (!updated.ok) return wrapped('cannot update claim', updated);
    bound = updated.value;
  }
  const applied = yield* applyByPatch(desired.value, 'live', (current) => equal(current, desired.value));
  if (!applied.ok) return wrapped('cannot apply composite resource', applied);
  return yield* syncBack(bound, applied.value, how);
}

function* desiredXr(claim: KubeObject, xr: KubeObject | undefined, how: Syncing): Step<Result<KubeObject>> {
  const base = xr ?? {...how.xrd.composite, metadata: {} as KubeObject['metadata']};
  const annotations = {...base.metadata.annotations, ...propagatedAnnotations(claim, xr)};
  const name = resourceRefOf(claim) ?? xr?.metadata.name;
  const desired: KubeObject = {
    ...base,
    metadata: {
      ...base.metadata,
      ...(xr === undefined ? {generateName: `${claim.metadata.name}-`} : {}),
      ...(name === undefined ? {} : {name}),
      labels: {...base.metadata.labels, ...claimLabels(claim)},
      ...(Object.keys(annotations).length === 0 ? {} : {annotations}),
    },
    spec: {...propagatedSpec(claim, xr, how.enforced, how.profile), claimRef: claimReference(claim)},
  };
  if (name !== undefined) return success(desired);
  return yield* withRandomName(desired, claim.metadata.uid ?? '', how.profile.reads);
}

function* syncBack(claim: KubeObject, xr: KubeObject, how: Syncing): Step<Result<Synced>> {
  const merged =
    claim.status === undefined || xr.status === undefined
      ? claim
      : {...claim, status: filledIn(claim.status, propagatedStatus(xr, how.profile), true)};
  const stored = yield* updateStatus(merged);
  if (!stored.ok) return wrapped('cannot update claim status', stored);
  const bound = withDecided(stored.value, xr, how.enforced);
  const machinery = new Set(Object.keys(xrSpecFields('LegacyCluster', undefined, how.profile)));
  for (const field of propagatedFields) machinery.delete(field);
  const spec = filledIn(bound.spec ?? {}, withoutFields(xr.spec ?? {}, machinery));
  const updated = yield* update({...bound, spec});
  if (!updated.ok) return wrapped('cannot update claim', updated);
  // The update answered with the status as stored; what the reconciler marks goes on top of that.
  return success({claim: updated.value, xr});
}

// As mergo.Merge: only what the target lacks or has empty is filled in; with override, what the source has and is not empty wins.
function filledIn(target: JsonObject, source: JsonObject, override = false): JsonObject {
  const out: {[key: string]: JsonObject[string]} = {...target};
  for (const [key, value] of Object.entries(source)) {
    const mine = at(target, [key]);
    if (isObject(mine) && isObject(value)) out[key] = filledIn(mine, value, override);
    else if (override ? !isEmpty(value) : isEmpty(mine)) out[key] = value;
  }
  return out;
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === '' || value === 0 || value === false || value === null;
}

// Binding a claim to its XR with server-side apply: the claim is updated first, so that it names the XR before the XR
// exists. crossplane/crossplane 2d040d2da internal/controller/apiextensions/claim/syncer_ssa.go.

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
