// The cloud's id of a resource, saved as its external name. A provider that creates in the background knows the id long before it
// saves it. Without the policy LateInitialize it never saves it: after its next restart it creates a second resource (recorded:
// e-async-d-no-lateinit, 2 creates; the name written by hand in time, -named-by-hand, 1 create). So this function copies the name
// from status while the provider still knows it.
//
// A name is emitted only if no other field manager wrote one, and from then on as long as Crossplane owns it: server-side apply
// removes a field that its owner no longer sends. So a name that an earlier step wrote and no longer sends is emitted, too, if the
// input has external names kept. The mark on the object shows which names are ours, even when the input no longer
// asks for them. Every emission is guarded: the apply fails if the object was written since it was observed. The one exception is
// the first reconcile of a restored object that lost its name and was never applied by this XR's manager.
//
// Not helped: a provider that dies while the create is in flight (no status has the id: e-async-c-inflight).

import {guardOf} from '../facts/apply-guard.ts';
import {externalNameOf, isCreating} from '../facts/external-policies.ts';
import {objectOf} from '../facts/identity.ts';
import {annotationOf, fieldEntriesOf} from '../facts/metadata.ts';
import type {NameFor} from '../facts/naming.ts';
import {ownedFields} from '../facts/owned-fields.ts';
import {isControlled, isDeleting, proofOf} from '../facts/ownership.ts';
import {hasReadyTrue} from '../facts/ready.ts';
import type {Input} from '../input/input.ts';
import type {Scene} from '../input/scene.ts';
import {matches} from '../input/selector.ts';
import {type Answers, foundBy} from '../questions/registry.ts';
import type {Decision} from '../words/decision.ts';
import {at, text} from '../words/json.ts';
import type {DesiredView, ResourceView, Snapshot} from '../words/snapshot.ts';
import {lostName, type Memory, type NameMemory, readMemory} from './memory.ts';
import type {Seals} from './seal.ts';

export const annotationExternalName = 'crossplane.io/external-name';
/** Our mark: the external name that function-tether emits for this object. */
export const annotationEmittedName = 'tether.fn.crossplane.io/external-name';

export interface EmittedName {
  readonly name: string;
  /** object: emitted before, emitted again. status: saved for the first time. memory: lost, and put back. */
  readonly from: 'object' | 'status' | 'memory';
  /** The resourceVersion that the object must still have when this is applied, '' if it is new or not Crossplane's yet. */
  readonly resourceVersion: string;
}

type Rules = NonNullable<Input['externalNames']>['from'];

/**
 * The external name to emit for a desired resource, undefined where it is none of our business. `lost`: the remembered name that it
 * lost. `inStatus`: its name in status, by the rules of the input; '' for none. `isKept`: the input has external names kept.
 */
export function externalNameFor(
  desired: DesiredView,
  observed: ResourceView | undefined,
  manager: string,
  lost?: string,
  inStatus?: () => string,
  isKept = false,
): EmittedName | undefined {
  const emitted = observed === undefined ? '' : annotationOf(observed, annotationEmittedName);
  // Most resources of most XRs end here, before anything else of them is read.
  if (emitted === '' && inStatus === undefined && lost === undefined && !isKept) return undefined;
  if (externalNameOf(desired) !== '') return undefined;
  if (observed === undefined) {
    return lost === undefined ? undefined : {name: lost, from: 'memory', resourceVersion: ''};
  }
  const emission = (name: string, from: EmittedName['from']): EmittedName => ({
    name,
    from,
    resourceVersion: guardOf(observed),
  });
  const name = externalNameOf(observed);
  // A different name from another writer stays that writer's. Emitting it would make it ours, and the next reconcile would
  // overwrite it with the one in status. Its writer owns the changed value, so it stays when we stop emitting.
  if (name !== '' && name !== emitted) {
    return isKept && ownsName(observed, manager) ? emission(name, 'object') : undefined;
  }
  const known = inStatus?.() ?? '';
  if (name !== '') {
    // A name that we wrote ourselves yields to status, because the provider knows a newer one.
    if (known !== '' && known !== name) return emission(known, 'object');
    // A name that Crossplane does not own, after a restore or after another writer set the same value, stays without us. Without a
    // controller reference, ownership is unknown: Velero creates an object before it restores its managed fields, and an apply in
    // between would remove the name.
    return ownsName(observed, manager) || !isControlled(observed) ? emission(name, 'object') : undefined;
  }
  if (known !== '') return emission(known, 'status');
  if (emitted !== '') return emission(emitted, 'memory');
  return lost === undefined ? undefined : emission(lost, 'memory');
}

const nameField = ['f:metadata', 'f:annotations', `f:${annotationExternalName}`];
const firstEntry = ['metadata', 'managedFields', 0] as const;
const firstManager = [...firstEntry, 'manager'];
const firstOperation = [...firstEntry, 'operation'];
const firstNameField = [...firstEntry, 'fieldsV1', ...nameField];

/** True if Crossplane's apply owns the name. Its entry is the first of most objects: then the others are not read. */
function ownsName(observed: ResourceView, manager: string): boolean {
  if (observed.field(firstManager) === manager && observed.field(firstOperation) === 'Apply')
    return observed.field(firstNameField) !== undefined;
  return at(ownedFields(fieldEntriesOf(observed), manager), nameField) !== undefined;
}

/** The id in status of a resource that is ready and not in the middle of a create, '' if none. */
function nameInStatus(resourceName: string, observed: ResourceView, rules: NonNullable<Rules>): string {
  const rule = rules.find(({match}) => matches(match, resourceName, observed));
  if (rule === undefined || !hasReadyTrue(observed) || isCreating(observed)) return '';
  return text(observed.field(rule.path.split('.')));
}

// Which external names one plan remembers and emits, and what of that is worth telling.

/** A resource that is about to get a remembered external name has the name of the old object. */
export function oldNames(snapshot: Snapshot, {externalNames}: Input, seals: Seals): NameFor | undefined {
  const remember = externalNames?.remember;
  if (remember === undefined) return undefined;
  let recalled: NameMemory | undefined;
  return (resourceName) => {
    recalled ??= readMemory(snapshot, remember, seals);
    const lost = lostName(recalled, resourceName, undefined, snapshot);
    return lost.kind === 'lost' ? {name: lost.object} : undefined;
  };
}

/** The inputs of this part of a plan. */
interface Naming extends Scene {
  readonly memory: Memory;
  readonly answers: Answers;
}

/** The names to emit, by resource name, for desired resources that pass in this reconcile. */
export function emittedNames(
  decisions: ReadonlyMap<string, Decision>,
  naming: Naming,
): ReadonlyMap<string, EmittedName> {
  const {snapshot, input, memory, claim} = naming;
  const rules = input.externalNames?.from;
  const names = new Map<string, EmittedName>();
  decisions.forEach((decision, resourceName) => {
    const desired = snapshot.desired.get(resourceName);
    if (desired === undefined || decision.kind === 'wait' || decision.kind === 'refuse') return;
    const observed = snapshot.observed.get(resourceName) ?? foundBy(decision, naming.answers);
    const found = lostName(memory.recalled, resourceName, observed, snapshot);
    // A resource that already has another name than the old object, such as one that is handed over, gets no name of it.
    const isItsPlace = found.kind === 'lost' && (observed !== undefined || desired.name === found.object);
    const lost = isItsPlace ? found.name : undefined;
    const under = observed ?? objectInPlaceOf(resourceName, decision, naming);
    const inStatus = rules && observed && (() => nameInStatus(resourceName, observed, rules));
    const isKept = observed !== undefined && input.externalNames !== undefined;
    const emitted = externalNameFor(desired, under, claim.manager, lost, inStatus, isKept);
    if (emitted !== undefined) names.set(resourceName, emitted);
  });
  return names;
}

/** The object that a new one will be applied over, as one of this XR's; undefined where none is known. */
function objectInPlaceOf(
  resourceName: string,
  decision: Decision,
  {snapshot, claim, answers}: Naming,
): ResourceView | undefined {
  const object = decision.kind === 'create' ? objectOf(snapshot, resourceName) : undefined;
  const view = object && answers.object(object);
  return view === undefined || isDeleting(view) || proofOf(view, claim) === 'none' ? undefined : view;
}
