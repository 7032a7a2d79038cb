// One exchange as both of its sides see it: the facts that they decide by, and the next step of each side. Each side has a list of guards.
// README.md beside this file has the table of the steps.

import {externalNameFor} from '../../external-names/external-names.ts';
import {wantedBody} from '../../facts/applied-empty.ts';
import {guarded} from '../../facts/apply-guard.ts';
import {canOrphan, externalNameOf, hasFinalizer} from '../../facts/external-policies.ts';
import {holdBody} from '../../facts/hold-body.ts';
import {newKeys} from '../../facts/identity.ts';
import {isLabelledInUse, withMarks} from '../../facts/marks.ts';
import {withAnnotations} from '../../facts/metadata.ts';
import {type Claim, canList, isDeleting} from '../../facts/ownership.ts';
import {condition} from '../../facts/ready.ts';
import {isConfirmed as isConfirmedIn, withOrphanPolicies} from '../../removal/policies.ts';
import type {Decision, Move} from '../../words/decision.ts';
import {type JsonObject, text} from '../../words/json.ts';
import type {Counterpart, ExchangeObstacle} from '../../words/obstacles.ts';
import {isSameObject, placedRef, refTo} from '../../words/references.ts';
import type {DesiredView, Ready, ResourceView} from '../../words/snapshot.ts';
import {unreachable} from '../../words/unreachable.ts';
import {type Mark, markAnnotation, markOn, type Partner, type Stage} from '../annotations.ts';
import {
  type Body,
  choosesPolicies,
  type Given,
  goingSecret,
  hasLetGo,
  keysOf,
  letGoBody,
  nameAnnotations,
  newBody,
  observeOnlyBody,
  onlyObserves,
  type Part,
  readyAs,
  sharedSecret,
  synced,
  unnamed,
  unresolvedIn,
} from '../objects.ts';
import type {OtherSide, Rule} from './other-side.ts';

/** The answer for one resource. */
export type Step = Omit<Part, 'name'>;

export interface Exchange extends Given {
  readonly name: string;
  /** This XR's object, which is the old or the new one. */
  readonly view: ResourceView | undefined;
  readonly old: ResourceView | undefined;
  readonly fresh: ResourceView | undefined;
  /** The external name of the new object by the rule, '' for none yet. */
  readonly newName: string;
  /** The difference by which the two objects lead to two external resources. */
  readonly another: ExchangeObstacle | undefined;
  /** The desired resource of an earlier step, if it is of the object's kind. */
  readonly wanted: DesiredView | undefined;
  /** True if an earlier step of function-tether keeps the object. */
  readonly isKept: boolean;
  readonly mark: Mark | undefined;
  readonly partner: Partner;
  /** The value that its template still lacks, so its policies are unknown. */
  readonly open: ReturnType<Given['unresolved']['get']>;
  /** The rule about the partner, undefined if there is none. */
  readonly rule: Rule | undefined;
  /** True if a rule gives it to the partner, whichever side it was on. */
  readonly isGiven: boolean;
  readonly other: OtherSide;
}

/** Guards as one ordered list: the first that holds decides. The last holds always. */
type Gates<Facts> = readonly (readonly [holds: (facts: Facts) => boolean, answer: (facts: Facts) => Step])[];

function firstOf<Facts>(gates: Gates<Facts>, facts: Facts): Step {
  const [, answer] = gates.find(([holds]) => holds(facts)) ?? unreachable(facts as never);
  return answer(facts);
}

const none = (): Step => ({});
const leave = (): Step => ({leaves: 'to-other-xr'});

function moveDecision(exchange: Exchange, reason: Move['reason'], stopped?: ExchangeObstacle): Decision {
  return {kind: 'move', reason, ...counterpartOf(exchange), ...(stopped === undefined ? {} : {stopped})} as Move;
}

/** The obstacle if the other XR, or its object, is not known to be there. */
function absence({other: {isKnown, xr, object, labelled}}: Exchange): ExchangeObstacle | undefined {
  if (!isKnown) return {kind: 'unanswered'};
  if (xr === undefined) return {kind: 'not-there', what: 'xr'};
  if (object !== undefined) return undefined;
  return labelled.length > 0 ? {kind: 'unproven'} : {kind: 'not-there', what: 'object'};
}

/** The mark of an object of the other XR, if it names this XR and this resource. */
function markForHere(object: ResourceView, {snapshot: {xr}, name}: Exchange): Mark | undefined {
  const mark = markOn(object);
  return mark?.resource === name && isSameObject(mark.xr, xr) ? mark : undefined;
}

function counterpartOf({partner, rule, other}: Exchange): Counterpart {
  return {xr: partner.xr, isThere: other.xr !== undefined, resource: partner.resource, path: rule?.path};
}

/**
 * How ready an XR is that has an object in that stage. One that only observes what is to be its own makes the XR unready: who
 * goes by Ready would delete the other XR, which has the external resource still.
 */
export function readyOn(stage: Stage | undefined, ready: Ready): Ready {
  return stage === 'observing' || stage === 'taking-back' ? 'false' : ready;
}

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

interface Giving extends Exchange {
  readonly view: ResourceView;
  /** True if a person confirmed that it may leave. */
  readonly isConfirmed: boolean;
  /** Another resource name that desires this very object, and to which a rule of this XR moves one. */
  readonly rival: string | undefined;
  readonly isLetGo: boolean;
  /** True if no step desires it, and no person confirmed that it may go. */
  readonly isDropped: boolean;
  /** The obstacle to letting go, undefined without a rule. */
  readonly stopped: ExchangeObstacle | undefined;
}

const giverGates: Gates<Giving> = [
  [({view}) => isDeleting(view), ({isLetGo}) => (isLetGo ? leave() : none())],
  [({rule}) => rule === undefined, (giving) => firstOf(withoutRule, giving)],
  [({rule, isLetGo}) => rule?.isRivalled === true && !isLetGo, keptOld('offering', {kind: 'rivals'})],
  // Released, it would be applied under the other name while it goes, and get its policies back.
  [
    ({rival}) => rival !== undefined,
    (giving) => keepOld(giving, giving.isLetGo ? 'letting-go' : 'offering', {kind: 'rivals', other: giving.rival}),
  ],
  // The new object is created once the rule is no dry run.
  [(giving) => isDry(giving) && isReady(giving), keptOld('offering', {kind: 'dry-run'})],
  [isDry, (giving) => keepOld(giving, 'offering', giving.stopped)],
  [({isLetGo, stopped, fresh}) => isLetGo && stopped === undefined && isTaken(fresh), leave],
  [
    (giving) => giving.isLetGo || giving.stopped === undefined || isTakenAlready(giving),
    (giving) => keepOld(giving, 'letting-go', giving.stopped),
  ],
  [() => true, (giving) => keepOld(giving, 'offering', giving.stopped)],
];

/** Once let go, it waits until no object of the other XR could delete the external resource. */
const withoutRule: Gates<Giving> = [
  [({mark}) => mark === undefined, none],
  [({isLetGo, isDropped}) => !isLetGo && isDropped, keptOld('offering', {kind: 'dropped'})],
  [({isLetGo}) => !isLetGo, none],
  [({other}) => !other.isKnown, keptOld('taking-back', {kind: 'unanswered'})],
  [({other}) => other.labelled.some((object) => !onlyObserves(object)), keptOld('taking-back')],
  // Released, it would leave an external resource behind that no object leads to.
  [({isDropped, other}) => isDropped && other.labelled.length === 0, keptOld('taking-back', {kind: 'dropped'})],
  [() => true, none],
];

export function giveStep(exchange: Exchange): Step | undefined {
  const {name, view, wanted, mark, rule, snapshot, input} = exchange;
  if (view === undefined) {
    if (wanted === undefined || rule === undefined || (rule.dryRun && !rule.isRivalled)) return undefined;
    return {decision: {kind: 'wait', reason: 'given-away', ...counterpartOf(exchange)}};
  }
  const isConfirmed = isConfirmedIn(name, snapshot);
  const targets = (input.handover ?? []).flatMap(({to}) => to.resource ?? []);
  const key = targets.length === 0 ? undefined : newKeys(snapshot)(name, view)?.name;
  const giving = {
    ...exchange,
    view,
    isConfirmed,
    rival: targets.find((target) => target === key),
    isLetGo: mark !== undefined && mark.stage !== 'offering' && isAsLetGo(view),
    isDropped: wanted === undefined && !isConfirmed,
  };
  return firstOf(giverGates, {...giving, stopped: rule && obstacleToLettingGo(giving)});
}

function keptOld(reason: Move['reason'], stopped?: ExchangeObstacle): (giving: Giving) => Step {
  return (giving) => keepOld(giving, reason, stopped);
}

function keepOld(giving: Giving, reason: Move['reason'], stopped: ExchangeObstacle | undefined): Step {
  const {mark, other, rule} = giving;
  const isNothing = (rule?.dryRun === true && reason === 'offering') || stopped?.kind === 'rivals';
  // An object of the other XR may lead to the external resource by now.
  const mayBeObserved = !other.isKnown || other.labelled.length > 0;
  const body = givenBody(giving, reason, !isNothing || (mark !== undefined && mayBeObserved));
  return {decision: moveDecision(giving, reason, stopped), body};
}

/**
 * True if the object is as letting go leaves it. Its author may have taken Delete alone out of its policies. To only observe then, before
 * there is an external resource, its provider would never create one.
 */
function isAsLetGo(view: ResourceView): boolean {
  const isAsTold = onlyObserves(view) || !choosesPolicies(view.field(['spec', 'managementPolicies']));
  return hasLetGo(view) && isAsTold && externalNameOf(view) !== '';
}

function isDry({rule, isLetGo}: Giving): boolean {
  return rule?.dryRun === true && !isLetGo;
}

function isReady({stopped}: Giving): boolean {
  return stopped === undefined || (stopped.kind === 'not-there' && stopped.what === 'object');
}

function isTaken(object: ResourceView | undefined): boolean {
  return object !== undefined && markOn(object)?.stage === 'taken';
}

/** The obstacle to letting go: the other XR has not proven that it has the same external resource. */
function obstacleToLettingGo(giving: Omit<Giving, 'stopped'>): ExchangeObstacle | undefined {
  const {view, fresh: object, name, partner, newName, another, protection, isConfirmed, other} = giving;
  const isXrGoing = other.xr !== undefined && isDeleting(other.xr);
  const isWanted = other.xr !== undefined && !isXrGoing && desiresTheSame(other.xr, partner.resource);
  // Whatever its kind is: the object, and all that it composes, goes with this XR.
  if (isWanted && object === undefined) return {kind: 'same-object'};
  if (!canOrphan(view)) return {kind: 'no-policies', whose: 'old'};
  const missing = unnamed(view, newName) ?? (isXrGoing ? ({kind: 'deleting', whose: 'xr'} as const) : absence(giving));
  if (missing !== undefined || object === undefined) return missing;
  if (isDeleting(object)) return {kind: 'deleting', whose: 'new'};
  const mark = markForHere(object, giving);
  if (mark === undefined) return {kind: 'other-rule', does: 'takes'};
  if (another !== undefined) return another;
  const usage = isConfirmed ? undefined : protection.usageOf(name);
  if (usage !== undefined && !isLabelledInUse(object)) return {kind: 'unprotected', usage};
  return synced(object) === 'True' ? goingSecret(view, mark.keys, isConfirmed) : {kind: 'not-synced'};
}

/**
 * True if the other XR's condition shows that it desires the very object that is to be given. No question shows what an XR desires.
 * A forged condition changes a sentence here, and nothing else.
 */
function desiresTheSame(xr: ResourceView, resource: string): boolean {
  const said = condition(xr, 'Tethered');
  return said?.['reason'] === 'SameObject' && text(said['message']).includes(JSON.stringify(resource));
}

/**
 * True if the other XR's object has policies of its own and no mark: a backup from before the exchange brought this one back. Both
 * would delete the external resource, so this one lets go. It is released once the other XR takes it again.
 */
function isTakenAlready({fresh, another, stopped}: Giving): boolean {
  const isOther = stopped?.kind === 'other-rule' && fresh !== undefined && another === undefined;
  return isOther && !hasLetGo(fresh) && synced(fresh) === 'True';
}

/** The object that is given. While it is offered it is as desired, but does not delete; after that it lets its external resource go. */
function givenBody(
  {view, fresh, wanted, open, name, partner, other, claim}: Giving,
  reason: Move['reason'],
  hasMark: boolean,
): Body {
  if (reason !== 'offering') {
    const stage = reason === 'taking-back' ? 'taking-back' : 'giving';
    const {body, ready} = letGoBody(name, view, markAnnotation(stage, partner), claim);
    const isDesired = wanted !== undefined || open !== undefined;
    return {body, ready: isDesired ? readyOn(stage, ready) : ready};
  }
  // The XR may be deleted before the other one has the external resource, which lives on then. One whose object leads elsewhere has
  // its own, and takes none.
  const hasItsOwn = fresh !== undefined && !other.labelled.includes(fresh);
  const isExpected = !hasItsOwn && (hasLetGo(view) || other.xr !== undefined);
  // Dropped here, so what another writer sets meanwhile is not desired back.
  const body =
    wanted === undefined || open !== undefined
      ? guarded(holdBody(view, claim.manager), view)
      : namedBody(wanted, view, claim);
  const kept = hasMark && isExpected && canOrphan(view) ? withOrphanPolicies(body, view) : body;
  const offered = hasMark ? withAnnotations(kept, markAnnotation('offering', partner, keysOf(view))) : kept;
  return {
    body: withMarks(offered, claim.id, name, 'handing-over'),
    ready: open?.ready ?? wanted?.ready ?? readyAs(view),
  };
}

/** An object as it is desired, with the external name that this function keeps on it, if any. */
function namedBody(desired: DesiredView, observed: ResourceView, {manager}: Claim): JsonObject {
  const name = externalNameFor(desired, observed, manager);
  const body = wantedBody(desired, observed, manager);
  return name === undefined ? body : withAnnotations(body, nameAnnotations(name.name));
}

// The side that takes. It creates only an object that is offered to it by name. The new object only observes at first, gets its
// policies once the old one is observed to have let go, and is an ordinary resource once the old one is gone. A backup may bring the
// old one back; then the exchange begins again.
//
// While the old object is there and has not let go, the new one only observes, whatever became of the rule. Under a rule no empty
// resource is ever created: a missing giver may be one that a restore has not brought back yet.
//
// A new object may still only observe when the old one is gone. No giver was observed to let go to it: the giver may have turned to
// another XR, or may come back. So it goes on observing until a person takes the rule away, as the condition asks.

interface Taking extends Exchange {
  readonly view: ResourceView;
  readonly observes: boolean;
  /** The old object is gone. A new one that only observes waits for any object of the other XR, and its condition names the reason. */
  readonly isAlone: boolean;
  /** True if the old object is offered to this XR as this resource. */
  readonly isOffered: boolean;
  /** True if the input protects it and its Usage is not there yet: it gets no policies before. */
  readonly awaitsUsage: boolean;
}

const takerGates: Gates<Taking> = [
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
  [({isAlone, awaitsUsage}) => isAlone && !awaitsUsage, none],
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
  [
    ({observes, open}) => observes && open !== undefined,
    (taking) => asItIs(taking, unresolvedIn(taking.name, taking.unresolved)),
  ],
  [({observes, awaitsUsage}) => observes && awaitsUsage, stoppedBy({kind: 'unprotected'})],
  [() => true, (taking) => keepNew(taking, 'taking-over')],
];

export function takeStep(exchange: Exchange): Step {
  const {name, view, old, wanted, rule, other} = exchange;
  if (view === undefined) return wanted && rule ? begin(exchange, wanted, rule) : none();
  const observes = onlyObserves(view);
  const isAlone = other.labelled.length === 0 && (old === undefined || !observes);
  const isOffered = old !== undefined && isGiving(old, exchange);
  const awaitsUsage = exchange.protection.awaits(name);
  return firstOf(takerGates, {...exchange, view, observes, isAlone, isOffered, awaitsUsage});
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
function isLeftAlone(taking: Taking): (object: ResourceView) => boolean {
  return (object) => isGiving(object, taking) && hasLetGo(object) && !isDeleting(object);
}

/**
 * An object without an external name is new there and leads nowhere yet. An object that let go to this one, and that its XR left
 * behind, deletes nothing.
 */
function isHarmless(taking: Taking): (object: ResourceView) => boolean {
  return (object) => externalNameOf(object) === '' || (isGiving(object, taking) && hasLetGo(object));
}

/** True if the other XR does not let go, because a value in a Secret goes with the old object. */
function losesSecret({view, old}: Taking): boolean {
  if (old === undefined || synced(view) !== 'True') return false;
  const keys = keysOf(view);
  return goingSecret(old, undefined, false) !== undefined || !markOn(old)?.keys.every((key) => keys.includes(key));
}

/** It is deleted while it only observes. It is left alone: with its policies now, its provider would delete the external resource. */
function going({view}: Taking): Step {
  return {decision: {kind: 'wait', reason: 'still-deleting', object: refTo(view)}};
}

function givingBack(taking: Taking): Step {
  return keepNew(taking, 'giving-back');
}

function stoppedBy(obstacle: ExchangeObstacle | undefined): (taking: Taking) => Step {
  return (taking) => asItIs(taking, obstacle);
}

function asItIs(taking: Taking, stopped: ExchangeObstacle | undefined): Step {
  return keepNew(taking, taking.observes ? 'observing' : 'taking-over', stopped);
}

function keepNew(taking: Taking, reason: Move['reason'], stopped?: ExchangeObstacle): Step {
  const stage = reason === 'taking-over' ? 'taken' : stopped?.kind === 'old-gone' ? 'left' : 'observing';
  // It keeps its name.
  const body = takenBody(taking, externalNameOf(taking.view), stage);
  return {decision: moveDecision(taking, reason, stopped), body};
}

/** The new object, if nothing stops that it is made. It gets the name that the rule makes of the old one's. */
function begin(exchange: Exchange, wanted: DesiredView, rule: Rule): Step {
  const stopped = obstacleToMaking(exchange, wanted, rule);
  if (stopped !== undefined)
    return {decision: {kind: 'wait', reason: 'not-moved', stopped, ...counterpartOf(exchange)}};
  return {decision: moveDecision(exchange, 'observing'), body: takenBody(exchange, exchange.newName, 'observing')};
}

/** The obstacle to creating the new object. */
function obstacleToMaking(
  exchange: Exchange,
  wanted: DesiredView,
  {isRivalled, dryRun}: Rule,
): ExchangeObstacle | undefined {
  const {old, newName} = exchange;
  const {xr} = exchange.snapshot;
  if (isRivalled) return {kind: 'rivals'};
  if (!canList(xr, wanted)) return {kind: 'not-listed'};
  if (old === undefined) return absence(exchange);
  const shared = sharedWith(old, wanted, xr);
  if (shared !== undefined) return shared;
  if (isDeleting(old)) return {kind: 'deleting', whose: 'old'};
  if (!isGiving(old, exchange)) return {kind: 'other-rule', does: 'gives'};
  return unnamed(old, newName) ?? (dryRun ? {kind: 'dry-run'} : undefined);
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
function isGiving(object: ResourceView, exchange: Exchange): boolean {
  const stage = markForHere(object, exchange)?.stage;
  return stage === 'offering' || stage === 'giving';
}

/** The object that takes. It only observes, or is as desired, and keeps the external name that it was created with. */
function takenBody(
  {view, wanted, open, name, partner, claim}: Exchange,
  externalName: string,
  stage: 'observing' | 'left' | 'taken',
): Body {
  const onlyObserves = stage !== 'taken';
  const mark = markAnnotation(stage, partner, view && keysOf(view));
  const finish = (body: JsonObject) => withMarks(withAnnotations(body, mark), claim.id, name, 'handing-over');
  if (wanted === undefined || open !== undefined) {
    // It leaves, or it is still open whether it may go or how it is desired.
    const held = view === undefined ? {} : holdBody(view, claim.manager);
    const ready = open === undefined ? 'true' : readyOn(stage, open.ready);
    return {body: finish(onlyObserves ? observeOnlyBody(held, view) : held), ready};
  }
  const body = finish(newBody(wanted, view, externalName, claim, onlyObserves));
  return {body, ready: readyOn(stage, wanted.ready)};
}
