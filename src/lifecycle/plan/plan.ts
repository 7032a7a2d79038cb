// From one snapshot to one plan: a decision for every composed resource, and the edits of the desired state. gates.ts decides
// first, edits.ts derives the edits second.
//
// A plan depends on nothing but the snapshot's content and the input: no clock, no order of maps, no memory.

import {emittedNames} from '../external-names/external-names.ts';
import {statusWithMemory} from '../external-names/memory.ts';
import {noSeals, type Seals} from '../external-names/seal.ts';
import {annotationOf, fieldEntriesOf} from '../facts/metadata.ts';
import {annotationResourceName, memoryName} from '../facts/naming.ts';
import {ownedPart} from '../facts/owned-fields.ts';
import {isPipelineStatus, ownerReferences} from '../facts/ownership.ts';
import {hasReadyTrue, statusOf} from '../facts/ready.ts';
import {type Input, type InvalidInput, ttlIn, type UsageNaming} from '../input/input.ts';
import {unknownEnds, unknownNames} from '../order/unknown-names.ts';
import {outgrownWords} from '../questions/asking.ts';
import {foreignAnswers} from '../questions/registry.ts';
import {type LeftBehind, leftBehind, leftBehindBefore} from '../restore/left-behind.ts';
import {reportedPairs} from '../usages/usages.ts';
import {type Decision, rowOf} from '../words/decision.ts';
import type {Edit, RefusedPair, ResourceSelector} from '../words/edit.ts';
import type {Transition, UnknownName} from '../words/events.ts';
import {asObject, at, fromEntries, isLeftOut, isObject, type Json, type JsonObject, levelsMax} from '../words/json.ts';
import {isBetweenXRs} from '../words/obstacles.ts';
import {type Awaited, connectionField} from '../words/reasons.ts';
import {type End, isSameObject, type Kind, type ObjectRef, placedRef} from '../words/references.ts';
import type {ResourceView, Snapshot} from '../words/snapshot.ts';
import {editsOf} from './edits.ts';
import {decisionsOf} from './gates.ts';
import {type Situation, situationOf} from './situation.ts';
import {type Condition, tetheredOf, transitionsIn} from './summary.ts';

export interface Plan {
  readonly kind: 'plan';
  /** Every resource name in observed or desired, every Usage of ours, and every found orphan, once; sorted. */
  readonly decisions: ReadonlyMap<string, Decision>;
  /** By resource name, sorted. */
  readonly edits: ReadonlyMap<string, Edit>;
  /** Fields to set in the desired XR's status beside those of the earlier steps, undefined if none. */
  readonly xrStatus: JsonObject | undefined;
  readonly refusedPairs: readonly RefusedPair[];
  /** Plain names in selectors and `usages` of the input that no resource has. */
  readonly unknownNames: readonly UnknownName[];
  /** Every `when` of an order that is neither true nor false, and is taken as true. */
  readonly undecided: readonly InvalidInput[];
  /** Patterns of the input that are too much work for so many names, and select nothing. */
  readonly unmatched: readonly InvalidInput[];
  /** Objects that a restore left without a controller, until a person has decided; sorted. */
  readonly leftBehind: readonly LeftBehind[];
  /** What it waits for after a restore, if another XR composes it and waits for it. */
  readonly awaited: readonly Awaited[];
  /** How many questions are left out because an answer was too large, and the words for that; undefined if none is. */
  readonly outgrown: {readonly questions: number; readonly words: string} | undefined;
  readonly condition: Condition;
  readonly transitions: readonly Transition[];
  /** By requirement name, sorted. The same for the same observed, desired, input and schemas, whatever else was answered. */
  readonly requirements: ReadonlyMap<string, ResourceSelector>;
  /** Kinds of which to know whether they are served, by requirement name, sorted. */
  readonly schemas: ReadonlyMap<string, Kind>;
  /** 'false' while something desired is left out: the resources that are there do not make the XR ready. */
  readonly xrReady: 'false' | undefined;
  /** How long the input lets an answer be reused; undefined = the input does not set it. */
  readonly ttlSeconds: number | undefined;
  /** How soon to look again at the latest, because something is going on; undefined = no wish. */
  readonly ttlAtMostSeconds: number | undefined;
  /** True if the next answer is the same until something changes that Crossplane watches. */
  readonly isQuiet: boolean;
}

// Once a deleted composed resource has left the resourceRefs, its end changes nothing that the XR watches. So the function must be
// called again. Versions that watch required resources are sooner.
const ttlWhileHoldingSeconds = 10;

// An event may be lost while a creation order waits. Crossplane starts to watch a kind after it made the first object of it. From
// v2.1 on its circuit breaker, which every step of an order feeds, lets one event in 30 s through. The XR shows an open circuit. Not
// while the XR is not Synced: what was refused is refused again until a person acts.
const ttlOfNextStepSeconds = 2;

/** The plan, or the first thing in the input that does not fit this XR. `naming`: whose names the Usages have. */
export function plan(
  request: Snapshot,
  input: Input,
  naming: UsageNaming = 'function-tether',
  seals: Seals = noSeals,
): Plan | InvalidInput {
  const situation = situationOf(request, input, naming, seals);
  if (situation.kind !== 'situation') return situation;
  const {snapshot, unmatched, orders, questions, moved} = situation;
  const decisions = decisionsOf(situation);
  const names = emittedNames(decisions, situation);
  const left = leftBehind(leftBehindBefore(snapshot), decisions, snapshot);
  // Without the work of patterns if it is too much.
  const unselected = unmatched.length > 0 ? [] : unknownNames(snapshot, input, foreignAnswers(snapshot.required));
  const unknown = [...unselected, ...unknownEnds(snapshot, input), ...moved.unknown];
  const refusedPairs = reportedPairs(situation.removal.refused);
  // An XR within another one reports what it waits for: the other one waits for it as long as its condition is Restoring. By its
  // annotation, because that one may look at it again before it has reconciled with the mark.
  const reported = situation.comingBack.awaited.filter(({cause}) => cause !== 'composer');
  const awaited = annotationOf(snapshot.xr, annotationResourceName) === '' ? [] : reported;
  return {
    kind: 'plan',
    decisions,
    edits: editsOf(decisions, names, situation, isUnready(decisions, situation)),
    xrStatus: xrStatusOf(decisions, input, situation),
    refusedPairs,
    unknownNames: unknown,
    undecided: orders.undecided,
    unmatched,
    leftBehind: left,
    outgrown: questions.outgrown === 0 ? undefined : {questions: questions.outgrown, words: outgrownWords(snapshot.xr)},
    awaited,
    condition: tetheredOf(decisions, refusedPairs, left, awaited),
    transitions: transitionsIn(decisions, names, situation, unknown),
    requirements: questions.requirements,
    schemas: questions.schemas,
    xrReady: isUnready(decisions, situation) ? 'false' : undefined,
    ttlSeconds: ttlIn(input),
    ttlAtMostSeconds: ttlAtMost(decisions, situation),
    isQuiet: isQuiet(decisions, situation),
  };
}

/** Beside the fields of the earlier steps: remembered names, and what is held while something moves or comes back. */
function xrStatusOf(decisions: ReadonlyMap<string, Decision>, {externalNames}: Input, situation: Situation) {
  const {memory, snapshot, comingBack} = situation;
  const {awaited, unadopted, isAnyMarked} = comingBack;
  const isMoving = decisions.values().some(({kind}) => kind === 'move');
  const isComingBack = isAnyMarked || awaited.length + unadopted.length > 0;
  const held = isMoving || isComingBack ? heldStatus(snapshot) : {};
  return statusWithMemory(held, memory, externalNames?.remember, snapshot.xr);
}

// The status of the XR is held as an object is (facts/hold-body.ts) while something in it moves or comes back. Its templates do not see
// that for a moment, and leave out or empty what they make of it. The XR that composes this one would drop what needs the field.

/**
 * The status that the pipeline set before and leaves out or empties now. Since v2 Crossplane adds all conditions to that apply, and
 * owns them without their times. Desired so, the API server would refuse the status in every reconcile (2d040d2da
 * composite/composition_functions.go:749).
 */
function heldStatus({xr, desiredXr}: Snapshot): JsonObject {
  const pipelines = asObject(at(fieldEntriesOf(xr).find(isPipelineStatus), ['fieldsV1', 'f:status']));
  const {'f:conditions': _conditions, ...fields} = pipelines;
  // Without a name inside, all of the status would count as owned.
  const before = isLeftOut(fields) ? {} : ownedPart(asObject(xr.field(['status'])), fields, []);
  return asObject(leftOut(before, desiredXr?.field(['status'])));
}

function leftOut(before: Json | undefined, wanted: Json | undefined, level = 0): Json | undefined {
  if (isLeftOut(wanted)) return before;
  if (!isObject(before) || !isObject(wanted) || level > levelsMax) return undefined;
  const held = Object.keys(before).map(
    (key) => [key, leftOut(at(before, [key]), at(wanted, [key]), level + 1)] as const,
  );
  return fromEntries(held.filter((entry): entry is [string, Json] => !isLeftOut(entry[1])));
}

/** True of a field that the XR's own status lacks: it is not whole yet after a restore, although all its resources are Ready. */
function isRelayed(one: Awaited): boolean {
  return one.cause === 'own-field' && !one.isThere && one.field !== connectionField;
}

/**
 * Nothing is made, goes, waits or is refused, nothing is asked that versions before required resources were watched miss, and no
 * open circuit breaker drops an edit.
 */
function isQuiet(decisions: ReadonlyMap<string, Decision>, {questions, comingBack, snapshot}: Situation): boolean {
  const {requirements, schemas} = questions;
  const isAsked = requirements.size > 0 || schemas.size > 0 || comingBack.awaited.length > 0;
  return !isAsked && !isCircuitOpen(snapshot.xr) && [...decisions.values()].every(({kind}) => kind === 'keep');
}

/** True if its circuit breaker is open: Crossplane then drops most events of its composed resources. */
function isCircuitOpen(xr: ResourceView): boolean {
  return statusOf(xr, 'Responsive') === 'False';
}

/** True if something desired waits, or the XR's own status or connection details are on their way. */
function isUnready(decisions: ReadonlyMap<string, Decision>, {comingBack}: Situation): boolean {
  return leavesOut(decisions) || comingBack.awaited.some(isRelayed);
}

/**
 * True if a desired resource is left out. The ConfigMap that remembers names does not count, nor a resource that is created after
 * another has moved, nor one that is given away.
 */
function leavesOut(decisions: ReadonlyMap<string, Decision>): boolean {
  let isLeftOut = false;
  decisions.forEach((decision, name) => {
    const isElsewhere =
      decision.kind === 'wait' &&
      (decision.reason === 'given-away' || (decision.reason === 'not-moved' && !isBetweenXRs(decision)));
    isLeftOut ||= decision.kind === 'wait' && !isElsewhere && name !== memoryName;
  });
  return isLeftOut;
}

/** True if the last reconcile failed, or an apply of a composed resource. */
function isUnsynced(xr: ResourceView): boolean {
  return statusOf(xr, 'Synced') === 'False';
}

/** The time until something that is held, or the next step of a creation order, may be due without an event. */
function ttlAtMost(decisions: ReadonlyMap<string, Decision>, situation: Situation): number | undefined {
  const {snapshot, removal} = situation;
  const isDeaf = isCircuitOpen(snapshot.xr);
  const ofCreation = creationTtl(decisions, situation, isDeaf);
  if (ofCreation !== undefined) return ofCreation;
  const isLeaving = (name: string) => removal.leaving.has(name);
  // Crossplane tries a refused apply again by itself.
  const isTried = ({kind}: Decision) => kind === 'adopt' && isUnsynced(snapshot.xr);
  const isBusy = [...decisions].some(
    ([name, decision]) =>
      rowOf(decision).ends(decision, isLeaving) === 'time' &&
      (isDeaf || !(isTried(decision) || endsWithUsage(name, decisions, snapshot))),
  );
  return isBusy ? ttlWhileHoldingSeconds : undefined;
}

/**
 * True if it waits for each `by` to be gone, which may take days. Kubernetes then takes the owner reference of `by` off the Usage,
 * which the XR watches. A `by` that is held itself is looked at for its own reason.
 */
function endsWithUsage(name: string, decisions: ReadonlyMap<string, Decision>, {observed}: Snapshot): boolean {
  const isHeard = (usage: string, by: End | undefined) => {
    if (by === undefined) return false;
    if (by.resourceName !== '') return decisions.get(by.resourceName)?.kind === 'hold';
    const view = observed.get(usage);
    const {kind, name} = by.object;
    return (
      view !== undefined && ownerReferences(view).some((owner) => owner['kind'] === kind && owner['name'] === name)
    );
  };
  const decision = decisions.get(name);
  if (decision?.kind !== 'hold') return false;
  if (decision.reason === 'by-still-exists') return isHeard(name, decision.by);
  if (decision.reason !== 'still-used-by' || decision.usages.length === 0) return false;
  return decision.usages.every((usage, index) => isHeard(usage, decision.by[index]));
}

function creationTtl(
  decisions: ReadonlyMap<string, Decision>,
  {snapshot, input: {order = []}, generated}: Situation,
  isDeaf: boolean,
): number | undefined {
  const awaited = new Set<string>();
  decisions.forEach((decision) => {
    if (decision.kind === 'wait' && decision.reason === 'creation-order')
      for (const name of decision.of) awaited.add(name);
  });
  const isMade = (name: string) => !isUnsynced(snapshot.xr) && decisions.get(name)?.kind === 'create';
  const isOrdered = order.some(({deleteOnly}) => !deleteOnly);
  if (awaited.size === 0) {
    if (isOrdered && makesOne(isMade, snapshot)) return ttlOfNextStepSeconds;
    // Only the XR waits for them. Steps of an order and Usages of this function feed the circuit breaker.
    const isOurNoise = isOrdered || generated.size > 0;
    return isDeaf && isOurNoise && lacksReady(snapshot) ? ttlWhileHoldingSeconds : undefined;
  }
  return isDeaf || [...awaited].some(isMade) ? ttlOfNextStepSeconds : undefined;
}

/** True if a desired resource is created. Of two resource names that desire one object, Crossplane observes one: the other is not. */
function makesOne(isMade: (name: string) => boolean, {desired, observed, xr}: Snapshot): boolean {
  const isThere = (ref: ObjectRef) => [...observed.values()].some((view) => isSameObject(view, ref));
  return [...desired].some(([name, wanted]) => isMade(name) && !isThere(placedRef(wanted, xr)));
}

function lacksReady({desired, observed}: Snapshot): boolean {
  return [...desired].some(([name, {ready}]) => {
    const view = observed.get(name);
    return view !== undefined && ready !== 'true' && !hasReadyTrue(view);
  });
}
