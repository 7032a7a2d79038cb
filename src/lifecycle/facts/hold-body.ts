// The body of a hold: exactly the fields that Crossplane owns in the observed object, so that a hold takes over nothing and
// releases nothing.
//
// If that managedFields entry is missing (after a restore, for example), Crossplane owns nothing, and leaving a field out removes
// nothing: server-side apply only removes fields that the same manager owned before (recorded: e-wedge.full, where the label `role`
// outlives an adopting apply without it). Then a hold is the object's identity and our marks. More would take fields over from
// their owners: an autoscaler's replicas, a nested XR's resourceRefs, a name that a provider wrote meanwhile.
//
// A hold leaves out metadata.uid, although the API server would then answer 409 if the object is gone or another one (recorded:
// ssa). Crossplane copies the uid of a desired resource into the XR's resourceRefs, whose schema has no such field
// (crossplane/crossplane 2d040d2da composite/composition_functions.go:1016 UpdateResourceRefs, crossplane-runtime
// pkg/xcrd/schemas.go:131). So no apply of the XR would pass while the hold lasts (recorded: differential/render, uid-of-desired).
// metadata.resourceVersion does not prevent a create: an apply of an absent object ignores it (kubernetes apiserver
// registry/generic/registry/store.go Update). So an object that is being deleted is not held (plan/gates.ts). An object without a
// finalizer that goes between two reads is created once more, and then leaves as intended.

import {asObject, at, type Json, type JsonObject, objectsIn} from '../words/json.ts';
import type {ResourceView} from '../words/snapshot.ts';
import {withNote} from './applied-empty.ts';
import {guarded} from './apply-guard.ts';
import {canOrphan, deletesExternal} from './external-policies.ts';
import {observedPhase} from './marks.ts';
import {fieldEntriesOf} from './metadata.ts';
import {fieldsOfOthers, ownedFields, ownedPart} from './owned-fields.ts';
import {isControlled} from './ownership.ts';

/** The object to put into desired for an observed resource that stays for now. `manager`: composedFieldManager(xr). */
export function holdBody(view: ResourceView, manager: string): JsonObject {
  const entries = fieldEntriesOf(view);
  const owned = ownedFields(entries, manager);
  const others = fieldsOfOthers(entries, owned);
  const part = owned === undefined ? {} : asObject(ownedPart(view.json(), owned, others));
  const {apiVersion, kind} = view;
  const held = {...part, apiVersion, kind, metadata: heldMetadata(part['metadata'], view)};
  const body = withNote(held, view, owned, others);
  return isDecisive(body, view) || (owned !== undefined && isComingBack(view)) ? guarded(body, view) : body;
}

/** Identity, and what is owned of labels and the like; never the controller reference, which Crossplane adds itself. */
function heldMetadata(owned: Json | undefined, view: ResourceView): JsonObject {
  const {ownerReferences, managedFields: _managedFields, ...rest} = asObject(owned);
  const others = objectsIn(ownerReferences).filter(({controller}) => controller !== true);
  return {
    ...rest,
    name: view.name,
    ...(view.namespace === '' ? {} : {namespace: view.namespace}),
    ...(others.length === 0 ? {} : {ownerReferences: others}),
  };
}

/**
 * True if the body decides about the external resource: its name, or policies that delete it with the object. Its provider or a person
 * may have written another name or policy meanwhile.
 */
function isDecisive(body: JsonObject, view: ResourceView): boolean {
  const isNamed = at(body, ['metadata', 'annotations', 'crossplane.io/external-name']) !== undefined;
  const hasPolicies = ['deletionPolicy', 'managementPolicies'].some((name) => at(body, ['spec', name]) !== undefined);
  return isNamed || (hasPolicies && canOrphan(view) && deletesExternal(view));
}

/**
 * True between two writes of a backup tool: it creates an object first and restores its managedFields after that (velero d30d389
 * pkg/restore/restore.go:1711). In between the entry has fewer fields than Crossplane is about to own, and a hold made of it would
 * remove the rest.
 */
function isComingBack(view: ResourceView): boolean {
  return !isControlled(view) || observedPhase(view) === 'pending-adoption';
}
