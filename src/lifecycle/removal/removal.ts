// May a resource that the earlier steps no longer desire leave? Each reason against it is a hold; without one it may.
//
// The order along Usages: `by` leaves; when it is gone the Usage leaves; when that is gone `of` leaves. Each step is its
// own reconcile, because composed GC deletes in random order and gives up the whole XR at the first denied deletion
// (recorded: c-composition-drops-used-A, c-composition-drops-all-three).
//
// Gone is not the same as not observed: the XR forgets a resource in the reconcile that deletes it, while its finalizers
// may keep it for minutes (recorded: b-remove-*). The Usage, which is still there, names its `by`; so `by` is looked for
// by name through required resources, and until that is answered it counts as there.

import {type Edge, edgesOf, isUsage} from '../facts/edges.ts';
import {hasFinalizer} from '../facts/external-policies.ts';
import {labelComposite} from '../facts/marks.ts';
import {labelOf} from '../facts/metadata.ts';
import {labelOutermost} from '../facts/naming.ts';
import {type Claim, isDeleting, ownershipOf} from '../facts/ownership.ts';
import type {Scene} from '../input/scene.ts';
import {dependsOnPerson, type Questions} from '../questions/asking.ts';
import {ofObject, requirementOf} from '../questions/registry.ts';
import type {Additions} from '../usages/additions.ts';
import {checkingUsage, inUseState} from '../usages/in-use.ts';
import {isDeclared, type Making, pairOf, usagesOfPair} from '../usages/usages.ts';
import type {Hold} from '../words/decision.ts';
import type {ResourceSelector} from '../words/edit.ts';
import type {JsonObject} from '../words/json.ts';
import {memoized} from '../words/memo.ts';
import type {Awaited, ByThere} from '../words/reasons.ts';
import {type End, groupOf, isSameObject, type ObjectRef, placedRef, refTo} from '../words/references.ts';
import type {ResourceView, Snapshot} from '../words/snapshot.ts';
import {goesBeforeComposed} from './foreground.ts';
import {isConfirmed, isObjectConfirmed, staysByPolicy} from './policies.ts';
import {needsRelaxing} from './relax.ts';

/** The facts behind the answers. Edges are those of the observed Usages. */
export interface Removal extends Scene, Additions, Pick<Making, 'nameUsage' | 'isStray'> {
  /** Objects that this function adds, by resource name. */
  readonly generated: ReadonlyMap<string, JsonObject>;
  /** Observed and desired neither by the earlier steps nor by a declared pair. */
  readonly leaving: ReadonlySet<string>;
  /** Of these what leaves because another object has what it stood for: deleting it deletes nothing. */
  readonly releasing: Pick<ReadonlySet<string>, 'has'>;
  readonly edges: readonly Edge[];
  /** By the resource name of what is used. */
  readonly edgesTo: ReadonlyMap<string, readonly Edge[]>;
  /** The same, by resource name of the Usage. */
  readonly edgeOf: ReadonlyMap<string, Edge>;
  /** Resource names of all that uses another resource. */
  readonly users: ReadonlySet<string>;
  /** A resource name, and those that go before it by the present order and by the observed Usages. */
  readonly usersOf: (resourceName: string) => ReadonlySet<string>;
  /** Names of lookups of a `by` that are left out. */
  readonly leftOut: Questions['leftOut'];
  /** What a restore waits for. */
  readonly awaited: readonly Awaited[];
}

// crossplane/crossplane 2d040d2da internal/controller/protection/usage/reconciler.go.
const finalizerOfUsage = 'usage.apiextensions.crossplane.io';

/**
 * The resources that leave, before any question. `stays`: true if it does not leave although no step desires it. `releasing`: those
 * that leave even if one is desired under their resource name.
 */
export function removalOf(
  scene: Scene,
  additions: Additions,
  {nameUsage, isStray}: Making,
  {generated, releasing}: Pick<Removal, 'generated' | 'releasing'>,
  stays: (resourceName: string) => boolean,
): Omit<Removal, 'leftOut' | 'awaited'> {
  const {snapshot} = scene;
  const {declared, checking} = additions;
  const edges = edgesOf(snapshot)
    .filter(({usage}) => !checking.has(usage))
    .map((edge) => (isStray(edge.usage) ? ofFormerXr(edge, snapshot) : edge));
  const leaving = new Set<string>();
  snapshot.observed.forEach((_, name) => {
    if (!snapshot.desired.has(name) && !generated.has(name) && !stays(name)) leaving.add(name);
    if (releasing.has(name)) leaving.add(name);
  });
  return {
    ...scene,
    ...additions,
    nameUsage,
    isStray,
    generated,
    leaving,
    releasing,
    usersOf: usersAlong(() => [...declared.usages, ...declared.refused, ...edges]),
    users: usersIn(additions, edges),
    edges,
    edgesTo: Map.groupBy(edges, ({of}) => of.resourceName),
    edgeOf: new Map(edges.map((edge) => [edge.usage, edge])),
  };
}

/** Resource names of all that uses another resource, by an order, a pair or a Usage that is there. */
function usersIn(
  {declared, unspelled}: Pick<Additions, 'declared' | 'unspelled'>,
  edges: readonly Edge[],
): ReadonlySet<string> {
  return new Set([
    ...unspelled.flatMap(({by}) => by),
    ...[...declared.usages, ...declared.refused, ...edges].flatMap(({by}) => by?.resourceName ?? []),
  ]);
}

/** True if this function made the Usage: policies apply to resources that the steps desire. */
export function isMade(usage: string, removal: Removal): boolean {
  const edge = removal.edgeOf.get(usage);
  const view = removal.snapshot.observed.get(usage);
  if (edge === undefined || view === undefined) return false;
  const isChecking = usage === checkingUsage(edge.of.object, removal);
  return isChecking || pairOf(view).of !== '' || removal.nameUsage(edge.of, edge.by).resourceName === usage;
}

/** Usages that this plan adds for the same ends or the same pair. Composed GC comes before they are applied. */
function successorsOf({usage, of, by}: Edge, {snapshot, isStray, nameUsage, generated, declared}: Removal) {
  if (isStray(usage)) return [];
  const added = nameUsage(of, by).resourceName;
  const ofPair = usagesOfPair(snapshot.observed.get(usage), declared);
  return [...new Set([...(generated.has(added) ? [added] : []), ...ofPair])].filter((name) => name !== usage);
}

/** True if the input declares the pair of the Usage. */
function isWanted(edge: Edge, {isStray, snapshot, pairs}: Removal): boolean {
  return !isStray(edge.usage) && isDeclared(edge, snapshot.observed.get(edge.usage), pairs);
}

/** True if the Usage has to lose its `by` before it may be dropped. */
function isToRelax(edge: Edge, {snapshot, api}: Removal): boolean {
  const view = snapshot.observed.get(edge.usage);
  return view !== undefined && needsRelaxing(edge, view, api);
}

/** True if nothing but a person ends the hold of this `by`: a policy keeps it, or a restore does that waits for what a stray Usage keeps. */
function isHeldWithoutEnd(by: string, removal: Removal): boolean {
  const {snapshot, isStray, awaited} = removal;
  const isOfStray = (of: string) =>
    [...snapshot.observed].some(([name, view]) => isStray(name) && pairOf(view).of === of);
  const isBlocked = awaited.some((one) => one.cause === 'missing' && isOfStray(one.resourceName));
  return staysByPolicy(by, removal) || (isBlocked && !isObjectConfirmed(by, snapshot));
}

/** A `by` that the XR does not have is the former XR's, whatever is desired in its place. */
function ofFormerXr(edge: Edge, {observed}: Snapshot): Edge {
  const {by} = edge;
  return by === undefined || observed.has(by.resourceName) ? edge : {...edge, by: {...by, resourceName: ''}};
}

/**
 * Where the `by` of a Usage is: observed and desired, observed and leaving, deleted and still there, not known yet, gone,
 * or there and none of this XR's.
 */
type ByState = 'staying' | 'leaving' | 'lingering' | 'unknown' | 'gone' | 'elsewhere';

/** The first reason against releasing a resource, undefined if it may leave. */
export function heldByUsage(resourceName: string, removal: Removal): Hold | undefined {
  for (const guard of usageGuards) {
    const held = guard(resourceName, removal);
    if (held !== undefined) return held;
  }
  return undefined;
}

export const usageGuards: readonly ((resourceName: string, removal: Removal) => Hold | undefined)[] = [
  holdUsage,
  holdUsed,
  holdProtected,
  holdForUsage,
  holdForComposed,
  holdInUse,
];

/** True if it stays until a person acts, because a Usage protects it. */
export function isKeptByUsage(resourceName: string, removal: Removal): boolean {
  const held = heldByUsage(resourceName, removal);
  return held?.reason === 'protected' || (held?.reason === 'in-use' && held.isCertain);
}

/** Lookups of every `by` that is no longer observed, and on which a decision depends. */
export function requirementsOfBy(removal: Pick<Removal, 'edges' | 'leaving'>): ReadonlyMap<string, ResourceSelector> {
  const requirements = new Map<string, ResourceSelector>();
  for (const {usage, of, by} of removal.edges) {
    if (by === undefined || by.resourceName !== '') continue;
    if (!removal.leaving.has(usage) && !removal.leaving.has(of.resourceName)) continue;
    requirements.set(requirementOf('by', usage), ofObject(by.object));
  }
  return requirements;
}

/** A Usage leaves once nothing it could still order is left, or where its Composition dropped it and nothing else. */
function holdUsage(resourceName: string, removal: Removal): Hold | undefined {
  const edge = removal.edgeOf.get(resourceName);
  if (edge === undefined) return undefined;
  const {of, by} = edge;
  // Once it is gone, it repeats a denied deletion, of any client, however long ago.
  const isReplaying = removal.snapshot.observed.get(resourceName)?.field(['spec', 'replayDeletion']) === true;
  const replaying = isReplaying ? ({kind: 'hold', reason: 'relax-first', of} as const) : undefined;
  const isRelaxed = by === undefined || !isToRelax(edge, removal);
  const relaxing = isRelaxed ? replaying : ({kind: 'hold', reason: 'relax-first', of, by} as const);
  const successors = successorsOf(edge, removal);
  const arriving = successors.filter((usage) => !removal.snapshot.observed.has(usage));
  if (arriving.length > 0) return {kind: 'hold', reason: 'usage-arrives-first', usages: arriving};
  const isSucceeded = successors.length > 0;
  // A Usage of a released object orders nothing: another object has replaced it. Its user may stay, or wait for it to be gone.
  if (by === undefined || removal.releasing.has(of.resourceName)) return relaxing;
  switch (stateOf(edge, by, removal)) {
    case 'leaving':
    case 'lingering':
    case 'unknown':
      if (isReversed(edge, removal)) return relaxing;
      return {kind: 'hold', reason: 'by-still-exists', of, by, ...adviceOnBy(edge, by, removal)};
    case 'staying':
    case 'elsewhere': {
      if (isWanted(edge, removal) && !isSucceeded) return {kind: 'hold', reason: 'by-still-exists', of, by};
      const later = laterUser(edge, removal);
      return later === undefined ? relaxing : {kind: 'hold', reason: 'by-still-exists', of, by: later};
    }
    case 'gone':
      // It would wait for the one that is made under the same name.
      return isWantedAgain(by.object, removal) ? relaxing : replaying;
  }
}

function isWantedAgain(object: ObjectRef, {snapshot: {desired, xr}}: Removal): boolean {
  return [...desired.values()].some((view) => isSameObject(placedRef(view, xr), object));
}

/** The advice for a person, before the kind of `by` is no longer served, or once it is not. */
function adviceOnBy({usage}: Edge, by: End, {leftOut, snapshot, leaving}: Removal): Pick<ByThere, 'person'> {
  const cause = leftOut.get(requirementOf('by', usage));
  if (cause !== undefined) return {person: cause === 'no-room' ? cause : 'has-to-say'};
  return dependsOnPerson(by.object, snapshot, leaving) ? {person: 'may-have-to-say'} : {};
}

/** While a Usage protects it, deleting an `of` is denied, and the denial stops the whole XR. */
function holdUsed(resourceName: string, removal: Removal): Hold | undefined {
  const protecting = removal.edgesTo.get(resourceName) ?? [];
  const using = protecting.filter((edge) => isUsing(edge, removal));
  if (using.length > 0) {
    const by = using.flatMap((edge): End[] => (edge.by === undefined ? [] : [edge.by]));
    return {kind: 'hold', reason: 'still-used-by', by, usages: using.map((edge) => edge.usage)};
  }
  const later = protecting.flatMap((edge) => laterUser(edge, removal) ?? []);
  const unexpressed = removal.releasing.has(resourceName) ? [] : [...later, ...unexpressedUsers(resourceName, removal)];
  if (unexpressed.length > 0) return {kind: 'hold', reason: 'still-used-by', by: unexpressed, usages: []};
  if (protecting.length === 0) return undefined;
  const staying = protecting.filter((edge) => !removal.leaving.has(edge.usage));
  if (staying.length > 0) return {kind: 'hold', reason: 'protected', usages: staying.map((edge) => edge.usage)};
  return {kind: 'hold', reason: 'usage-leaves-first', usages: protecting.map((edge) => edge.usage)};
}

function isUsing(edge: Edge, removal: Removal): boolean {
  if (edge.by === undefined) return false;
  if (removal.releasing.has(edge.of.resourceName) && removal.leaving.has(edge.usage)) return false;
  switch (stateOf(edge, edge.by, removal)) {
    case 'leaving':
    case 'lingering':
    case 'unknown':
      return !isReversed(edge, removal);
    case 'staying':
    case 'elsewhere':
      // Dropped by its Composition while `by` stays: the order is no longer wanted.
      return !removal.leaving.has(edge.usage) || isWanted(edge, removal);
    case 'gone':
      return false;
  }
}

/** True of a Usage of a former order, if the present one turns it round: with both nothing could be deleted. */
export function isOfTurnedOrder(usage: string, removal: Removal): boolean {
  const edge = removal.edgeOf.get(usage);
  return edge !== undefined && isReversed(edge, removal);
}

/** True if the present order, or another Usage, has its `by` wait for its `of`: both would wait for ever. */
function isReversed({usage, of, by}: Edge, {leaving, snapshot, usersOf}: Removal): boolean {
  if (by === undefined || !leaving.has(usage) || !snapshot.observed.has(by.resourceName)) return false;
  return usersOf(by.resourceName).has(of.resourceName);
}

/** The users of a resource, their users, and so on, each looked up once. In nearly every call none is. */
function usersAlong(pairs: () => readonly Pick<Edge, 'of' | 'by'>[]): Removal['usersOf'] {
  const direct = memoized((all: typeof pairs) => Map.groupBy(all(), ({of}) => of.resourceName));
  return memoized((resourceName) => {
    const users = new Set([resourceName]);
    for (const user of users)
      for (const {by} of direct(pairs).get(user) ?? []) if (by?.resourceName) users.add(by.resourceName);
    return users;
  });
}

/** A resource that leaves with the `of` of an edge and goes first: its sequence has it later than the `by`, which stays. */
function laterUser({of, by}: Edge, removal: Removal): End | undefined {
  if (by === undefined || !removal.leaving.has(of.resourceName)) return undefined;
  const staying = [by.resourceName];
  const seen = new Set(['']);
  for (const name of staying) {
    if (removal.leaving.has(name) || seen.has(name)) continue;
    seen.add(name);
    for (const edge of removal.edgesTo.get(name) ?? []) {
      if (edge.by === undefined) continue;
      if (isFollower(edge, edge.by, of.resourceName, removal)) return edge.by;
      staying.push(edge.by.resourceName);
    }
  }
  return undefined;
}

/** True if `by` leaves and follows the resource, or may, because it is not looked up yet. */
function isFollower(edge: Edge, by: End, resourceName: string, removal: Removal): boolean {
  const {follows, snapshot} = removal;
  const state = stateOf(edge, by, removal);
  if (state !== 'leaving' && state !== 'lingering') return state === 'unknown';
  const made = snapshot.observed.get(edge.usage);
  const name = by.resourceName || (made === undefined ? '' : pairOf(made).by);
  return follows(name, snapshot.observed.get(by.resourceName) ?? foundBy(edge.usage, by, snapshot), resourceName);
}

/** Pairs that no Usage can express are kept as far as observed goes, which is better than not at all. */
function unexpressedUsers(resourceName: string, removal: Removal): readonly End[] {
  const {declared, unspelled, snapshot} = removal;
  const refused = declared.refused.flatMap(({of, by}) =>
    of.resourceName === resourceName && by !== undefined ? [by.resourceName] : [],
  );
  const layers = unspelled.filter(({of}) => of.includes(resourceName));
  // A resource that is dropped while its user stays is meant to go.
  const ofLayers = layers.flatMap(({by}) => by.filter((name) => !snapshot.desired.has(name)));
  return [...new Set([...refused, ...ofLayers, ...residentsOf(resourceName, removal)])].flatMap((byName) => {
    const view = byName === resourceName ? undefined : snapshot.observed.get(byName);
    return view === undefined ? [] : [{resourceName: byName, object: refTo(view)}];
  });
}

/**
 * Resources of the XR in a Namespace that leaves, or of a kind whose definition leaves: Kubernetes would delete them, too, and their
 * Usages first. Those that go after it by an order are left out. A person can confirm that it goes.
 */
function residentsOf(resourceName: string, {snapshot, usersOf}: Removal): readonly string[] {
  const home = snapshot.observed.get(resourceName);
  const isWithin = home && withinOf(home);
  if (isWithin === undefined || isConfirmed(resourceName, snapshot)) return [];
  const isResident = (name: string, one: ResourceView) =>
    isWithin(one) && !(isDeleting(one) || isUsage(one) || usersOf(name).has(resourceName));
  return [...snapshot.observed].flatMap(([name, one]) => (isResident(name, one) ? [name] : [])).sort();
}

/** True of an object that Kubernetes deletes with this Namespace or definition; undefined for other kinds. */
function withinOf(home: ResourceView): ((view: ResourceView) => boolean) | undefined {
  const {kind, apiVersion, name} = home;
  if (kind === 'Namespace' && apiVersion === 'v1') return ({namespace}) => namespace === name;
  if (!definitions.includes(kind)) return undefined;
  const group = home.field(['spec', 'group']);
  const defined = home.field(['spec', 'names', 'kind']);
  return (view) => view.kind === defined && groupOf(view.apiVersion) === group;
}

const definitions: readonly string[] = ['CustomResourceDefinition', 'CompositeResourceDefinition'];

/** A resource that the input protects does not leave, not even before its Usage is there, or without one. */
function holdProtected(resourceName: string, {protecting, releasing}: Removal): Hold | undefined {
  if (releasing.has(resourceName) || !protecting.has(resourceName)) return undefined;
  const usage = protecting.get(resourceName);
  return {kind: 'hold', reason: 'protected', usages: usage === undefined ? [] : [usage]};
}

/**
 * Both ends of a pair leave and its Usage is not there yet: without it nothing would remember `by` once the XR has
 * forgotten it. So both stay until the Usage is observed.
 */
function holdForUsage(resourceName: string, removal: Removal): Hold | undefined {
  const {declared, leaving, releasing, snapshot} = removal;
  if (releasing.has(resourceName)) return undefined;
  const missing = declared.usages.filter(
    ({name, of, by}) =>
      [of.resourceName, by.resourceName].includes(resourceName) &&
      leaving.has(of.resourceName) &&
      snapshot.observed.has(by.resourceName) &&
      !outlastsBy(name, removal),
  );
  if (missing.length === 0) return undefined;
  return {kind: 'hold', reason: 'usage-arrives-first', usages: missing.map(({name}) => name)};
}

/**
 * True if the Usage is there until `by` is gone. One that is being deleted waits for that with Crossplane's label alone, which
 * composed GC takes off, or on an old Crossplane, and only while its own finalizer is on it.
 */
function outlastsBy(usage: string, removal: Removal): boolean {
  const {snapshot, edgeOf} = removal;
  const view = snapshot.observed.get(usage);
  if (view === undefined || !isDeleting(view)) return view !== undefined;
  if (!hasFinalizer(view, finalizerOfUsage)) return false;
  const edge = edgeOf.get(usage);
  return (edge !== undefined && isToRelax(edge, removal)) || labelOf(view, labelOutermost) !== '';
}

/**
 * Holds a resource with the in-use label, even if no Usage of this XR names it: a denial would stop the whole XR. If no Usage is
 * known, a person can confirm that there is none. Asked to delete a resource that is in use, Crossplane would retry again and
 * again, until the watch circuit opens.
 */
function holdInUse(resourceName: string, removal: Removal): Hold | undefined {
  const {snapshot} = removal;
  const known = inUseState(snapshot.observed.get(resourceName), removal);
  switch (known.kind) {
    case 'no':
      return undefined;
    case 'certainly':
      return {kind: 'hold', reason: 'in-use', isCertain: true, check: undefined};
    case 'maybe': {
      const {usage} = known;
      if (usage === undefined && isConfirmed(resourceName, snapshot)) return undefined;
      const check = usage === undefined ? undefined : {usage, isObserved: snapshot.observed.has(usage)};
      return {kind: 'hold', reason: 'in-use', isCertain: false, check};
    }
  }
}

/** Holds a nested XR whose object would go before its composed resources. A person can confirm that it may. */
function holdForComposed(resourceName: string, {users, snapshot}: Removal): Hold | undefined {
  const view = users.has(resourceName) ? snapshot.observed.get(resourceName) : undefined;
  if (view === undefined || !goesBeforeComposed(view) || isConfirmed(resourceName, snapshot)) return undefined;
  return {kind: 'hold', reason: 'foreground-first'};
}

function stateOf({usage}: Edge, by: End, removal: Removal): ByState {
  const {leaving, snapshot, claim, isStray} = removal;
  if (by.resourceName !== '') {
    const view = snapshot.observed.get(by.resourceName);
    const isGoing = view !== undefined && isDeleting(view);
    if (leaving.has(by.resourceName) && (isGoing || !isStray(usage) || !isHeldWithoutEnd(by.resourceName, removal)))
      return 'leaving';
    // Desired again under its name, but this object goes.
    return isGoing ? 'lingering' : 'staying';
  }
  const answer = snapshot.required.get(requirementOf('by', usage));
  if (answer === undefined) return 'unknown';
  const found = foundBy(usage, by, snapshot);
  if (found === undefined) return 'gone';
  return isOfThisXr(found, claim) ? 'lingering' : 'elsewhere';
}

function foundBy(usage: string, {object}: End, {required}: Snapshot): ResourceView | undefined {
  return required.get(requirementOf('by', usage))?.find((view) => view.name === object.name);
}

// Composed GC takes Crossplane's label off a resource it deletes, but leaves the controller reference and our mark.
function isOfThisXr(view: ResourceView, {uid, id}: Claim): boolean {
  return ownershipOf(view, uid).kind === 'ours' || labelOf(view, labelComposite) === id;
}
