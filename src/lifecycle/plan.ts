// From one snapshot to one plan: a decision for every composed resource, and what they change in desired.
// All control flow of the policy is here; each part beside it answers one question.
//
// A plan depends on nothing but the snapshot's content and the input: no clock, no order of maps, no memory.

import {withGone} from './annotated-names.ts';
import {fullMeter} from './cel-functions.ts';
import type {Decision} from './decision.ts';
import {secondsOf} from './duration.ts';
import type {Amend, Edit, RefusedPair, Requirement} from './edit.ts';
import {annotationEmittedName, annotationExternalName, type EmittedName} from './external-names.ts';
import {holdBody} from './hold-body.ts';
import {changedKind, kindOf} from './identity.ts';
import type {Input, InvalidInput} from './input.ts';
import {type JsonObject, sortedNames} from './json.ts';
import {decideMissing} from './lookup.ts';
import {lostName} from './lost-names.ts';
import {markDesired, observedPhase, phaseOf, withMarks} from './marks.ts';
import {memoryName, memoryProblem, memoryStatus} from './name-memory.ts';
import {emittedNames, nameTransitions} from './name-plan.ts';
import {refTo} from './naming.ts';
import {ordersOf} from './order.ts';
import {orderProblem} from './order-problem.ts';
import {patternProblem} from './pattern-work.ts';
import {heldByPolicy, isConfirmed, orphaning} from './policies.ts';
import {saysUnready} from './ready.ts';
import {relaxed, withoutReplay} from './relax.ts';
import {endsByItself, mayRelease} from './removal.ts';
import {isDeleting} from './restore.ts';
import {noSeals, type Seals} from './seal.ts';
import {type Situation, situate} from './situation.ts';
import type {ResourceView, Snapshot} from './snapshot.ts';
import {sourcesOf} from './sources.ts';
import {withStableNames} from './stable-names.ts';
import {
  type Condition,
  conditionOf,
  overruledOrders,
  skippedOrders,
  type Transition,
  transitionsOf,
} from './summary.ts';
import {referencesOf} from './template-references.ts';
import {amended, composeTemplates, withTemplates} from './templates.ts';
import type {Naming} from './usage-names.ts';
import {holdingOrders} from './when.ts';

export interface Plan {
  readonly kind: 'plan';
  /** Every resource name in observed or desired, every Usage of ours, and every found orphan, once; sorted. */
  readonly decisions: ReadonlyMap<string, Decision>;
  /** By resource name, sorted. */
  readonly edits: ReadonlyMap<string, Edit>;
  /** Fields to set in the desired XR's status beside those of the earlier steps, undefined if none. */
  readonly xrStatus: JsonObject | undefined;
  readonly refusedPairs: readonly RefusedPair[];
  readonly condition: Condition;
  readonly transitions: readonly Transition[];
  /** By requirement name, sorted. The same for the same observed, desired and input, whatever was answered. */
  readonly requirements: ReadonlyMap<string, Requirement>;
  /** 'false' while something desired is left out: the resources that are there do not make the XR ready. */
  readonly xrReady: 'false' | undefined;
  /** How long the input lets an answer be reused; undefined = it does not say. */
  readonly ttlSeconds: number | undefined;
  /** How soon to look again at the latest, because something is going on; undefined = no wish. */
  readonly ttlAtMostSeconds: number | undefined;
}

// A composed resource that is deleted changes nothing the XR watches once it has left the resourceRefs, so somebody has
// to look again. Versions that watch required resources are sooner.
const ttlWhileHoldingSeconds = 10;

const keep: Decision = {kind: 'keep'};

/** The plan, or the first thing in the input that does not fit this XR. `naming`: whose names the Usages have. */
export function plan(
  given: Snapshot,
  input: Input,
  naming: Naming = 'function-tether',
  seals: Seals = noSeals,
): Plan | InvalidInput {
  const meter = fullMeter();
  const {resources: sources = []} = input;
  const references = referencesOf(given, sources);
  if (references.kind !== 'references') return references;
  const templates = composeTemplates(given, sources, meter);
  if (templates.kind !== 'templates') return templates;
  const snapshot = withGone(withStableNames(withTemplates(given, sources, templates), input));
  const costly = patternProblem(snapshot, input);
  if (costly !== undefined) return costly;
  const asked = holdingOrders(input, sourcesOf(snapshot), meter);
  if (asked.kind !== 'holding') return asked;
  const orders = ordersOf(snapshot, input, asked.holding, references);
  const problem = orderProblem(snapshot, input, orders) ?? memoryProblem(snapshot, input);
  if (problem !== undefined) return problem;

  const situation = situate(snapshot, input, orders, templates, naming, seals);
  const decisions = decisionsOf(situation);
  const names = emittedNames(decisions, situation);
  const all = [...decisions.values()];
  const busy = all.some((decision) => endsByItself(decision, situation.removal));
  const refusedPairs = situation.refused.map(({path, of, by, reason}) => ({path, of, by, reason}));
  return {
    kind: 'plan',
    decisions,
    edits: editsOf(decisions, names, situation),
    xrStatus: memoryStatus(situation.memory, input.externalNames?.remember),
    refusedPairs,
    condition: conditionOf(decisions, refusedPairs),
    transitions: [
      ...transitionsOf(decisions, snapshot.observed, situation.ownership),
      ...nameTransitions(decisions, names, situation),
      ...skippedOrders(decisions, orders),
      ...overruledOrders(snapshot.observed, orders),
    ],
    requirements: situation.requirements,
    xrReady: [...decisions].some(([name, {kind}]) => kind === 'wait' && name !== memoryName) ? 'false' : undefined,
    ttlSeconds: input.ttl === undefined ? undefined : secondsOf(input.ttl),
    ttlAtMostSeconds: busy ? ttlWhileHoldingSeconds : undefined,
  };
}

function decisionsOf(situation: Situation): ReadonlyMap<string, Decision> {
  const orphans = new Map(situation.orphans.map(({resourceName, decision}) => [resourceName, decision]));
  const decisions = new Map<string, Decision>();
  for (const name of sortedNames([...situation.names, ...orphans.keys()])) {
    decisions.set(name, orphans.get(name) ?? decide(name, situation));
  }
  return decisions;
}

function decide(resourceName: string, situation: Situation): Decision {
  const {snapshot, input, ownership, removal} = situation;
  const view = snapshot.observed.get(resourceName);
  const owner = ownership.get(resourceName);
  if (view === undefined || owner === undefined) return decideAbsent(resourceName, situation);
  if (owner.kind === 'stale') return {kind: 'refuse', reason: 'stale-controller', controller: owner.controller};
  const isUnadopted = situation.unadopted.includes(resourceName);
  const moved = owner.kind === 'ours' || isUnadopted ? decideMoved(resourceName, view, situation) : undefined;
  if (moved !== undefined) return moved;
  if (!removal.leaving.has(resourceName)) {
    if (isUnadopted) return {kind: 'adopt', reason: 'without-controller'};
    const unresolved = situation.templates.unresolved.get(resourceName);
    if (unresolved === undefined) return keep;
    return {kind: 'hold', reason: 'unresolved', path: unresolved.path, missing: unresolved.missing};
  }
  if (owner.kind === 'nobody' && !isUnadopted) {
    return {kind: 'refuse', reason: 'unproven', object: refTo(view), id: situation.claim.id};
  }
  // What is being deleted goes, whoever deletes it: held, it would be made again once it is gone.
  if (isDeleting(view)) return decideDeleting(resourceName, situation);
  if (isUnadopted) return {kind: 'hold', reason: 'adopt-first'};
  // What is kept already has given the others their time.
  if (situation.unadopted.length > 0 && observedPhase(view) !== 'pending-deletion') {
    return {kind: 'hold', reason: 'restore-in-progress', unadopted: situation.unadopted};
  }
  const held = heldByPolicy(resourceName, snapshot, input);
  if (held !== undefined) return held;
  if (situation.overBudget !== undefined && !isConfirmed(resourceName, snapshot)) return situation.overBudget;
  return mayRelease(resourceName, removal);
}

/**
 * No longer desired, and somebody deletes it already: no policy keeps it. Two things still can: a Usage, whose denial of
 * composed GC would stop the whole XR, and that its provider has not been told yet to let the external resource live.
 */
function decideDeleting(resourceName: string, {snapshot, input, removal}: Situation): Decision {
  const held = heldByPolicy(resourceName, snapshot, input);
  return held?.kind === 'hold' && held.reason === 'orphan-first' ? held : mayRelease(resourceName, removal);
}

/** What has another kind, or another resource name, than it had: it stays as it is. */
function decideMoved(resourceName: string, view: ResourceView, situation: Situation): Decision | undefined {
  const {snapshot, generated, renamed} = situation;
  const added = generated.get(resourceName);
  const wanted = changedKind(view, added === undefined ? snapshot.desired.get(resourceName) : kindOf(added));
  if (wanted !== undefined) {
    if (isDeleting(view)) return {kind: 'wait', reason: 'still-deleting', object: refTo(view)};
    const {apiVersion, kind} = wanted;
    return {kind: 'refuse', reason: 'kind-changed', object: refTo(view), wanted: {apiVersion, kind}};
  }
  const to = renamed.get(resourceName);
  return to === undefined ? undefined : {kind: 'hold', reason: 'renamed', to};
}

/** A resource that is desired and not observed. */
function decideAbsent(resourceName: string, situation: Situation): Decision {
  const {snapshot, input, xrUid, recalled} = situation;
  if (situation.generated.has(resourceName)) return {kind: 'create'};
  if (recalled.kind === 'taken' && resourceName === memoryName && recalled.wait !== undefined) return recalled.wait;
  // Created before its name is looked up it would be a second one.
  if (recalled.kind === 'pending') return {kind: 'wait', reason: 'lookup-pending'};
  const from = situation.renamedFrom.get(resourceName);
  const old = from === undefined ? undefined : snapshot.observed.get(from);
  if (from !== undefined && old !== undefined) return {kind: 'refuse', reason: 'renamed', from, object: refTo(old)};
  const unresolved = situation.templates.unresolved.get(resourceName);
  if (unresolved !== undefined) {
    return {kind: 'wait', reason: 'unresolved', path: unresolved.path, missing: unresolved.missing};
  }
  const missing = decideMissing(snapshot, input, resourceName, xrUid, situation.answers);
  // What exists already is never kept out, only what is still to be created.
  if (missing.kind !== 'create') return missing;
  const of = situation.orders.awaited.get(resourceName);
  if (of !== undefined) return {kind: 'wait', reason: 'creation-order', of};
  const gap = situation.orders.gaps.get(resourceName);
  if (gap !== undefined) return {kind: 'wait', reason: 'nothing-selected', ...gap};
  const isPending = lostName(recalled, resourceName, undefined, snapshot).kind === 'pending';
  return isPending ? {kind: 'wait', reason: 'lookup-pending'} : missing;
}

function editsOf(
  decisions: ReadonlyMap<string, Decision>,
  names: ReadonlyMap<string, EmittedName>,
  situation: Situation,
): ReadonlyMap<string, Edit> {
  const mark = markDesired(situation.removal.id);
  const edits = new Map<string, Edit>();
  decisions.forEach((decision, resourceName) => {
    const edit = editOf(resourceName, decision, situation, () =>
      withName(mark(resourceName, decision), names.get(resourceName)),
    );
    if (edit !== undefined) edits.set(resourceName, edit);
  });
  return edits;
}

function editOf(resourceName: string, decision: Decision, situation: Situation, pass: () => Amend): Edit | undefined {
  const generated = situation.generated.get(resourceName);
  switch (decision.kind) {
    case 'keep':
    case 'create':
    case 'adopt':
      if (generated !== undefined) return emit(resourceName, decision, generated, situation);
      return composed(resourceName, decision, situation, withObjectName(pass(), resourceName, decision, situation));
    case 'wait':
      return {kind: 'leave-out'};
    case 'hold':
    case 'retain':
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
 * A resource that passes: one of the earlier steps amended, one of a template emitted. What a template cannot say yet is
 * emitted as it is observed, also where it is adopted.
 */
function composed(resourceName: string, decision: Decision, situation: Situation, amend: Amend): Edit | undefined {
  const {composed: made, unresolved} = situation.templates;
  const template = made.get(resourceName);
  if (template !== undefined) return {kind: 'emit', body: amended(template.body, amend), ready: template.ready};
  const view = unresolved.has(resourceName) ? situation.snapshot.observed.get(resourceName) : undefined;
  return view === undefined ? amend : emit(resourceName, decision, holdBody(view, situation.manager), situation);
}

/**
 * A refused resource passes as it is, and what is not proven to be this XR's is left to Crossplane. What another UID
 * controls and is no longer desired stays in desired: leaving it out would make composed GC fail and stop the whole XR,
 * while its apply is rejected alone, for a second controller reference, and changes nothing.
 */
function refusal(
  resourceName: string,
  decision: Decision & {readonly kind: 'refuse'},
  situation: Situation,
): Edit | undefined {
  const {snapshot, removal, templates, manager} = situation;
  if (decision.reason === 'unproven') return undefined;
  if (decision.reason === 'renamed') return {kind: 'leave-out'};
  if (decision.reason === 'kind-changed') return heldAsItIs(resourceName, decision, situation);
  const template = templates.composed.get(resourceName);
  if (template !== undefined) return {kind: 'emit', body: template.body, ready: 'unspecified'};
  const stays = removal.leaving.has(resourceName) || templates.unresolved.has(resourceName);
  const view = stays ? snapshot.observed.get(resourceName) : undefined;
  return view === undefined ? undefined : emit(resourceName, decision, holdBody(view, manager), situation);
}

/** The object of the old kind, as ready as it says itself: what it is for has not changed. */
function heldAsItIs(resourceName: string, decision: Decision, situation: Situation): Edit | undefined {
  const view = situation.snapshot.observed.get(resourceName);
  if (view === undefined) return undefined;
  const ready = saysUnready(view) ? 'false' : 'true';
  const body = withMarks(holdBody(view, situation.manager), situation.claim.id, resourceName, phaseOf(decision));
  return {kind: 'emit', body, ready};
}

/** What leaves counts as ready: it must not make the XR unready while it goes. So does what we add, which has no say. */
function emit(
  resourceName: string,
  decision: Decision,
  body: JsonObject | undefined,
  situation: Situation,
): Edit | undefined {
  if (body === undefined) return undefined;
  const marked = withMarks(body, situation.removal.id, resourceName, phaseOf(decision));
  return {kind: 'emit', body: marked, ready: situation.templates.unresolved.get(resourceName)?.ready ?? 'true'};
}

function heldBody(
  resourceName: string,
  decision: Decision & {readonly kind: 'hold' | 'retain'},
  {snapshot, orphans, manager}: Situation,
): JsonObject | undefined {
  const view =
    snapshot.observed.get(resourceName) ?? orphans.find((found) => found.resourceName === resourceName)?.view;
  if (view === undefined) return undefined;
  if (decision.kind === 'retain') return holdBody(view, manager);
  if (decision.reason === 'relax-first') return relaxed(view, manager);
  if (decision.reason === 'replay-off-first') return withoutReplay(view, manager);
  if (decision.reason === 'orphan-first') return orphaning(holdBody(view, manager), view);
  return holdBody(view, manager);
}

function withName(amend: Amend, emitted: EmittedName | undefined): Amend {
  if (emitted === undefined) return amend;
  const annotations = {[annotationExternalName]: emitted.name, [annotationEmittedName]: emitted.name};
  const {resourceVersion} = emitted;
  const guard = resourceVersion === '' ? {} : {resourceVersion};
  return {...amend, ...guard, annotations: {...amend.annotations, ...annotations}};
}

/** With the name of the object to adopt, or the one to say where the earlier steps leave it to Crossplane. */
function withObjectName(amend: Amend, resourceName: string, decision: Decision, {snapshot, input}: Situation): Amend {
  if (decision.kind === 'adopt' && decision.reason === 'found-by-label') {
    const {name, namespace} = decision.object;
    return namespace === '' ? {...amend, name} : {...amend, name, namespace};
  }
  if (!input.restore?.stableNames) return amend;
  const name = snapshot.desired.get(resourceName)?.name ?? '';
  return name === '' ? amend : {...amend, name};
}

function unreachable(decision: never): never {
  throw new Error(`a decision of an unknown kind: ${JSON.stringify(decision)}`);
}
