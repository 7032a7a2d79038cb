// A claim names its XR and the XR its claim. If the two disagree, one of them belongs to neither: crossplane/crossplane
// 2d040d2da internal/controller/apiextensions/claim/reconciler.go.

import {at, isObject, type Json} from '../../cluster/json.ts';
import {isDeleting, type KubeObject, type ResourceRef, refOf} from '../../cluster/object.ts';
import type {ClaimMismatch} from './class-words.ts';
import {addressText, type Finding, findingOf, type Judged} from './finding.ts';
import type {Inventory, Xr} from './inventory.ts';

export function checkClaims(inventory: Inventory): Judged {
  const {claims, xrs} = inventory;
  const ofClaims = claims.flatMap((claim) => checkClaim(claim, inventory));
  const ofXrs = xrs.flatMap((xr) => checkXr(xr, inventory));
  return {findings: [...ofClaims, ...ofXrs], notJudged: []};
}

function checkClaim(claim: KubeObject, {get, isComplete}: Inventory): readonly Finding[] {
  const ref = refIn(claim.spec?.['resourceRef']);
  if (ref === undefined || isDeleting(claim)) return [];
  const xr = get(ref);
  if (xr === undefined) return isComplete(ref) ? [mismatch(claim, ref, 'xr-gone')] : [];
  const back = claimRefOf(xr);
  return back === undefined || isSame(back, refOf(claim)) ? [] : [mismatch(claim, ref, 'xr-of-another')];
}

function checkXr({object: xr}: Xr, {get, isComplete}: Inventory): readonly Finding[] {
  const ref = claimRefOf(xr);
  if (ref === undefined || isDeleting(xr)) return [];
  const claim = get(ref);
  if (claim === undefined) return isComplete(ref) ? [mismatch(xr, ref, 'claim-gone')] : [];
  const back = refIn(claim.spec?.['resourceRef']);
  return back === undefined || isSame(back, refOf(xr)) ? [] : [mismatch(xr, ref, 'claim-of-another')];
}

function mismatch(object: KubeObject, other: ResourceRef, how: ClaimMismatch): Finding {
  return findingOf(object, {class: 'claim-mismatch', other, how});
}

function claimRefOf(xr: KubeObject): ResourceRef | undefined {
  return refIn(xr.spec?.['claimRef'] ?? at(xr.spec, ['crossplane', 'claimRef']));
}

function refIn(value: Json | undefined): ResourceRef | undefined {
  if (!isObject(value)) return undefined;
  const {apiVersion, kind, name, namespace} = value;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || typeof name !== 'string') return undefined;
  return typeof namespace === 'string' ? {apiVersion, kind, namespace, name} : {apiVersion, kind, name};
}

function isSame(left: ResourceRef, right: ResourceRef): boolean {
  return addressText(left) === addressText(right);
}
