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

import {guarded} from '../../facts/apply-guard.ts';
import {canOrphan, externalNameOf, isCreating} from '../../facts/external-policies.ts';
import {holdBody} from '../../facts/hold-body.ts';
import {newKeys} from '../../facts/identity.ts';
import {isLabelledInUse, withMarks} from '../../facts/marks.ts';
import {withAnnotations} from '../../facts/metadata.ts';
import {isDeleting} from '../../facts/ownership.ts';
import {condition} from '../../facts/ready.ts';
import {isConfirmed as isConfirmedIn, withOrphanPolicies} from '../../removal/policies.ts';
import {text} from '../../words/json.ts';
import type {ExchangeObstacle} from '../../words/obstacles.ts';
import type {ResourceView} from '../../words/snapshot.ts';
import {isMarkFor, markAnnotation, markOn} from '../annotations.ts';
import {goingSecret, keysOf} from '../new-name.ts';
import {type Body, hasLetGo, isAsLetGo, letGoBody, namedBody, onlyObserves, readyAs, synced} from '../objects.ts';
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

type Reason = 'offering' | 'letting-go' | 'taking-back';

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

const gates: Gates<Giving, Step> = [
  [({view}) => isDeleting(view), ({isLetGo}) => (isLetGo ? leave() : none())],
  [({rule}) => rule === undefined, (giving) => firstOf(withoutRule, giving)],
  [({rule, isLetGo}) => rule?.isRivalled === true && !isLetGo, staying('offering', {kind: 'rivals'})],
  // Released, it would be applied under the other name while it goes, and get its policies back.
  [
    ({rival}) => rival !== undefined,
    (giving) => stay(giving, giving.isLetGo ? 'letting-go' : 'offering', {kind: 'rivals', other: giving.rival}),
  ],
  // The new object is created once the rule is no dry run.
  [(giving) => isDry(giving) && isReady(giving), staying('offering', {kind: 'dry-run'})],
  [isDry, (giving) => stay(giving, 'offering', giving.stopped)],
  [({isLetGo, stopped, fresh}) => isLetGo && stopped === undefined && isTaken(fresh), leave],
  [
    (giving) => giving.isLetGo || giving.stopped === undefined || isTakenAlready(giving),
    (giving) => stay(giving, 'letting-go', giving.stopped),
  ],
  [() => true, (giving) => stay(giving, 'offering', giving.stopped)],
];

/** Once let go, it waits until no object of the other XR could delete the external resource. */
const withoutRule: Gates<Giving, Step> = [
  [({mark}) => mark === undefined, none],
  [({isLetGo, isDropped}) => !isLetGo && isDropped, staying('offering', {kind: 'dropped'})],
  [({isLetGo}) => !isLetGo, none],
  [({other}) => !other.isKnown, staying('taking-back', {kind: 'unanswered'})],
  [({other}) => other.labelled.some((object) => !onlyObserves(object)), staying('taking-back')],
  // Released, it would leave an external resource behind that no object leads to.
  [({isDropped, other}) => isDropped && other.labelled.length === 0, staying('taking-back', {kind: 'dropped'})],
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
  return firstOf(gates, {...giving, stopped: rule && obstacleTo(giving)});
}

function staying(reason: Reason, stopped?: ExchangeObstacle): (giving: Giving) => Step {
  return (giving) => stay(giving, reason, stopped);
}

function stay(giving: Giving, reason: Reason, stopped: ExchangeObstacle | undefined): Step {
  const {mark, other, rule} = giving;
  const isNothing = (rule?.dryRun === true && reason === 'offering') || stopped?.kind === 'rivals';
  // An object of the other XR may lead to the external resource by now.
  const mayBeObserved = !other.isKnown || other.labelled.length > 0;
  const body = givenBody(giving, reason, !isNothing || (mark !== undefined && mayBeObserved));
  return {decision: moveDecision(giving, reason, stopped), body};
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
function obstacleTo(giving: Omit<Giving, 'stopped'>): ExchangeObstacle | undefined {
  const {view, fresh: object, name, partner, newName, another, protection, isConfirmed, other} = giving;
  const isXrGoing = other.xr !== undefined && isDeleting(other.xr);
  const isWanted = other.xr !== undefined && !isXrGoing && desiresTheSame(other.xr, partner.resource);
  // Whatever its kind is: the object, and all that it composes, goes with this XR.
  if (isWanted && object === undefined) return {kind: 'same-object'};
  if (!canOrphan(view)) return {kind: 'no-policies', whose: 'old'};
  if (externalNameOf(view) === '' || newName === '') return {kind: 'no-external-name'};
  if (isCreating(view)) return {kind: 'still-creating'};
  if (other.xr === undefined) return other.isKnown ? {kind: 'not-there', what: 'xr'} : {kind: 'unanswered'};
  if (isXrGoing || (object !== undefined && isDeleting(object)))
    return {kind: 'deleting', whose: isXrGoing ? 'xr' : 'new'};
  if (object === undefined) return other.labelled.length > 0 ? {kind: 'unproven'} : {kind: 'not-there', what: 'object'};
  const mark = markOn(object);
  if (mark === undefined || !isMarkFor(mark, giving.snapshot.xr, name)) return {kind: 'other-rule', does: 'takes'};
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
  {view, fresh, wanted, openAs, name, partner, other, claim}: Giving,
  reason: Reason,
  hasMark: boolean,
): Body {
  if (reason !== 'offering') {
    const stage = reason === 'taking-back' ? 'taking-back' : 'giving';
    const {body, ready} = letGoBody(name, view, markAnnotation(stage, partner), claim);
    const isDesired = wanted !== undefined || openAs !== undefined;
    return {body, ready: isDesired ? readyOn(stage, ready) : ready};
  }
  // The XR may be deleted before the other one has the external resource, which lives on then. One whose object leads elsewhere has
  // its own, and takes none.
  const hasItsOwn = fresh !== undefined && !other.labelled.includes(fresh);
  const isExpected = !hasItsOwn && (hasLetGo(view) || other.xr !== undefined);
  // Dropped here, so what another writer sets meanwhile is not desired back.
  const body =
    wanted === undefined || openAs !== undefined
      ? guarded(holdBody(view, claim.manager), view)
      : namedBody(wanted, view, claim);
  const kept = hasMark && isExpected && canOrphan(view) ? withOrphanPolicies(body, view) : body;
  const offered = hasMark ? withAnnotations(kept, markAnnotation('offering', partner, keysOf(view))) : kept;
  return {body: withMarks(offered, claim.id, name, 'handing-over'), ready: openAs ?? wanted?.ready ?? readyAs(view)};
}
