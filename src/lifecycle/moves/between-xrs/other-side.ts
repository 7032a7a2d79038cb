// The facts about the other XR and its object: asked for by name and by our labels, proven by owner and field manager.
//
// A user may write our labels onto an object of their namespace, with any owner and field manager. So an object counts as the other
// XR's only if that XR lists it, its controller reference has that XR's UID, and Crossplane's apply for that XR is in its managed
// fields.
//
// The other side counts as empty only if no object at all has the labels. A planted object can delay an end, but never cause one. An
// object that leads to another external resource does not count: the XR lost it once, or created it later. Waiting for it, the
// exchange would never end, and no XR would have the external resource.

import {externalNameOf} from '../../facts/external-policies.ts';
import {labelComposite, labelResource} from '../../facts/marks.ts';
import {labelOf} from '../../facts/metadata.ts';
import {compositeId, digestOf, labelValue} from '../../facts/naming.ts';
import {claimOf, isDeleting, listedBy, ownershipOf, proofOf} from '../../facts/ownership.ts';
import {condition} from '../../facts/ready.ts';

import {ofObject, questions} from '../../questions/registry.ts';
import type {ResourceSelector} from '../../words/edit.ts';
import {text} from '../../words/json.ts';
import {groupOf, isSameKind, isSameObject, type ObjectRef, objectKey} from '../../words/references.ts';
import type {ResourceView, Snapshot} from '../../words/snapshot.ts';
import type {Partner} from '../annotations.ts';
import type {Given} from '../given.ts';
import {tellTheSame} from '../objects.ts';
import {newNameBy, type Rule} from './rules.ts';

export interface OtherSide {
  /** False while Crossplane has not answered. */
  readonly isKnown: boolean;
  readonly xr: ResourceView | undefined;
  /** The object of the resource there, proven to be the other XR's; undefined where there is none or more than one. */
  readonly object: ResourceView | undefined;
  /** All objects with the labels, proven or not, except those that lead to another external resource than the one here. */
  readonly labelled: readonly ResourceView[];
}

const unanswered: OtherSide = {isKnown: false, xr: undefined, object: undefined, labelled: []};

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
export function requirementsOf(partner: Partner): readonly (readonly [string, ResourceSelector])[] {
  const {xr, kind, resource} = partner;
  const labels = {[labelComposite]: compositeId(xr), [labelResource]: labelValue(resource)};
  return [
    [xrRequirement(partner), ofObject(xr)],
    [objectsRequirement(partner), {...kind, namespace: xr.namespace, match: {kind: 'labels', labels}}],
  ];
}

/** The facts about the other side, for the XR that has `view`. */
export function otherOf(
  partner: Partner,
  rule: Rule | undefined,
  view: ResourceView | undefined,
  given: Given,
): OtherSide {
  if (view === undefined) return otherSideOf(partner, given.snapshot);
  const name = externalNameOf(view);
  const leadsElsewhere = (theirs: ResourceView) =>
    !['', name].includes(nameHere(theirs, view, rule, given)) && !tellTheSame(theirs, view);
  return otherSideOf(partner, given.snapshot, leadsElsewhere);
}

/** The external name that the other XR's object would have here, '' if unknown: for another kind only a rule has it. */
function nameHere(theirs: ResourceView, view: ResourceView, rule: Rule | undefined, given: Given): string {
  if (rule?.externalName === undefined) return isSameKind(theirs, view) ? externalNameOf(theirs) : '';
  const named = rule.side === 'take' ? newNameBy(rule, theirs, given) : undefined;
  return named?.kind === 'name' ? named.name : '';
}

/** `leadsElsewhere`: true if an object certainly leads to another external resource. */
function otherSideOf(
  partner: Partner,
  {required}: Pick<Snapshot, 'required'>,
  leadsElsewhere: (object: ResourceView) => boolean = () => false,
): OtherSide {
  const xrs = required.get(xrRequirement(partner));
  const objects = required.get(objectsRequirement(partner));
  if (xrs === undefined || objects === undefined) return unanswered;
  const xr = xrs.find((view) => isSameObject(view, partner.xr));
  const id = compositeId(partner.xr);
  const all = objects.filter((view) => {
    const isNamed =
      labelOf(view, labelComposite) === id && labelOf(view, labelResource) === labelValue(partner.resource);
    return isNamed && isSameKind(view, partner.kind);
  });
  const labelled = all.filter((view) => !leadsElsewhere(view));
  const proven = xr === undefined ? [] : all.filter((view) => isComposedBy(view, xr));
  return {isKnown: true, xr, object: proven.length === 1 ? proven[0] : undefined, labelled};
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

/** True if the XR lists the object. References of v1 have no namespace. */
function listsObject(xr: ResourceView, view: ResourceView): boolean {
  return listedBy(xr).some((ref) => {
    const [apiVersion, kind, namespace, name] = ['apiVersion', 'kind', 'namespace', 'name'].map((key) =>
      text(ref[key]),
    );
    return isSameObject({apiVersion, kind, namespace: namespace || view.namespace, name} as ObjectRef, view);
  });
}

function xrRequirement({xr}: Partner): string {
  return `${questions.otherSide.prefix}xr-${digestOf(objectKey(xr)).slice(0, 12)}`;
}

function objectsRequirement({xr, kind, resource}: Partner): string {
  const digest = digestOf(`${objectKey(xr)} ${resource}`).slice(0, 12);
  return `${questions.otherSide.prefix}${kind.kind}.${groupOf(kind.apiVersion)}-${digest}`;
}
