// One resource name of one XR, two external resources: what a restore leaves where the XR forgot the object that it had and
// made another. The one with the data is often the one that is not listed, so no finding may advise to delete it.

import {isDeleting, type KubeObject, refOf} from '../../cluster/object.ts';
import {annotationsOf, externalNameOf, isCreateIncomplete} from '../../cluster/provider/annotations.ts';
import {annotationCreateSucceeded, labelComposite, resourceNameOf} from '../../cluster/vocabulary.ts';
import {shownName} from './external-identity.ts';
import {addressText, type Finding, findingOf, type Judged} from './finding.ts';
import {type Inventory, isForeign, type Xr} from './inventory.ts';

export function checkDoubled(inventory: Inventory): Judged {
  const existing = inventory.managed.filter((object) => isComposed(object) && exists(object));
  const controlled = Map.groupBy(
    existing.filter((object) => inventory.ownerOf(object) !== undefined),
    (object) => inventory.ownerOf(object),
  );
  const unowned = Map.groupBy(
    existing.filter((object) => inventory.ownerOf(object) === undefined && inventory.listing(object).length === 0),
    placeOf,
  );
  const living = inventory.xrs.filter(({object}) => !isDeleting(object));
  const found = living.flatMap((xr) => doubledBy(xr, {existing: new Set(existing), controlled, unowned, inventory}));
  // XRs of two kinds may have one name, and so one label.
  const once = new Map(found.map((finding) => [finding.id, finding]));
  return {findings: [...once.values()], notJudged: []};
}

interface Known {
  readonly existing: ReadonlySet<KubeObject>;
  /** By the object that controls them. */
  readonly controlled: ReadonlyMap<KubeObject | undefined, readonly KubeObject[]>;
  /** Controlled by nothing that is here and listed by no XR, by their label of the XR and their namespace. */
  readonly unowned: ReadonlyMap<string, readonly KubeObject[]>;
  readonly inventory: Inventory;
}

function doubledBy(xr: Xr, {existing, controlled, unowned, inventory}: Known): readonly Finding[] {
  const listed = xr.refs
    .map(inventory.get)
    .filter((object) => object !== undefined)
    .filter((object) => existing.has(object) && !isForeign(object, xr, inventory));
  const unlisted = (controlled.get(xr.object) ?? []).filter((object) => !listed.includes(object));
  // As Crossplane keeps the last one that is listed.
  const own = [...unlisted.toSorted(byAddress), ...listed];
  const kept = new Map(own.map((object) => [resourceNameOf(object), object]));
  const others = [...own, ...placesOf(xr, own).flatMap((place) => unowned.get(place) ?? [])];
  return others.flatMap((object) => {
    const resourceName = resourceNameOf(object) ?? '';
    const other = kept.get(resourceName);
    if (other === undefined || other === object || isSameExternal(object, other)) return [];
    const older = olderOf(object, other);
    const names = {this: shownName(object), kept: shownName(other)};
    return [
      findingOf(object, {class: 'doubled', xr: refOf(xr.object), resourceName, kept: refOf(other), names, older}),
    ];
  });
}

function byAddress(left: KubeObject, right: KubeObject): number {
  return addressText(refOf(left)) < addressText(refOf(right)) ? -1 : 1;
}

function isComposed(object: KubeObject): boolean {
  return resourceNameOf(object) !== undefined && !isDeleting(object);
}

function exists(object: KubeObject): boolean {
  return externalNameOf(object) !== '' && !isCreateIncomplete(object);
}

/**
 * The label is that of the outermost XR, and a namespaced XR composes beside itself. Before it was moved into a namespace, it composed
 * without one.
 */
function placesOf({object}: Xr, own: readonly KubeObject[]): readonly string[] {
  const label = object.metadata.labels?.[labelComposite] ?? object.metadata.name;
  const namespaces = new Set([object.metadata.namespace, ...own.map(({metadata}) => metadata.namespace), undefined]);
  return [...namespaces].map((namespace) => placeText(label, namespace));
}

function placeOf({metadata}: KubeObject): string {
  return placeText(metadata.labels?.[labelComposite] ?? '', metadata.namespace);
}

function placeText(label: string, namespace = ''): string {
  return `${namespace}/${label}`;
}

/** Two objects that lead to one external resource are another finding. */
function isSameExternal(left: KubeObject, right: KubeObject): boolean {
  return left.kind === right.kind && shownName(left) === shownName(right);
}

/** Which was made first in the cloud; a restore makes both objects anew, and keeps the annotation. */
function olderOf(object: KubeObject, kept: KubeObject): 'this' | 'kept' | undefined {
  const [left, right] = [madeMs(object), madeMs(kept)];
  if (left === right || Number.isNaN(left) || Number.isNaN(right)) return undefined;
  return left < right ? 'this' : 'kept';
}

function madeMs(object: KubeObject): number {
  return Date.parse(annotationsOf(object)[annotationCreateSucceeded] ?? object.metadata.creationTimestamp ?? '');
}
