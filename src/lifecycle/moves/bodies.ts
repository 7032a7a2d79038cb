// The bodies of the two objects of a move, within one XR or between two. The old one lets go, the new one only observes or has its
// policies, or either stays as it is. `carried` are the annotations that record the move.
//
// The old object has its external name in its body once it lets go. Crossplane may create it again, if it read the object just
// after it was deleted. Then the object leads to the same external resource, and its provider creates no second one.

import {annotationEmittedName, annotationExternalName, externalNameFor} from '../external-names/external-names.ts';
import {wantedBody} from '../facts/applied-empty.ts';
import {guarded} from '../facts/apply-guard.ts';
import {externalNameOf} from '../facts/external-policies.ts';
import {holdBody} from '../facts/hold-body.ts';
import {observedPhase, withMarks} from '../facts/marks.ts';
import {withAnnotations, withMetadata} from '../facts/metadata.ts';
import type {Claim} from '../facts/proof.ts';
import {statusOf} from '../facts/ready.ts';
import {withOrphanPolicies} from '../removal/policies.ts';
import {asObject, type JsonObject, text} from '../words/json.ts';
import type {DesiredView, Ready, ResourceView} from '../words/snapshot.ts';
import {choosesPolicies} from './proofs.ts';

export interface Body {
  readonly body: JsonObject;
  readonly ready: Ready;
}

export type Annotations = {readonly [key: string]: string};

/** The old object with policies that keep its external resource. They are Observe alone if that is safe. */
export function letGoBody(name: string, old: ResourceView, carried: Annotations, claim: Claim, isGuarded = true): Body {
  const safe = observeOnlyIfChanged(withOrphanPolicies(holdBody(old, claim.manager), old));
  const named = withAnnotations(safe, {...carried, ...nameAnnotations(externalNameOf(old))});
  const body = guarded(named, isGuarded ? old : undefined);
  return {body: withMarks(body, claim.id, name, 'handing-over'), ready: readyAs(old)};
}

/** The new object with the old one's external resource. It only observes it, or has the desired policies. */
export function newBody(
  wanted: DesiredView,
  fresh: ResourceView | undefined,
  externalName: string,
  {manager}: Claim,
  onlyObserves: boolean,
): JsonObject {
  const placed = placedAs(wantedBody(wanted, fresh, manager), fresh ?? wanted);
  const named = withAnnotations(guarded(placed, fresh), nameAnnotations(externalName));
  return onlyObserves ? observeOnlyBody(named) : named;
}

/** The new object as it is; with `givesBack` it only observes. */
export function standingBody(name: string, fresh: ResourceView, claim: Claim, givesBack = false): Body {
  const held = holdBody(fresh, claim.manager);
  const body = givesBack ? observeOnlyBody(withOrphanPolicies(held, fresh)) : held;
  // The mark of another external resource stays for as long as the object stays as it is.
  const phase = observedPhase(fresh) === 'refused' ? 'refused' : 'handing-over';
  return {body: withMarks(body, claim.id, name, phase), ready: readyAs(fresh)};
}

/** An object as it is desired, with the external name that this function keeps on it, if any. */
export function namedBody(desired: DesiredView, observed: ResourceView, {manager}: Claim): JsonObject {
  const name = externalNameFor(desired, observed, manager);
  const body = wantedBody(desired, observed, manager);
  return name === undefined ? body : withAnnotations(body, nameAnnotations(name.name));
}

/** The readiness of the old object: a move does not change what the resource is for. */
export function readyAs(old: ResourceView): Ready {
  return (statusOf(old, 'Ready') ?? 'True') === 'True' ? 'true' : 'false';
}

/**
 * Sets Observe alone if the policies change at all, so that two providers do not both write. If deletionPolicy is enough, the
 * managementPolicies stay: the provider may have that feature switched off.
 */
function observeOnlyIfChanged(body: JsonObject): JsonObject {
  const spec = asObject(body['spec']);
  if (text(spec['deletionPolicy']) === 'Orphan' && !choosesPolicies(spec['managementPolicies'])) return body;
  return observeOnlyBody(body);
}

export function observeOnlyBody(body: JsonObject): JsonObject {
  return {...body, spec: {...asObject(body['spec']), managementPolicies: ['Observe']}};
}

function placedAs(body: JsonObject, {name, namespace}: ResourceView): JsonObject {
  return withMetadata(withMetadata(body, 'name', name), 'namespace', namespace);
}

function nameAnnotations(name: string): {readonly [key: string]: string} {
  return {[annotationExternalName]: name, [annotationEmittedName]: name};
}
