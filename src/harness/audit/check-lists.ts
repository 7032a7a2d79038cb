// The lists of composed resources of each XR, read as Crossplane will read it in the next reconcile. It ignores objects that
// another controls, and keeps one object per resource name. It deletes or forgets resources that its pipeline no longer desires.
// It stops at an object without a resource name. crossplane/crossplane 2d040d2da internal/controller/apiextensions/composite/
// composition_functions.go (ExistingComposedResourceObserver, DeletingComposedResourceGarbageCollector).

import {controllerOf, isDeleting, type KubeObject, type ResourceRef, refOf} from '../../cluster/object.ts';
import {resourceNameOf} from '../../cluster/vocabulary.ts';
import type {Fault} from './class-words.ts';
import {type Declared, declaredBy} from './declared.ts';
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
