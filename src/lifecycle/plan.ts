// From one snapshot to one plan: a decision for every composed resource, and what they change in desired.
// All control flow of the policy is here; each part beside it answers one question.
//
// A plan depends on nothing but the snapshot's content and the input: no clock, no order of maps, no memory.

import type {Decision} from './decision.ts';
import {edgesOf, resolver} from './edges.ts';
import type {Edit, RefusedPair, Requirement} from './edit.ts';
import {holdBody} from './hold-body.ts';
import type {Input, InvalidInput} from './input.ts';
import {type JsonObject, sorted, text} from './json.ts';
import {decideMissing, type Found, foundOrphans, lookupRequirements} from './lookup.ts';
import {markDesired, phaseOf, withMarks} from './marks.ts';
import {composedFieldManager, compositeId} from './naming.ts';
import {pairProblem} from './pairs.ts';
import {needsRelaxing, relaxed} from './relax.ts';
import {byRequirements, endsByItself, mayRelease, type Removal} from './removal.ts';
import {type Ownership, ownerships, unadopted} from './restore.ts';
import type {Snapshot} from './snapshot.ts';
import {type Condition, conditionOf, type Transition, transitionsOf} from './summary.ts';
import {type DeclaredUsage, declaredUsages, isDeclared} from './usages.ts';
import {dialectOf} from './version.ts';

export interface Plan {
  readonly kind: 'plan';
  /** Every resource name in observed or desired, every Usage of ours, and every found orphan, once; sorted. */
  readonly decisions: ReadonlyMap<string, Decision>;
  /** By resource name, sorted. */
  readonly edits: ReadonlyMap<string, Edit>;
  readonly refusedPairs: readonly RefusedPair[];
  readonly condition: Condition;
  readonly transitions: readonly Transition[];
  /** By requirement name, sorted. The same for the same observed, desired and input, whatever was answered. */
  readonly requirements: ReadonlyMap<string, Requirement>;
  /** How soon to look again while something is going on; undefined = no wish. */
  readonly ttlSeconds: number | undefined;
}

// A composed resource that is deleted changes nothing the XR watches once it has left the resourceRefs, so somebody has
// to look again. Versions that watch required resources are sooner.
const ttlWhileHoldingSeconds = 10;

/** The plan, or the first thing in the input that does not fit this XR. */
export function plan(snapshot: Snapshot, input: Input): Plan | InvalidInput {
  const pairs = input.usages ?? [];
  const problem = pairProblem(snapshot, pairs);
  if (problem !== undefined) return problem;

  const situation = situate(snapshot, input);
  const decisions = sortedMap([
    ...situation.names.map((name): [string, Decision] => [name, decide(name, situation)]),
    ...situation.orphans.map(({resourceName, decision}): [string, Decision] => [resourceName, decision]),
  ]);
  const busy = [...decisions.values()].some(
    (decision) => decision.kind === 'adopt' || endsByItself(decision, situation.removal),
  );
  const refusedPairs = situation.removal.declared.refused.map(({path, of, by, reason}) => ({path, of, by, reason}));
  return {
    kind: 'plan',
    decisions,
    edits: editsOf(decisions, situation),
    refusedPairs,
    condition: conditionOf(decisions, refusedPairs),
    transitions: transitionsOf(decisions, snapshot.observed, situation.ownership),
    requirements: situation.requirements,
    ttlSeconds: busy ? ttlWhileHoldingSeconds : undefined,
  };
}

/** Everything the decisions are made of, worked out once. */
interface Situation {
  readonly snapshot: Snapshot;
  readonly input: Input;
  readonly xrUid: string;
  readonly manager: string;
  readonly names: readonly string[];
  readonly ownership: ReadonlyMap<string, Ownership>;
  readonly unadopted: readonly string[];
  readonly usages: ReadonlyMap<string, DeclaredUsage>;
  readonly removal: Removal;
  readonly orphans: readonly Found[];
  readonly requirements: ReadonlyMap<string, Requirement>;
}

function situate(snapshot: Snapshot, input: Input): Situation {
  const {xr, observed, desired} = snapshot;
  const id = compositeId(xr);
  const manager = composedFieldManager(xr);
  const xrUid = text(xr.field(['metadata', 'uid']));
  const dialect = dialectOf(input.crossplane);
  const declared = declaredUsages(snapshot, input.usages ?? [], dialect);
  const usages = new Map(declared.usages.map((usage) => [usage.name, usage]));
  const leaving = new Set([...observed.keys()].filter((name) => !desired.has(name) && !usages.has(name)));
  const ownership = ownerships(observed, xrUid);
  const removal: Removal = {
    snapshot,
    id,
    leaving,
    declared,
    edges: edgesOf(observed, resolver(observed, desired)),
    isDeclared: (usage) => isDeclared(observed.get(usage), input.usages ?? []),
    needsRelaxing: (edge) => {
      const view = observed.get(edge.usage);
      return view !== undefined && needsRelaxing(edge, view, dialect, manager);
    },
  };
  const lookups = lookupRequirements(snapshot, input, id);
  return {
    snapshot,
    input,
    xrUid,
    manager,
    names: [...new Set([...observed.keys(), ...desired.keys(), ...usages.keys()])],
    ownership,
    unadopted: unadopted(ownership),
    usages,
    removal,
    orphans: foundOrphans(snapshot, lookups.keys(), xrUid).filter(({resourceName}) => !usages.has(resourceName)),
    requirements: sortedMap([...lookups, ...byRequirements(removal)]),
  };
}

function decide(resourceName: string, situation: Situation): Decision {
  const {snapshot, input, xrUid, ownership, removal} = situation;
  const owner = ownership.get(resourceName);
  if (owner === undefined) {
    return situation.usages.has(resourceName) ? {kind: 'create'} : decideMissing(snapshot, input, resourceName, xrUid);
  }
  if (owner.kind === 'stale') return {kind: 'refuse', reason: 'stale-controller', controller: owner.controller};
  if (!removal.leaving.has(resourceName)) {
    return owner.kind === 'ours' ? {kind: 'keep'} : {kind: 'adopt', reason: 'without-controller'};
  }
  if (owner.kind === 'nobody') return {kind: 'hold', reason: 'adopt-first'};
  if (situation.unadopted.length > 0) {
    return {kind: 'hold', reason: 'restore-in-progress', unadopted: situation.unadopted};
  }
  return mayRelease(resourceName, removal);
}

function editsOf(decisions: ReadonlyMap<string, Decision>, situation: Situation): ReadonlyMap<string, Edit> {
  const mark = markDesired(situation.snapshot.xr);
  const edits = new Map<string, Edit>();
  for (const [resourceName, decision] of decisions) {
    const edit = editOf(resourceName, decision, situation, mark);
    if (edit !== undefined) edits.set(resourceName, edit);
  }
  return edits;
}

function editOf(
  resourceName: string,
  decision: Decision,
  situation: Situation,
  mark: ReturnType<typeof markDesired>,
): Edit | undefined {
  const usage = situation.usages.get(resourceName);
  switch (decision.kind) {
    case 'keep':
    case 'create':
    case 'adopt':
      if (usage !== undefined) return emit(resourceName, decision, usage.body, situation);
      return {...mark(resourceName, decision), ...pinned(decision)};
    case 'wait':
      return {kind: 'leave-out'};
    case 'hold':
      return emit(resourceName, decision, heldBody(resourceName, decision, situation), situation);
    case 'refuse':
      return refusal(resourceName, decision, situation);
    case 'release':
      return undefined;
    default:
      return unreachable(decision);
  }
}

/**
 * A refused resource passes as it is. One that is no longer desired stays in desired: leaving it out would make composed
 * GC fail and stop the whole XR, while its apply is rejected alone, for a second controller reference, and changes nothing.
 */
function refusal(
  resourceName: string,
  decision: Decision & {readonly kind: 'refuse'},
  situation: Situation,
): Edit | undefined {
  const view = situation.removal.leaving.has(resourceName) ? situation.snapshot.observed.get(resourceName) : undefined;
  return view === undefined ? undefined : emit(resourceName, decision, holdBody(view, situation.manager), situation);
}

/** What leaves counts as ready: it must not make the XR unready while it goes. So does a Usage, which has no say in it. */
function emit(
  resourceName: string,
  decision: Decision,
  body: JsonObject | undefined,
  situation: Situation,
): Edit | undefined {
  if (body === undefined) return undefined;
  const marked = withMarks(body, situation.removal.id, resourceName, phaseOf(decision));
  return {kind: 'emit', body: sorted(marked) as JsonObject, ready: 'true'};
}

function heldBody(
  resourceName: string,
  decision: Decision & {readonly kind: 'hold'},
  {snapshot, orphans, manager}: Situation,
): JsonObject | undefined {
  const view =
    snapshot.observed.get(resourceName) ?? orphans.find((found) => found.resourceName === resourceName)?.view;
  if (view === undefined) return undefined;
  return decision.reason === 'relax-first' ? relaxed(view, manager) : holdBody(view, manager);
}

function pinned(decision: Decision): {readonly name?: string; readonly namespace?: string} {
  if (decision.kind !== 'adopt' || decision.reason !== 'found-by-label') return {};
  const {name, namespace} = decision.object;
  return namespace === '' ? {name} : {name, namespace};
}

function sortedMap<V>(entries: readonly (readonly [string, V])[]): Map<string, V> {
  return new Map([...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

function unreachable(decision: never): never {
  throw new Error(`a decision of an unknown kind: ${JSON.stringify(decision)}`);
}
