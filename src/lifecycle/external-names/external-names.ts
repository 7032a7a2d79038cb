// The cloud's id of a resource, made durable. A provider that creates in the background knows the id long before it saves
// it, and without the policy LateInitialize never saves it: after its next restart it creates a second one (recorded:
// e-async-d-no-lateinit, 2 creates; the name written by hand in time, -named-by-hand, 1 create). So the name is written
// from status while the provider still knows it.
//
// A name is emitted only where nobody else has one, and from then on while Crossplane owns it, because server-side apply
// takes away what its owner stops to say. The mark on the object tells which names are ours, even when the input no longer
// asks for them. Every emission is guarded: it never lands on an object that somebody wrote since it was observed. The one
// exception is the first reconcile of a restored object that lost its name and was never applied by this XR's manager.
//
// Not helped: a provider that dies while the create is in flight (no status says the id: e-async-c-inflight).

import {guardOf} from '../facts/apply-guard.ts';
import {ownedFields} from '../facts/owned-fields.ts';
import {isControlled} from '../facts/ownership.ts';
import {saysReady} from '../facts/ready.ts';
import type {Input} from '../input/input.ts';
import {matches} from '../input/selector.ts';
import {at, isList, text} from '../words/json.ts';
import type {DesiredView, ResourceView} from '../words/snapshot.ts';

export const annotationExternalName = 'crossplane.io/external-name';
/** Our mark: the external name that function-tether emits for this object. */
export const annotationEmittedName = 'tether.fn.crossplane.io/external-name';

const emittedNamePath = ['metadata', 'annotations', annotationEmittedName];
const externalNamePath = ['metadata', 'annotations', annotationExternalName];

export interface EmittedName {
  readonly name: string;
  /** object: said before, said again. status: saved for the first time. memory: lost, and put back. */
  readonly from: 'object' | 'status' | 'memory';
  /** What the object must still be at when this is applied, '' where it is new or not Crossplane's yet. */
  readonly resourceVersion: string;
}

type Rules = NonNullable<Input['externalNames']>['from'];

export interface NameQuestion {
  readonly resourceName: string;
  readonly desired: DesiredView;
  readonly observed: ResourceView | undefined;
  readonly rules: Rules;
  /** The remembered name that it lost. */
  readonly lost: string | undefined;
  /** composedFieldManager(xr). */
  readonly manager: string;
}

/** The external name to emit for a desired resource, undefined where it is none of our business. */
export function externalNameFor({
  resourceName,
  desired,
  observed,
  rules,
  lost,
  manager,
}: NameQuestion): EmittedName | undefined {
  const emitted = text(observed?.field(emittedNamePath));
  // Most resources of most XRs end here, before anything else of them is read.
  if (emitted === '' && rules === undefined && lost === undefined) return undefined;
  if (externalNameOf(desired) !== '') return undefined;
  if (observed === undefined) {
    return lost === undefined ? undefined : {name: lost, from: 'memory', resourceVersion: ''};
  }
  const say = (name: string, from: EmittedName['from']): EmittedName => ({
    name,
    from,
    resourceVersion: guardOf(observed),
  });
  const name = externalNameOf(observed);
  // A name that somebody else wrote later is theirs from then on. To go on emitting it would make it ours, and the next
  // reconcile would put what status still says over it. Who changed its value owns it, so it stays when we let go.
  if (name !== '' && name !== emitted) return undefined;
  const known = nameInStatus(resourceName, observed, rules);
  if (name !== '') {
    // A name that we wrote ourselves yields to status, because the provider knows a newer one.
    if (known !== '' && known !== name) return say(known, 'object');
    // One that Crossplane does not own, after a restore or since somebody wrote the same, stays without us. Of what nobody controls yet
    // nobody knows: Velero gives an object its managed fields back after it made it, and what is applied in between takes the name away.
    return ownsName(observed, manager) || !isControlled(observed) ? say(name, 'object') : undefined;
  }
  if (known !== '') return say(known, 'status');
  if (emitted !== '') return say(emitted, 'memory');
  return lost === undefined ? undefined : say(lost, 'memory');
}

export function externalNameOf(view: ResourceView): string {
  return text(view.field(externalNamePath));
}

/** Whether the provider saves a name that it learns after the create by itself. */
export function lateInitializes(view: ResourceView): boolean {
  const policies = view.field(['spec', 'managementPolicies']);
  if (!isList(policies)) return true;
  return policies.includes('*') || policies.includes('LateInitialize');
}

/** Whether a rule says that the cloud chooses this resource's name. */
export function isNamedByCloud(resourceName: string, view: ResourceView, rules: Rules): boolean {
  return (rules ?? []).some(({match}) => matches(match, resourceName, view));
}

function ownsName(observed: ResourceView, manager: string): boolean {
  const managedFields = observed.field(['metadata', 'managedFields']);
  if (managedFields === undefined) return false;
  const owned = ownedFields({metadata: {managedFields}}, manager);
  return at(owned, ['f:metadata', 'f:annotations', `f:${annotationExternalName}`]) !== undefined;
}

/** The id that status tells of a resource that is ready and not in the middle of a create, '' if none. */
function nameInStatus(resourceName: string, observed: ResourceView, rules: Rules): string {
  const rule = (rules ?? []).find(({match}) => matches(match, resourceName, observed));
  if (rule === undefined || !saysReady(observed) || isCreating(observed)) return '';
  return text(observed.field(rule.path.split('.')));
}

// The provider writes RFC 3339 in UTC to the second, which sorts as text.
/** Whether the provider is in the middle of a create: what status tells is of an earlier one, and a name is on its way. */
export function isCreating(view: ResourceView): boolean {
  const time = (event: string) =>
    text(view.field(['metadata', 'annotations', `crossplane.io/external-create-${event}`]));
  const pending = time('pending');
  return pending !== '' && pending > time('succeeded') && pending > time('failed');
}
