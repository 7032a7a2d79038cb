// The lists of composed resources of each XR, read as Crossplane will read it in the next reconcile. It ignores objects that
// another controls, and keeps one object per resource name. It deletes or forgets resources that its pipeline no longer desires.
// It stops at an object without a resource name. crossplane/crossplane 2d040d2da internal/controller/apiextensions/composite/
// composition_functions.go (ExistingComposedResourceObserver, DeletingComposedResourceGarbageCollector).

import {at, isList, isObject, type Json} from '../../cluster/json.ts';
import {controllerOf, isDeleting, type KubeObject, type ResourceRef, refOf} from '../../cluster/object.ts';
import {resourceNameOf} from '../../cluster/vocabulary.ts';
import type {Fault} from './class-words.ts';
import {addressText, type Finding, findingOf, type Judged} from './finding.ts';
import {type Inventory, isForeign, type Xr} from './inventory.ts';

export function checkLists(inventory: Inventory): Judged {
  const living = inventory.xrs.filter(({object}) => !isDeleting(object));
  const missing = living.flatMap((xr) => checkMissing(xr, inventory));
  const declared = declaredBy(inventory);
  const listed = living.flatMap((xr) => checkListed(xr, inventory, declared(xr.object)));
  const unknown = living.flatMap(({refs}) => absentAmong(refs, inventory)).filter((ref) => !inventory.isComplete(ref));
  const what = 'entries in the lists of XRs whose kind or namespace the source does not have';
  return {
    findings: [...missing, ...listed],
    notJudged: unknown.length === 0 ? [] : [{what, count: unknown.length}],
  };
}

function checkMissing({object, refs}: Xr, inventory: Inventory): readonly Finding[] {
  const gone = absentAmong(refs, inventory).filter((ref) => inventory.isComplete(ref));
  return gone.length === 0 ? [] : [findingOf(object, {class: 'missing', refs: gone})];
}

function absentAmong(refs: Xr['refs'], {get}: Inventory): Xr['refs'] {
  return refs.filter((ref) => get(ref) === undefined);
}

function checkListed(xr: Xr, inventory: Inventory, declared: Declared | undefined): readonly Finding[] {
  const there = xr.refs.map((ref) => inventory.get(ref)).filter((object) => object !== undefined);
  const kept = new Map(
    there.filter((object) => !isForeign(object, xr, inventory)).map((object) => [resourceNameOf(object), object]),
  );
  return there.flatMap((object) => {
    const fault = isDeleting(object) ? undefined : faultOf(object, {xr, kept, inventory, declared});
    return fault === undefined ? [] : [findingOf(object, fault)];
  });
}

interface Listing {
  readonly xr: Xr;
  /** By resource name, the last one listed. */
  readonly kept: ReadonlyMap<string | undefined, KubeObject>;
  readonly inventory: Inventory;
  readonly declared: Declared | undefined;
}

function faultOf(object: KubeObject, {xr, kept, inventory, declared}: Listing): Fault | undefined {
  const ref = refOf(xr.object);
  const controller = controllerOf(object);
  if (isForeign(object, xr, inventory)) {
    // One that is gone is a finding of its own.
    const by = inventory.ownerOf(object);
    return by === undefined ? undefined : released(ref, {kind: 'foreign', by: refOf(by)});
  }
  const resourceName = resourceNameOf(object);
  if (resourceName === undefined) return {class: 'unnamed', xr: ref};
  const other = kept.get(resourceName);
  if (other !== undefined && addressText(refOf(other)) !== addressText(refOf(object))) {
    return released(ref, {kind: 'same-name', kept: refOf(other), resourceName});
  }
  if (declared !== undefined && !declared.names.has(resourceName)) {
    return released(ref, {kind: 'undesired', composition: declared.composition, isOwned: controller !== undefined});
  }
  return controller === undefined ? {class: 'unowned', xr: ref} : undefined;
}

function released(xr: ResourceRef, how: Extract<Fault, {class: 'release'}>['how']): Fault {
  return {class: 'release', xr, how};
}

// The resource names that the pipeline of an XR can desire, if its Composition alone determines them: every step is
// patch-and-transform, whose input names its resources, or a function that never adds one. Any other pipeline has to run first.
// The native form of Crossplane 1 (mode Resources) names its resources in the same way.

interface Declared {
  readonly composition: string;
  readonly names: ReadonlySet<string>;
}

/** Undefined if only running functions could decide it. */
function declaredBy({objects}: Inventory): (xr: KubeObject) => Declared | undefined {
  const named = (kind: string): ReadonlyMap<string, KubeObject> =>
    new Map(objects.filter((object) => object.kind === kind).map((object) => [object.metadata.name, object]));
  const [compositions, revisions] = [named('Composition'), named('CompositionRevision')];
  const known = new Map<KubeObject, Declared | undefined>();
  const read = (object: KubeObject): Declared | undefined => {
    if (!known.has(object)) known.set(object, namesIn(object));
    return known.get(object);
  };
  return (xr) => {
    const said = (field: string): string => String(fieldOf(xr, [field, 'name']) ?? '');
    const isManual = fieldOf(xr, ['compositionUpdatePolicy']) === 'Manual';
    const object = isManual ? revisions.get(said('compositionRevisionRef')) : compositions.get(said('compositionRef'));
    // An XR that selects revisions by labels: its revision is not determined here.
    if (object === undefined || fieldOf(xr, ['compositionRevisionSelector']) !== undefined) return undefined;
    return read(object);
  };
}

/** Of version 2 XRs it is below `crossplane`. */
function fieldOf({spec}: KubeObject, path: readonly string[]): Json | undefined {
  return at(spec, ['crossplane', ...path]) ?? at(spec, path);
}

const addsNothing = /^(?:.*-)?function-(?:auto-ready|tether|status-transformer)$/;
const patches = /^(?:.*-)?function-patch-and-transform$/;

function namesIn({metadata, spec}: KubeObject): Declared | undefined {
  const composition = metadata.name;
  if (spec?.['mode'] !== 'Pipeline') {
    const names = resourceNames(spec?.['resources']);
    return names === undefined ? undefined : {composition, names};
  }
  const steps = isList(spec['pipeline']) ? spec['pipeline'] : [];
  const names = new Set<string>();
  for (const step of steps) {
    const name = String(at(step, ['functionRef', 'name']));
    if (addsNothing.test(name)) continue;
    const added = patches.test(name) ? resourceNames(at(step, ['input', 'resources'])) : undefined;
    if (added === undefined) return undefined;
    for (const one of added) names.add(one);
  }
  return names.size === 0 ? undefined : {composition, names};
}

/** Undefined where one has no name, as of old. */
function resourceNames(resources: Json | undefined): ReadonlySet<string> | undefined {
  if (!isList(resources)) return undefined;
  const names = resources.map((one) => (isObject(one) ? one['name'] : undefined));
  return names.every((name) => typeof name === 'string') ? new Set(names) : undefined;
}
