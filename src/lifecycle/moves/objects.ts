// The proofs of the steps of a move. Each is an observed fact; a request alone proves nothing.
//
// A provider writes the condition Synced at the end of a reconcile of the object as it was then. Newer providers write its
// generation (observedGeneration). Without one, Synced counts if the object never had other policies.

import {annotationEmittedName, annotationExternalName, externalNameFor} from '../external-names/external-names.ts';
import {wantedBody} from '../facts/applied-empty.ts';
import {guarded} from '../facts/apply-guard.ts';
import {
  deletesExternal,
  externalNameOf,
  isEverything,
  isManaged,
  managementPoliciesOf,
} from '../facts/external-policies.ts';
import {holdBody} from '../facts/hold-body.ts';
import {observedPhase, withMarks} from '../facts/marks.ts';
import {withAnnotations, withMetadata} from '../facts/metadata.ts';
import {type Claim, isXr} from '../facts/ownership.ts';
import {condition, statusOf} from '../facts/ready.ts';
import type {Scene} from '../input/scene.ts';
import {withOrphanPolicies, withPolicies} from '../removal/policies.ts';
import type {Meter} from '../templates/cel/functions.ts';
import type {Templates} from '../templates/templates.ts';
import type {Protection} from '../usages/protect.ts';
import type {Decision} from '../words/decision.ts';
import {asObject, isList, type Json, type JsonObject, text} from '../words/json.ts';
import type {ExchangeObstacle, Obstacle} from '../words/obstacles.ts';
import type {DesiredView, Ready, ResourceView} from '../words/snapshot.ts';

/** The value that the template of a resource still lacks. Until it is there, nothing can be desired in its place. */
export function unresolvedIn(resourceName: string, unresolved: Templates['unresolved']) {
  const open = unresolved.get(resourceName);
  return open === undefined ? undefined : ({kind: 'unresolved', path: open.path, cause: open.cause} as const);
}

/** True if the provider would keep the external resource on a deletion of the object now. */
export function hasLetGo(view: ResourceView): boolean {
  return !deletesExternal(view);
}

/**
 * True if the object is as letting go leaves it. Its author may have taken Delete alone out of its policies. To only observe then, before
 * there is an external resource, its provider would never create one.
 */
export function isAsLetGo(view: ResourceView): boolean {
  const isAsTold = onlyObserves(view) || !choosesPolicies(view.field(['spec', 'managementPolicies']));
  return hasLetGo(view) && isAsTold && externalNameOf(view) !== '';
}

/** True if they are not those that everything has that its author gives none. */
function choosesPolicies(policies: Json | undefined): boolean {
  return isList(policies) && !isEverything(policies);
}

/** True if the object has the policy Observe alone. */
export function onlyObserves(view: ResourceView): boolean {
  const [only, ...others] = managementPoliciesOf(view);
  return only === 'Observe' && others.length === 0;
}

/** True if the new object has its desired policies. */
export function hasItsPolicies(fresh: ResourceView, wanted: DesiredView): boolean {
  return !onlyObserves(fresh) || onlyObserves(wanted);
}

/** The status of Synced for the present generation: undefined until the provider has reconciled it. */
export function synced(view: ResourceView): 'True' | 'False' | undefined {
  const found = condition(view, 'Synced');
  if (found === undefined) return undefined;
  const seen = found['observedGeneration'];
  const generation = view.field(['metadata', 'generation']);
  if (typeof seen === 'number' && typeof generation === 'number' && seen < generation) return undefined;
  return found['status'] === 'True' ? 'True' : 'False';
}

type AnotherResource = Extract<Obstacle & ExchangeObstacle, {kind: 'another-resource'}>;

// Names are unique within a region or an account, so two resources may have the same one. These are not.
export const identities = ['id', 'arn'] as const;

/** The identity that differs, which proves two external resources. A rule that makes names decides itself which are the same. */
export function anotherResource(old: ResourceView, fresh: ResourceView): AnotherResource | undefined {
  const field = identities.find((name) => {
    const path = ['status', 'atProvider', name];
    return differ(old.field(path), fresh.field(path));
  });
  return field === undefined ? undefined : {kind: 'another-resource', field: `status.atProvider.${field}`};
}

/** The field by which the two lead to different external resources: the name, or an identity that both providers report. */
export function otherResource(old: ResourceView, fresh: ResourceView, newName: string, isNamed: boolean) {
  if (externalNameOf(fresh) !== newName) return {kind: 'another-resource', field: 'the external name'} as const;
  return isNamed ? undefined : anotherResource(old, fresh);
}

function differ(a: Json | undefined, b: Json | undefined): boolean {
  return text(a) !== '' && text(b) !== '' && a !== b;
}

// The bodies of the two objects of a move, within one XR or between two. The old one lets go, the new one only observes or has its
// policies, or either stays as it is. `carried` are the annotations that record the move.
//
// The old object has its external name in its body once it lets go. Crossplane may create it again, if it read the object just
// after it was deleted. Then the object leads to the same external resource, and its provider creates no second one.

export interface Body {
  readonly body: JsonObject;
  readonly ready: Ready;
}

export type Annotations = {readonly [key: string]: string};

/** The old object with policies that keep its external resource. They are Observe alone if that is safe. */
export function letGoBody(name: string, old: ResourceView, carried: Annotations, claim: Claim, isGuarded = true): Body {
  const safe = observeOnlyIfChanged(withOrphanPolicies(holdBody(old, claim.manager), old), old);
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
  return onlyObserves ? observeOnlyBody(named, fresh) : named;
}

/** The new object as it is; with `givesBack` it only observes. */
export function standingBody(name: string, fresh: ResourceView, claim: Claim, givesBack = false): Body {
  const held = holdBody(fresh, claim.manager);
  const body = givesBack ? observeOnlyBody(withOrphanPolicies(held, fresh), fresh) : held;
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

/** The readiness of the old object: a move does not change what the resource is for. Of many kinds none ever has the condition. */
export function readyAs(old: ResourceView): Ready {
  const unseen = () => (isManaged(old) || isXr(old) ? 'False' : 'True');
  return (statusOf(old, 'Ready') ?? unseen()) === 'True' ? 'true' : 'false';
}

/**
 * Sets Observe alone if the policies change at all, so that two providers do not both write. If deletionPolicy is enough, the
 * managementPolicies stay: the provider may have that feature switched off.
 */
function observeOnlyIfChanged(body: JsonObject, view: ResourceView): JsonObject {
  const spec = asObject(body['spec']);
  if (text(spec['deletionPolicy']) === 'Orphan' && !choosesPolicies(spec['managementPolicies'])) return body;
  return observeOnlyBody(body, view);
}

/** `view`: the object as it is, if it is there. */
export function observeOnlyBody(body: JsonObject, view: ResourceView | undefined): JsonObject {
  return withPolicies(body, view, {managementPolicies: ['Observe']});
}

function placedAs(body: JsonObject, {name, namespace}: ResourceView): JsonObject {
  return withMetadata(withMetadata(body, 'name', name), 'namespace', namespace);
}

function nameAnnotations(name: string): {readonly [key: string]: string} {
  return {[annotationExternalName]: name, [annotationEmittedName]: name};
}

/** The inputs of one plan's moves, within the XR and between XRs. */
export interface Given extends Scene {
  /** Templates that cannot be composed yet: the objects that they desire show nothing but what is there. */
  readonly unresolved: Templates['unresolved'];
  readonly protection: Protection;
  readonly meter: Meter;
}

/** The outcome for one resource name. Without a decision it is decided as if no rule was about it. */
export interface Part {
  readonly name: string;
  readonly decision?: Decision | undefined;
  readonly body?: Body | undefined;
  /** Its object leaves now, as soon as Usages let it, also where an earlier step desires it: what it stood for is here or there. */
  readonly leaves?: 'within-xr' | 'to-other-xr';
}
