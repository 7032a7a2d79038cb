// One Usage per pair that the input declares. It names both ends by reference, because selectors resolve once and to anything, and
// its name is made of both ends. It is emitted as long as Crossplane could still need it: from the reconcile in which the XR has
// both ends, until `by` is gone. `of` leaves after that (removal.ts).
//
// The kind of Usage that fits the ends (crossplane/crossplane 2d040d2da internal/protection/usage/finder.go): the webhook finds a
// Usage by the namespace of `of`, where a Usage without one means its own namespace; so a namespaced Usage never protects a
// cluster-scoped `of` (#7249), and a ClusterUsage has no namespace to look for `by` in (function-sequencer#114).

import {type Edge, edgesOf, isEndOf} from '../facts/edges.ts';
import {annotationOf} from '../facts/metadata.ts';
import {ownershipOf} from '../facts/ownership.ts';
import {type Room, roomForUsages} from '../facts/room.ts';
import type {Input} from '../input/input.ts';
import type {Scene} from '../input/scene.ts';
import type {UsageApi} from '../input/usage-api.ts';
import {foreignAnswers, ofObject, requirementOf} from '../questions/registry.ts';
import type {RefusedPair, ResourceSelector} from '../words/edit.ts';
import type {JsonObject} from '../words/json.ts';
import {type End, type ObjectRef, objectKey, refTo} from '../words/references.ts';
import type {ResourceView} from '../words/snapshot.ts';
import {type Former, formerUsages, mayBeInTheWay} from './former.ts';
import {type NameUsage, usageKind, usageNames, usageNamespace} from './names.ts';

// The resource names of the pair, kept on the Usage: they outlive the ends' presence in observed.
export const annotationUsed = 'tether.fn.crossplane.io/of';
export const annotationUser = 'tether.fn.crossplane.io/by';

export type Pair = NonNullable<Input['usages']>[number];

/** A pair, and where in the input it comes from. */
export type PlacedPair = Pair & {readonly path: string};

/** A declared pair whose two objects are known. */
export interface DeclaredUsage {
  /** Resource name of the Usage. */
  readonly name: string;
  readonly of: End;
  readonly by: End;
  readonly body: JsonObject;
}

/** A pair without a Usage. Protected for a reason, `of` has no `by`. */
export interface Refused extends Omit<RefusedPair, 'of' | 'by'> {
  readonly of: End;
  readonly by: End | undefined;
}

export interface DeclaredUsages {
  readonly usages: readonly DeclaredUsage[];
  readonly refused: readonly Refused[];
}

/** Everything that the Usages of one plan are made with. */
export interface Making {
  readonly api: UsageApi;
  readonly nameUsage: NameUsage;
  readonly isStray: IsStray;
  /** True if the resource that the Usage was made for is another object by now. */
  readonly isOfFormer: (usage: ResourceView) => boolean;
  readonly isDue: IsDue;
  readonly former: Former;
  readonly room: Room;
}

/** `lasting`: the snapshot with the resources that Usages are made for. */
export function makingOf(scene: Scene, lasting = scene.snapshot): Making {
  const isStray = strayUsages(scene);
  const isOfFormer = (usage: ResourceView): boolean => {
    const used = lasting.observed.get(pairOf(usage).of);
    return used !== undefined && !isEndOf(usage, 'of', refTo(used));
  };
  return {
    api: scene.api,
    nameUsage: usageNames(scene),
    former: formerUsages(scene),
    isStray,
    isOfFormer,
    isDue: usagesDue({...scene, snapshot: lasting}, isStray),
    room: roomForUsages(lasting),
  };
}

/** The pairs without a Usage that events and the condition report: of those without room, the first of each place in the input. */
export function reportedPairs(refused: readonly Refused[]): readonly RefusedPair[] {
  const crowded = Map.groupBy(refused, ({path, reason}) => (reason === 'too-many' ? path : ''));
  return refused.flatMap((one): RefusedPair[] => {
    const {path, of, by, reason} = one;
    const pair = {path, of: of.object, by: by?.object, reason};
    if (reason !== 'too-many') return [pair];
    const all = crowded.get(path) ?? [];
    if (all[0] !== one) return [];
    const more = all.length - 1 + all.reduce((sum, other) => sum + (other.more ?? 0), 0);
    return [more === 0 ? pair : {...pair, more}];
  });
}

/** The pair an observed Usage of ours was made of, '' and '' for a Usage of anybody else. */
export function pairOf(usage: ResourceView): {readonly of: string; readonly by: string} {
  return {of: annotationOf(usage, annotationUsed), by: annotationOf(usage, annotationUser)};
}

/**
 * True if the input still declares the pair that this observed Usage was made of. An edit may give an end another resource name and
 * keep its object: the pair is not about that object any more.
 */
export function isDeclared({of, by}: Edge, usage: ResourceView | undefined, pairs: readonly Pair[]): boolean {
  if (usage === undefined) return false;
  const made = pairOf(usage);
  const isRenamed = (end: End | undefined, name: string) => !['', name].includes(end?.resourceName ?? '');
  if (isRenamed(of, made.of) || isRenamed(by, made.by)) return false;
  return pairs.some((pair) => pair.of === made.of && pair.by === made.by);
}

/**
 * The resource names of the Usages that stand for the pair which this observed Usage was made of. It is another one where an
 * end is another object by now, as after a restore: what the XR had there before is its affair no more, and kept by the old
 * Usage it would stay for as long as the other end does.
 */
export function usagesOfPair(usage: ResourceView | undefined, {usages}: DeclaredUsages): readonly string[] {
  const made = usage === undefined ? undefined : pairOf(usage);
  return usages.filter(({of, by}) => of.resourceName === made?.of && by.resourceName === made.by).map(({name}) => name);
}

/** The reason for which no Usage can express that `by`, or a reason, protects `of`; undefined if one can. */
export function inexpressibleReason(
  of: Pick<ObjectRef, 'namespace'>,
  by: Pick<ObjectRef, 'namespace'> | undefined,
  api: UsageApi,
): RefusedPair['reason'] | undefined {
  if (!api.isServed) return 'unserved';
  const byNamespaced = by !== undefined && by.namespace !== '';
  if (api.usages !== 'protection.crossplane.io/v1beta1') {
    return of.namespace === '' && !byNamespaced ? undefined : 'legacy-namespaced';
  }
  return of.namespace === '' && byNamespaced ? 'of-cluster-by-namespaced' : undefined;
}

/** The Usage in which `by`, or a reason, protects `of`. */
export function usageBody(
  name: string,
  of: ObjectRef,
  by: ObjectRef | undefined,
  api: UsageApi,
  said: Pick<Pair, 'reason' | 'replayDeletion'> & {readonly annotations?: JsonObject},
): JsonObject {
  const namespace = usageNamespace(of, by);
  const {reason, replayDeletion = false, annotations} = said;
  const ofNamespace = of.namespace === namespace ? {} : {namespace: of.namespace};
  return {
    apiVersion: api.usages,
    kind: usageKind(namespace, api),
    metadata: {name, ...(namespace === '' ? {} : {namespace}), ...(annotations && {annotations})},
    spec: {
      ...(by && {by: {apiVersion: by.apiVersion, kind: by.kind, resourceRef: {name: by.name}}}),
      of: {apiVersion: of.apiVersion, kind: of.kind, resourceRef: {name: of.name, ...ofNamespace}},
      ...(reason === undefined ? {} : {reason}),
      ...(by && {replayDeletion}),
    },
  };
}

// Decides when a Usage is created: once the XR has the resources that it names. Until then a name is only in the Composition. The
// object of that name may belong to another XR, or to a previous XR and the owner GC is about to delete it: the Usage would keep it
// from being deleted. An observed object without a controller counts if it is proven to be the XR's: the XR's editor may list
// anything. The served kinds of Usages have to be known, too.

/** True if the Usage of that resource name, with these ends, is due. An existing one stays, unless it keeps another XR's object. */
type IsDue = (usage: string, ends: readonly string[]) => boolean;

function usagesDue({snapshot: {observed}, owners: {byName}, api: {isKnown}}: Scene, isStray: IsStray): IsDue {
  const isOwn = (end: string) => {
    const owner = byName.get(end)?.kind;
    return observed.has(end) && (owner === 'ours' || owner === 'unadopted');
  };
  return (usage, ends) => (observed.has(usage) && !isStray(usage)) || (isKnown && ends.every(isOwn));
}

// A Usage of this XR that keeps another XR's object: a backup with owner references brought its `of` back as the previous XR's. The
// owner GC is denied that object for as long as the Usage exists. This XR cannot apply its own object in its place, for an object
// has one controller. Neither would ever end, so such a Usage leaves, whatever the input declares, but not before a `by` that goes,
// too (removal.ts). It comes again once the XR has the resources that it names (usages.ts).
//
// The controller of an object that the XR does not have is not in the request, so the object is requested by its name: only while
// the XR is not Synced, or not Tethered, for nothing is in the way of another.

/** True if an observed Usage, by its resource name, keeps another XR's object. */
type IsStray = (usage: string) => boolean;

function strayUsages({snapshot, claim: {uid}}: Scene): IsStray {
  return (usage) =>
    snapshot.required.get(requirementOf('strayOf', usage))?.some((view) => ownershipOf(view, uid).kind === 'stale') ===
    true;
}

/**
 * By requirement name: every `of` of an observed Usage that the XR does not have. An object that the pipeline requires is another's by
 * design: `protect.required` keeps it.
 */
export function strayRequirements({snapshot, api}: Scene): ReadonlyMap<string, ResourceSelector> {
  const requirements = new Map<string, ResourceSelector>();
  if (!mayBeInTheWay(snapshot.xr, api)) return requirements;
  const foreign = [...foreignAnswers(snapshot.required).values()].flat();
  const required = new Set(foreign.map((view) => objectKey(view)));
  for (const {usage, of} of edgesOf(snapshot)) {
    if (snapshot.observed.has(of.resourceName) || required.has(objectKey(of.object))) continue;
    requirements.set(requirementOf('strayOf', usage), ofObject(of.object));
  }
  return requirements;
}
