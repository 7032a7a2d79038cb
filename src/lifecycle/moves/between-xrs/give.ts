// The side that gives. It offers its object and keeps it as it is, but lets it delete nothing once the other XR is there: its own XR may
// be deleted before the other one has the external resource. It lets go once the other XR's object is observed to observe the
// same external resource, or to have it already. It releases once that object has policies of its own, is Synced, and has the mark
// `taken`. An object that `protect` keeps here is let go only if a Usage keeps the other one.
//
// After that, the object gets its policies back only if no object of the other XR has policies of its own. It never gets them back
// while it is being deleted: the provider would delete the external resource after all.
//
// Without its rule an exchange stops. That does not ask for the external resource to go, which the other XR may observe by now. So an
// object that no step desires any more stays until the rule is back or the XR's annotation names the object.

import {canOrphan, externalNameOf, isCreating} from '../../facts/external-policies.ts';
import {isLabelledInUse} from '../../facts/in-use-label.ts';
import {isDeleting} from '../../facts/ownership.ts';
import type {ExchangeObstacle} from '../../words/obstacles.ts';
import type {ResourceView} from '../../words/snapshot.ts';
import {choosesPolicies} from '../bodies.ts';
import {firstOf, type Gates} from '../gates.ts';
import {goingSecret} from '../new-name.ts';
import {anotherResource, hasLetGo, onlyObserves, synced} from '../proofs.ts';
import {type OtherSide, objectOf} from './other-side.ts';
import {isMarkFor, type Mark, markOn} from './partner-mark.ts';

export type Given =
  | {
      readonly kind: 'stay';
      readonly reason: 'offering' | 'letting-go' | 'taking-back';
      readonly stopped?: ExchangeObstacle | undefined;
    }
  /** It leaves, and the desired resource of its name is not created. */
  | {readonly kind: 'leave'}
  /** As if there were no rule. */
  | {readonly kind: 'none'};

/** The terms of a rule that allows the exchange. */
export interface Allowed {
  readonly dryRun: boolean;
  /** True if another rule names the resource, too, so that nothing begins. */
  readonly isRivalled: boolean;
  /** The external name that the new object is to have, '' if there is none yet. */
  readonly newName: string;
  /** True if the rule itself decides identity, because the two providers write names and ids differently. */
  readonly isNamed: boolean;
}

/** The facts that both sides decide by. */
export interface Question {
  /** This XR, and the resource name here: what the other object's mark has to name. */
  readonly xr: ResourceView;
  readonly resourceName: string;
  /** True if an earlier step desires it. */
  readonly isWanted: boolean;
  /** Undefined if no rule is about it (any more). */
  readonly allowed: Allowed | undefined;
  readonly mark: Mark | undefined;
  readonly other: OtherSide;
}

interface GiveQuestion extends Question {
  readonly view: ResourceView;
  /** True if a person confirmed that it may leave. */
  readonly isConfirmed: boolean;
  /** True if the other XR's condition shows that it desires this very object. */
  readonly isSameThere: boolean;
  /** The Usage of `protect` that keeps it. */
  readonly usage: string | undefined;
  /** Another resource name that desires this very object, and to which a rule of this XR moves one. */
  readonly rival: string | undefined;
}

interface Giving extends GiveQuestion {
  readonly isLetGo: boolean;
  /** True if no step desires it, and no person confirmed that it may go. */
  readonly isDropped: boolean;
  /** The other XR's objects. */
  readonly labelled: readonly ResourceView[];
  /** The obstacle to letting go, undefined without a rule. */
  readonly stopped: ExchangeObstacle | undefined;
}

const leave: Given = {kind: 'leave'};
const none: Given = {kind: 'none'};

const gates: Gates<Giving, Given> = [
  [({view}) => isDeleting(view), ({isLetGo}) => (isLetGo ? leave : none)],
  [({allowed}) => allowed === undefined, (giving) => firstOf(withoutRule, giving)],
  [({allowed, isLetGo}) => allowed?.isRivalled === true && !isLetGo, () => offering({kind: 'rivals'})],
  // Released, it would be applied under the other name while it goes, and get its policies back.
  [
    ({rival}) => rival !== undefined,
    ({isLetGo, rival: other}) => {
      return {kind: 'stay', reason: isLetGo ? 'letting-go' : 'offering', stopped: {kind: 'rivals', other}};
    },
  ],
  // The new object is created once the rule is no dry run.
  [(giving) => isDry(giving) && isReady(giving), () => offering({kind: 'dry-run'})],
  [isDry, ({stopped}) => offering(stopped)],
  [({isLetGo, stopped, other}) => isLetGo && stopped === undefined && isTaken(other), () => leave],
  [
    (giving) => giving.isLetGo || giving.stopped === undefined || isTakenAlready(giving),
    ({stopped}) => ({kind: 'stay', reason: 'letting-go', stopped}),
  ],
  [() => true, ({stopped}) => offering(stopped)],
];

/** Once let go, it waits until no object of the other XR could delete the external resource. */
const withoutRule: Gates<Giving, Given> = [
  [({mark}) => mark === undefined, () => none],
  [({isLetGo, isDropped}) => !isLetGo && isDropped, () => offering({kind: 'dropped'})],
  [({isLetGo}) => !isLetGo, () => none],
  [({other}) => other.kind === 'pending', () => takingBack({kind: 'unanswered'})],
  [({labelled}) => labelled.some((object) => !onlyObserves(object)), () => takingBack()],
  // Released, it would leave an external resource behind that no object leads to.
  [({isDropped, labelled}) => isDropped && labelled.length === 0, () => takingBack({kind: 'dropped'})],
  [() => true, () => none],
];

export function givingState(question: GiveQuestion): Given {
  const {view, allowed, mark, other, isWanted, isConfirmed} = question;
  const isLetGo = mark !== undefined && mark.stage !== 'offering' && isAsLetGo(view);
  const labelled = other.kind === 'known' ? other.labelled : [];
  const stopped = allowed && obstacleTo(question, allowed);
  return firstOf(gates, {...question, isLetGo, isDropped: !isWanted && !isConfirmed, labelled, stopped});
}

/**
 * True if the object is as letting go leaves it. Its author may have taken Delete alone out of its policies. To only observe then, before
 * there is an external resource, its provider would never create one.
 */
export function isAsLetGo(view: ResourceView): boolean {
  const isAsTold = onlyObserves(view) || !choosesPolicies(view.field(['spec', 'managementPolicies']));
  return hasLetGo(view) && isAsTold && externalNameOf(view) !== '';
}

function offering(stopped: ExchangeObstacle | undefined): Given {
  return {kind: 'stay', reason: 'offering', stopped};
}

function takingBack(stopped?: ExchangeObstacle): Given {
  return {kind: 'stay', reason: 'taking-back', stopped};
}

function isDry({allowed, isLetGo}: Giving): boolean {
  return allowed?.dryRun === true && !isLetGo;
}

function isReady({stopped}: Giving): boolean {
  return stopped === undefined || (stopped.kind === 'not-there' && stopped.what === 'object');
}

function isTaken(other: OtherSide): boolean {
  const object = objectOf(other);
  return object !== undefined && markOn(object)?.stage === 'taken';
}

/** The obstacle to letting go: the other XR has not proven that it has the same external resource. */
function obstacleTo(
  {view, xr, resourceName, usage, isSameThere, isConfirmed, other}: GiveQuestion,
  allowed: Allowed,
): ExchangeObstacle | undefined {
  if (!canOrphan(view)) return {kind: 'no-policies', whose: 'old'};
  if (externalNameOf(view) === '' || allowed.newName === '') return {kind: 'no-external-name'};
  if (isCreating(view)) return {kind: 'still-creating'};
  if (other.kind === 'pending') return {kind: 'unanswered'};
  if (other.xr === undefined) return {kind: 'not-there', what: 'xr'};
  if (isDeleting(other.xr)) return {kind: 'deleting', whose: 'xr'};
  const {object} = other;
  if (object === undefined && isSameThere) return {kind: 'same-object'};
  if (object === undefined) return other.labelled.length > 0 ? {kind: 'unproven'} : {kind: 'not-there', what: 'object'};
  if (isDeleting(object)) return {kind: 'deleting', whose: 'new'};
  const mark = markOn(object);
  if (mark === undefined || !isMarkFor(mark, xr, resourceName)) return {kind: 'other-rule', does: 'takes'};
  const another = otherResource(view, object, allowed);
  if (another !== undefined) return another;
  if (usage !== undefined && !isLabelledInUse(object)) return {kind: 'unprotected', usage};
  return synced(object) === 'True' ? goingSecret(view, mark.keys, isConfirmed) : {kind: 'not-synced'};
}

/**
 * True if the other XR's object has policies of its own and no mark: a backup from before the exchange brought this one back. Both
 * would delete the external resource, so this one lets go. It is released once the other XR takes it again.
 */
function isTakenAlready({view, allowed, other, stopped}: Giving): boolean {
  const object = objectOf(other);
  if (stopped?.kind !== 'other-rule' || object === undefined || hasLetGo(object)) return false;
  return synced(object) === 'True' && allowed !== undefined && otherResource(view, object, allowed) === undefined;
}

/** The field by which the two lead to different external resources: the name, or an identity that both providers report. */
export function otherResource(old: ResourceView, fresh: ResourceView, {newName, isNamed}: Allowed) {
  if (externalNameOf(fresh) !== newName) return {kind: 'another-resource', field: 'the external name'} as const;
  return isNamed ? undefined : anotherResource(old, fresh);
}
