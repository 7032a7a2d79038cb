// A CompositeResourceDefinition (XRD) as its controllers read it.
// crossplane/crossplane 2d040d2da apis/apiextensions/v1/xrd_types.go.

import {at, type JsonObject} from '../json.ts';
import type {GroupVersionKind, KubeObject} from '../object.ts';

export type XrScope = 'LegacyCluster' | 'Cluster' | 'Namespaced';

export interface Xrd {
  readonly name: string;
  readonly scope: XrScope;
  /** The kind of XR, at the referenceable version. */
  readonly composite: GroupVersionKind;
  /** The kind of claim; absent where none is offered. */
  readonly claim?: GroupVersionKind;
  /** Which connection details an XR publishes; empty: all. */
  readonly connectionSecretKeys: readonly string[];
}

/** An XRD read from the API, where the schema has seen to required fields. */
export function parseXrd(object: KubeObject): Xrd {
  const spec = object.spec ?? {};
  const group = String(spec['group'] ?? '');
  const apiVersion = `${group}/${referenceableVersion(spec)}`;
  const claimKind = at(spec, ['claimNames', 'kind']);
  return {
    name: object.metadata.name,
    scope: scopeOf(object),
    composite: {apiVersion, kind: String(at(spec, ['names', 'kind']) ?? '')},
    ...(typeof claimKind === 'string' ? {claim: {apiVersion, kind: claimKind}} : {}),
    connectionSecretKeys: (spec['connectionSecretKeys'] ?? []) as readonly string[],
  };
}

/** Only the v2 API knows scopes; an XRD without one defines legacy cluster-scoped XRs. */
export function scopeOf(object: KubeObject): XrScope {
  const scope = object.spec?.['scope'];
  return scope === 'Namespaced' || scope === 'Cluster' ? scope : 'LegacyCluster';
}

/** The scope of an XRD as an author writes it: the v2 API takes Namespaced for one without, the v1 API LegacyCluster. */
export function writtenScope({apiVersion, spec}: KubeObject): XrScope {
  return (spec?.['scope'] ?? (apiVersion.endsWith('/v2') ? 'Namespaced' : 'LegacyCluster')) as XrScope;
}

export function offersClaim(object: KubeObject): boolean {
  return at(object.spec, ['claimNames']) !== undefined;
}

export function claimCrdName(object: KubeObject): string {
  return `${String(at(object.spec, ['claimNames', 'plural']))}.${String(object.spec?.['group'])}`;
}

function referenceableVersion(spec: JsonObject): string {
  const versions = (spec['versions'] ?? []) as readonly JsonObject[];
  return String(versions.find((version: JsonObject) => version['referenceable'] === true)?.['name'] ?? '');
}
