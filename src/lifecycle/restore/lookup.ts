// Lost resources. Crossplane knows the composed resources of an XR only from its resourceRefs. Without them, and with a new XR UID,
// names are generated anew and everything exists twice (recorded: d-no-refs), while the apply takes an object back whose name is
// given (recorded: d2-fixed-noreffs-readopt). So lost resources are looked for by our labels and their names are pinned. If they
// are no longer desired, they are held first, so that the XR adopts and then deletes them (recorded without: d2-fixed-norefs-drop,
// B orphaned).
//
// Anyone can write a label, so a lookup confirms a desired resource and redirects nothing. A found object counts in the namespace
// of the desired resource and under a name that it would have. If a cluster-scoped XR desires nothing in a namespace, an object
// found there is its only if Crossplane itself applied it for this XR. Otherwise a user who labels an object in a namespace could
// have the content of a Secret written there.
//
// If Crossplane answers which kinds it serves, lost resources of these XRs are looked for even without `restore.lookup`. An XR that
// has composed before, with stable names: objects from before they were switched on have other names. One that has composed before,
// without an observed object of its own: stable names may have been switched off, and Crossplane alone would find all objects
// again, under names made of the XR's UID. And one that Velero brought back, by its label: a template or an order may wait while
// objects come back, and Crossplane alone waits for nothing. Such a lookup only confirms: nothing waits because of a found object.
//
// A resource with the policy Orphan is looked for, too: it may be desired again before its provider is done with it. Crossplane
// gives it the same name and would give it back the policies that delete, so it is created once the earlier one is gone.
//
// A Usage may be lost, too. Brought back with the name of a `by` that this XR no longer has, it is never created again, and denies
// every deletion of its `of`. So if Usages were asked for, one without a controller that this XR composed comes back and leaves.
//
// Not helped: resources made before function-tether marked them, and kinds that are neither desired nor listed.

import {isMarkedAs, labelComposite, labelResource, labelValue} from '../facts/marks.ts';
import {annotationOf} from '../facts/metadata.ts';
import {annotationResourceName, digestOf, madeUpName, type NameFor, prefixOf, stableName} from '../facts/naming.ts';
import {type Claim, hasSynced, isDeleting, isRestored, listedBy, ownershipOf, proofOf} from '../facts/ownership.ts';
import {type AnswersBeside, hasRoomForLists, roomForNew} from '../facts/room.ts';
import type {Input} from '../input/input.ts';
import type {Scene} from '../input/scene.ts';
import {type Answers, lookupOf, questions, requirementOf} from '../questions/registry.ts';
import type {Decision} from '../words/decision.ts';
import type {ResourceSelector} from '../words/edit.ts';
import {at, type JsonObject, sortedMap, text} from '../words/json.ts';
import {isSameKind, isSameObject, type Kind, type ObjectRef, objectKey, placedRef, refTo} from '../words/references.ts';
import type {DesiredView, ResourceView, Snapshot} from '../words/snapshot.ts';

/** A resource that is neither observed nor desired, found by our labels. */
export interface Found {
  readonly resourceName: string;
  readonly view: ResourceView;
  readonly decision: Decision;
}

/**
 * One list per kind, if the next request has room for them. If not, one question per resource that is not observed, for as many as
 * have room once they are created: the others follow. `made`: bodies that this function adds. `comesLater`: whether something else
 * keeps the resource from being created, so it would take the place of others in vain.
 */
export function lookupRequirements(
  {snapshot, input: {restore}, claim}: Scene,
  made: ReadonlyMap<string, JsonObject>,
  comesLater: (resourceName: string) => boolean,
): ReadonlyMap<string, ResourceSelector> {
  // Sorted by name.
  const missing = sortedMap([...snapshot.desired].filter(([name]) => !snapshot.observed.has(name)));
  // Of two versions of one kind the last counts: that of the last name, in whatever order the request has them.
  const kinds = [...missing.values(), ...((restore?.lookup && restore.kinds) || [])];
  const ask = ({apiVersion, kind}: Kind, labels: {readonly [key: string]: string}): ResourceSelector => ({
    apiVersion,
    kind,
    namespace: snapshot.xr.namespace,
    match: {kind: 'labels', labels: {[labelComposite]: claim.id, ...labels}},
  });
  // Crossplane keeps single answers until the end of the reconcile, beside a list.
  const singles = answered(snapshot, isLookupOfOne);
  if (hasRoomForLists(kinds, snapshot, made, {lists: [], singles}))
    return new Map(kinds.map((kind) => [lookupOf(kind), ask(kind, {})]));
  return new Map(
    firstNames([...missing.keys()], snapshot, made, comesLater).map((name) => {
      const view = missing.get(name) as DesiredView;
      return [lookupOfOne(name), ask(view, {[labelResource]: labelValue(name)})];
    }),
  );
}

/** The names of as many resources as may be asked for one by one, by the room once they are created: the others follow. */
export function firstNames(
  names: readonly string[],
  snapshot: Snapshot,
  made: ReadonlyMap<string, JsonObject>,
  comesLater: (resourceName: string) => boolean,
): readonly string[] {
  if (names.length === 0) return [];
  const inOrder = [...names.filter((name) => !comesLater(name)), ...names.filter(comesLater)];
  return inOrder.slice(0, roomForNew(snapshot, answeredBefore(snapshot), made));
}

/** The answers beside which another list has to have room: kinds of lists, and how many objects come one by one. */
export function answersOf(snapshot: Snapshot, lookups: ReadonlyMap<string, ResourceSelector>): AnswersBeside {
  const isNew = (name: string) => isLookupOfOne(name) && !snapshot.required.has(name);
  return {
    lists: [...lookups].flatMap(([name, kind]) => (isLookupOfKind(name) ? [kind] : [])),
    singles: answered(snapshot, isLookupOfOne) + [...lookups.keys()].filter(isNew).length,
  };
}

/** The objects that come as an answer although they are observed by now, because Crossplane first asks as in the last reconcile. */
function answeredBefore(snapshot: Snapshot): number {
  const isObserved = new Set(
    [...snapshot.observed.keys()].flatMap((name) => [lookupOfOne(name), requirementOf('place', name)]),
  );
  return answered(snapshot, (name) => isObserved.has(name) || isLookupOfKind(name));
}

function answered({required}: Snapshot, isSuch: (requirement: string) => boolean): number {
  let count = 0;
  required.forEach((found, name) => {
    if (isSuch(name)) count += found.length;
  });
  return count;
}

/** True if lost resources are looked for at all: the same for every resource, and everything observed may have to be read. */
export function isLooking({snapshot, input: {restore}, claim: {uid}}: Scene, isOrphanWanted: boolean): boolean {
  const {xr, observed, schemas} = snapshot;
  if (restore?.lookup) return true;
  if (schemas === undefined) return false;
  if (isRestored(xr)) return true;
  // One that lists something has composed before, too, though its first reconcile came to no end.
  if (!(hasSynced(xr) || listedBy(xr).length > 0)) return false;
  return (
    isOrphanWanted ||
    restore?.stableNames === true ||
    ![...observed.values()].some((view) => ownershipOf(view, uid).kind === 'ours')
  );
}

interface Lookup extends Scene {
  readonly answers: Answers;
  /** The questions about lost resources, by requirement name: none if the answers have no room. */
  readonly lookups: ReadonlyMap<string, ResourceSelector>;
  /** Found objects that are held under the resource names that they had. */
  readonly orphans: readonly Found[];
}

/** The decision for a desired resource that is not observed, where lost ones are looked for; undefined if none was lost. */
export function decideMissing(lookup: Lookup, resourceName: string, isOrphaned: boolean): Decision | undefined {
  const found = lookedUp(lookup, resourceName);
  if (found?.kind !== 'wait' || lookup.input.restore?.lookup) return found;
  const isAnswerDue = found.reason === 'lookup-pending' && found.room !== 'none';
  return isAnswerDue || (isOrphaned && found.reason === 'still-deleting') ? found : undefined;
}

function lookedUp(
  {snapshot: {xr, desired}, claim, answers, lookups, orphans}: Lookup,
  resourceName: string,
): Decision | undefined {
  const wanted = desired.get(resourceName);
  if (wanted === undefined) return undefined;
  const ofKind = lookupOf(wanted);
  const requirement = lookups.has(ofKind) ? ofKind : lookupOfOne(resourceName);
  const answer = answers.lost(requirement);
  if (answer === undefined) {
    if (lookups.has(ofKind)) return {kind: 'wait', reason: 'lookup-pending'};
    return {kind: 'wait', reason: 'lookup-pending', room: lookups.size === 0 ? 'none' : 'one-by-one'};
  }
  const known = answers
    .labelled(requirement, labelValue(resourceName))
    .filter((view) => isSameKind(view, wanted) && annotationOf(view, annotationResourceName) === resourceName)
    .filter((view) => view.namespace === placedRef(wanted, xr).namespace && proofOf(view, claim) !== 'none');
  const named = known.filter((view) => hasDesiredName(view, resourceName, wanted, xr));
  // An object keeps the name that its author gave it once, whatever its author writes later.
  const candidates = named.length > 0 ? named : known.filter((view) => proofOf(view, claim) === 'field-manager');
  const [candidate, ...others] = candidates;
  if (candidate === undefined) {
    const isHeld = ({view, decision}: Found) => decision.kind === 'hold' && isSameObject(view, placedRef(wanted, xr));
    // Applied now, the object would get a resource name that no move gave it.
    const held = orphans.find(isHeld);
    return held && {kind: 'wait', reason: 'not-moved', from: held.resourceName, object: refTo(held.view)};
  }
  if (others.length > 0) return {kind: 'wait', reason: 'ambiguous-lookup', objects: candidates.map(refTo).sort(byKey)};
  const object = refTo(candidate);
  const ownership = ownershipOf(candidate, claim.uid);
  if (ownership.kind === 'stale') {
    return {kind: 'wait', reason: 'stale-controller', object, controller: ownership.controller};
  }
  if (isDeleting(candidate)) return {kind: 'wait', reason: 'still-deleting', object};
  return {kind: 'adopt', reason: 'found-by-label', object};
}

/** Found objects that are neither observed nor desired, sorted. Objects that are being deleted need no help. */
export function foundOrphans(
  {snapshot, claim}: Scene,
  requirements: Iterable<string>,
  answers: Answers,
  nameOf = (view: ResourceView): string => annotationOf(view, annotationResourceName),
): readonly Found[] {
  const found = new Map<string, Found>();
  for (const requirement of requirements) {
    for (const view of answers.lost(requirement) ?? []) {
      const resourceName = nameOf(view);
      const elsewhere = snapshot.desired.has(resourceName) || snapshot.observed.has(resourceName);
      if (resourceName === '' || elsewhere || isDeleting(view)) continue;
      const earlier = found.get(resourceName);
      // Of two lost objects of one resource name the first by name comes back now, the other when that one is gone.
      if (earlier !== undefined && objectKey(earlier.view) <= objectKey(view)) continue;
      found.set(resourceName, {resourceName, view, decision: decisionOnFound(view, claim)});
    }
  }
  return [...found.values()].sort((a, b) => (a.resourceName < b.resourceName ? -1 : 1));
}

/**
 * The Usages among the answers that this XR composed and no longer has, and that no other object controls. If another resource has
 * the name of one by now, as that of its pair under the names of function-sequencer, it comes back under one of its own.
 * `generated`: Usages that this plan makes under their own names. `isFormer`: whether its pair has other objects by now, and a Usage
 * for those soon.
 */
export function lostUsages(
  scene: Scene,
  requirements: Iterable<string>,
  answers: Answers,
  generated: ReadonlyMap<string, JsonObject>,
  isFormer: (usage: ResourceView) => boolean,
): readonly Found[] {
  const {observed, desired} = scene.snapshot;
  const nameOf = (view: ResourceView): string => {
    const name = annotationOf(view, annotationResourceName);
    const isMade = text(at(generated.get(name), ['metadata', 'name'])) === view.name;
    if (name === '' || isMade || desired.has(name)) return '';
    const end = `-${digestOf(objectKey(view)).slice(0, 12)}`;
    const isTaken = observed.has(name) || generated.has(name) || isFormer(view);
    // A reconcile may not observe yet what the one before brought back.
    return isTaken && !name.endsWith(end) ? `${name}${end}` : name;
  };
  return foundOrphans(scene, requirements, answers, nameOf).filter(({decision}) => decision.kind === 'hold');
}

function decisionOnFound(view: ResourceView, claim: Claim): Decision {
  const ownership = ownershipOf(view, claim.uid);
  if (ownership.kind === 'stale') {
    return {kind: 'refuse', reason: 'stale-controller', controller: ownership.controller};
  }
  const object = refTo(view);
  const proof = proofOf(view, claim);
  const isElsewhere = view.namespace !== claim.namespace;
  if (ownership.kind === 'ours' || proof === 'field-manager' || (proof === 'label' && !isElsewhere)) {
    return {kind: 'hold', reason: 'found-by-label', object};
  }
  return {kind: 'refuse', reason: 'unproven', object, id: claim.id};
}

// Of a name that Crossplane makes a hash or a random end is cut off at most, and what is before it may be cut short.
const keptOfPrefix = 50;

/** True if the object has the desired name, or one that Crossplane could have generated for it. */
function hasDesiredName(view: ResourceView, resourceName: string, wanted: ResourceView, xr: ResourceView): boolean {
  // Not wanted.name, which a stable name may have been put into: objects have older names, too.
  const said = text(wanted.field(['metadata', 'name']));
  if (said !== '') return view.name === said;
  // A stable name, whatever generateName its template had then.
  if (view.name.endsWith(stableName(xr, resourceName, ''))) return true;
  // Older versions of Crossplane begin every name with this label, whatever the pipeline desires.
  const prefixes = [text(wanted.field(['metadata', 'generateName'])), `${prefixOf(xr)}-`, `${xr.name}-`];
  return prefixes.some((prefix) => prefix !== '' && view.name.startsWith(prefix.slice(0, keptOfPrefix)));
}

function byKey(a: ObjectRef, b: ObjectRef): number {
  return objectKey(a) < objectKey(b) ? -1 : 1;
}

/** One lost resource. No kind has a slash. */
function lookupOfOne(resourceName: string): string {
  return requirementOf('lost', `of/${resourceName}`);
}

function isLookupOfKind(requirement: string): boolean {
  return requirement.startsWith(questions.lost.prefix) && !isLookupOfOne(requirement);
}

function isLookupOfOne(requirement: string): boolean {
  return requirement.startsWith(lookupOfOne(''));
}

// Names that outlive the XR's UID. Crossplane makes up a name from that UID, so a restored XR without resourceRefs creates
// everything a second time (recorded: d-no-refs). The apply takes an object back whose name the pipeline sets (recorded:
// d2-fixed-noreffs-readopt). Only for resources that are still to be created: Crossplane keeps the name of what it observes.

/**
 * Of every resource if the input asks for it; of the templates of the input where Crossplane shows no schemas, which it does from 2.2
 * on. Before that, lost resources are looked for only if the input asks (lookup.ts), so a template alone would make them anew.
 */
function stableNames({xr, schemas}: Snapshot, {restore, resources = []}: Input): NameFor | undefined {
  const ofTemplates = new Set(schemas === undefined ? resources.map(({name}) => name) : []);
  if (!restore?.stableNames && ofTemplates.size === 0) return undefined;
  return (resourceName, view) => {
    if (!restore?.stableNames && !ofTemplates.has(resourceName)) return undefined;
    const prefix = text(view.field(['metadata', 'generateName'])) || `${xr.name}-`;
    return {name: stableName(xr, resourceName, prefix)};
  };
}

// A renamed resource keeps its object, with the name that Crossplane 2 or this function made of its former resource name. Another
// resource under that resource name gets another name: Crossplane would take the object over for it, and make the renamed one again, empty.

/** Stable names, and others for what is to be made where a renamed resource has the name that it would get. */
export function freeNames(snapshot: Snapshot, input: Input): NameFor | undefined {
  const {xr, observed, desired} = snapshot;
  const stable = stableNames(snapshot, input);
  if (observed.size === 0) return stable;
  let taken: ReadonlySet<string> | undefined;
  // By its label it has arrived under its resource name: an annotation alone may be an editor's.
  const isRenamed = ([name, view]: readonly [string, ResourceView]) => desired.has(name) && isMarkedAs(view, name);
  return (resourceName, view) => {
    taken ??= new Set([...observed].filter(isRenamed).map(([, one]) => objectKey(one)));
    const place = stable?.(resourceName, view);
    const name = place?.name ?? madeUpName(xr, resourceName, view);
    const isTaken = taken.has(objectKey({...placedRef(view, xr), name}));
    return isTaken ? {name: stableName(xr, `${resourceName} made anew`, `${xr.name}-`)} : place;
  };
}
