// The side that takes. It creates only an object that is offered to it by name. The new object only observes at first, gets its
// policies once the old one is observed to have let go, and is an ordinary resource once the old one is gone. A backup may bring the
// old one back; then the exchange begins again.
//
// While the old object is there and has not let go, the new one only observes, whatever became of the rule. Under a rule no empty
// resource is ever created: a missing giver may be one that a restore has not brought back yet.
//
// A new object may still only observe when the old one is gone. No giver was observed to let go to it: the giver may have turned to
// another XR, or may come back. So it goes on observing until a person takes the rule away, as the condition asks.

import {externalNameOf, isCreating} from '../../external-names/external-names.ts';
import {isDeleting} from '../../facts/ownership.ts';
import type {ExchangeObstacle} from '../../words/obstacles.ts';
import type {ResourceView} from '../../words/snapshot.ts';
import {hasLetGo, onlyObserves, synced} from '../proofs.ts';
import {type Allowed, otherResource} from './give.ts';
import {type OtherSide, objectOf} from './other-side.ts';
import {isMarkFor, type Mark, markOn} from './partner-mark.ts';

export type Taken =
  /** It is not made, while something stops that. */
  | {readonly kind: 'new'; readonly stopped?: ExchangeObstacle | undefined}
  | {
      readonly kind: 'stay';
      readonly reason: 'observing' | 'taking-over' | 'giving-back';
      readonly stopped?: ExchangeObstacle | undefined;
    }
  /** It is deleted while it only observes. It is left alone: with its policies now, its provider would delete the external resource. */
  | {readonly kind: 'going'}
  /** It leaves, and the desired resource of its name is not created. */
  | {readonly kind: 'leave'}
  /** As if there were no rule. */
  | {readonly kind: 'none'};

export interface TakeQuestion {
  readonly view: ResourceView | undefined;
  /** True if an earlier step desires it. */
  readonly isWanted: boolean;
  /** Its template is unresolved, so its policies are unknown. */
  readonly open: ExchangeObstacle | undefined;
  /** True if this XR desires that very object, which has one controller and so one XR. */
  readonly isDesiredHere: (object: ResourceView) => boolean;
  /** True if this XR can list the new object, if that is in a namespace. */
  readonly isListed: boolean;
  readonly xr: ResourceView;
  readonly resourceName: string;
  /** Undefined if no rule takes it (any more). */
  readonly allowed: Allowed | undefined;
  /** True if a rule gives it to the XR that it was to be taken from: the rules were turned around. */
  readonly isGiven: boolean;
  /** True if the input protects it and its Usage is not there yet: it gets no policies before. */
  readonly awaitsUsage: () => boolean;
  readonly mark: Mark | undefined;
  readonly other: OtherSide;
}

export function takingState(question: TakeQuestion): Taken {
  const {view, allowed, mark, other} = question;
  if (view === undefined) return allowed === undefined ? {kind: 'none'} : {kind: 'new', stopped: obstacleTo(question)};
  if (mark === undefined && !isOfferedAgain(question, view)) return {kind: 'none'};
  if (question.isGiven && isNeedless(view, other)) return {kind: 'leave'};
  if (isDeleting(view)) return {kind: question.isWanted && onlyObserves(view) ? 'going' : 'none'};
  if (other.kind === 'pending') return asItIs(view, {kind: 'unanswered'});
  // An object that only observes waits for any object of the other XR, and its condition names the reason.
  const isBeside = other.labelled.length > 0 || (other.object !== undefined && onlyObserves(view));
  return isBeside ? besideOld(question, view, other) : withoutOld(question, view);
}

/**
 * True if the old object is there once more with its former policies, as from a backup from before the exchange. Both would delete the
 * external resource. So the exchange begins again, and this one only observes.
 */
function isOfferedAgain({allowed, xr, resourceName, other}: TakeQuestion, view: ResourceView): boolean {
  const old = objectOf(other);
  if (old === undefined || allowed === undefined || allowed.isRivalled || allowed.dryRun) return false;
  if (isDeleting(old) || onlyObserves(view) || !isGiving(old, xr, resourceName)) return false;
  return allowed.newName !== '' && otherResource(old, view, allowed) === undefined;
}

/** True if the exchange was turned back before this object had policies, and the old object has its own: it may go. */
function isNeedless(view: ResourceView, other: OtherSide): boolean {
  const old = objectOf(other);
  return onlyObserves(view) && old !== undefined && !isDeleting(old) && !hasLetGo(old);
}

/** The obstacle to creating the new object. */
function obstacleTo(question: TakeQuestion): ExchangeObstacle | undefined {
  const {allowed, isListed, isDesiredHere, xr, resourceName, other} = question;
  if (allowed?.isRivalled) return {kind: 'rivals'};
  if (!isListed) return {kind: 'not-listed'};
  if (other.kind === 'pending') return {kind: 'unanswered'};
  if (other.xr === undefined) return {kind: 'not-there', what: 'xr'};
  const {object} = other;
  if (object === undefined) return other.labelled.length > 0 ? {kind: 'unproven'} : {kind: 'not-there', what: 'object'};
  if (isDesiredHere(object)) return {kind: 'same-object'};
  if (isDeleting(object)) return {kind: 'deleting', whose: 'old'};
  if (!isGiving(object, xr, resourceName)) return {kind: 'other-rule', does: 'gives'};
  if (isCreating(object)) return {kind: 'still-creating'};
  if (externalNameOf(object) === '' || allowed?.newName === '') return {kind: 'no-external-name'};
  return allowed?.dryRun ? {kind: 'dry-run'} : undefined;
}

/** True if the mark of the other XR's object offers it to this XR as this resource. */
function isGiving(object: ResourceView, xr: ResourceView, resourceName: string): boolean {
  const mark = markOn(object);
  return mark?.stage === 'giving' && isMarkFor(mark, xr, resourceName);
}

/** The old object is still there. */
function besideOld(question: TakeQuestion, view: ResourceView, other: OtherSide & {readonly kind: 'known'}): Taken {
  const {object: old, labelled} = other;
  const {allowed, isWanted, open, xr, resourceName} = question;
  // An old object that is being deleted takes nothing back. Until it is gone, no other object leads to the external resource.
  const isLast = (one: ResourceView) => question.isGiven || (!isWanted && !onlyObserves(view) && hasLetGo(one));
  if (old !== undefined && isDeleting(old) && isLast(old)) return asItIs(view);
  const isOffered = (one: ResourceView) => isGiving(one, xr, resourceName);
  const isGiven = old !== undefined && isOffered(old);
  const mayHave = isGiven && old !== undefined && hasLetGo(old);
  if (!isWanted) return onlyObserves(view) ? {kind: 'none'} : {kind: 'stay', reason: 'giving-back'};
  // An object without an external name is new there and leads nowhere yet. An object that let go to this one, and that its XR left
  // behind, deletes nothing.
  const isHarmless = (one: ResourceView) => externalNameOf(one) === '' || (isOffered(one) && hasLetGo(one));
  if (!isGiven && labelled.every(isHarmless) && !onlyObserves(view)) return asItIs(view);
  // An offer that is missing for a moment changes nothing; a withdrawn one does.
  if (!isGiven)
    return onlyObserves(view)
      ? asItIs(view, {kind: 'other-rule', does: 'gives'})
      : {kind: 'stay', reason: 'giving-back'};
  if (allowed === undefined || allowed.dryRun)
    return asItIs(view, {kind: allowed === undefined ? 'no-rule' : 'dry-run'});
  if (!mayHave) return {kind: 'stay', reason: onlyObserves(view) ? 'observing' : 'giving-back'};
  const another = otherResource(old, view, allowed);
  if (another !== undefined) return asItIs(view, another);
  if (onlyObserves(view) && synced(view) !== 'True') return asItIs(view, {kind: 'not-synced'});
  if (onlyObserves(view) && open !== undefined) return asItIs(view, open);
  if (onlyObserves(view) && question.awaitsUsage()) return asItIs(view, {kind: 'unprotected'});
  return {kind: 'stay', reason: 'taking-over'};
}

/** The old object is gone. If this one has policies, it alone leads to the external resource. */
function withoutOld({allowed, isWanted, mark, awaitsUsage}: TakeQuestion, view: ResourceView): Taken {
  if (!isWanted || !onlyObserves(view)) return {kind: 'none'};
  if (allowed !== undefined) return asItIs(view, {kind: 'old-gone'});
  if (mark?.stage !== 'left') return asItIs(view, {kind: 'no-rule'});
  return awaitsUsage() ? asItIs(view, {kind: 'unprotected'}) : {kind: 'none'};
}

function asItIs(view: ResourceView, stopped?: ExchangeObstacle): Taken {
  return {kind: 'stay', reason: onlyObserves(view) ? 'observing' : 'taking-over', stopped};
}
