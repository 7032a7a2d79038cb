// The bodies of the two objects of a move, within one XR or between two: the old one that lets go, the new one that only observes
// or has its policies, and either of them as it is. `carried` are the annotations that carry the move.
//
// The old object says its external name from the moment on that it lets go. Should it be made once more, because
// Crossplane read it an instant after it went, it is the same external resource again, and no second one.

import {
  annotationEmittedName,
  annotationExternalName,
  externalNameFor,
  externalNameOf,
} from '../external-names/external-names.ts';
import {wantedBody} from '../facts/applied-empty.ts';
import {guardOf} from '../facts/apply-guard.ts';
import {holdBody} from '../facts/hold-body.ts';
import {observedPhase, withMarks} from '../facts/marks.ts';
import type {Claim} from '../facts/proof.ts';
import {hasReadyFalse} from '../facts/ready.ts';
import type {Input} from '../input/input.ts';
import {withOrphanPolicies} from '../removal/policies.ts';
import {asObject, fromEntries, isList, type Json, type JsonObject, text} from '../words/json.ts';
import type {DesiredView, Ready, ResourceView} from '../words/snapshot.ts';

export interface Body {
  readonly body: JsonObject;
  readonly ready: Ready;
}

export type Annotations = {readonly [key: string]: string};

/** The old object, told to let its external resource go: to only observe it where that can be said safely. */
export function lettingGo(name: string, old: ResourceView, carried: Annotations, claim: Claim, isGuarded = true): Body {
  const body = observingOnly(withOrphanPolicies(holdBody(old, claim.manager), old));
  const named = withAnnotations(body, {...carried, ...nameAnnotations(externalNameOf(old))});
  const guarded = withMetadata(named, 'resourceVersion', isGuarded ? guardOf(old) : '');
  return {body: withMarks(guarded, claim.id, name, 'handing-over'), ready: readyAs(old)};
}

/** The new object with the old one's external resource: only observing it, or as it is desired. */
export function newBody(
  wanted: DesiredView,
  fresh: ResourceView | undefined,
  externalName: string,
  {manager}: Claim,
  onlyObserves: boolean,
): JsonObject {
  const placed = placedAs(wantedBody(wanted, fresh, manager), fresh ?? wanted);
  const guarded = withMetadata(placed, 'resourceVersion', fresh === undefined ? '' : guardOf(fresh));
  const named = withAnnotations(guarded, nameAnnotations(externalName));
  return onlyObserves ? observing(named) : named;
}

/** The new object as it is, and told to only observe where `givesBack`. */
export function standing(name: string, fresh: ResourceView, claim: Claim, givesBack = false): Body {
  const held = holdBody(fresh, claim.manager);
  const body = givesBack ? observing(withOrphanPolicies(held, fresh)) : held;
  // That it was seen to be another resource is not forgotten while it stays as it is.
  const phase = observedPhase(fresh) === 'refused' ? 'refused' : 'handing-over';
  return {body: withMarks(body, claim.id, name, phase), ready: readyAs(fresh)};
}

/** An object as it is desired, with the external name that this function keeps on it, if it does. */
export function namedBody(
  resourceName: string,
  desired: DesiredView,
  observed: ResourceView,
  {manager}: Claim,
  rules?: NonNullable<Input['externalNames']>['from'],
): JsonObject {
  const name = externalNameFor({resourceName, desired, observed, rules, lost: undefined, manager});
  const body = wantedBody(desired, observed, manager);
  return name === undefined ? body : withAnnotations(body, nameAnnotations(name.name));
}

/** What it is for has not changed, so the old object says how ready the XR is. */
export function readyAs(old: ResourceView): Ready {
  return hasReadyFalse(old) ? 'false' : 'true';
}

/**
 * Policies that were changed at all are changed to observing alone, so that two providers do not both write. Where
 * deletionPolicy was enough nobody knows whether the provider takes other policies, so they stay (its flag may be off).
 */
function observingOnly(body: JsonObject): JsonObject {
  const spec = asObject(body['spec']);
  if (text(spec['deletionPolicy']) === 'Orphan' && !isChanged(spec['managementPolicies'])) return body;
  return observing(body);
}

export function observing(body: JsonObject): JsonObject {
  return {...body, spec: {...asObject(body['spec']), managementPolicies: ['Observe']}};
}

function isChanged(policies: Json | undefined): boolean {
  return isList(policies) && !(policies.length === 1 && policies[0] === '*');
}

export function placedAs(body: JsonObject, {name, namespace}: ResourceView): JsonObject {
  return withMetadata(withMetadata(body, 'name', name), 'namespace', namespace);
}

function nameAnnotations(name: string): {readonly [key: string]: string} {
  return {[annotationExternalName]: name, [annotationEmittedName]: name};
}

export function withAnnotations(body: JsonObject, annotations: Annotations): JsonObject {
  const metadata = asObject(body['metadata']);
  return {...body, metadata: {...metadata, annotations: {...asObject(metadata['annotations']), ...annotations}}};
}

/** With this field of metadata, or without it where the value is ''. */
export function withMetadata(body: JsonObject, key: string, value: string): JsonObject {
  const others = Object.entries(asObject(body['metadata'])).filter(([name]) => name !== key);
  return {...body, metadata: fromEntries(value === '' ? others : [...others, [key, value]])};
}
