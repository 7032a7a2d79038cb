// The side that takes. It makes nothing that is not offered to it by name: the new object only observes at first, gets its
// policies when the old one is seen to have let go, and is an ordinary resource when the old one is gone. A backup may bring that back,
// and then the exchange begins again.
//
// While the old object is there and has not let go, the new one has no policies but to observe, whatever became of the rule.
// With a rule nothing is ever made anew: a giver that is not there may be one that a restore has not brought back yet. What still
// observes when the old object is gone has seen nobody let go to it: the giver may have turned to another XR meanwhile, or may
// come back. So it goes on observing until a person, who was told so, takes the rule away.

import {externalNameOf, isCreating} from '../../external-names/external-names.ts';
import {isDeleting} from '../../facts/ownership.ts';
import type {ExchangeUntil} from '../../words/exchange-steps.ts';
import type {ResourceView} from '../../words/snapshot.ts';
import {hasLetGo, onlyObserves, synced} from '../proofs.ts';
import {type Allowed, isSame} from './give.ts';
import {type OtherSide, objectOf} from './other-side.ts';
import {type Mark, markOn, names} from './partner-mark.ts';

export type Taken =
  | {readonly kind: 'wait'; readonly until: ExchangeUntil}
  | {
      readonly kind: 'stay';
      readonly reason: 'observing' | 'taking-over' | 'giving-back';
      readonly until: ExchangeUntil;
    }
  /** Somebody deletes it while it only observes. It is left alone: given its policies now it would take the external resource along. */
  | {readonly kind: 'going'}
  /** It leaves, and what the pipeline desires under its name is not made. */
  | {readonly kind: 'leave'}
  /** As if there were no rule. */
  | {readonly kind: 'none'};

export interface TakeQuestion {
  readonly view: ResourceView | undefined;
  /** Whether an earlier step desires it. */
  readonly isWanted: boolean;
  /** Whether a template desires it that cannot be composed yet, so that nobody knows its policies. */
  readonly isOpen: boolean;
  /** Whether what is desired here is that very object, which has one controller and so one XR. */
  readonly isDesiredHere: (object: ResourceView) => boolean;
  /** Whether this XR can list the new object, where that is in a namespace. */
  readonly isListed: boolean;
  readonly xr: ResourceView;
  readonly resourceName: string;
  /** Undefined where no rule takes it, any more. */
  readonly allowed: Allowed | undefined;
  /** Whether a rule gives it to the XR that it was to be taken from: the rules were turned around. */
  readonly isGiven: boolean;
  /** Whether the input protects it, and its Usage is not there yet: it gets no policies before. */
  readonly awaitsUsage: () => boolean;
  readonly mark: Mark | undefined;
  readonly other: OtherSide;
}

export function taking(question: TakeQuestion): Taken {
  const {view, allowed, mark, other} = question;
  if (view === undefined) return allowed === undefined ? {kind: 'none'} : {kind: 'wait', until: obstacleTo(question)};
  if (mark === undefined && !isOfferedAgain(question, view)) return {kind: 'none'};
  if (question.isGiven && isNeedless(view, other)) return {kind: 'leave'};
  if (isDeleting(view)) return {kind: question.isWanted && onlyObserves(view) ? 'going' : 'none'};
  if (other.kind === 'pending') return asItIs(view, 'answered');
  // What only observes hears whatever object of the other XR there is, and why it does not get its policies.
  const isBeside = other.labelled.length > 0 || (other.object !== undefined && onlyObserves(view));
  return isBeside ? beside(question, view, other) : alone(question, view);
}

/**
 * The old object is there once more, as from a backup of before the exchange, with the policies of then: both would delete what they lead
 * to. So the exchange begins again, where this one only observes.
 */
function isOfferedAgain({allowed, xr, resourceName, other}: TakeQuestion, view: ResourceView): boolean {
  const old = objectOf(other);
  if (old === undefined || allowed === undefined || allowed.isRivalled || allowed.dryRun) return false;
  if (isDeleting(old) || onlyObserves(view) || !isGiving(old, xr, resourceName)) return false;
  return allowed.newName !== '' && isSame(old, view, allowed);
}

/** It was turned back before it had policies, and the old object has its own: nobody would miss it. */
function isNeedless(view: ResourceView, other: OtherSide): boolean {
  const old = objectOf(other);
  return onlyObserves(view) && old !== undefined && !isDeleting(old) && !hasLetGo(old);
}

/** Why the new object cannot be made: undefined never, because then it is `ready` to be. */
function obstacleTo(question: TakeQuestion): ExchangeUntil {
  const until = question.allowed?.isRivalled ? 'one-rule' : lacking(question);
  return until === 'ready' && question.allowed?.dryRun ? 'dry-run' : until;
}

function lacking({allowed, isListed, isDesiredHere, xr, resourceName, other}: TakeQuestion): ExchangeUntil {
  if (!isListed) return 'listed';
  if (other.kind === 'pending') return 'answered';
  if (other.xr === undefined) return 'other-xr';
  const {object} = other;
  if (object === undefined) return other.labelled.length > 0 ? 'proven' : 'other-object';
  if (isDesiredHere(object)) return 'same-object';
  if (isDeleting(object)) return 'other-deleting';
  if (!isGiving(object, xr, resourceName)) return 'other-gives';
  if (isCreating(object)) return 'created';
  return externalNameOf(object) === '' || allowed?.newName === '' ? 'external-name' : 'ready';
}

/** Whether the other XR's object says that this XR may take it as this resource. */
function isGiving(object: ResourceView, xr: ResourceView, resourceName: string): boolean {
  const mark = markOn(object);
  return mark?.stage === 'giving' && names(mark, xr, resourceName);
}

/** The old object is still there. */
function beside(question: TakeQuestion, view: ResourceView, other: OtherSide & {readonly kind: 'known'}): Taken {
  const {object: old, labelled} = other;
  const {allowed, isWanted, isOpen, xr, resourceName} = question;
  // What goes over there takes nothing back. Once it is gone this one is given, and until then nothing else leads there.
  const isLast = (one: ResourceView) => question.isGiven || (!isWanted && !onlyObserves(view) && hasLetGo(one));
  if (old !== undefined && isDeleting(old) && isLast(old)) return asItIs(view, 'other-gone');
  const isOffered = (one: ResourceView) => isGiving(one, xr, resourceName);
  const isGiven = old !== undefined && isOffered(old);
  const mayHave = isGiven && old !== undefined && hasLetGo(old);
  if (!isWanted) return onlyObserves(view) ? {kind: 'none'} : {kind: 'stay', reason: 'giving-back', until: 'observes'};
  // What has no external name yet is new there, and leads nowhere; soon it says where to. What let go to this one and is left behind
  // by its XR deletes nothing.
  const isHarmless = (one: ResourceView) => externalNameOf(one) === '' || (isOffered(one) && hasLetGo(one));
  if (!isGiven && labelled.every(isHarmless) && !onlyObserves(view)) return asItIs(view, 'other-gone');
  // That an offer is not seen for a moment changes nothing; that it is taken back does.
  if (!isGiven)
    return onlyObserves(view) ? asItIs(view, 'other-gives') : {kind: 'stay', reason: 'giving-back', until: 'observes'};
  if (allowed === undefined || allowed.dryRun) return asItIs(view, allowed === undefined ? 'rule' : 'dry-run');
  if (!mayHave) return {kind: 'stay', reason: onlyObserves(view) ? 'observing' : 'giving-back', until: 'other-let-go'};
  if (!isSame(old, view, allowed)) return asItIs(view, 'same-resource');
  if (onlyObserves(view) && synced(view) !== 'True') return asItIs(view, 'synced');
  if (onlyObserves(view) && isOpen) return asItIs(view, 'resolved');
  if (onlyObserves(view) && question.awaitsUsage()) return asItIs(view, 'usage');
  return {kind: 'stay', reason: 'taking-over', until: 'other-gone'};
}

/** The old object is gone. What has policies by now is the only one that leads to the external resource. */
function alone({allowed, isWanted, mark, awaitsUsage}: TakeQuestion, view: ResourceView): Taken {
  if (!isWanted || !onlyObserves(view)) return {kind: 'none'};
  if (allowed !== undefined) return asItIs(view, 'rule-removed');
  if (mark?.stage !== 'left') return asItIs(view, 'rule');
  return awaitsUsage() ? asItIs(view, 'usage') : {kind: 'none'};
}

function asItIs(view: ResourceView, until: ExchangeUntil): Taken {
  return {kind: 'stay', reason: onlyObserves(view) ? 'observing' : 'taking-over', until};
}
