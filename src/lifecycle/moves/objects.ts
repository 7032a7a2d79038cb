// The proofs of the steps of a move. Each is an observed fact; a request alone proves nothing.
//
// A provider writes the condition Synced at the end of a reconcile of the object as it was then. Newer providers write its
// generation (observedGeneration). Without one, Synced counts if the object never had other policies.

import {annotationEmittedName, annotationExternalName} from '../external-names/external-names.ts';
import {wantedBody} from '../facts/applied-empty.ts';
import {guarded} from '../facts/apply-guard.ts';
import {
  deletesExternal,
  externalNameOf,
  isCreating,
  isEverything,
  isManaged,
  managementPoliciesOf,
} from '../facts/external-policies.ts';
import {holdBody} from '../facts/hold-body.ts';
import {observedPhase, withMarks} from '../facts/marks.ts';
import {withAnnotations, withMetadata} from '../facts/metadata.ts';
import {type Claim, isXr} from '../facts/ownership.ts';
import {condition, statusOf} from '../facts/ready.ts';
import type {InvalidInput} from '../input/input.ts';
import type {Scene} from '../input/scene.ts';
import {withOrphanPolicies, withPolicies} from '../removal/policies.ts';
import type {Meter} from '../templates/cel/functions.ts';
import {sourceOf, type Templates} from '../templates/templates.ts';
import {evaluate, type NotYet, unfitResult} from '../templates/value.ts';
import type {Protection} from '../usages/protect.ts';
import type {Decision} from '../words/decision.ts';
import {asObject, isList, type Json, type JsonObject, text} from '../words/json.ts';
import type {ExchangeObstacle, Obstacle} from '../words/obstacles.ts';
import {placedRef} from '../words/references.ts';
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

/** The obstacle while the old object leads to no external resource, or a rule makes no name of it. */
export function unnamed(old: ResourceView, newName = externalNameOf(old)) {
  if (isCreating(old)) return {kind: 'still-creating'} as const;
  return externalNameOf(old) === '' || newName === '' ? ({kind: 'no-external-name'} as const) : undefined;
}

/** True if they are not those that everything has that its author gives none. */
export function choosesPolicies(policies: Json | undefined): boolean {
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

function differ(a: Json | undefined, b: Json | undefined): boolean {
  return text(a) !== '' && text(b) !== '' && a !== b;
}

// The external name of the new object: the old one's, or the result of the rule's expression over the old object and the XR. And the
// name of its connection Secret, which has to be another than the old one's.
//
// The Secrets of the old object go with it: Kubernetes deletes them by their owner references. Some providers publish a password only
// after their create (crossplane/crossplane-runtime 4e7ed235 pkg/reconciler/managed/reconciler.go:1452), and the new object creates nothing.
// Others generate one into a Secret that the object owns, and the new provider would generate another.

const variables = ['self', 'xr'] as const;
const expected = 'an expression that is a string that is not empty';

/** `rule` is the rule's place in the input. Without an expression the name is the old one's, '' if that has none. */
export function newNameOf(
  expression: string | undefined,
  rule: string,
  old: ResourceView,
  {snapshot: {xr}, meter}: Given,
): {readonly kind: 'name'; readonly name: string} | NotYet | InvalidInput {
  if (expression === undefined) return {kind: 'name', name: externalNameOf(old)};
  const path = `${rule}.externalName`;
  // The old object's values are not the platform's. A wrong one stops this move, and not the XR.
  const resolved = evaluate(
    expression,
    path,
    {variables, sources: {self: sourceOf(old), xr: sourceOf(xr)}, meter},
    expected,
  );
  if (resolved.kind !== 'value') return resolved;
  const name = text(resolved.value);
  return name === '' ? unfitResult(path, expected, '""') : {kind: 'name', name};
}

/**
 * The obstacle if both objects would publish connection details to one Secret. An object in a namespace publishes there. `keys`: those
 * of the Secret of another XR's object, for which the new object has to name one.
 */
export function sharedSecret(old: ResourceView, wanted: DesiredView, xr: ResourceView, keys: readonly string[] = []) {
  const refOf = (view: ResourceView) => asObject(view.field(['spec', 'writeConnectionSecretToRef']));
  const secretOf = ({name, namespace}: JsonObject, within: string) =>
    text(name) && `${within || text(namespace)}/${text(name)}`;
  const secret = secretOf(refOf(old), old.namespace);
  const wantedSecret = secretOf(refOf(wanted), placedRef(wanted, xr).namespace);
  if (keys.length > 0 && wantedSecret === '') return {kind: 'secret', why: 'none'} as const;
  const isShared = secret !== '' && secret === wantedSecret;
  return isShared ? ({kind: 'secret', why: 'shared'} as const) : undefined;
}

/** The keys of its connection Secret that have a value, sorted. */
export function keysOf({connectionDetails}: ResourceView): readonly string[] {
  return [...connectionDetails].flatMap(([key, {length}]) => (length > 0 ? [key] : [])).sort();
}

/**
 * The obstacle if a Secret goes with the old object: one that its provider generated (autoGeneratePassword), or its connection Secret, if
 * that has a value and the new one, which has `keys`, has not. A person may confirm that it goes.
 */
export function goingSecret(old: ResourceView, keys: readonly string[] | undefined, isConfirmed: boolean) {
  if (isConfirmed) return undefined;
  const fields = Object.entries(asObject(old.field(['spec', 'forProvider'])));
  const isGenerated = fields.some(([name, value]) => /^auto-?generate/i.test(name) && value === true);
  const isLacking = keys !== undefined && keysOf(old).some((key) => !keys.includes(key));
  if (isGenerated) return {kind: 'secret', why: 'generated'} as const;
  return isLacking ? ({kind: 'secret', why: 'lacking'} as const) : undefined;
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

export function nameAnnotations(name: string): {readonly [key: string]: string} {
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
