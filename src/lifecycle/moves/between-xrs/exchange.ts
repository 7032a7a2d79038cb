// Exchanges between XRs: a composed resource of one XR becomes another's, and its external resource neither goes nor comes.
// Crossplane lets no object have two controllers and no function take a controller reference off, so it is always a new
// object, which gets the old one's external name. Each XR's function decides on its own object alone, by what it sees of the
// other's: give.ts and take.ts.
//
// As many are asked about as have room in the next request. The others stay as they are until those are done: both XRs begin with the
// same ones, by their names in the giving XR.
//
// Every question, decision and step is found again from what is observed: a crash, a restart or a stale answer repeats a step.

import {guarded} from '../../facts/apply-guard.ts';
import {canOrphan, externalNameOf} from '../../facts/external-policies.ts';
import {holdBody} from '../../facts/hold-body.ts';
import {newKeys} from '../../facts/identity.ts';
import {withMarks} from '../../facts/marks.ts';
import {withAnnotations} from '../../facts/metadata.ts';
import {isAskable, isSameObject, placedRef, refTo} from '../../facts/naming.ts';
import {canList} from '../../facts/references.ts';
import {roomForTwins} from '../../facts/room.ts';
import type {InvalidInput} from '../../input/input.ts';
import {isConfirmed, withOrphanPolicies} from '../../removal/policies.ts';
import type {Decision, Move} from '../../words/decision.ts';
import type {Requirement} from '../../words/edit.ts';
import type {JsonObject} from '../../words/json.ts';
import type {Counterpart, ExchangeObstacle} from '../../words/obstacles.ts';
import {isSameKind} from '../../words/references.ts';
import type {DesiredView, Ready, ResourceView, Snapshot} from '../../words/snapshot.ts';
import {type Body, letGoBody, namedBody, newBody, observeOnlyBody, readyAs} from '../bodies.ts';
import type {Given} from '../given.ts';
import {keysOf, newNameOf, sharedSecret} from '../new-name.ts';
import {hasLetGo, onlyObserves, tellTheSame, unresolvedIn} from '../proofs.ts';
import {type Allowed, givingState} from './give.ts';
import {desiresTheSame, type OtherSide, objectOf, otherSideOf, requirementsOf} from './other-side.ts';
import {isSamePartner, type Mark, markAnnotation, markOn, type Partner, type Stage, sideOf} from './partner-mark.ts';
import {type Peer, peersOf} from './peers.ts';
import {takingState} from './take.ts';

export interface Exchanges {
  readonly kind: 'exchanges';
  /** Resource names that no exchange is about are in none of these. */
  readonly decisions: ReadonlyMap<string, Decision>;
  /** What is desired for the decisions that emit something. */
  readonly bodies: ReadonlyMap<string, Body>;
  /** Resource names whose objects leave now, as soon as Usages let them, also where an earlier step desires them. */
  readonly releasing: ReadonlySet<string>;
  readonly requirements: ReadonlyMap<string, Requirement>;
  /** Requirements of marks alone. Any writer of an object can put a mark on it. */
  readonly ofMarks: ReadonlyMap<string, Requirement>;
}

export function exchangesOf(given: Given): Exchanges | InvalidInput {
  const {snapshot, input, meter} = given;
  const decisions = new Map<string, Decision>();
  const bodies = new Map<string, Body>();
  const releasing = new Set<string>();
  const requirements = new Map<string, Requirement>();
  const ofMarks = new Map<string, Requirement>();
  const exchanges: Exchanges = {kind: 'exchanges', decisions, bodies, releasing, requirements, ofMarks};
  const peers = peersOf(snapshot, input, meter);
  if (peers.kind === 'invalid-input') return peers;
  const ruled = [...peers.byName.values()];
  const asking: Asked[] = [];
  for (const name of namesOf(snapshot, peers.byName)) {
    const step = stepOf(name, peers.byName.get(name), given);
    if (step === undefined) continue;
    if (step.kind === 'invalid-input') return step;
    for (const partner of step.asks) {
      const isRuled = ruled.some((peer) => isSamePartner(peer, partner));
      if (!isRuled && !isAskedByMark(partner, snapshot.observed.get(name), snapshot)) continue;
      asking.push({partner, isRuled, ...placeOf(name, partner, peers.byName.get(name), snapshot)});
    }
    if (step.leaves) releasing.add(name);
    if (step.decision !== undefined) decisions.set(name, step.decision);
    if (step.body !== undefined) bodies.set(name, step.body);
  }
  for (const {partner, isRuled} of inTurn(asking).slice(0, roomForTwins(snapshot))) {
    for (const [requirement, asked] of requirementsOf(partner))
      (isRuled ? requirements : ofMarks).set(requirement, asked);
  }
  return exchanges;
}

interface Asked {
  readonly partner: Partner;
  readonly isRuled: boolean;
  /** True if nothing is left to do, unless the old object comes back. */
  readonly isDone: boolean;
  /** The resource name in the giving XR. */
  readonly given: string;
}

function placeOf(
  name: string,
  {resource}: Partner,
  peer: Peer | undefined,
  {observed}: Snapshot,
): Pick<Asked, 'isDone' | 'given'> {
  const view = observed.get(name);
  const mark = view === undefined ? undefined : markOn(view);
  const side = mark === undefined ? peer?.side : sideOf(mark);
  return {
    isDone: side === 'take' && view !== undefined && mark === undefined,
    given: side === 'take' ? resource : name,
  };
}

/** Finished exchanges come last, the others in one order for both XRs. */
function inTurn(asking: readonly Asked[]): readonly Asked[] {
  const isBefore = (a: Asked, b: Asked) => (a.isDone === b.isDone ? a.given < b.given : b.isDone);
  return [...asking].sort((a, b) => (isBefore(a, b) ? -1 : 1));
}

/** The resource names that rules name, and those with an object in an exchange, whatever the rules are now. Sorted. */
function namesOf({observed}: Snapshot, peers: ReadonlyMap<string, Peer>): readonly string[] {
  const names = new Set(peers.keys());
  observed.forEach((view, name) => {
    if (!names.has(name) && markOn(view) !== undefined) names.add(name);
  });
  return [...names].sort();
}

/**
 * True if a mark without a rule may ask for its other side. Any writer of the object can write a mark, with any name and kind. If
 * no schemas show which kinds are served, only an object with the policies of an exchange may ask.
 */
function isAskedByMark({xr}: Partner, view: ResourceView | undefined, {schemas}: Snapshot): boolean {
  const isInExchange = view !== undefined && (hasLetGo(view) || onlyObserves(view));
  return isAskable(xr) && (schemas !== undefined || isInExchange);
}

interface Step {
  readonly kind: 'step';
  /** The other sides that are asked about. */
  readonly asks: readonly Partner[];
  readonly leaves?: true;
  readonly decision?: Decision;
  readonly body?: Body;
}

interface Talk extends Given {
  readonly name: string;
  readonly view: ResourceView | undefined;
  readonly wanted: DesiredView | undefined;
  readonly mark: Mark | undefined;
  readonly partner: Partner;
  /** Of an unresolved template: how ready it is. */
  readonly openAs: Ready | undefined;
  /** The rule about the partner, undefined if there is none. */
  readonly peer: Peer | undefined;
  /** True if a rule gives it to the partner, whichever side it was on. */
  readonly isGiven: boolean;
  readonly other: OtherSide;
}

function stepOf(name: string, peer: Peer | undefined, given: Given): Step | InvalidInput | undefined {
  const view = given.snapshot.observed.get(name);
  // An object that is not certainly this XR's is decided as without a rule: it is adopted first, or it belongs to another.
  if (view !== undefined && given.owners.byName.get(name)?.kind !== 'ours') return undefined;
  const mark = view === undefined ? undefined : markOn(view);
  if (view === undefined || mark === undefined || !hasArrived(name, view, mark, peer, given))
    return stepBy(name, peer, view, mark, given);
  const next = stepBy(name, peer, view, undefined, given);
  if (next?.kind === 'invalid-input') return next;
  return {kind: 'step', ...next, asks: [mark, ...(next?.asks ?? [])]};
}

/**
 * True if a taken object is like any other of this XR, although it still has its mark. The old object is gone, and this one has
 * policies, or is desired only by the XR that it goes back to. It may be given to another XR, or back, at once.
 */
function hasArrived(name: string, view: ResourceView, mark: Mark, peer: Peer | undefined, given: Given): boolean {
  const {snapshot} = given;
  const isLeaving = isGivenBack(mark, peer) && !snapshot.desired.has(name);
  if (sideOf(mark) === 'give' || (onlyObserves(view) && !isLeaving)) return false;
  // It has its policies, and no rule names the XR in its mark. Before Crossplane 2.2 that XR cannot be asked for.
  const isRuled = peer !== undefined && isSamePartner(peer, mark);
  const other = otherOf(mark, isRuled ? peer : undefined, view, given);
  if (other.kind === 'pending') return !isRuled && !isAskedByMark(mark, view, snapshot);
  return other.labelled.length === 0;
}

/** The facts about the other side, for the XR that has `view`. */
function otherOf(partner: Partner, peer: Peer | undefined, view: ResourceView | undefined, given: Given): OtherSide {
  if (view === undefined) return otherSideOf(partner, given.snapshot);
  const name = externalNameOf(view);
  const leadsElsewhere = (theirs: ResourceView) =>
    !['', name].includes(nameHere(theirs, view, peer, given)) && !tellTheSame(theirs, view);
  return otherSideOf(partner, given.snapshot, leadsElsewhere);
}

/** The external name that the other XR's object would have here, '' if unknown: for another kind only a rule has it. */
function nameHere(theirs: ResourceView, view: ResourceView, peer: Peer | undefined, given: Given): string {
  if (peer?.externalName === undefined) return isSameKind(theirs, view) ? externalNameOf(theirs) : '';
  const allowed = peer.side === 'take' ? allowedBy(peer, theirs, given) : undefined;
  return allowed?.kind === 'allowed' ? allowed.newName : '';
}

/** True if the rules were turned around: it is given to the XR that it was taken from. */
function isGivenBack(partner: Partner, peer: Peer | undefined): boolean {
  return peer !== undefined && isSamePartner(peer, partner) && peer.side === 'give';
}

/** Decides by the mark of the object, or else by the rule. */
function stepBy(
  name: string,
  peer: Peer | undefined,
  view: ResourceView | undefined,
  mark: Mark | undefined,
  given: Given,
): Step | InvalidInput | undefined {
  const {snapshot, unresolved} = given;
  const side = mark === undefined ? peer?.side : sideOf(mark);
  // An exchange goes on with the XR that it began with. A rule that names another XR does not count.
  const partner = mark ?? peer;
  if (partner === undefined || side === undefined) return undefined;
  const wanted = wantedOf(name, view, snapshot);
  const isSame = peer !== undefined && isSamePartner(peer, partner);
  const isHeard = isSame && peer.side === side;
  const other = otherOf(partner, isHeard ? peer : undefined, view, given);
  const isGiven = isGivenBack(partner, peer) && peer?.dryRun === false;
  const openAs = unresolved.get(name)?.ready;
  const talk = {
    ...given,
    name,
    view,
    wanted,
    openAs,
    mark,
    partner,
    peer: isHeard ? peer : undefined,
    isGiven,
    other,
  };
  return side === 'give' ? giveStep(talk) : takeStep(talk);
}

function giveStep(talk: Talk): Step | InvalidInput | undefined {
  const {name, view, wanted, mark, partner, peer, other, snapshot, input, protection} = talk;
  if (view === undefined) {
    if (wanted === undefined || peer === undefined || (peer.dryRun && !peer.isRivalled)) return undefined;
    return {kind: 'step', asks: [], decision: {kind: 'wait', reason: 'given-away', ...counterpartOf(talk)}};
  }
  const allowed = allowedBy(peer, view, talk);
  if (allowed?.kind === 'invalid-input') return allowed;
  const asks = [partner];
  const isFreed = isConfirmed(name, snapshot);
  const usage = isFreed ? undefined : protection.usageOf(name);
  const isSameThere = other.kind === 'known' && other.xr !== undefined && desiresTheSame(other.xr, partner.resource);
  const targets = (input.handover ?? []).flatMap(({to}) => to.resource ?? []);
  const key = targets.length === 0 ? undefined : newKeys(snapshot)(name, view)?.name;
  const rival = targets.find((target) => target === key);
  const isWanted = wanted !== undefined;
  const said = {view, xr: snapshot.xr, resourceName: name, isWanted, allowed, mark, other};
  const state = givingState({...said, isConfirmed: isFreed, usage, isSameThere, rival});
  switch (state.kind) {
    case 'none':
      return {kind: 'step', asks};
    case 'leave':
      return {kind: 'step', asks, leaves: true};
    case 'stay': {
      // An object of the other XR may lead to the external resource by now.
      const mayBeObserved = other.kind === 'pending' || other.labelled.length > 0;
      const isDry = allowed?.dryRun === true && state.reason === 'offering';
      const isNothing = isDry || state.stopped?.kind === 'rivals';
      const hasMark = !isNothing || (mark !== undefined && mayBeObserved);
      const body = givenBody(talk, view, state.reason, hasMark);
      return {kind: 'step', asks, decision: moveDecision(talk, state.reason, state.stopped), body};
    }
  }
}

function takeStep(talk: Talk): Step | InvalidInput | undefined {
  const {name, view, wanted, mark, partner, peer, isGiven, other, snapshot, protection} = talk;
  if (view === undefined && wanted === undefined) return undefined;
  // The exchange is finished. While its rule is there, a backup may bring the old object back. Before Crossplane 2.2 a question
  // about a kind that is no longer installed would stop the XR, so nothing is asked.
  const isDone = view !== undefined && mark === undefined;
  if (isDone && (peer === undefined || snapshot.schemas === undefined)) return undefined;
  const asks = [partner];
  const old = objectOf(other);
  const allowed = allowedBy(peer, old, talk);
  if (allowed?.kind === 'invalid-input') return allowed;
  const isWanted = wanted !== undefined;
  const isListed = wanted === undefined || canList(snapshot.xr, wanted);
  const open = unresolvedIn(name, talk.unresolved);
  const awaitsUsage = () => protection.awaits(name);
  const sharedHere = (object: ResourceView) => wanted && sharedWith(object, wanted, snapshot);
  const isToObserve = wanted !== undefined && onlyObserves(wanted);
  const said = {isWanted, isToObserve, open, sharedHere, isListed, isGiven, allowed, awaitsUsage};
  const taken = takingState({view, xr: snapshot.xr, resourceName: name, mark, other, ...said});
  // An existing object keeps its name; a new one gets the name that the rule makes of the old one's.
  const externalName = view === undefined ? (allowed?.newName ?? '') : externalNameOf(view);
  if (taken.kind === 'none') return {kind: 'step', asks};
  if (taken.kind === 'leave') return {kind: 'step', asks, leaves: true};
  if (taken.kind === 'going') {
    const object = view === undefined ? partner.xr : refTo(view);
    return {kind: 'step', asks, decision: {kind: 'wait', reason: 'still-deleting', object}};
  }
  if (taken.kind === 'unmade') {
    const {stopped} = taken;
    return {kind: 'step', asks, decision: {kind: 'wait', reason: 'not-moved', stopped, ...counterpartOf(talk)}};
  }
  const {reason, stopped} = taken;
  const body = takenBody(talk, externalName, stageOf(reason, stopped));
  return {kind: 'step', asks, decision: moveDecision(talk, reason, stopped), body};
}

/** The obstacle if the desired object is the old one, or the two have one Secret or lose what is in it. */
function sharedWith(old: ResourceView, wanted: DesiredView, {xr}: Snapshot): ExchangeObstacle | undefined {
  const isSame = wanted.name !== '' && isSameObject(placedRef(wanted, xr), refTo(old));
  return isSame ? {kind: 'same-object'} : sharedSecret(old, wanted, xr, markOn(old)?.keys);
}

function stageOf(reason: 'observing' | 'taking-over' | 'giving-back', stopped: ExchangeObstacle | undefined) {
  if (reason === 'taking-over') return 'taken';
  return stopped?.kind === 'old-gone' ? 'left' : 'observing';
}

/** The desired resource of an earlier step. Of another kind than the object it is another resource, and undefined. */
function wantedOf(name: string, view: ResourceView | undefined, {desired}: Snapshot): DesiredView | undefined {
  const wanted = desired.get(name);
  return wanted === undefined || view === undefined || isSameKind(wanted, view) ? wanted : undefined;
}

/** The terms of the rule for this exchange; `old` is the object that is given, wherever it is. */
function allowedBy(
  peer: Peer | undefined,
  old: ResourceView | undefined,
  {snapshot, meter}: Given,
): (Allowed & {readonly kind: 'allowed'}) | InvalidInput | undefined {
  if (peer === undefined) return undefined;
  const {dryRun, isRivalled, externalName} = peer;
  const allowed = (newName: string) =>
    ({kind: 'allowed', dryRun, isRivalled, newName, isNamed: externalName !== undefined}) as const;
  if (old === undefined) return allowed('');
  const named = newNameOf(externalName, peer.path, old, snapshot.xr, meter);
  if (named.kind === 'invalid-input') return named;
  return allowed(named.kind === 'name' ? named.name : '');
}

function moveDecision(talk: Talk, reason: Move['reason'], stopped?: ExchangeObstacle): Decision {
  return {kind: 'move', reason, ...counterpartOf(talk), ...(stopped === undefined ? {} : {stopped})} as Move;
}

function counterpartOf({partner, peer, other}: Talk): Counterpart {
  const isThere = other.kind === 'known' && other.xr !== undefined;
  return {xr: partner.xr, isThere, resource: partner.resource, path: peer?.path};
}

// The bodies of the two objects, and how ready each XR is with them.

/** The object that is given. While it is offered it is as desired, but does not delete; after that it lets its external resource go. */
function givenBody(
  {wanted, openAs, name, partner, other, claim}: Talk,
  view: ResourceView,
  reason: 'offering' | 'letting-go' | 'taking-back',
  hasMark: boolean,
): Body {
  if (reason !== 'offering') {
    const stage = reason === 'taking-back' ? 'taking-back' : 'giving';
    const {body, ready} = letGoBody(name, view, markAnnotation(stage, partner), claim);
    const isDesired = wanted !== undefined || openAs !== undefined;
    return {body, ready: isDesired ? readyOn(stage, ready) : ready};
  }
  // The XR may be deleted before the other one has the external resource, which lives on then.
  const isExpected = hasLetGo(view) || (other.kind === 'known' && other.xr !== undefined);
  // Dropped here, so what another writer sets meanwhile is not desired back.
  const body =
    wanted === undefined || openAs !== undefined
      ? guarded(holdBody(view, claim.manager), view)
      : namedBody(wanted, view, claim);
  const kept = hasMark && isExpected && canOrphan(view) ? withOrphanPolicies(body, view) : body;
  const offered = hasMark ? withAnnotations(kept, markAnnotation('offering', partner, keysOf(view))) : kept;
  return {body: withMarks(offered, claim.id, name, 'handing-over'), ready: openAs ?? wanted?.ready ?? readyAs(view)};
}

/** The object that takes. It only observes, or is as desired, and keeps the external name that it was created with. */
function takenBody(
  {view, wanted, openAs, name, partner, claim}: Talk,
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
    return {body: finish(onlyObserves ? observeOnlyBody(held) : held), ready};
  }
  const body = finish(newBody(wanted, view, externalName, claim, onlyObserves));
  return {body, ready: readyOn(stage, wanted.ready)};
}

/**
 * How ready an XR is that has an object in that stage. One that only observes what is to be its own makes the XR unready: who
 * goes by Ready would delete the other XR, which has the external resource still.
 */
export function readyOn(stage: Stage | undefined, ready: Ready): Ready {
  return stage === 'observing' || stage === 'taking-back' ? 'false' : ready;
}
