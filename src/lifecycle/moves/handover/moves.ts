// The observed objects that are to move to another resource name or kind, and those that are moving. Moves are read from observed
// state alone, so that every step is found again after a crash, whatever became of the rule. An object that is set aside has its
// target in an annotation; a new one has its predecessor in an annotation.
//
// A fork: one object that rules would turn into two. It goes to one resource name, or its own is desired of another kind. And a second
// rule gives it another resource name, which is desired and has no object. Crossplane would create that one beside the moved one, and
// either may be meant. So nothing moves and nothing is created until one target is left.

import {isUsage} from '../../facts/edges.ts';
import {
  externalAnnotation,
  isDisposable,
  isManaged,
  type Namesake,
  namesakeIn,
  namesakesOf,
} from '../../facts/external-policies.ts';
import {type NewKey, newKeys} from '../../facts/identity.ts';
import {madeAt} from '../../facts/metadata.ts';
import {isSetAside, isSetAsideName, type NameFor, nameBefore} from '../../facts/naming.ts';
import type {Input} from '../../input/input.ts';
import type {Ruled, Scene} from '../../input/scene.ts';
import {matches} from '../../input/selector.ts';
import {isConfirmed, staysByPolicy} from '../../removal/policies.ts';
import {isList} from '../../words/json.ts';
import {isSameKind, type Kind} from '../../words/references.ts';
import type {Composition, DesiredView, ResourceView, Snapshot} from '../../words/snapshot.ts';
import {comesFrom, goesTo, isExchanged} from '../annotations.ts';

export interface Move {
  /** `rename`: the same object under another resource name. `replace`: an object of another kind. `back`: the old one again. */
  readonly kind: 'rename' | 'replace' | 'back';
  /** Undefined if no rule allows it: its rule is gone, or it turns back. */
  readonly allowed: PlacedRule | undefined;
  /** The resource name before the move. */
  readonly from: string;
  /** The present resource name of the old object: `from`, or the one that it is set aside as. */
  readonly at: string;
  readonly to: string;
  readonly old: ResourceView;
  /** The resource desired as `to`; of `back` as `from`. Undefined if it was dropped. */
  readonly wanted: DesiredView | undefined;
  /** The new object under `to`. Of a rename it is another object that is observed there. */
  readonly fresh: ResourceView | undefined;
  /** The resource name that desires the new object, if an edit since gives it another one by a rule. It gets that once this move ends. */
  readonly next?: string | undefined;
  /** The field that may make the external resource of the desired one another, although it has the name of the old one's. */
  readonly differs?: string | undefined;
}

/** Sorted by the resource name that the old object is observed under. */
export function movesIn(ruled: Ruled & Pick<Scene, 'claim'>): readonly Move[] {
  const {
    snapshot,
    claim: {manager},
  } = ruled;
  const moves: Move[] = [];
  const nameOf = newKeys(snapshot);
  // A disposable object is created again, and need not wait for a name.
  const newKeyOf = (at: string, view: ResourceView) => {
    const found = nameOf(at, view);
    return found?.isTaken && isDisposable(view, manager) ? undefined : found;
  };
  const earlier = setAsideEarlier(snapshot);
  const left: string[] = [];
  snapshot.observed.forEach((old, at) => {
    const isAside = isSetAside(at, old);
    const move = isAside ? begunMove(at, old, ruled) : newMove(at, old, ruled, newKeyOf, earlier.has(at));
    if (move !== undefined) moves.push(move);
    else if (!isAside && !snapshot.desired.has(at)) left.push(at);
  });
  // Of objects with one external name, the first goes to the resource name that desires it, and the others leave it to that one.
  const targets = new Set(moves.map(({to}) => to));
  for (const at of left.sort()) {
    const found = namesake(at, ruled);
    const move = found ?? misnamedMove(at, ruled);
    if (move === undefined || (found !== undefined && move.differs === undefined && targets.has(move.to))) continue;
    targets.add(move.to);
    moves.push(move);
  }
  return moves.sort((a, b) => (a.at < b.at ? -1 : 1));
}

function newMove(
  at: string,
  old: ResourceView,
  ruled: Ruled,
  newKeyOf: ReturnType<typeof newKeys>,
  isSetAsideEarlier: boolean,
): Move | undefined {
  const {snapshot, input} = ruled;
  const {observed, desired} = snapshot;
  const wanted = desired.get(at);
  if (isSetAsideEarlier) return {kind: 'replace', ...moveTo(at, at, old, snapshot)};
  const same = newKeyOf(at, old);
  if (same !== undefined) return renamed(at, old, same, ruled);
  if (wanted !== undefined && isSameKind(old, wanted)) return undefined;
  if (isUsage(old)) return undefined;
  if (wanted !== undefined) {
    const allowed = ruleFor(input, at, old, (to) => to.resource === undefined && isToKind(to, wanted, old));
    if (allowed === undefined && otherTarget(at, old, at, ruled) === undefined) return undefined;
    return {kind: 'replace', ...moveTo(at, at, old, snapshot), allowed};
  }
  const allowed = ruleFor(input, at, old, (to) => isToResource(to, old, snapshot));
  // A move that has begun goes on without its rule. A finished one goes back to its former name.
  const named = [goesTo(old), nameBefore(comesFrom(old))].find((name) => desired.has(name)) ?? '';
  const to = allowed?.rule.to.resource ?? named;
  const target = desired.get(to);
  if (target === undefined) return halfAllowed(at, old, ruled);
  const fresh = observed.get(to);
  const move = {...moveTo(to, at, old, snapshot), allowed, fresh};
  // To another kind, or back, it moves only by a rule. Without one it is not deleted.
  if (!isSameKind(old, target)) return {...move, kind: 'replace'};
  if (allowed === undefined && fresh !== undefined) return undefined;
  return withinKind(move, namesakeIn(to, target, old)[0], ruled);
}

/** The same object under another resource name. It needs no rule, but a rule about it may be a dry run. */
function renamed(at: string, old: ResourceView, {name: to, isTaken}: NewKey, {snapshot, input}: Ruled): Move {
  const allowed = ruleFor(input, at, old, (said) => said.resource === to && isToKind(said, old, old));
  const fresh = isTaken ? snapshot.observed.get(to) : undefined;
  return {kind: 'rename', ...moveTo(to, at, old, snapshot), allowed, fresh};
}

/** An object that goes to the resource name that desires its external resource. In doubt it stays, until its removal is confirmed. */
function namesake(at: string, ruled: Ruled): Move | undefined {
  const {snapshot} = ruled;
  const old = snapshot.observed.get(at) as ResourceView;
  const found = namesakesOf(at, old, snapshot).find(({name}) => !snapshot.observed.has(name));
  if (found === undefined) return undefined;
  const {name: to, differs} = found;
  if (differs !== undefined && isConfirmed(at, snapshot)) return undefined;
  return {...withinKind(moveTo(to, at, old, snapshot), found, ruled), differs};
}

/** If another object name is desired, an object of that name takes the same external resource over, and no rule is needed. */
function withinKind(move: Omit<Move, 'kind'>, found: Namesake | undefined, ruled: Ruled): Move {
  const {at, to, old, wanted} = move;
  const isSameObject = wanted === undefined || wanted.name === '' || wanted.name === old.name;
  const canObserve = isList(old.field(['spec', 'managementPolicies'])) && found !== undefined && !found.differs;
  if (isSameObject || !canObserve || staysByPolicy(at, ruled)) return {...move, kind: 'rename'};
  return {...move, kind: 'replace', allowed: move.allowed ?? impliedRule(at, to)};
}

function impliedRule(from: string, to: string): PlacedRule {
  return {path: '', rule: {from: {resources: [from]}, to: {resource: to}}};
}

/**
 * A move for which a rule has the new resource name, but another kind than is desired there. It is refused, with the one rule that
 * it needs. The object is not deleted because its rule is incomplete.
 */
function halfAllowed(at: string, old: ResourceView, {snapshot, input}: Ruled): Move | undefined {
  const {observed, desired} = snapshot;
  const isOpen = (name = '') => desired.has(name) && !observed.has(name);
  const to = ruleFor(input, at, old, ({resource}) => isOpen(resource))?.rule.to.resource;
  return to === undefined ? undefined : {kind: 'replace', ...moveTo(to, at, old, snapshot)};
}

/**
 * The move of an object that leaves while a resource is about to be made, if a rule is about only one of the two because of a name that
 * is not there: misspelled, it would destroy what it is to keep. It is refused, with the rule that it needs. Of several new ones it is
 * the one with nearly that name. A name in a rule of `give` is no slip: another XR has that resource by now.
 */
function misnamedMove(at: string, {snapshot, input: {handover = [], give = []}}: Ruled): Move | undefined {
  const {observed, desired} = snapshot;
  const old = observed.get(at) as ResourceView;
  const mayLeave = handover.length === 0 || !isManaged(old) || isConfirmed(at, snapshot);
  const made = mayLeave
    ? []
    : [...desired].filter(([name]) => !observed.has(name)).sort(([a], [b]) => (a < b ? -1 : 1));
  const isThere = (name: string) => observed.has(name) || desired.has(name);
  const given = give.flatMap(({resources}) => resources.map(({name}) => name));
  const isSlip = ({from, to: {resource = ''}}: HandoverRule, name: string) =>
    resource === name
      ? ![...observed].some(([key, view]) => matches(from, key, view)) &&
        !given.some((key) => from.resources?.includes(key))
      : resource !== '' && !isThere(resource) && matches(from, at, old);
  const isNear = ({to: {resource = ''}}: HandoverRule, name: string, wanted: ResourceView) =>
    resource === name || matches({resources: [resource]}, name, wanted, {...snapshot, isCounting: true});
  const found = made.flatMap(([name, wanted]) => {
    const rule = handover.find((one) => isToKind(one.to, wanted, old) && isSlip(one, name));
    return rule === undefined ? [] : [{name, isNear: isNear(rule, name, wanted)}];
  });
  // After a restore the rule may be one that has ended.
  const isInFirstLife = externalAnnotation(old, 'create-succeeded') >= madeAt(old);
  const to = found.find((one) => one.isNear) ?? (isInFirstLife ? found[0] : undefined);
  return to === undefined ? undefined : {kind: 'replace', ...moveTo(to.name, at, old, snapshot)};
}

/** The move of an object that has not begun, without a rule and without an object of its new name. */
function moveTo(to: string, at: string, old: ResourceView, {desired}: Composition): Omit<Move, 'kind'> {
  return {allowed: undefined, from: at, at, to, old, wanted: desired.get(to), fresh: undefined};
}

/** Resource names whose objects an earlier step of the pipeline, which can only be function-tether, is about to move. */
export function setAsideEarlier({observed, desired}: Omit<Composition, 'xr'>): ReadonlySet<string> {
  const names = new Set<string>();
  desired.forEach((view, name) => {
    if (isSetAside(name, view) && !observed.has(name)) names.add(nameBefore(name));
  });
  return names;
}

function isToResource(to: PlacedRule['rule']['to'], old: ResourceView, {desired}: Composition): boolean {
  const target = to.resource === undefined ? undefined : desired.get(to.resource);
  return target !== undefined && isToKind(to, target, old);
}

/**
 * A move to another kind that has begun. The old object is set aside and carries its target itself, so that a mark on another object
 * cannot make that one the new object.
 */
function begunMove(at: string, old: ResourceView, {snapshot, input}: Ruled): Move {
  const {observed, desired} = snapshot;
  const from = nameBefore(at);
  const to = goesTo(old) || from;
  const fresh = observed.get(to);
  const back = desired.get(from);
  if (back !== undefined && isSameKind(old, back)) {
    return {kind: 'back', allowed: undefined, from, at, to, old, wanted: back, fresh};
  }
  const [found] = namesakeIn(to, desired.get(to), old);
  const isNext = (said: HandoverRule['to']) =>
    fresh !== undefined && !observed.has(said.resource ?? '') && isToResource(said, fresh, snapshot);
  const next = fresh && !desired.has(to) ? ruleFor(input, to, fresh, isNext)?.rule.to.resource : undefined;
  const wanted = desired.get(next ?? to);
  const ruled = ruleFor(
    input,
    from,
    old,
    (said) => [to, next].includes(said.resource ?? from) && wanted !== undefined && isToKind(said, wanted, old),
  );
  const move = {kind: 'replace', allowed: ruled, from, at, to, next, old, wanted, fresh} as const;
  return ruled || !found ? move : {...move, allowed: impliedRule(from, to), differs: found.differs};
}

/**
 * True if the object of a move that has not begun is in another move: its predecessor is still set aside, or another XR gives or takes
 * it. Moved on, it would lose its proofs and get its policies too soon.
 */
export function isUnderWay({at, old}: Move, {observed}: Pick<Snapshot, 'observed'>): boolean {
  if (isSetAside(at, old)) return false;
  const from = comesFrom(old);
  return (isSetAsideName(from) && observed.has(from)) || isExchanged(old);
}

/** The resource name under which the pipeline desires what moves. */
export function wantedName({kind, from, to, next = to}: Move): string {
  return kind === 'back' ? from : next;
}

/** A successor without a name has that of its predecessor, as Crossplane itself would name it, so that it is never created twice. */
export function handedOverNames(moves: readonly Move[]): NameFor | undefined {
  if (moves.length === 0) return undefined;
  const predecessors = new Map(moves.map((move) => [wantedName(move), move.old]));
  return (resourceName, wanted) => {
    const old = predecessors.get(resourceName);
    const namespace = wanted.namespace || (old !== undefined && isSameKind(wanted, old) ? old.namespace : '');
    return old && {name: old.name, namespace};
  };
}

type HandoverRule = NonNullable<Input['handover']>[number];

/** A rule with its place in the input. */
export interface PlacedRule {
  readonly path: string;
  readonly rule: HandoverRule;
}

/** The first rule whose `from` selects the old object and whose `to` passes `accepts`; undefined if there is none. */
export function ruleFor(
  {handover = []}: Input,
  resourceName: string,
  old: ResourceView,
  accepts: (to: HandoverRule['to']) => boolean,
): PlacedRule | undefined {
  const index = handover.findIndex(({from, to}) => accepts(to) && matches(from, resourceName, old));
  const rule = handover[index];
  return rule === undefined ? undefined : {path: `handover[${index}]`, rule};
}

/** True if `to` means this kind. A kind that it leaves out is the old object's. */
export function isToKind({apiVersion, kind}: HandoverRule['to'], wanted: Kind, old: Kind): boolean {
  return isSameKind(wanted, {apiVersion: apiVersion ?? old.apiVersion, kind: kind ?? old.kind});
}

/** The resource name that a rule gives the object, and that is desired and has no object, other than `to`; undefined for none. */
export function otherTarget(
  at: string,
  old: ResourceView,
  to: string,
  {snapshot: {observed, desired}, input: {handover = []}}: Ruled,
): string | undefined {
  const isOpen = (name: string) => name !== to && name !== at && desired.has(name) && !observed.has(name);
  const rule = handover.find(({from, to: {resource = ''}}) => isOpen(resource) && matches(from, at, old));
  return rule?.to.resource;
}
