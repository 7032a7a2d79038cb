// The side that takes. It creates only an object that is offered to it by name. The new object only observes at first, gets its
// policies once the old one is observed to have let go, and is an ordinary resource once the old one is gone. A backup may bring the
// old one back; then the exchange begins again.
//
// While the old object is there and has not let go, the new one only observes, whatever became of the rule. Under a rule no empty
// resource is ever created: a missing giver may be one that a restore has not brought back yet.
//
// A new object may still only observe when the old one is gone. No giver was observed to let go to it: the giver may have turned to
// another XR, or may come back. So it goes on observing until a person takes the rule away, as the condition asks.

import {externalNameOf, hasFinalizer, isCreating} from '../../facts/external-policies.ts';
import {holdBody} from '../../facts/hold-body.ts';
import {withMarks} from '../../facts/marks.ts';
import {withAnnotations} from '../../facts/metadata.ts';
import {canList, isDeleting} from '../../facts/ownership.ts';
import type {JsonObject} from '../../words/json.ts';
import type {ExchangeObstacle} from '../../words/obstacles.ts';
import {isSameObject, placedRef, refTo} from '../../words/references.ts';
import type {DesiredView, ResourceView} from '../../words/snapshot.ts';
import {isMarkFor, markAnnotation, markOn} from '../annotations.ts';
import {goingSecret, keysOf, sharedSecret} from '../new-name.ts';
import {
  type Body,
  hasLetGo,
  isAsLetGo,
  newBody,
  observeOnlyBody,
  onlyObserves,
  synced,
  unresolvedIn,
} from '../objects.ts';
import {
  counterpartOf,
  type Exchange,
  firstOf,
  type Gates,
  leave,
  moveDecision,
  none,
  readyOn,
  type Step,
} from './exchange.ts';
import type {Rule} from './other-side.ts';

type Reason = 'observing' | 'taking-over' | 'giving-back';

interface Taking extends Exchange {
  readonly view: ResourceView;
  readonly observes: boolean;
  /** The old object is gone. A new one that only observes waits for any object of the other XR, and its condition names the reason. */
  readonly isAlone: boolean;
  /** True if the old object is offered to this XR as this resource. */
  readonly isOffered: boolean;
}

const gates: Gates<Taking, Step> = [
  [(taking) => taking.mark === undefined && !isOfferedAgain(taking), none],
  [(taking) => taking.isGiven && isNeedless(taking), leave],
  [({view, wanted, observes}) => isDeleting(view) && wanted !== undefined && observes, going],
  [({view}) => isDeleting(view), none],
  [({other}) => !other.isKnown, stoppedBy({kind: 'unanswered'})],
  // The policies that the other steps desire are unknown.
  [({rule, isKept}) => rule !== undefined && isKept, stoppedBy({kind: 'two-steps'})],

  // The old object is gone. If this one has policies, it alone leads to the external resource.
  [({isAlone, wanted, observes}) => isAlone && (!wanted || onlyObserves(wanted) || !observes), none],
  [({isAlone, rule}) => isAlone && rule !== undefined, stoppedBy({kind: 'old-gone'})],
  [({isAlone, mark}) => isAlone && mark?.stage !== 'left', stoppedBy({kind: 'no-rule'})],
  [(taking) => taking.isAlone && !awaitsUsage(taking), none],
  [({isAlone}) => isAlone, stoppedBy({kind: 'unprotected'})],

  // The old object is still there.
  [(taking) => isLast(taking) && isKeptByOthers(taking), stoppedBy({kind: 'deleting', whose: 'old', isKept: true})],
  [isLast, stoppedBy(undefined)],
  [({wanted, observes}) => wanted === undefined && observes, none],
  [({wanted}) => wanted === undefined, givingBack],
  [
    (taking) => !taking.isOffered && !taking.observes && taking.other.labelled.every(isLeftAlone(taking)),
    stoppedBy({kind: 'not-there', what: 'listed'}),
  ],
  [
    (taking) => !taking.isOffered && !taking.observes && taking.other.labelled.every(isHarmless(taking)),
    stoppedBy(undefined),
  ],
  // An offer that is missing for a moment changes nothing; a withdrawn one does.
  [({isOffered, observes}) => !isOffered && observes, stoppedBy({kind: 'other-rule', does: 'gives'})],
  [({isOffered}) => !isOffered, givingBack],
  [({rule}) => rule === undefined, stoppedBy({kind: 'no-rule'})],
  [({rule}) => rule?.dryRun === true, stoppedBy({kind: 'dry-run'})],
  [({old, observes}) => !hasGiven(old as ResourceView) && !observes, givingBack],
  [(taking) => !hasGiven(taking.old as ResourceView) && losesSecret(taking), stoppedBy({kind: 'secret', why: 'there'})],
  [({old}) => !hasGiven(old as ResourceView), stoppedBy(undefined)],
  [({another}) => another !== undefined, (taking) => asItIs(taking, taking.another)],
  [({view, observes}) => observes && synced(view) !== 'True', stoppedBy({kind: 'not-synced'})],
  [(taking) => taking.observes && open(taking) !== undefined, (taking) => asItIs(taking, open(taking))],
  [(taking) => taking.observes && awaitsUsage(taking), stoppedBy({kind: 'unprotected'})],
  [() => true, (taking) => stay(taking, 'taking-over')],
];

export function takeStep(exchange: Exchange): Step {
  const {name, view, old, wanted, rule, other, snapshot} = exchange;
  if (view === undefined) return wanted && rule ? begin(exchange, wanted, rule) : none();
  const observes = onlyObserves(view);
  const isAlone = other.labelled.length === 0 && (old === undefined || !observes);
  const isOffered = old !== undefined && isGiving(old, snapshot.xr, name);
  return firstOf(gates, {...exchange, view, observes, isAlone, isOffered});
}

/**
 * True if the old object is there once more with its former policies, as from a backup from before the exchange. Both would delete the
 * external resource. So the exchange begins again, and this one only observes.
 */
function isOfferedAgain(taking: Taking): boolean {
  const {old, rule, newName, another, observes, isOffered} = taking;
  if (old === undefined || rule === undefined || rule.isRivalled || rule.dryRun) return false;
  return !isDeleting(old) && !observes && isOffered && newName !== '' && another === undefined;
}

/** True if the exchange was turned back before this object had policies, and the old object has its own: it may go. */
function isNeedless({observes, old}: Taking): boolean {
  return observes && old !== undefined && !isDeleting(old) && !hasGiven(old);
}

/** An old object that is being deleted takes nothing back. Until it is gone, no other object leads to the external resource. */
function isLast({old, isGiven, wanted, observes}: Taking): boolean {
  return old !== undefined && isDeleting(old) && (isGiven || (wanted === undefined && !observes && hasLetGo(old)));
}

/** Its provider is done, and another's finalizer keeps it: that ends when a person or a controller removes it, which may take days. */
function isKeptByOthers({old}: Taking): boolean {
  return old?.field(['metadata', 'finalizers']) !== undefined && !hasFinalizer(old);
}

/** An object that let go to this one and that its XR left behind, as an XR that is deleted with `--cascade=orphan` does. */
function isLeftAlone({snapshot: {xr}, name}: Taking): (object: ResourceView) => boolean {
  return (object) => isGiving(object, xr, name) && hasLetGo(object) && !isDeleting(object);
}

/**
 * An object without an external name is new there and leads nowhere yet. An object that let go to this one, and that its XR left
 * behind, deletes nothing.
 */
function isHarmless({snapshot: {xr}, name}: Taking): (object: ResourceView) => boolean {
  return (object) => externalNameOf(object) === '' || (isGiving(object, xr, name) && hasLetGo(object));
}

/** True if the other XR does not let go, because a value in a Secret goes with the old object. */
function losesSecret({view, old}: Taking): boolean {
  if (old === undefined || synced(view) !== 'True') return false;
  const keys = keysOf(view);
  return goingSecret(old, undefined, false) !== undefined || !markOn(old)?.keys.every((key) => keys.includes(key));
}

/** The value that its template still lacks, so its policies are unknown. */
function open({name, unresolved}: Taking): ExchangeObstacle | undefined {
  return unresolvedIn(name, unresolved);
}

/** True if the input protects it and its Usage is not there yet: it gets no policies before. */
function awaitsUsage({name, protection}: Taking): boolean {
  return protection.awaits(name);
}

/** It is deleted while it only observes. It is left alone: with its policies now, its provider would delete the external resource. */
function going({view}: Taking): Step {
  return {decision: {kind: 'wait', reason: 'still-deleting', object: refTo(view)}};
}

function givingBack(taking: Taking): Step {
  return stay(taking, 'giving-back');
}

function stoppedBy(obstacle: ExchangeObstacle | undefined): (taking: Taking) => Step {
  return (taking) => asItIs(taking, obstacle);
}

function asItIs(taking: Taking, stopped: ExchangeObstacle | undefined): Step {
  return stay(taking, taking.observes ? 'observing' : 'taking-over', stopped);
}

function stay(taking: Taking, reason: Reason, stopped?: ExchangeObstacle): Step {
  const stage = reason === 'taking-over' ? 'taken' : stopped?.kind === 'old-gone' ? 'left' : 'observing';
  // It keeps its name.
  const body = takenBody(taking, externalNameOf(taking.view), stage);
  return {decision: moveDecision(taking, reason, stopped), body};
}

/** The new object, if nothing stops that it is made. It gets the name that the rule makes of the old one's. */
function begin(exchange: Exchange, wanted: DesiredView, rule: Rule): Step {
  const stopped = obstacleTo(exchange, wanted, rule);
  if (stopped !== undefined)
    return {decision: {kind: 'wait', reason: 'not-moved', stopped, ...counterpartOf(exchange)}};
  return {decision: moveDecision(exchange, 'observing'), body: takenBody(exchange, exchange.newName, 'observing')};
}

/** The obstacle to creating the new object. */
function obstacleTo(
  {name, snapshot: {xr}, old, newName, other}: Exchange,
  wanted: DesiredView,
  {isRivalled, dryRun}: Rule,
): ExchangeObstacle | undefined {
  if (isRivalled) return {kind: 'rivals'};
  if (!canList(xr, wanted)) return {kind: 'not-listed'};
  if (!other.isKnown) return {kind: 'unanswered'};
  if (other.xr === undefined) return {kind: 'not-there', what: 'xr'};
  if (old === undefined) return other.labelled.length > 0 ? {kind: 'unproven'} : {kind: 'not-there', what: 'object'};
  const shared = sharedWith(old, wanted, xr);
  if (shared !== undefined) return shared;
  if (isDeleting(old)) return {kind: 'deleting', whose: 'old'};
  if (!isGiving(old, xr, name)) return {kind: 'other-rule', does: 'gives'};
  if (isCreating(old)) return {kind: 'still-creating'};
  if (externalNameOf(old) === '' || newName === '') return {kind: 'no-external-name'};
  return dryRun ? {kind: 'dry-run'} : undefined;
}

/** The obstacle if the desired object is the old one, which has one controller and so one XR; or the two have one Secret. */
function sharedWith(old: ResourceView, wanted: DesiredView, xr: ResourceView): ExchangeObstacle | undefined {
  const isSame = wanted.name !== '' && isSameObject(placedRef(wanted, xr), old);
  return isSame ? {kind: 'same-object'} : sharedSecret(old, wanted, xr, markOn(old)?.keys);
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

/** The object that takes. It only observes, or is as desired, and keeps the external name that it was created with. */
function takenBody(
  {view, wanted, openAs, name, partner, claim}: Exchange,
  externalName: string,
  stage: 'observing' | 'left' | 'taken',
): Body {
  const onlyObserves = stage !== 'taken';
  const mark = markAnnotation(stage, partner, view && keysOf(view));
  const finish = (body: JsonObject) => withMarks(withAnnotations(body, mark), claim.id, name, 'handing-over');
  if (wanted === undefined || openAs !== undefined) {
    // It leaves, or it is still open whether it may go or how it is desired.
    const held = view === undefined ? {} : holdBody(view, claim.manager);
    const ready = openAs === undefined ? 'true' : readyOn(stage, openAs);
    return {body: finish(onlyObserves ? observeOnlyBody(held, view) : held), ready};
  }
  const body = finish(newBody(wanted, view, externalName, claim, onlyObserves));
  return {body, ready: readyOn(stage, wanted.ready)};
}
