// What a plan means to a person: the XR condition `Tethered`, and the events worth telling once.

import {observedPhase} from '../facts/marks.ts';
import type {Owners} from '../facts/ownership.ts';
import type {Orders} from '../order/order.ts';
import type {LeftBehind} from '../restore/left-behind.ts';
import type {Decision, Hold, Refuse} from '../words/decision.ts';
import type {RefusedPair} from '../words/edit.ts';
import type {ResourceView, Snapshot} from '../words/snapshot.ts';
import type {Transition, UnknownName} from '../words/transition.ts';

/** The reasons of the condition. The first one is that of True. */
export const conditionReasons = [
  'Tethered',
  'LeftBehind',
  'Restoring',
  'HandingOver',
  'Holding',
  'Waiting',
  'Refusing',
  'SameObject',
] as const;

/** The XR condition `Tethered`. Its sentence is made of the decisions of `resources`. */
export interface Condition {
  readonly status: 'True' | 'False';
  readonly reason: (typeof conditionReasons)[number];
  /** Resource names that are not as the earlier steps want them, sorted. */
  readonly resources: readonly string[];
}

/** The gravest reason wins: a person has to act on a refusal, and a restore explains the holds it causes. */
export function conditionOf(
  decisions: ReadonlyMap<string, Decision>,
  refused: readonly RefusedPair[],
  left: readonly LeftBehind[],
): Condition {
  const resources = [...decisions.keys()].filter((name) => isUnfinished(decisions.get(name)));
  const all = [...decisions.values()];
  const isWell = resources.length === 0 && refused.length === 0;
  const status = isWell && left.length === 0 ? 'True' : 'False';
  if (status === 'True') return {status, reason: 'Tethered', resources};
  if (isWell) return {status, reason: 'LeftBehind', resources};
  if (all.some(desiresOneObject)) return {status, reason: 'SameObject', resources};
  if (refused.length > 0 || all.some(({kind}) => kind === 'refuse')) return {status, reason: 'Refusing', resources};
  if (all.some(isRestoring)) return {status, reason: 'Restoring', resources};
  if (all.some(({kind}) => kind === 'hand-over' || kind === 'exchange'))
    return {status, reason: 'HandingOver', resources};
  if (all.some(({kind}) => kind === 'hold')) return {status, reason: 'Holding', resources};
  return {status, reason: 'Waiting', resources};
}

/** Whether another XR desires the same object. */
function desiresOneObject(decision: Decision): boolean {
  const isExchanged = decision.kind === 'exchange' || (decision.kind === 'wait' && decision.reason === 'not-given');
  return isExchanged && decision.until === 'same-object';
}

export function transitionsOf(
  decisions: ReadonlyMap<string, Decision>,
  observed: ReadonlyMap<string, ResourceView>,
  {byName}: Owners,
): readonly Transition[] {
  const transitions: Transition[] = [];
  decisions.forEach((decision, resourceName) => {
    const view = observed.get(resourceName);
    const phase = view === undefined ? '' : observedPhase(view);
    if (phase === 'pending-adoption' && byName.get(resourceName)?.kind === 'ours') {
      transitions.push({kind: 'adopted', resourceName});
    }
    if (phase === 'handing-over' && decision.kind === 'keep') transitions.push({kind: 'handed-over', resourceName});
    const kind = beginsRefusal(decision, view) ? 'refusing' : beginning(decision, phase);
    if (kind !== undefined) transitions.push({kind, resourceName});
  });
  return transitions;
}

/** Told of a resource once: in the reconcile that creates it. */
export function skippedOrders(decisions: ReadonlyMap<string, Decision>, {skipped}: Orders): readonly Transition[] {
  return skipped
    .filter(({after}) => decisions.get(after)?.kind === 'create')
    .map(({path, before, after}) => ({kind: 'order-skipped', resourceName: after, path, of: before}));
}

/** Told of a resource in the reconcile that lets it go. */
export function overruledOrders(decisions: ReadonlyMap<string, Decision>, {overruled}: Orders): readonly Transition[] {
  const said = new Set<string>();
  return overruled.flatMap(({path, before, after}): Transition[] => {
    if (decisions.get(before)?.kind !== 'release' || said.has(before)) return [];
    said.add(before);
    return [{kind: 'order-overruled', resourceName: before, path, by: after}];
  });
}

/** Told of a resource in the reconcile that lets it go. */
export function contradictedOrders(
  decisions: ReadonlyMap<string, Decision>,
  {contradicted}: Orders,
): readonly Transition[] {
  return contradicted
    .filter(({before}) => decisions.get(before)?.kind === 'release')
    .map(({path, before, after}) => ({kind: 'order-contradicted', resourceName: before, path, by: after}));
}

/** Told as long as something is created; the condition says it as long as it is so. */
export function namesUnknown(
  decisions: ReadonlyMap<string, Decision>,
  {desired}: Pick<Snapshot, 'desired'>,
  unknown: readonly UnknownName[],
): readonly Transition[] {
  if (unknown.length === 0) return [];
  const [created] = [...decisions].find(([name, {kind}]) => kind === 'create' && desired.has(name)) ?? [];
  if (created === undefined) return [];
  return unknown.map((one) => ({kind: 'name-unknown', resourceName: created, ...one}));
}

/** A move that is refused, or a write. The mark is on the object that stays: a new one is not made. */
function beginsRefusal(decision: Decision, view: ResourceView | undefined): boolean {
  if (decision.kind !== 'refuse' || !isToldOnce(decision.reason)) return false;
  return view !== undefined && observedPhase(view) !== 'refused';
}

function isToldOnce(reason: Refuse['reason']): boolean {
  return ['kind-changed', 'cannot-hand-over', 'unwritable'].includes(reason);
}

function beginning(
  decision: Decision,
  phase: string,
): 'adopting' | 'holding' | 'releasing' | 'leaving-alone' | 'handing-over' | undefined {
  // Crossplane forgets it in this very reconcile.
  if (decision.kind === 'refuse' && decision.reason === 'unproven') return 'leaving-alone';
  // Without a mark of ours it was never this step's: a later step desires it, and it stays.
  if (decision.kind === 'release') return phase === '' ? undefined : 'releasing';
  // Told of the old object, in the reconcile that begins; the condition says how far it is.
  if (decision.kind === 'hand-over' || decision.kind === 'exchange')
    return phase === '' || phase === 'handing-over' ? undefined : 'handing-over';
  if (isAdopting(decision)) return phase === 'pending-adoption' ? undefined : 'adopting';
  // What stays as it is is no event; the condition says it as long as it is so.
  if (decision.kind === 'hold' && isStanding(decision.reason)) return undefined;
  if (decision.kind === 'hold') return phase === 'pending-deletion' ? undefined : 'holding';
  return undefined;
}

function isStanding(reason: Hold['reason']): boolean {
  return reason === 'unresolved' || reason === 'earlier-step';
}

function isAdopting(decision: Decision): boolean {
  if (decision.kind === 'adopt') return true;
  return decision.kind === 'hold' && (decision.reason === 'adopt-first' || decision.reason === 'found-by-label');
}

function isRestoring(decision: Decision): boolean {
  if (isAdopting(decision)) return true;
  return decision.kind === 'hold' && ['restore-in-progress', 'inner-adopts-first'].includes(decision.reason);
}

const unfinished: readonly Decision['kind'][] = ['adopt', 'wait', 'hold', 'refuse', 'hand-over', 'exchange'];

function isUnfinished(decision: Decision | undefined): boolean {
  const kind = decision?.kind;
  return kind !== undefined && unfinished.includes(kind);
}
