// What is known of the other XR and its object: asked for by name and by our labels, believed by owner and field manager.
//
// Anybody may put our labels on an object of a namespace that is theirs, and an owner and a field manager that they name. So an object
// counts as the other XR's only where that XR itself lists it, its controller reference has that XR's UID and Crossplane's apply for
// that XR is in its managed fields. That nothing is there
// any more is believed only where nothing at all carries the labels: then who plants one can delay an end, and bring none about. Only
// what leads to another external resource counts for nothing there, as what that XR lost sight of once, or made anew: waiting for it the
// exchange would never end, and nobody would have the external resource.

import {digestOf} from '../../facts/digest.ts';
import {labelComposite, labelResource} from '../../facts/marks.ts';
import {compositeIdOf, isSameObject, labelValue, objectKey} from '../../facts/naming.ts';
import {isDeleting, ownershipOf} from '../../facts/ownership.ts';
import {claimOf, proofOf} from '../../facts/proof.ts';
import {condition} from '../../facts/ready.ts';
import {listsObject} from '../../facts/references.ts';
import {questions} from '../../questions/registry.ts';
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
      /** Everything that carries the labels, proven or not, but for what leads to another external resource than the one here. */
      readonly labelled: readonly ResourceView[];
    };

/** The one that is proven to be the other XR's, as far as the other side is known. */
export function objectOf(other: OtherSide): ResourceView | undefined {
  return other.kind === 'known' ? other.object : undefined;
}

/**
 * Whether the other XR's condition says that it desires the very object which is to be given, as that resource. No question shows
 * what it desires; and who forges the condition has a sentence said here, and nothing done.
 */
export function desiresTheSame(xr: ResourceView, resource: string): boolean {
  const said = condition(xr, 'Tethered');
  return said?.['reason'] === 'SameObject' && text(said['message']).includes(JSON.stringify(resource));
}

/**
 * Two questions: who the other XR is, and which object it has as the resource. All that it has would be as large as that XR is,
 * and what Crossplane answers comes in one request.
 */
export function requirementsOf(partner: Partner): readonly (readonly [string, Requirement])[] {
  const {xr, kind, resource} = partner;
  const {namespace, name} = xr;
  const labels = {[labelComposite]: compositeIdOf(xr), [labelResource]: labelValue(resource)};
  return [
    [xrRequirement(partner), {apiVersion: xr.apiVersion, kind: xr.kind, namespace, match: {kind: 'name', name}}],
    [objectsRequirement(partner), {...kind, namespace, match: {kind: 'labels', labels}}],
  ];
}

/** `leadsElsewhere`: to another external resource for certain. */
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
    const label = (key: string) => text(view.field(['metadata', 'labels', key]));
    const isNamed = label(labelComposite) === id && label(labelResource) === labelValue(partner.resource);
    return isNamed && isSameKind(view, partner.kind);
  });
  const labelled = all.filter((view) => !leadsElsewhere(view));
  const proven = xr === undefined ? [] : all.filter((view) => isOf(view, xr));
  return {kind: 'known', xr, object: proven.length === 1 ? proven[0] : undefined, labelled};
}

function isOf(view: ResourceView, xr: ResourceView): boolean {
  const claim = claimOf(xr);
  // What the XR released it lists no more, and what is being deleted is asked for nothing but to be gone.
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
