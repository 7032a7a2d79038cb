// What is desired of the two objects of a hand-over, step by step.
//
// Where two resource names desire one object, their bodies are the same: Crossplane applies both with one field manager,
// in the order of a Go map, and each apply takes away what the other one alone says (crossplane/crossplane 2d040d2da
// composite/composition_functions.go:689). The last apply would say which resource name the object has. So the one of the
// name that it has already is guarded (facts/apply-guard.ts): it comes first and changes nothing, or second and fails, and
// either way the object has its new resource name after one try.
//
// The old object says its external name from the moment on that it lets go. Should it be made once more, because
// Crossplane read it an instant after it went, it is the same external resource again, and no second one.

import {annotationEmittedName, annotationExternalName, externalNameFor} from '../../external-names/external-names.ts';
import {wantedBody} from '../../facts/applied-empty.ts';
import {guardOf} from '../../facts/apply-guard.ts';
import {holdBody} from '../../facts/hold-body.ts';
import {observedPhase, withMarks} from '../../facts/marks.ts';
import type {Claim} from '../../facts/proof.ts';
import {hasReadyFalse} from '../../facts/ready.ts';
import type {Input} from '../../input/input.ts';
import {withOrphanPolicies} from '../../removal/policies.ts';
import {asObject, fromEntries, isList, type Json, type JsonObject, text} from '../../words/json.ts';
import type {DesiredView, Ready, ResourceView} from '../../words/snapshot.ts';
import {annotationFrom, annotationTo, type Move} from './moves.ts';

export interface Body {
  readonly body: JsonObject;
  readonly ready: Ready;
}

/** The old object, told to let its external resource go: to only observe it where that can be said safely. */
export function lettingGo({old, from, to}: Move, externalName: string, claim: Claim, isGuarded: boolean): Body {
  const body = observingOnly(withOrphanPolicies(holdBody(old, claim.manager), old));
  const named = withAnnotations(body, {[annotationTo]: to, ...nameAnnotations(externalName)});
  const guarded = withMetadata(named, 'resourceVersion', isGuarded ? guardOf(old) : '');
  return {body: withMarks(guarded, claim.id, from, 'handing-over'), ready: readyAs(old)};
}

/** The one object under its old and its new resource name, or back under its old one. */
export function shared(move: Move & {readonly wanted: DesiredView}, to: string, input: Input, claim: Claim): Body {
  const {old, wanted, at, kind} = move;
  const name = externalNameFor({
    resourceName: to,
    desired: wanted,
    observed: old,
    rules: input.externalNames?.from,
    lost: undefined,
    manager: claim.manager,
  });
  const body = withAnnotations(identified(wantedBody(wanted, old, claim.manager), old), {
    ...(kind === 'rename' ? {[annotationFrom]: at, [annotationTo]: to} : {}),
    ...(name === undefined ? {} : nameAnnotations(name.name)),
  });
  return {body: withMarks(body, claim.id, to, 'handing-over'), ready: readyAs(old)};
}

/**
 * A body of one object under the resource name that it is to have. It says what it says when it is there, so that nothing is
 * written once more for that: each write has Crossplane reconcile the XR, and many at once open its circuit breaker.
 */
export function arrived({body, ready}: Body, {to, allowed}: Move, {id}: Claim): Body {
  const isLeft = allowed === undefined ? [annotationFrom, annotationTo] : [annotationTo];
  return {body: withMarks(withoutAnnotations(body, isLeft), id, to, 'adopted'), ready};
}

/** A body of one object under the resource name that it has, which must not win over the one that it is to have. */
export function guarded({body, ready}: Body, {old}: Move): Body {
  return {body: withMetadata(body, 'resourceVersion', guardOf(old)), ready};
}

/** The new object with the old one's external resource: only observing it, or as it is desired. */
export function succeeding(
  {old, at, to, fresh}: Move,
  wanted: DesiredView,
  externalName: string,
  claim: Claim,
  onlyObserves: boolean,
  phase: 'handing-over' | 'refused',
): Body {
  const body = withAnnotations(newBody(wanted, fresh, externalName, claim, onlyObserves), {[annotationFrom]: at});
  return {body: withMarks(body, claim.id, to, phase), ready: readyAs(old)};
}

/** The new object as it is, whose old one went. */
export function alone(resourceName: string, fresh: ResourceView, claim: Claim): Body {
  return {
    body: withMarks(holdBody(fresh, claim.manager), claim.id, resourceName, phaseOn(fresh)),
    ready: readyAs(fresh),
  };
}

/** That it was seen to be another resource is not forgotten while it stays as it is. */
function phaseOn(fresh: ResourceView): 'handing-over' | 'refused' {
  return observedPhase(fresh) === 'refused' ? 'refused' : 'handing-over';
}

/** A new object for an external resource that there is: only observing it, or as it is desired. */
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
export function standing(
  {to, old, fresh}: Move & {readonly fresh: ResourceView},
  claim: Claim,
  givesBack: boolean,
): Body {
  const held = holdBody(fresh, claim.manager);
  const body = givesBack ? observing(withOrphanPolicies(held, fresh)) : held;
  return {body: withMarks(body, claim.id, to, phaseOn(fresh)), ready: readyAs(old)};
}

/** What it is for has not changed, so the old object says how ready the XR is. */
export function readyAs(old: ResourceView): Ready {
  return hasReadyFalse(old) ? 'false' : 'true';
}

/**
 * Policies that were changed at all are changed to observing alone, so that two providers do not both write. Where
 * deletionPolicy was enough nobody knows whether the provider takes other policies, so they stay (its flag may be off).
 */
export function observingOnly(body: JsonObject): JsonObject {
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

function identified(body: JsonObject, view: ResourceView): JsonObject {
  const generateName = text(view.field(['metadata', 'generateName']));
  const named = placedAs(body, view);
  return withMetadata(named, 'generateName', generateName);
}

function placedAs(body: JsonObject, {name, namespace}: ResourceView): JsonObject {
  return withMetadata(withMetadata(body, 'name', name), 'namespace', namespace);
}

export function nameAnnotations(name: string): {readonly [key: string]: string} {
  return {[annotationExternalName]: name, [annotationEmittedName]: name};
}

export function withAnnotations(body: JsonObject, annotations: {readonly [key: string]: string}): JsonObject {
  const metadata = asObject(body['metadata']);
  return {...body, metadata: {...metadata, annotations: {...asObject(metadata['annotations']), ...annotations}}};
}

function withoutAnnotations(body: JsonObject, keys: readonly string[]): JsonObject {
  const metadata = asObject(body['metadata']);
  const annotations = Object.entries(asObject(metadata['annotations'])).filter(([key]) => !keys.includes(key));
  return {...body, metadata: {...metadata, annotations: fromEntries(annotations)}};
}

/** With this field of metadata, or without it where the value is ''. */
export function withMetadata(body: JsonObject, key: string, value: string): JsonObject {
  const others = Object.entries(asObject(body['metadata'])).filter(([name]) => name !== key);
  return {...body, metadata: fromEntries(value === '' ? others : [...others, [key, value]])};
}
