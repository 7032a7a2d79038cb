// The facts about the other XR and its object: asked for by name and by our labels, proven by owner and field manager.
//
// A user may write our labels onto an object of their namespace, with any owner and field manager. So an object counts as the other
// XR's only if that XR lists it, its controller reference has that XR's UID, and Crossplane's apply for that XR is in its managed
// fields.
//
// The other side counts as empty only if no object at all has the labels. A planted object can delay an end, but never cause one. An
// object that leads to another external resource does not count: the XR lost it once, or created it later. Waiting for it, the
// exchange would never end, and no XR would have the external resource.

import {digestOf} from '../../facts/digest.ts';
import {labelComposite, labelResource} from '../../facts/marks.ts';
import {labelOf} from '../../facts/metadata.ts';
import {compositeIdOf, isSameObject, labelValue, objectKey} from '../../facts/naming.ts';
import {isDeleting, ownershipOf} from '../../facts/ownership.ts';
import {claimOf, proofOf} from '../../facts/proof.ts';
import {condition} from '../../facts/ready.ts';
import {listsObject} from '../../facts/references.ts';
import {ofObject, questions} from '../../questions/registry.ts';
import type {Requirement} from '../../words/edit.ts';
import {text} from '../../words/json.ts';
import {groupOf, isSameKind} from '../../words/references.ts';
import type {ResourceView, Snapshot} from '../../words/snapshot.ts';
import type {Partner} from './partner-mark.ts';

export type OtherSide =
  | {readonly kind: 'pending'}
  | {
      readonly kind: 'known';
      readonly xr: ResourceView | undefined;
      /** The object of the resource there, proven to be the other XR's; undefined where there is none or more than one. */
      readonly object: ResourceView | undefined;
      /** All objects with the labels, proven or not, except those that lead to another external resource than the one here. */
      readonly labelled: readonly ResourceView[];
    };

/** The object that is proven to be the other XR's; undefined while the other side is unknown. */
export function objectOf(other: OtherSide): ResourceView | undefined {
  return other.kind === 'known' ? other.object : undefined;
}

/**
 * True if the other XR's condition shows that it desires the very object that is to be given. No question shows what an XR desires.
 * A forged condition changes a sentence here, and nothing else.
 */
export function desiresTheSame(xr: ResourceView, resource: string): boolean {
  const said = condition(xr, 'Tethered');
  return said?.['reason'] === 'SameObject' && text(said['message']).includes(JSON.stringify(resource));
}

/**
 * Two questions: the other XR, and its objects for the resource. All its objects would be as large as that XR is, and all answers
 * of Crossplane come in one request.
 */
export function requirementsOf(partner: Partner): readonly (readonly [string, Requirement])[] {
  const {xr, kind, resource} = partner;
  const labels = {[labelComposite]: compositeIdOf(xr), [labelResource]: labelValue(resource)};
  return [
    [xrRequirement(partner), ofObject(xr)],
    [objectsRequirement(partner), {...kind, namespace: xr.namespace, match: {kind: 'labels', labels}}],
  ];
}

/** `leadsElsewhere`: true if an object certainly leads to another external resource. */
export function otherSideOf(
  partner: Partner,
  {required}: Pick<Snapshot, 'required'>,
  leadsElsewhere: (object: ResourceView) => boolean = () => false,
): OtherSide {
  const xrs = required.get(xrRequirement(partner));
  const objects = required.get(objectsRequirement(partner));
  if (xrs === undefined || objects === undefined) return {kind: 'pending'};
  const xr = xrs.find((view) => isSameObject(view, partner.xr));
  const id = compositeIdOf(partner.xr);
  const all = objects.filter((view) => {
    const isNamed =
      labelOf(view, labelComposite) === id && labelOf(view, labelResource) === labelValue(partner.resource);
    return isNamed && isSameKind(view, partner.kind);
  });
  const labelled = all.filter((view) => !leadsElsewhere(view));
  const proven = xr === undefined ? [] : all.filter((view) => isComposedBy(view, xr));
  return {kind: 'known', xr, object: proven.length === 1 ? proven[0] : undefined, labelled};
}

function isComposedBy(view: ResourceView, xr: ResourceView): boolean {
  const claim = claimOf(xr);
  // An XR no longer lists a released object. An object that is being deleted only has to be gone.
  const isListed = isDeleting(view) || listsObject(xr, view);
  return (
    isListed &&
    claim.uid !== '' &&
    ownershipOf(view, claim.uid).kind === 'ours' &&
    proofOf(view, claim) === 'field-manager'
  );
}

function xrRequirement({xr}: Partner): string {
  return `${questions.otherSide.prefix}xr-${digestOf(objectKey(xr)).slice(0, 12)}`;
}

function objectsRequirement({xr, kind, resource}: Partner): string {
  const digest = digestOf(`${objectKey(xr)} ${resource}`).slice(0, 12);
  return `${questions.otherSide.prefix}${kind.kind}.${groupOf(kind.apiVersion)}-${digest}`;
}
