// The fields that claims and their XRs copy from each other. crossplane/crossplane 2d040d2da
// internal/controller/apiextensions/claim/{syncer_ssa,syncer_csa,object}.go.

import {at, type JsonObject, withAt} from '../../json.ts';
import type {KubeObject} from '../../object.ts';
import {annotationExternalName, labelClaimName, labelClaimNamespace} from '../../vocabulary.ts';
import type {Profile} from '../profile.ts';
import {XrFields} from '../xr.ts';
import {claimSpecFields, propagatedFields, statusFields, xrSpecFields} from '../xr-schema.ts';
import type {Xrd} from '../xrd.ts';

export interface Claiming {
  readonly profile: Profile;
  readonly xrd: Xrd;
}

export interface Syncing extends Claiming {
  /** The XRD enforces a Composition, so the claim's choice is ignored. */
  readonly enforced: boolean;
}

export interface Synced {
  readonly claim: KubeObject;
  readonly xr: KubeObject;
}

/** Claims and legacy XRs keep Crossplane's fields in the same places. */
export const fields = new XrFields('legacy');

export function claimReference({apiVersion, kind, metadata}: KubeObject): JsonObject {
  const {name, namespace = ''} = metadata;
  return {apiVersion, kind, name, namespace};
}

export function resourceRefOf(claim: KubeObject): string | undefined {
  const name = at(claim.spec, ['resourceRef', 'name']);
  return typeof name === 'string' ? name : undefined;
}

/** Labels or annotations without those Kubernetes keeps for itself. */
function unreserved(entries: {readonly [key: string]: string} | undefined): {readonly [key: string]: string} {
  const kept = Object.entries(entries ?? {}).filter(([key]) => {
    const domain = key.split('/')[0] ?? '';
    return !domain.endsWith('kubernetes.io') && !domain.endsWith('k8s.io');
  });
  return Object.fromEntries(kept);
}

export function claimLabels({metadata}: KubeObject): {readonly [key: string]: string} {
  const {name, namespace = ''} = metadata;
  return {...unreserved(metadata.labels), [labelClaimName]: name, [labelClaimNamespace]: namespace};
}

function externalNameOf(object: KubeObject | undefined): string | undefined {
  const name = object?.metadata.annotations?.[annotationExternalName];
  return name === undefined || name === '' ? undefined : name;
}

/** The annotations of a claim as its XR gets them, but for the external name, which stays as the XR has it. */
export function propagatedAnnotations(claim: KubeObject, xr: KubeObject | undefined): {readonly [key: string]: string} {
  const external = externalNameOf(xr);
  const annotations = unreserved(claim.metadata.annotations);
  return external === undefined ? annotations : {...annotations, [annotationExternalName]: external};
}

/** The claim with what its XR decides: its external name, and the Composition, selector and revision in force. */
export function withDecided(claim: KubeObject, xr: KubeObject, enforced: boolean): KubeObject {
  const external = externalNameOf(xr);
  let next =
    external === undefined ? claim : withAt(claim, ['metadata', 'annotations', annotationExternalName], external);
  const composition = at(xr.spec, ['compositionRef']) as JsonObject | undefined;
  if (composition !== undefined && (enforced || fields.compositionName(claim) === undefined)) {
    next = fields.with(next, 'compositionRef', composition);
  }
  const selector = at(xr.spec, ['compositionRevisionSelector']) as JsonObject | undefined;
  if (selector !== undefined && fields.revisionSelector(claim) === undefined) {
    next = fields.with(next, 'compositionRevisionSelector', selector);
  }
  const revision = fields.revisionName(xr);
  if (fields.updatePolicy(xr) !== 'Automatic' || revision === undefined) return next;
  return fields.with(next, 'compositionRevisionRef', {name: revision});
}

/**
 * The claim's spec as the XR gets it: without the claim's own fields and those only the XR controller sets. With policy
 * Manual the claim decides the revision.
 */
export function propagatedSpec(
  claim: KubeObject,
  xr: KubeObject | undefined,
  enforced: boolean,
  profile: Profile,
): JsonObject {
  const stripped = new Set([
    ...Object.keys(claimSpecFields(undefined, profile)),
    ...Object.keys(xrSpecFields('LegacyCluster', undefined, profile)),
  ]);
  for (const field of propagatedFields) if (field !== 'compositionRef' || !enforced) stripped.delete(field);
  if (xr !== undefined && fields.updatePolicy(xr) === 'Manual') stripped.delete('compositionRevisionRef');
  return withoutFields(claim.spec ?? {}, stripped);
}

/** The XR's own status as the claim gets it: what Crossplane keeps there is not copied. */
export function propagatedStatus(xr: KubeObject, profile: Profile): JsonObject {
  return withoutFields(xr.status ?? {}, new Set(Object.keys(statusFields('LegacyCluster', profile))));
}

export function withoutFields(object: JsonObject, names: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.has(name)));
}
