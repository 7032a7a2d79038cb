// The side that takes. It creates only an object that is offered to it by name. The new object only observes at first, gets its
// policies once the old one is observed to have let go, and is an ordinary resource once the old one is gone. A backup may bring the
// old one back; then the exchange begins again.
//
// While the old object is there and has not let go, the new one only observes, whatever became of the rule. Under a rule no empty
// resource is ever created: a missing giver may be one that a restore has not brought back yet.
//
// A new object may still only observe when the old one is gone. No giver was observed to let go to it: the giver may have turned to
// another XR, or may come back. So it goes on observing until a person takes the rule away, as the condition asks.

import {externalNameOf, isCreating} from '../../facts/external-policies.ts';
import {isDeleting} from '../../facts/ownership.ts';
import type {ExchangeObstacle} from '../../words/obstacles.ts';
import type {ResourceView} from '../../words/snapshot.ts';
import {firstOf, type Gates} from '../gates.ts';
import {goingSecret, keysOf} from '../new-name.ts';
import {hasLetGo, onlyObserves, synced} from '../proofs.ts';
import {isAsLetGo, otherResource, type Question} from './give.ts';
import {objectOf} from './other-side.ts';
import {isMarkFor, markOn} from './partner-mark.ts';

export type Taken =
  /** It is not made, because something stops that. */
  | {readonly kind: 'unmade'; readonly stopped: ExchangeObstacle}
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

interface TakeQuestion extends Question {
  readonly view: ResourceView | undefined;
  /** True if it is desired to only observe. */
  readonly isToObserve: boolean;
  /** Its template is unresolved, so its policies are unknown. */
  readonly open: ExchangeObstacle | undefined;
  /** The obstacle if this XR desires that very object, which has one controller and so one XR, or its connection Secret. */
  readonly sharedHere: (object: ResourceView) => ExchangeObstacle | undefined;
  /** True if this XR can list the new object, if that is in a namespace. */
  readonly isListed: boolean;
  /** True if a rule gives it to the XR that it was to be taken from: the rules were turned around. */
  readonly isGiven: boolean;
  /** True if the input protects it and its Usage is not there yet: it gets no policies before. */
  readonly awaitsUsage: () => boolean;
}

/** Both objects: the new one, and the old one as far as it is known. */
interface Both extends TakeQuestion {
  readonly view: ResourceView;
  readonly observes: boolean;
  readonly old: ResourceView | undefined;
  readonly labelled: readonly ResourceView[];
  /** The old object is gone. A new one that only observes waits for any object of the other XR, and its condition names the reason. */
  readonly isAlone: boolean;
  /** True if the old object is offered to this XR as this resource. */
  readonly isOffered: boolean;
}

const none: Taken = {kind: 'none'};
const givingBack: Taken = {kind: 'stay', reason: 'giving-back'};

const gates: Gates<Both, Taken> = [
  [(both) => both.mark === undefined && !isOfferedAgain(both), () => none],
  [(both) => both.isGiven && isNeedless(both), () => ({kind: 'leave'})],
  [({view}) => isDeleting(view), ({isWanted, observes}) => (isWanted && observes ? {kind: 'going'} : none)],
  [({other}) => other.kind === 'pending', stoppedBy({kind: 'unanswered'})],

  // The old object is gone. If this one has policies, it alone leads to the external resource.
  [({isAlone, isWanted, isToObserve, observes}) => isAlone && (!isWanted || isToObserve || !observes), () => none],
  [({isAlone, allowed}) => isAlone && allowed !== undefined, stoppedBy({kind: 'old-gone'})],
  [({isAlone, mark}) => isAlone && mark?.stage !== 'left', stoppedBy({kind: 'no-rule'})],
  [({isAlone, awaitsUsage}) => isAlone && !awaitsUsage(), () => none],
  [({isAlone}) => isAlone, stoppedBy({kind: 'unprotected'})],

  // The old object is still there.
  [isLast, stoppedBy(undefined)],
  [({isWanted}) => !isWanted, ({observes}) => (observes ? none : givingBack)],
  [
    (both) => !both.isOffered && !both.observes && both.labelled.every(isLeftAlone(both)),
    stoppedBy({kind: 'not-there', what: 'listed'}),
  ],
  [(both) => !both.isOffered && !both.observes && both.labelled.every(isHarmless(both)), stoppedBy(undefined)],
  // An offer that is missing for a moment changes nothing; a withdrawn one does.
  [({isOffered, observes}) => !isOffered && observes, stoppedBy({kind: 'other-rule', does: 'gives'})],
  [({isOffered}) => !isOffered, () => givingBack],
  [({allowed}) => allowed === undefined, stoppedBy({kind: 'no-rule'})],
  [({allowed}) => allowed?.dryRun === true, stoppedBy({kind: 'dry-run'})],
  [({old, observes}) => !hasGiven(old as ResourceView) && !observes, () => givingBack],
  [(both) => !hasGiven(both.old as ResourceView) && losesSecret(both), stoppedBy({kind: 'secret', why: 'there'})],
  [({old}) => !hasGiven(old as ResourceView), stoppedBy(undefined)],
  [(both) => another(both) !== undefined, (both) => asItIs(both.view, another(both))],
  [({view, observes}) => observes && synced(view) !== 'True', stoppedBy({kind: 'not-synced'})],
  [({observes, open}) => observes && open !== undefined, ({view, open}) => asItIs(view, open)],
  [({observes, awaitsUsage}) => observes && awaitsUsage(), stoppedBy({kind: 'unprotected'})],
  [() => true, () => ({kind: 'stay', reason: 'taking-over'})],
];

export function takingState(question: TakeQuestion): Taken {
  const {view, allowed, other, xr, resourceName} = question;
  if (view === undefined) return allowed === undefined ? none : newState(obstacleTo(question));
  const old = objectOf(other);
  const observes = onlyObserves(view);
  const labelled = other.kind === 'known' ? other.labelled : [];
  const isAlone = labelled.length === 0 && (old === undefined || !observes);
  const isOffered = old !== undefined && isGiving(old, xr, resourceName);
  return firstOf(gates, {...question, view, observes, old, labelled, isAlone, isOffered});
}

function newState(stopped: ExchangeObstacle | undefined): Taken {
  return stopped === undefined ? {kind: 'stay', reason: 'observing'} : {kind: 'unmade', stopped};
}

/**
 * True if the old object is there once more with its former policies, as from a backup from before the exchange. Both would delete the
 * external resource. So the exchange begins again, and this one only observes.
 */
function isOfferedAgain(both: Both): boolean {
  const {old, allowed, observes, isOffered} = both;
  if (old === undefined || allowed === undefined || allowed.isRivalled || allowed.dryRun) return false;
  return !isDeleting(old) && !observes && isOffered && allowed.newName !== '' && another(both) === undefined;
}

/** True if the exchange was turned back before this object had policies, and the old object has its own: it may go. */
function isNeedless({observes, old}: Both): boolean {
  return observes && old !== undefined && !isDeleting(old) && !hasGiven(old);
}

/** An old object that is being deleted takes nothing back. Until it is gone, no other object leads to the external resource. */
function isLast({old, isGiven, isWanted, observes}: Both): boolean {
  return old !== undefined && isDeleting(old) && (isGiven || (!isWanted && !observes && hasLetGo(old)));
}

/** An object that let go to this one and that its XR left behind, as an XR that is deleted with `--cascade=orphan` does. */
function isLeftAlone({xr, resourceName}: Both): (object: ResourceView) => boolean {
  return (object) => isGiving(object, xr, resourceName) && hasLetGo(object) && !isDeleting(object);
}

/**
 * An object without an external name is new there and leads nowhere yet. An object that let go to this one, and that its XR left
 * behind, deletes nothing.
 */
function isHarmless({xr, resourceName}: Both): (object: ResourceView) => boolean {
  return (object) => externalNameOf(object) === '' || (isGiving(object, xr, resourceName) && hasLetGo(object));
}

/** True if the other XR does not let go, because a value in a Secret goes with the old object. */
function losesSecret({view, old}: Both): boolean {
  if (old === undefined || synced(view) !== 'True') return false;
  const keys = keysOf(view);
  return goingSecret(old, undefined, false) !== undefined || !markOn(old)?.keys.every((key) => keys.includes(key));
}

function another({view, old, allowed}: Both): ExchangeObstacle | undefined {
  return old && allowed && otherResource(old, view, allowed);
}

function stoppedBy(obstacle: ExchangeObstacle | undefined): (both: Both) => Taken {
  return ({view}) => asItIs(view, obstacle);
}

function asItIs(view: ResourceView, stopped?: ExchangeObstacle): Taken {
  return {kind: 'stay', reason: onlyObserves(view) ? 'observing' : 'taking-over', stopped};
}

/** The obstacle to creating the new object. */
function obstacleTo(question: TakeQuestion): ExchangeObstacle | undefined {
  const {allowed, isListed, sharedHere, xr, resourceName, other} = question;
  if (allowed?.isRivalled) return {kind: 'rivals'};
  if (!isListed) return {kind: 'not-listed'};
  if (other.kind === 'pending') return {kind: 'unanswered'};
  if (other.xr === undefined) return {kind: 'not-there', what: 'xr'};
  const {object} = other;
  if (object === undefined) return other.labelled.length > 0 ? {kind: 'unproven'} : {kind: 'not-there', what: 'object'};
  const shared = sharedHere(object);
  if (shared !== undefined) return shared;
  if (isDeleting(object)) return {kind: 'deleting', whose: 'old'};
  if (!isGiving(object, xr, resourceName)) return {kind: 'other-rule', does: 'gives'};
  if (isCreating(object)) return {kind: 'still-creating'};
  if (externalNameOf(object) === '' || allowed?.newName === '') return {kind: 'no-external-name'};
  return allowed?.dryRun ? {kind: 'dry-run'} : undefined;
}

/** True if the other XR's object has let go, and is not only offered. */
function hasGiven(old: ResourceView): boolean {
  return markOn(old)?.stage === 'giving' && isAsLetGo(old);
}

/** True if the mark of the other XR's object offers it to this XR as this resource. */
function isGiving(object: ResourceView, xr: ResourceView, resourceName: string): boolean {
  const mark = markOn(object);
  return isMarkFor(mark, xr, resourceName) && (mark?.stage === 'offering' || mark?.stage === 'giving');
}
