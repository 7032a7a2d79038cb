// Exchanges between XRs: a composed resource of one XR becomes another's, and its external resource neither goes nor comes.
// Crossplane lets no object have two controllers and no function take a controller reference off, so it is always a new
// object, which gets the old one's external name. Each XR's function decides on its own object alone, by what it sees of the
// other's: exchange.ts.
//
// As many are asked about as have room in the next request. The others stay as they are until those are done: both XRs begin with the
// same ones, by their names in the giving XR.
//
// Every question, decision and step is found again from what is observed: a crash, a restart or a stale answer repeats a step.

import {isUsage} from '../../facts/edges.ts';
import {externalNameOf} from '../../facts/external-policies.ts';
import {isAskable} from '../../facts/naming.ts';
import {isDeleting} from '../../facts/ownership.ts';
import {roomForTwins} from '../../facts/room.ts';
import type {InvalidInput} from '../../input/input.ts';
import {isConfirmed} from '../../removal/policies.ts';
import {isKeptEarlier} from '../../templates/templates.ts';
import type {ResourceSelector} from '../../words/edit.ts';
import type {UnknownName} from '../../words/events.ts';
import {isSameKind} from '../../words/references.ts';
import type {DesiredView, ResourceView, Snapshot} from '../../words/snapshot.ts';
import {isSamePartner, lastinglyMarked, type Mark, markOn, type Partner} from '../annotations.ts';
import {anotherResource, type Given, hasLetGo, onlyObserves, type Part} from '../objects.ts';
import {giveStep, type Step, takeStep} from './exchange.ts';
import {newNameBy, otherOf, type Rule, requirementsOf, rulesOf, takenFrom} from './other-side.ts';

export interface Exchanges {
  readonly kind: 'exchanges';
  readonly parts: readonly Part[];
  readonly otherSide: ReadonlyMap<string, ResourceSelector>;
  /** Requirements of marks alone. Any writer of an object can put a mark on it. */
  readonly otherSideByMark: ReadonlyMap<string, ResourceSelector>;
  readonly unknown: readonly UnknownName[];
}

export function exchangesOf(given: Given): Exchanges | InvalidInput {
  const {snapshot} = given;
  const parts: Part[] = [];
  const otherSide = new Map<string, ResourceSelector>();
  const otherSideByMark = new Map<string, ResourceSelector>();
  const rules = rulesOf(given);
  if (rules.kind === 'invalid-input') return rules;
  const ruled = [...rules.byName.values()];
  const asking: Asked[] = [];
  for (const name of namesOf(snapshot, rules.byName)) {
    const step = stepOf(name, rules.byName.get(name), given);
    if (step === undefined) continue;
    if (step.kind === 'invalid-input') return step;
    for (const partner of step.asks) {
      const isRuled = ruled.some((rule) => isSamePartner(rule, partner));
      if (!isRuled && !isAskedByMark(partner, snapshot.observed.get(name), snapshot)) continue;
      asking.push({partner, isRuled, ...placeOf(name, partner, rules.byName.get(name), snapshot)});
    }
    parts.push({name, ...step});
  }
  const asked = inTurn(asking).slice(0, roomForTwins(snapshot));
  const unknown: UnknownName[] = [...rules.unknown];
  const leaving = rules.absent.length === 0 ? [] : leavingBeside(parts, given);
  for (const one of leaving.length === 0 ? [] : rules.absent) {
    const taken = takenFrom(one, leaving, given);
    if (taken !== undefined && taken.length > 0) unknown.push(one);
    for (const name of taken ?? leaving)
      parts.push({name, decision: {kind: 'hold', reason: 'hand-over-in-progress', moving: [one.name]}});
    const [ofXr] = requirementsOf(one);
    otherSide.set(...ofXr);
  }
  for (const {partner, isRuled} of asked) {
    for (const [requirement, selector] of requirementsOf(partner))
      (isRuled ? otherSide : otherSideByMark).set(requirement, selector);
  }
  return {kind: 'exchanges', parts, otherSide, otherSideByMark, unknown};
}

interface Outcome extends Step {
  readonly kind: 'step';
  /** The other sides that are asked about. */
  readonly asks: readonly Partner[];
}

interface Asked {
  readonly partner: Partner;
  readonly isRuled: boolean;
  /** True if nothing is left to do, unless the old object comes back. */
  readonly isDone: boolean;
  /** The resource name in the giving XR. */
  readonly given: string;
}

/** The resources that may leave and are in no exchange, sorted. */
function leavingBeside(parts: readonly Part[], given: Given): readonly string[] {
  const names = new Set(parts.map(({name}) => name));
  return [...given.snapshot.observed.keys()].filter((name) => !names.has(name) && mayLeave(name, given)).sort();
}

/** True if its object leaves, unless something else keeps it. */
function mayLeave(name: string, {snapshot, owners}: Given): boolean {
  const {observed, desired} = snapshot;
  const view = observed.get(name);
  const mayStay = view === undefined || desired.has(name) || isUsage(view) || isDeleting(view);
  return !mayStay && owners.byName.get(name)?.kind === 'ours' && !isConfirmed(name, snapshot);
}

function placeOf(
  name: string,
  {resource}: Partner,
  rule: Rule | undefined,
  {observed}: Snapshot,
): Pick<Asked, 'isDone' | 'given'> {
  const view = observed.get(name);
  const mark = view && markOn(view);
  const isTaken = (mark ?? rule)?.side === 'take';
  return {isDone: isTaken && view !== undefined && mark === undefined, given: isTaken ? resource : name};
}

/** Finished exchanges come last, the others in one order for both XRs. */
function inTurn(asking: readonly Asked[]): readonly Asked[] {
  const isBefore = (a: Asked, b: Asked) => (a.isDone === b.isDone ? a.given < b.given : b.isDone);
  return [...asking].sort((a, b) => (isBefore(a, b) ? -1 : 1));
}

/** The resource names that rules name, and those with an object in an exchange, whatever the rules are now. Sorted. */
function namesOf({observed}: Snapshot, rules: ReadonlyMap<string, Rule>): readonly string[] {
  const names = new Set(rules.keys());
  lastinglyMarked(observed).forEach((view, name) => {
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

function stepOf(name: string, rule: Rule | undefined, given: Given): Outcome | InvalidInput | undefined {
  const view = given.snapshot.observed.get(name);
  // An object that is not certainly this XR's is decided as without a rule: it is adopted first, or it belongs to another.
  if (view !== undefined && given.owners.byName.get(name)?.kind !== 'ours') return undefined;
  const mark = view === undefined ? undefined : markOn(view);
  if (view === undefined || mark === undefined || !hasArrived(name, view, mark, rule, given))
    return stepBy(name, rule, view, mark, given);
  const next = stepBy(name, rule, view, undefined, given);
  if (next?.kind === 'invalid-input') return next;
  return {kind: 'step', ...next, asks: [mark, ...(next?.asks ?? [])]};
}

/**
 * True if a taken object is like any other of this XR, although it still has its mark. The old object is gone, and this one has
 * policies, or is desired only by the XR that it goes back to. It may be given to another XR, or back, at once.
 */
function hasArrived(name: string, view: ResourceView, mark: Mark, rule: Rule | undefined, given: Given): boolean {
  const {snapshot} = given;
  const isLeaving = isGivenBack(mark, rule) && !snapshot.desired.has(name);
  if (mark.side === 'give' || (onlyObserves(view) && !isLeaving)) return false;
  // It has its policies, and no rule names the XR in its mark. Before Crossplane 2.2 that XR cannot be asked for.
  const isRuled = rule !== undefined && isSamePartner(rule, mark);
  const other = otherOf(mark, isRuled ? rule : undefined, view, given);
  if (!other.isKnown) return !isRuled && !isAskedByMark(mark, view, snapshot);
  return other.labelled.length === 0;
}

/** True if the rules were turned around: it is given to the XR that it was taken from. */
function isGivenBack(partner: Partner, rule: Rule | undefined): boolean {
  return rule !== undefined && isSamePartner(rule, partner) && rule.side === 'give';
}

/** Decides by the mark of the object, or else by the rule. */
function stepBy(
  name: string,
  rule: Rule | undefined,
  view: ResourceView | undefined,
  mark: Mark | undefined,
  given: Given,
): Outcome | InvalidInput | undefined {
  const {snapshot, unresolved} = given;
  // An exchange goes on with the XR that it began with. A rule that names another XR does not count.
  const partner = mark ?? rule;
  const isKept = isKeptEarlier(snapshot.desired.get(name), given.claim);
  if (partner === undefined || (rule === undefined && isKept)) return undefined;
  const wanted = wantedOf(name, view, snapshot);
  const isTake = partner.side === 'take';
  if (isTake && view === undefined && wanted === undefined) return undefined;
  const heard = rule !== undefined && isSamePartner(rule, partner) && rule.side === partner.side ? rule : undefined;
  // The exchange is finished. While its rule is there, a backup may bring the old object back. Before Crossplane 2.2 a question
  // about a kind that is no longer installed would stop the XR, so nothing is asked.
  const isDone = view !== undefined && mark === undefined;
  if (isTake && isDone && (heard === undefined || snapshot.schemas === undefined)) return undefined;
  const other = otherOf(partner, heard, view, given);
  const [old, fresh] = isTake ? [other.object, view] : [view, other.object];
  const named = newNameBy(heard, old, given);
  if (named.kind === 'invalid-input') return named;
  const another = old && fresh && heard && otherResource(old, fresh, named.name, heard.externalName !== undefined);
  const exchange = {
    ...given,
    name,
    view,
    old,
    fresh,
    newName: named.name,
    another,
    wanted,
    isKept,
    open: unresolved.get(name),
    mark,
    partner,
    rule: heard,
    isGiven: isGivenBack(partner, rule) && rule?.dryRun === false,
    other,
  };
  const step = isTake ? takeStep(exchange) : giveStep(exchange);
  return step && {kind: 'step', ...step, asks: isTake || view !== undefined ? [partner] : []};
}

/** The desired resource of an earlier step. Of another kind than the object it is another resource, and undefined. */
function wantedOf(name: string, view: ResourceView | undefined, {desired}: Snapshot): DesiredView | undefined {
  const wanted = desired.get(name);
  return wanted === undefined || view === undefined || isSameKind(wanted, view) ? wanted : undefined;
}

/** The field by which the two lead to different external resources: the name, or an identity that both providers report. */
function otherResource(old: ResourceView, fresh: ResourceView, newName: string, isNamed: boolean) {
  if (externalNameOf(fresh) !== newName) return {kind: 'another-resource', field: 'the external name'} as const;
  return isNamed ? undefined : anotherResource(old, fresh);
}
