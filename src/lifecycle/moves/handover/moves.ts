// Which observed objects are to move to another resource name or another kind, and which are in the middle of it. Read from
// what is observed alone, so that every step is found again after a crash, and whatever became of the rule meanwhile: an
// object that is set aside says so by its resource name, and a new one says by an annotation whom it comes after.

import {isUsage} from '../../facts/edges.ts';
import {isDisposable} from '../../facts/external-policies.ts';
import {type NewKey, newKeys} from '../../facts/identity.ts';
import {withName} from '../../facts/named-view.ts';
import type {Claim} from '../../facts/proof.ts';
import {isSetAside, nameBefore, setAsideName} from '../../facts/set-aside.ts';
import type {Input} from '../../input/input.ts';
import {isSameKind} from '../../words/references.ts';
import type {DesiredView, ResourceView, Snapshot} from '../../words/snapshot.ts';

import {comesFrom, goesTo, isExchanged} from '../annotations.ts';
import {otherTarget} from './forks.ts';
import {isToKind, type PlacedRule, ruleFor} from './rules.ts';

export interface Move {
  /** `rename`: the same object under another resource name. `replace`: an object of another kind. `back`: the old one again. */
  readonly kind: 'rename' | 'replace' | 'back';
  /** Undefined where none allows it: it was begun under one that is gone, or it turns back. */
  readonly allowed: PlacedRule | undefined;
  /** The resource name before the move. */
  readonly from: string;
  /** The resource name that the old object is observed under: `from`, or the one that it is set aside as. */
  readonly at: string;
  readonly to: string;
  readonly old: ResourceView;
  /** What is desired as `to`; of `back` as `from`. Undefined where it was dropped. */
  readonly wanted: DesiredView | undefined;
  /** The new object under `to`. Of a rename what is observed there, which is another object. */
  readonly fresh: ResourceView | undefined;
}

type Composition = Pick<Snapshot, 'xr' | 'observed' | 'desired'>;

/** Sorted by the resource name that the old object is observed under. */
export function movesIn(snapshot: Composition, input: Input, {manager}: Claim): readonly Move[] {
  const moves: Move[] = [];
  const nameOf = newKeys(snapshot);
  // An object that nothing goes with is made anew, and need not wait for a name.
  const newKeyOf = (at: string, view: ResourceView) => {
    const found = nameOf(at, view);
    return found?.isTaken && isDisposable(view, manager) ? undefined : found;
  };
  snapshot.observed.forEach((old, at) => {
    const move = isSetAside(at) ? begun(at, old, snapshot, input) : begins(at, old, snapshot, input, newKeyOf);
    if (move !== undefined) moves.push(move);
  });
  return moves.sort((a, b) => (a.at < b.at ? -1 : 1));
}

function begins(
  at: string,
  old: ResourceView,
  snapshot: Composition,
  input: Input,
  newKeyOf: ReturnType<typeof newKeys>,
): Move | undefined {
  const {observed, desired} = snapshot;
  const wanted = desired.get(at);
  if (isSetAsideEarlier(at, snapshot))
    return {kind: 'replace', allowed: undefined, from: at, at, to: at, old, wanted, fresh: undefined};
  const same = newKeyOf(at, old);
  if (same !== undefined) return renamed(at, old, same, snapshot, input);
  if (wanted !== undefined && isSameKind(old, wanted)) return undefined;
  if (isUsage(old)) return undefined;
  if (wanted !== undefined) {
    const allowed = ruleFor(input, at, old, (to) => to.resource === undefined && isToKind(to, wanted, old));
    if (allowed === undefined && otherTarget(at, old, at, snapshot, input) === undefined) return undefined;
    return {kind: 'replace', allowed, from: at, at, to: at, old, wanted, fresh: undefined};
  }
  const allowed = ruleFor(input, at, old, (to) => isToResource(to, old, snapshot));
  // One that has begun goes on without its rule, and one that has ended goes back where it came from.
  const named = [goesTo(old), nameBefore(comesFrom(old))].find((name) => desired.has(name)) ?? '';
  const to = allowed?.rule.to.resource ?? named;
  const target = desired.get(to);
  if (target === undefined) return halfAllowed(at, old, snapshot, input);
  const fresh = observed.get(to);
  if (isSameKind(old, target)) {
    if (allowed === undefined && fresh !== undefined) return undefined;
    return {kind: 'rename', allowed, from: at, at, to, old, wanted: target, fresh};
  }
  // To another kind it goes by a rule alone, also back, and is not deleted for want of one.
  return {kind: 'replace', allowed, from: at, at, to, old, wanted: target, fresh};
}

/** The same object under another resource name: no rule has to say what it is, and one that says so can be a dry run. */
function renamed(at: string, old: ResourceView, {name: to, isTaken}: NewKey, among: Composition, input: Input): Move {
  const wanted = among.desired.get(to);
  const allowed = ruleFor(input, at, old, (said) => said.resource === to && isToKind(said, old, old));
  return {kind: 'rename', allowed, from: at, at, to, old, wanted, fresh: isTaken ? among.observed.get(to) : undefined};
}

/**
 * A rule gives it a resource name that is desired of another kind than the rule says, and has no object yet. It is refused with
 * the rule that says both, and not deleted because two rules say half of it each.
 */
function halfAllowed(at: string, old: ResourceView, {observed, desired}: Composition, input: Input): Move | undefined {
  const isOpen = (name = '') => desired.has(name) && !observed.has(name);
  const to = ruleFor(input, at, old, ({resource}) => isOpen(resource))?.rule.to.resource;
  if (to === undefined) return undefined;
  return {kind: 'replace', allowed: undefined, from: at, at, to, old, wanted: desired.get(to), fresh: undefined};
}

/** Whether an earlier step of the pipeline, which can only be one of function-tether, is about to move the object. */
export function isSetAsideEarlier(at: string, {observed, desired}: Composition): boolean {
  return desired.has(setAsideName(at)) && !observed.has(setAsideName(at));
}

function isToResource(to: PlacedRule['rule']['to'], old: ResourceView, {desired}: Composition): boolean {
  const target = to.resource === undefined ? undefined : desired.get(to.resource);
  return target !== undefined && isToKind(to, target, old);
}

/**
 * A move to another kind that has begun: the old object is set aside, and says itself what it is going to be, so that nobody
 * who marks another object has that one taken for the new one.
 */
function begun(at: string, old: ResourceView, {observed, desired}: Composition, input: Input): Move {
  const from = nameBefore(at);
  const to = goesTo(old) || from;
  const fresh = observed.get(to);
  const back = desired.get(from);
  if (back !== undefined && isSameKind(old, back)) {
    return {kind: 'back', allowed: undefined, from, at, to, old, wanted: back, fresh};
  }
  const wanted = desired.get(to);
  const allowed = ruleFor(
    input,
    from,
    old,
    (said) => (said.resource ?? from) === to && wanted !== undefined && isToKind(said, wanted, old),
  );
  return {kind: 'replace', allowed, from, at, to, old, wanted, fresh};
}

/**
 * Whether the object of a move that has not begun is in the middle of another one: it comes after an object that is still
 * set aside, or another XR gives or takes it. Moved on it would lose what is proven of it, and have its policies too soon.
 */
export function isUnderWay({at, old}: Move, {observed}: Pick<Snapshot, 'observed'>): boolean {
  if (isSetAside(at)) return false;
  const from = comesFrom(old);
  return (isSetAside(from) && observed.has(from)) || isExchanged(old);
}

/**
 * The snapshot in which what takes the place of another object has its name, as Crossplane itself would call it, so that it
 * is never made a second time.
 */
export function withHandedOverNames(snapshot: Snapshot, moves: readonly Move[]): Snapshot {
  const named = new Map<string, DesiredView>();
  for (const {kind, to, old, wanted} of moves) {
    const isOpen = wanted !== undefined && wanted.name === '' && kind !== 'back' && !snapshot.observed.has(to);
    if (!isOpen) continue;
    const namespace = wanted.namespace || (isSameKind(wanted, old) ? old.namespace : '');
    named.set(to, withName(wanted, old.name, namespace));
  }
  return named.size === 0 ? snapshot : {...snapshot, desired: new Map([...snapshot.desired, ...named])};
}
