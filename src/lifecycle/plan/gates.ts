// The policy: one list of guards, and the first that answers decides about a composed resource. Each answers with one reason of
// words/reasons.ts. A decision then changes desired, which is the other half (edits.ts).
//
// A guard is asked about resources of its standing alone, so a newcomer reads the list from top to bottom for one standing.

import {leavingObjectInPlaceOf} from '../external-names/in-place.ts';
import {lostName} from '../external-names/memory.ts';
import {isUsage} from '../facts/edges.ts';
import {objectOf} from '../facts/identity.ts';
import {memoryName, nameBefore} from '../facts/naming.ts';
import {isDeleting, type Owner} from '../facts/ownership.ts';
import {mayDelay} from '../input/pattern-work.ts';
import {requirementOf} from '../questions/registry.ts';
import {hasOrphanPolicy, heldByPolicy, isConfirmed, isObjectConfirmed, isOrphaned} from '../removal/policies.ts';
import {heldByUsage, isKeptByUsage, isMade, isOfTurnedOrder, usageGuards} from '../removal/removal.ts';
import {holdWhileComingBack} from '../restore/coming-back.ts';
import {mayHaveToAdopt} from '../restore/inner-xr.ts';
import {decideMissing} from '../restore/lookup.ts';
import {type Decision, heldUntilGone} from '../words/decision.ts';
import {sortedNames} from '../words/json.ts';
import {isBetweenXRs} from '../words/obstacles.ts';
import {kindIn, refTo} from '../words/references.ts';
import type {ResourceView} from '../words/snapshot.ts';
import {changedKind, type Situation} from './situation.ts';

/**
 * absent: desired and not observed. Of what is observed, by what is to become of it:
 * released: another object has what it stood for, here or in another XR. staying: desired. leaving: no longer desired.
 * going: leaving, and being deleted already. A policy keeps it no more: held, it would be made again once it is gone.
 */
type Standing = 'absent' | 'released' | 'staying' | 'leaving' | 'going';

interface Candidate {
  readonly resourceName: string;
  readonly situation: Situation;
}

interface Observed extends Candidate {
  readonly view: ResourceView;
  readonly owner: Owner;
}

interface Gate {
  readonly of: readonly Standing[];
  readonly guard: (one: Observed) => Decision | undefined;
}

function absent(guard: (one: Candidate) => Decision | undefined): Gate {
  return {of: ['absent'], guard};
}

function observed(of: readonly Exclude<Standing, 'absent'>[], guard: Gate['guard']): Gate {
  return {of, guard};
}

// One for all: nearly every resource is kept.
const keep: Decision = {kind: 'keep'};

const gates: readonly Gate[] = [
  // Desired and not there.
  absent(movingWithin),
  absent(madeByUs),
  absent(memoryInTheWay),
  absent(memoryUnread),
  absent(patternUnmatched),
  absent(absentUnresolved),
  absent(givenAway),
  absent(lost),
  // Anything that exists has been kept by now; an order keeps out what is still to be created.
  absent(createdLater),
  absent(nothingSelected),
  absent(formerUsage),
  absent(placeUnknown),
  absent(stillInPlace),
  absent(moving),
  absent(() => ({kind: 'create'})),

  // Observed.
  observed(['released', 'staying', 'leaving', 'going'], moving),
  observed(['staying', 'leaving', 'going'], staleController),
  observed(['staying', 'leaving', 'going'], changedToAnotherKind),

  // Desired and there.
  observed(['staying'], adopt),
  observed(['staying'], orphanedBefore),
  observed(['staying'], unwritable),
  observed(['staying'], unresolved),
  observed(['staying'], () => keep),

  // No longer desired.
  observed(['leaving', 'going'], unproven),
  observed(['going'], orphanFirst),
  observed(['leaving'], patternMayKeep),
  observed(['leaving'], adoptFirst),
  observed(['leaving'], innerAdoptsFirst),
  observed(['leaving'], retained),
  observed(['leaving'], comingBack),
  observed(['leaving'], whileOthersMove),
  observed(['leaving'], policy),
  observed(['leaving'], overBudget),
  // Usages are in the way of whatever goes, for whatever reason.
  ...usageGuards.map((guard) =>
    observed(['released', 'leaving', 'going'], ({resourceName, situation}) => guard(resourceName, situation.removal)),
  ),
  observed(['released'], comesAfter),
  observed(['released', 'leaving', 'going'], () => ({kind: 'release'})),
];

const guardsOf: {readonly [standing in Standing]: readonly Gate['guard'][]} = {
  absent: guardsFor('absent'),
  released: guardsFor('released'),
  staying: guardsFor('staying'),
  leaving: guardsFor('leaving'),
  going: guardsFor('going'),
};

function guardsFor(standing: Standing): readonly Gate['guard'][] {
  return gates.filter(({of}) => of.includes(standing)).map(({guard}) => guard);
}

/** By resource name, sorted. Lost resources that nothing desires have their decision from the lookup. */
export function decisionsOf(situation: Situation): ReadonlyMap<string, Decision> {
  const orphans = new Map(situation.orphans.map(({resourceName, decision}) => [resourceName, decision]));
  const decisions = new Map<string, Decision>();
  for (const name of sortedNames([...resourceNames(situation)])) {
    decisions.set(name, orphans.get(name) ?? decide(name, situation));
  }
  return decisions;
}

/** Resource names of everything that gets a decision, in any order. */
function resourceNames({snapshot, generated, moved, memory: {recalled}, orphans}: Situation): ReadonlySet<string> {
  const names = new Set(snapshot.observed.keys());
  const add = (_: unknown, name: string) => void names.add(name);
  snapshot.desired.forEach(add);
  generated.forEach(add);
  moved.decisions.forEach(add);
  for (const {resourceName} of orphans) names.add(resourceName);
  // The ConfigMap gets a decision although it is neither observed nor generated.
  if (recalled.kind === 'taken' && recalled.wait !== undefined) names.add(memoryName);
  return names;
}

function decide(resourceName: string, situation: Situation): Decision {
  const view = situation.snapshot.observed.get(resourceName);
  const owner = situation.owners.byName.get(resourceName);
  const one = {resourceName, situation, view, owner} as Observed;
  let decision: Decision | undefined;
  for (const guard of guardsOf[standingOf(one)]) {
    decision = guard(one);
    if (decision !== undefined) break;
  }
  const answer = decision ?? {kind: 'release'};
  // Left out, what is being deleted is deleted once more by composed GC, whose denial by a Usage would stop the whole XR.
  const isLeftOut = answer.kind === 'wait' && answer.reason === 'still-deleting' && view !== undefined;
  return (isLeftOut ? heldByUsage(resourceName, situation.removal) : undefined) ?? answer;
}

function standingOf({resourceName, view, situation}: Candidate & {readonly view: ResourceView | undefined}): Standing {
  const {removal, moved} = situation;
  if (view === undefined) return 'absent';
  if (moved.releasing.has(resourceName)) return 'released';
  if (!removal.leaving.has(resourceName)) return 'staying';
  return isDeleting(view) ? 'going' : 'leaving';
}

function movingWithin(one: Candidate): Decision | undefined {
  const decision = moving(one);
  return decision && isBetweenXRs(decision) ? undefined : decision;
}

function madeByUs({resourceName, situation}: Candidate): Decision | undefined {
  return situation.generated.has(resourceName) ? {kind: 'create'} : undefined;
}

function memoryInTheWay({resourceName, situation}: Candidate): Decision | undefined {
  const {recalled} = situation.memory;
  return recalled.kind === 'taken' && resourceName === memoryName ? recalled.wait : undefined;
}

/** Created before its name is looked up it would be a second one. */
function memoryUnread({situation}: Candidate): Decision | undefined {
  return situation.memory.recalled.kind === 'pending' ? {kind: 'wait', reason: 'lookup-pending'} : undefined;
}

function patternUnmatched({situation: {unmatched}}: Candidate): Decision | undefined {
  const first = unmatched.find(mayDelay);
  return first && {kind: 'wait', reason: 'pattern-unmatched', path: first.path};
}

function patternMayKeep({situation: {unmatched}}: Candidate): Decision | undefined {
  const [first] = unmatched;
  return first && {kind: 'hold', reason: 'pattern-unmatched', path: first.path};
}

function absentUnresolved({resourceName, situation}: Candidate): Decision | undefined {
  const missing = situation.templates.unresolved.get(resourceName);
  return missing && {kind: 'wait', reason: 'unresolved', path: missing.path, cause: missing.cause};
}

/** It is another XR's, and not made here again, so nothing waits here for the object that it had to be gone. */
function givenAway(one: Candidate): Decision | undefined {
  const exchange = moving(one);
  if (exchange?.kind !== 'wait' || exchange.reason !== 'given-away') return undefined;
  const found = lost(one);
  return found === undefined || (found.kind === 'wait' && found.reason === 'still-deleting') ? exchange : undefined;
}

function lost({resourceName, situation}: Candidate): Decision | undefined {
  if (!situation.isLooking) return undefined;
  const {snapshot, input} = situation;
  const isToBeOrphaned = hasOrphanPolicy(resourceName, snapshot.desired.get(resourceName), input);
  return decideMissing(situation, resourceName, isToBeOrphaned);
}

function createdLater({resourceName, situation}: Candidate): Decision | undefined {
  const of = situation.orders.awaited.get(resourceName);
  return of && {kind: 'wait', reason: 'creation-order', of};
}

function nothingSelected({resourceName, situation}: Candidate): Decision | undefined {
  const gap = situation.orders.gaps.get(resourceName);
  return gap && {kind: 'wait', reason: 'nothing-selected', ...gap};
}

function formerUsage({resourceName, situation}: Candidate): Decision | undefined {
  const object = objectOf(situation.snapshot, resourceName);
  const usage = object && situation.former.waitsFor(object);
  return usage && {kind: 'wait', reason: 'former-usage', usage};
}

function placeUnknown({resourceName, situation}: Candidate): Decision | undefined {
  const {places, questions, memory, snapshot} = situation;
  const place = requirementOf('place', resourceName);
  const isOpen = places.has(resourceName) && !snapshot.required.has(place);
  const isPending = isOpen || lostName(memory.recalled, resourceName, undefined, snapshot).kind === 'pending';
  const room = isOpen && !questions.requirements.has(place) ? ({room: 'later'} as const) : {};
  return isPending ? {kind: 'wait', reason: 'lookup-pending', ...room} : undefined;
}

/** Applied over, it would get back the policies that delete, and its provider is not done with it. */
function stillInPlace({resourceName, situation}: Candidate): Decision | undefined {
  const object = leavingObjectInPlaceOf(resourceName, situation);
  return object && {kind: 'wait', reason: 'still-deleting', object};
}

function moving({resourceName, situation}: Candidate): Decision | undefined {
  return situation.moved.decisions.get(resourceName);
}

function staleController({owner}: Observed): Decision | undefined {
  if (owner.kind !== 'stale') return undefined;
  return {kind: 'refuse', reason: 'stale-controller', controller: owner.controller};
}

/** A resource desired with another kind stays as it is. If nothing is lost with it, it goes, and the new one comes after it. */
function changedToAnotherKind({resourceName, view, owner, situation}: Observed): Decision | undefined {
  if (owner.kind === 'unproven') return undefined;
  const {snapshot, generated} = situation;
  const wanted = changedKind(resourceName, view, snapshot, generated);
  if (wanted === undefined) return undefined;
  const object = refTo(view);
  const isReplaced = situation.replaced.has(resourceName);
  if (isReplaced && situation.overBudget !== undefined && !isConfirmed(resourceName, snapshot))
    return situation.overBudget;
  if (isReplaced || isDeleting(view)) return {kind: 'wait', reason: 'still-deleting', object};
  return {kind: 'refuse', reason: 'kind-changed', object, wanted: kindIn(wanted)};
}

function adopt({owner}: Observed): Decision | undefined {
  return owner.kind === 'unadopted' ? {kind: 'adopt', reason: 'without-controller'} : undefined;
}

/** Desired again, it would get back the policies that delete, and its provider is not done with it. */
function orphanedBefore({resourceName, view, situation}: Observed): Decision | undefined {
  return isDeleting(view) && isOrphaned(resourceName, view, situation) ? heldUntilGone : undefined;
}

function unwritable({resourceName, view, situation}: Observed): Decision | undefined {
  const cause = resourceName === memoryName ? situation.memory.configMap?.unwritable : undefined;
  return cause && {kind: 'refuse', reason: 'unwritable', object: refTo(view), cause};
}

function unresolved({resourceName, owner, situation}: Observed): Decision | undefined {
  const missing = situation.templates.unresolved.get(resourceName);
  if (missing === undefined) return undefined;
  // Held it would be adopted, and nothing proves that it is this XR's.
  const kind = owner.kind === 'unproven' ? 'wait' : 'hold';
  return {kind, reason: 'unresolved', path: missing.path, cause: missing.cause};
}

function unproven({view, owner, situation}: Observed): Decision | undefined {
  if (owner.kind !== 'unproven') return undefined;
  return {kind: 'refuse', reason: 'unproven', object: refTo(view), id: situation.claim.id};
}

/** Its policies do not yet keep its provider from deleting the external resource. */
function orphanFirst({resourceName, situation}: Observed): Decision | undefined {
  const held = heldByPolicy(resourceName, situation);
  return held?.kind === 'hold' && held.reason === 'orphan-first' ? held : undefined;
}

function adoptFirst({owner}: Observed): Decision | undefined {
  return owner.kind === 'unadopted' ? {kind: 'hold', reason: 'without-controller'} : undefined;
}

function innerAdoptsFirst({resourceName, view, situation}: Observed): Decision | undefined {
  if (!mayHaveToAdopt(view) || isObjectConfirmed(resourceName, situation.snapshot)) return undefined;
  return {kind: 'hold', reason: 'inner-adopts-first'};
}

/** It stays, even while others are adopted: otherwise each adoption would hold it anew. */
function retained(one: Observed): Decision | undefined {
  const held = policy(one);
  return held?.kind === 'retain' ? held : undefined;
}

function comingBack({resourceName, view, situation}: Observed): Decision | undefined {
  const {removal, snapshot} = situation;
  // A stray Usage is in the way of what is awaited, and one of a turned order of every deletion.
  const mayLeave = () =>
    removal.isStray(resourceName) ||
    isOfTurnedOrder(resourceName, removal) ||
    isObjectConfirmed(resourceName, snapshot);
  return holdWhileComingBack(view, situation.comingBack, mayLeave);
}

function whileOthersMove({resourceName, view, situation}: Observed): Decision | undefined {
  const {moving} = situation.moved;
  if (moving.length === 0 || isUsage(view) || isConfirmed(resourceName, situation.snapshot)) return undefined;
  return {kind: 'hold', reason: 'hand-over-in-progress', moving};
}

/** Policies are for what the steps desire. */
function policy({resourceName, situation}: Observed): Decision | undefined {
  return isMade(resourceName, situation.removal) ? undefined : heldByPolicy(resourceName, situation);
}

function overBudget({resourceName, situation}: Observed): Decision | undefined {
  const held = situation.overBudget;
  if (held === undefined || isConfirmed(resourceName, situation.snapshot)) return undefined;
  return isKeptByUsage(resourceName, situation.removal) ? undefined : held;
}

/** No policy and no budget is asked: what it stands for stays. Desired under its resource name is another object, later. */
function comesAfter({resourceName, view, situation}: Observed): Decision | undefined {
  const {moved, snapshot} = situation;
  if (moved.releasing.get(resourceName) !== 'within-xr' || !snapshot.desired.has(resourceName)) return undefined;
  return {kind: 'wait', reason: 'not-moved', from: nameBefore(resourceName), object: refTo(view)};
}
