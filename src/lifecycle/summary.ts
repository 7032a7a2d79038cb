// What a plan means to a person: the XR condition `Tethered`, and the events worth telling once.

import type {Decision, Hold} from './decision.ts';
import type {RefusedPair} from './edit.ts';
import {observedPhase} from './objects/marks.ts';
import type {Ownership} from './objects/ownership.ts';
import type {Orders} from './order/order.ts';
import type {ResourceView} from './snapshot.ts';

/** The XR condition `Tethered`. Its sentence is made of the decisions of `resources`. */
export interface Condition {
  readonly status: 'True' | 'False';
  readonly reason: 'Tethered' | 'Restoring' | 'Holding' | 'Waiting' | 'Refusing';
  /** Resource names that are not as the earlier steps want them, sorted. */
  readonly resources: readonly string[];
}

/** Something that begins or ends in this very reconcile. Read from the object, so not repeated. */
export type Transition =
  | {
      readonly kind: 'adopting' | 'adopted' | 'holding' | 'releasing' | 'leaving-alone' | 'refusing';
      readonly resourceName: string;
    }
  /** The name is written from status. `lateInitializes` is false where the provider would never have saved it itself. */
  | {
      readonly kind: 'external-name-saved';
      readonly resourceName: string;
      readonly lateInitializes: boolean;
    }
  /** It is created at once, because the order at `path` in the input, that says `of` first, does not hold just now. */
  | {readonly kind: 'order-skipped'; readonly resourceName: string; readonly path: string; readonly of: string}
  /** It leaves by itself, although by the order at `path` in the input `by` uses it and stays. */
  | {readonly kind: 'order-overruled'; readonly resourceName: string; readonly path: string; readonly by: string}
  /** The name was lost and is put back from memory. */
  | {readonly kind: 'external-name-restored'; readonly resourceName: string}
  /** A resource is created without the name that is remembered for it, because nothing proves it. Worth a Warning. */
  | {readonly kind: 'external-name-unproven'; readonly resourceName: string}
  /** The first names are remembered where others may write, and there is no key to seal them. Worth a Warning. */
  | {readonly kind: 'external-names-unsealed'; readonly resourceName: string}
  /** A resource is created that the cloud names and whose provider may never save the name (S3). Worth a Warning. */
  | {readonly kind: 'external-name-at-risk'; readonly resourceName: string};

/** The gravest reason wins: a person has to act on a refusal, and a restore explains the holds it causes. */
export function conditionOf(decisions: ReadonlyMap<string, Decision>, refused: readonly RefusedPair[]): Condition {
  const resources = [...decisions.keys()].filter((name) => isUnfinished(decisions.get(name)));
  const all = [...decisions.values()];
  const status = resources.length > 0 || refused.length > 0 ? 'False' : 'True';
  if (status === 'True') return {status, reason: 'Tethered', resources};
  if (refused.length > 0 || all.some(({kind}) => kind === 'refuse')) return {status, reason: 'Refusing', resources};
  if (all.some(isRestoring)) return {status, reason: 'Restoring', resources};
  if (all.some(({kind}) => kind === 'hold')) return {status, reason: 'Holding', resources};
  return {status, reason: 'Waiting', resources};
}

export function transitionsOf(
  decisions: ReadonlyMap<string, Decision>,
  observed: ReadonlyMap<string, ResourceView>,
  ownership: ReadonlyMap<string, Ownership>,
): readonly Transition[] {
  const transitions: Transition[] = [];
  decisions.forEach((decision, resourceName) => {
    const view = observed.get(resourceName);
    const phase = view === undefined ? '' : observedPhase(view);
    if (phase === 'pending-adoption' && ownership.get(resourceName)?.kind === 'ours') {
      transitions.push({kind: 'adopted', resourceName});
    }
    const kind = beginsRefusal(decision, view, observed) ? 'refusing' : beginning(decision, phase);
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

/** Told of a resource once: in the reconcile in which it begins to leave. */
export function overruledOrders(
  observed: ReadonlyMap<string, ResourceView>,
  {overruled}: Orders,
): readonly Transition[] {
  const told = new Set<string>();
  return overruled.flatMap(({path, before, after}): Transition[] => {
    const view = observed.get(before);
    if (view === undefined || told.has(before) || observedPhase(view) === 'pending-deletion') return [];
    told.add(before);
    return [{kind: 'order-overruled', resourceName: before, path, by: after}];
  });
}

/** A move that is refused. The mark is on the object that stays: the new one is not made. */
function beginsRefusal(
  decision: Decision,
  view: ResourceView | undefined,
  observed: ReadonlyMap<string, ResourceView>,
): boolean {
  if (decision.kind !== 'refuse' || (decision.reason !== 'kind-changed' && decision.reason !== 'renamed')) return false;
  const stays = decision.reason === 'renamed' ? observed.get(decision.from) : view;
  return stays !== undefined && observedPhase(stays) !== 'refused';
}

function beginning(
  decision: Decision,
  phase: string,
): 'adopting' | 'holding' | 'releasing' | 'leaving-alone' | undefined {
  // Crossplane forgets it in this very reconcile.
  if (decision.kind === 'refuse' && decision.reason === 'unproven') return 'leaving-alone';
  if (decision.kind === 'release') return 'releasing';
  if (isAdopting(decision)) return phase === 'pending-adoption' ? undefined : 'adopting';
  // What stays as it is is no event; the condition says it as long as it is so.
  if (decision.kind === 'hold' && isStanding(decision.reason)) return undefined;
  if (decision.kind === 'hold') return phase === 'pending-deletion' ? undefined : 'holding';
  return undefined;
}

function isStanding(reason: Hold['reason']): boolean {
  return reason === 'unresolved' || reason === 'renamed' || reason === 'earlier-step';
}

function isAdopting(decision: Decision): boolean {
  if (decision.kind === 'adopt') return true;
  return decision.kind === 'hold' && (decision.reason === 'adopt-first' || decision.reason === 'found-by-label');
}

function isRestoring(decision: Decision): boolean {
  return isAdopting(decision) || (decision.kind === 'hold' && decision.reason === 'restore-in-progress');
}

function isUnfinished(decision: Decision | undefined): boolean {
  const kind = decision?.kind;
  return kind === 'adopt' || kind === 'wait' || kind === 'hold' || kind === 'refuse';
}
