// The decision for every composed resource: who is asked first, and who has the last word. Each part beside it answers one
// question; what a decision changes in desired is the other half (edits.ts).

import {leavingFrom} from '../external-names/in-place.ts';
import {lostName} from '../external-names/lost-names.ts';
import {isUsage} from '../facts/edges.ts';
import {changedKind, objectOf} from '../facts/identity.ts';
import {labelComposite, observedPhase} from '../facts/marks.ts';
import {kindOf, refTo} from '../facts/naming.ts';
import {isDeleting} from '../facts/ownership.ts';
import {memoryName, placeOf} from '../facts/requirement-names.ts';
import {nameBefore} from '../facts/set-aside.ts';
import {heldByPolicy, isConfirmed, isObjectConfirmed, isOrphaned, isToOrphan} from '../removal/policies.ts';
import {isKeptByUsage, mayRelease} from '../removal/removal.ts';
import {holdWhileComingBack} from '../restore/coming-back.ts';
import {mayHaveToAdopt} from '../restore/inner-xr.ts';
import {decideMissing} from '../restore/lookup.ts';
import type {Decision} from '../words/decision.ts';
import {sortedNames} from '../words/json.ts';
import type {ResourceView} from '../words/snapshot.ts';
import {resourceNames, type Situation} from './situation.ts';

const keep: Decision = {kind: 'keep'};

/** By resource name, sorted. */
export function decisionsOf(situation: Situation): ReadonlyMap<string, Decision> {
  const orphans = new Map(situation.orphans.map(({resourceName, decision}) => [resourceName, decision]));
  const decisions = new Map<string, Decision>();
  for (const name of sortedNames([...resourceNames(situation)])) {
    decisions.set(name, orphans.get(name) ?? decide(name, situation));
  }
  return decisions;
}

/** Left out, what is being deleted is deleted once more by composed GC, whose denial by a Usage would stop the whole XR. */
function decide(resourceName: string, situation: Situation): Decision {
  const decision = decideAlone(resourceName, situation);
  const isLeftOut = decision.kind === 'wait' && decision.reason === 'still-deleting';
  if (!isLeftOut || !situation.snapshot.observed.has(resourceName)) return decision;
  const released = mayRelease(resourceName, situation.removal);
  return released.kind === 'hold' ? released : decision;
}

function decideAlone(resourceName: string, situation: Situation): Decision {
  const {snapshot, input, owners, removal, comingBack} = situation;
  const view = snapshot.observed.get(resourceName);
  const owner = owners.byName.get(resourceName);
  const handedOver = situation.handovers.decisions.get(resourceName);
  if (handedOver !== undefined) return handedOver;
  if (view === undefined || owner === undefined) return decideAbsent(resourceName, situation);
  if (situation.handovers.releasing.has(resourceName)) return releaseHandedOver(resourceName, view, situation);
  const exchanged = decideExchanged(resourceName, situation);
  if (exchanged !== undefined) return exchanged;
  if (owner.kind === 'stale') return {kind: 'refuse', reason: 'stale-controller', controller: owner.controller};
  const moved = owner.kind === 'unproven' ? undefined : decideMoved(resourceName, view, situation);
  if (moved !== undefined) return moved;
  if (!removal.leaving.has(resourceName)) {
    if (owner.kind === 'unadopted') return {kind: 'adopt', reason: 'without-controller'};
    // Desired again, it would get back the policies that delete, and its provider is not done with it.
    if (isDeleting(view) && isOrphaned(resourceName, view, input)) {
      return {kind: 'wait', reason: 'still-deleting', object: refTo(view)};
    }
    const cause = resourceName === memoryName ? situation.memory.configMap?.unwritable : undefined;
    if (cause !== undefined) return {kind: 'refuse', reason: 'unwritable', object: refTo(view), cause};
    const unresolved = situation.templates.unresolved.get(resourceName);
    if (unresolved !== undefined) {
      // Held it would be adopted, and nothing proves that it is this XR's.
      const kind = owner.kind === 'unproven' ? 'wait' : 'hold';
      return {kind, reason: 'unresolved', path: unresolved.path, cause: unresolved.cause};
    }
    return isKeptEarlier(resourceName, situation) ? {kind: 'hold', reason: 'earlier-step'} : keep;
  }
  if (owner.kind === 'unproven') {
    return {kind: 'refuse', reason: 'unproven', object: refTo(view), id: situation.claim.id};
  }
  // What is being deleted goes, whoever deletes it: held, it would be made again once it is gone.
  if (isDeleting(view)) return decideDeleting(resourceName, situation);
  if (owner.kind === 'unadopted') return {kind: 'hold', reason: 'adopt-first'};
  if (mayHaveToAdopt(view) && !isObjectConfirmed(resourceName, snapshot))
    return {kind: 'hold', reason: 'inner-adopts-first'};
  const held = removal.isMade(resourceName) ? undefined : heldByPolicy(resourceName, snapshot, input);
  // It stays, whoever else is adopted: each time it would be held for them anew.
  if (held?.kind === 'retain') return held;
  // A stray Usage is in the way of what is awaited.
  const mayLeave = () => removal.isStray(resourceName) || isObjectConfirmed(resourceName, snapshot);
  const restoring = holdWhileComingBack(view, comingBack, mayLeave);
  if (restoring !== undefined) return restoring;
  const {moving} = situation.handovers;
  if (moving.length > 0 && !isUsage(view) && !isConfirmed(resourceName, snapshot)) {
    return {kind: 'hold', reason: 'hand-over-in-progress', moving};
  }
  if (held !== undefined) return held;
  const released = mayRelease(resourceName, removal);
  const isKept = situation.overBudget === undefined || isConfirmed(resourceName, snapshot) || isKeptByUsage(released);
  return isKept ? released : situation.overBudget;
}

/** No policy and no budget is asked: what it stands for stays. Desired under its resource name is another object, later. */
function releaseHandedOver(resourceName: string, view: ResourceView, {removal, snapshot}: Situation): Decision {
  const released = mayRelease(resourceName, removal);
  if (released.kind === 'hold' || !snapshot.desired.has(resourceName)) return released;
  return {kind: 'wait', reason: 'handed-over-later', from: nameBefore(resourceName), object: refTo(view)};
}

/** What is given to another XR or taken from one. It leaves as what is handed over within one does. */
function decideExchanged(resourceName: string, {exchanges, removal}: Situation): Decision | undefined {
  return exchanges.releasing.has(resourceName)
    ? mayRelease(resourceName, removal)
    : exchanges.decisions.get(resourceName);
}

/** A condition `Tethered` of this step would replace that of the earlier one, so it has to say the same. */
function isKeptEarlier(resourceName: string, {snapshot, generated, claim}: Situation): boolean {
  const wanted = generated.has(resourceName) ? undefined : snapshot.desired.get(resourceName);
  if (wanted === undefined || observedPhase(wanted) !== 'pending-deletion') return false;
  return wanted.field(['metadata', 'labels', labelComposite]) === claim.id;
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
  const {snapshot, generated} = situation;
  const added = generated.get(resourceName);
  const wanted = changedKind(view, added === undefined ? snapshot.desired.get(resourceName) : kindOf(added));
  if (wanted !== undefined) {
    if (isDeleting(view)) return {kind: 'wait', reason: 'still-deleting', object: refTo(view)};
    const {apiVersion, kind} = wanted;
    return {kind: 'refuse', reason: 'kind-changed', object: refTo(view), wanted: {apiVersion, kind}};
  }
  return undefined;
}

/** A resource that is desired and not observed. */
function decideAbsent(resourceName: string, situation: Situation): Decision {
  const {snapshot, input, memory} = situation;
  const {recalled} = memory;
  if (situation.generated.has(resourceName)) return {kind: 'create'};
  if (recalled.kind === 'taken' && resourceName === memoryName && recalled.wait !== undefined) return recalled.wait;
  // Created before its name is looked up it would be a second one.
  if (recalled.kind === 'pending') return {kind: 'wait', reason: 'lookup-pending'};
  const unresolved = situation.templates.unresolved.get(resourceName);
  if (unresolved !== undefined) {
    return {kind: 'wait', reason: 'unresolved', path: unresolved.path, cause: unresolved.cause};
  }
  const missing: Decision = situation.isLooking
    ? decideMissing(situation, resourceName, isToOrphan(resourceName, snapshot.desired.get(resourceName), input))
    : {kind: 'create'};
  const exchange = situation.exchanges.decisions.get(resourceName);
  if (isGivenAway(exchange) && isNothing(missing)) return exchange;
  // What exists already is never kept out, only what is still to be created.
  if (missing.kind !== 'create') return missing;
  const of = situation.orders.awaited.get(resourceName);
  if (of !== undefined) return {kind: 'wait', reason: 'creation-order', of};
  const gap = situation.orders.gaps.get(resourceName);
  if (gap !== undefined) return {kind: 'wait', reason: 'nothing-selected', ...gap};
  const object = objectOf(snapshot, resourceName);
  const usage = object && situation.former.waitsFor(object);
  if (usage !== undefined) return {kind: 'wait', reason: 'former-usage', usage};
  const place = placeOf(resourceName);
  const isOpen = situation.places.has(place) && !situation.questions.required.has(place);
  const isPending = isOpen || lostName(recalled, resourceName, undefined, snapshot).kind === 'pending';
  if (isPending) return {kind: 'wait', reason: 'lookup-pending'};
  // Applied over, it would get back the policies that delete, and its provider is not done with it.
  const leaving = leavingFrom(resourceName, snapshot, situation.claim, situation.answers);
  if (leaving !== undefined) return {kind: 'wait', reason: 'still-deleting', object: leaving};
  return exchange ?? missing;
}

/** It is another XR's, and not made here again, so nothing waits here for the object that it had to be gone. */
function isGivenAway(exchange: Decision | undefined): exchange is Decision {
  return exchange?.kind === 'wait' && exchange.reason === 'given-away';
}

/** Whether a lookup found nothing that is to stay. */
function isNothing(missing: Decision): boolean {
  return missing.kind === 'create' || (missing.kind === 'wait' && missing.reason === 'still-deleting');
}
