// Composed resources and their owners: the oracle's orphans, by the reason why no controller takes care of them. Crossplane
// deletes objects that its XR lists and controls; Kubernetes deletes objects whose owner is gone; the rest stays.

import {controllerOf, isDeleting, type KubeObject, refOf} from '../../cluster/object.ts';
import {labelComposite, resourceNameOf} from '../../cluster/vocabulary.ts';
import {shownName} from './external-identity.ts';
import {type Finding, findingOf, findingsOfEach, type Judged} from './finding.ts';
import {controllerPlaces, type Inventory} from './inventory.ts';

export function checkOwners(inventory: Inventory): Judged {
  const {objects, xrs} = inventory;
  const composed = objects.filter((object) => resourceNameOf(object) !== undefined && !isDeleting(object));
  // The XRs of a repository were never composed.
  const isLived = xrs.some(({object, refs}) => refs.length > 0 || object.metadata.uid !== undefined);
  if (!isLived && composed.length > 0) {
    return {
      findings: [],
      notJudged: [
        {what: 'whose composed resources are: the source has no XR that was ever composed', count: composed.length},
      ],
    };
  }
  const what = 'composed resources whose controller or XR is of a kind that the source does not have';
  return findingsOfEach(composed, (object) => checkOwner(object, inventory), what);
}

function checkOwner(object: KubeObject, inventory: Inventory): Finding | 'unknown' | undefined {
  const controller = controllerOf(object);
  const listing = inventory.listing(object);
  if (controller === undefined) {
    const xr = object.metadata.labels?.[labelComposite];
    if (listing.length > 0) return undefined;
    if (isOfAbsentKind(xr, inventory)) return 'unknown';
    return findingOf(object, {class: 'orphan', xr, externalName: shownName(object)});
  }
  const owner = inventory.ownerOf(object);
  if (owner === undefined) return checkAbsentOwner(object, inventory);
  if (!inventory.xrOf.has(owner) || isDeleting(owner) || listing.includes(owner)) return undefined;
  return findingOf(object, {class: 'unlisted', xr: refOf(owner), listed: sameName(object, owner, inventory)});
}

/** Without definitions, a source without an XR of that name may only lack its kind. */
function isOfAbsentKind(xr: string | undefined, {xrs, objects}: Inventory): boolean {
  if (xr === undefined || xrs.some(({object}) => object.metadata.name === xr)) return false;
  return !objects.some(({kind}) => kind === 'CompositeResourceDefinition');
}

function checkAbsentOwner(object: KubeObject, inventory: Inventory): Finding | 'unknown' | undefined {
  const places = controllerPlaces(object);
  const owner = places.find((ref) => inventory.get(ref) !== undefined) ?? places.at(-1);
  if (owner === undefined || !places.every((ref) => inventory.isComplete(ref))) return 'unknown';
  return findingOf(object, {class: 'stale-owner', owner, isBack: inventory.get(owner) !== undefined});
}

/** The other objects of the same resource name in the XR's list. */
function sameName(object: KubeObject, xr: KubeObject, {xrOf, get}: Inventory): ReturnType<typeof refOf> | undefined {
  const refs = xrOf.get(xr)?.refs ?? [];
  return refs.find((ref) => {
    const other = get(ref);
    return other !== undefined && resourceNameOf(other) === resourceNameOf(object);
  });
}
