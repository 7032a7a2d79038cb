// Binding a claim to its XR with server-side apply: the claim is updated first, so that it names the XR before the XR
// exists. crossplane/crossplane 2d040d2da internal/controller/apiextensions/claim/syncer_ssa.go.

import {at, type Json, type JsonObject, withAt} from '../../json.ts';
import type {Step} from '../../kernel/call.ts';
import type {KubeObject} from '../../object.ts';
import {apply, update, updateStatus} from '../client.ts';
import {withRandomName} from '../composite/desired.ts';
import {conditionsOf} from '../conditions.ts';
import {type Result, success, wrapped} from '../failure.ts';
import {annotationExternalName, managerClaim} from '../vocabulary.ts';
import {
  claimLabels,
  claimReference,
  externalNameOf,
  fields,
  propagatedSpec,
  propagatedStatus,
  resourceRefOf,
  type Synced,
  type Syncing,
  unreserved,
} from './claim-objects.ts';

export function* syncServerSide(claim: KubeObject, xr: KubeObject | undefined, how: Syncing): Step<Result<Synced>> {
  const body = yield* xrBody(claim, xr, how);
  if (!body.ok) return wrapped('cannot generate a name for composite resource', body);
  const bound = withXr(claim, xr, body.value.metadata.name, how);
  const updated = yield* update(bound);
  if (!updated.ok) return wrapped('cannot update claim', updated);
  const applied = yield* apply(body.value, managerClaim);
  if (!applied.ok) return wrapped('cannot apply composite resource', applied);
  return yield* syncStatus(updated.value, applied.value, how);
}

function* xrBody(claim: KubeObject, xr: KubeObject | undefined, how: Syncing): Step<Result<KubeObject>> {
  const external = externalNameOf(xr);
  const annotations = {
    ...unreserved(claim.metadata.annotations),
    ...(external === undefined ? {} : {[annotationExternalName]: external}),
  };
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

// What flows back from the XR: its name, its external name, and the Composition and revision in force where the claim
// has no say in them.
function withXr(claim: KubeObject, xr: KubeObject | undefined, name: string, how: Syncing): KubeObject {
  let next = fields.with(claim, 'resourceRef', {...how.xrd.composite, name});
  const external = externalNameOf(xr);
  if (external !== undefined) next = withAt(next, ['metadata', 'annotations', annotationExternalName], external);
  return xr === undefined ? next : withSelection(next, xr, how.enforced);
}

/** The claim with the Composition, selector and revision the XR decides. */
export function withSelection(claim: KubeObject, xr: KubeObject, enforced: boolean): KubeObject {
  let next = claim;
  const composition = at(xr.spec, ['compositionRef']) as JsonObject | undefined;
  if (composition !== undefined && (enforced || fields.compositionName(claim) === undefined)) {
    next = fields.with(next, 'compositionRef', composition);
  }
  const selector = at(xr.spec, ['compositionRevisionSelector']) as JsonObject | undefined;
  if (selector !== undefined && fields.revisionSelector(claim) === undefined) {
    next = fields.with(next, 'compositionRevisionSelector', selector);
  }
  const revision = fields.revisionName(xr);
  if (fields.updatePolicy(xr) !== 'Automatic' || revision === undefined) return next;
  return fields.with(next, 'compositionRevisionRef', {name: revision});
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
