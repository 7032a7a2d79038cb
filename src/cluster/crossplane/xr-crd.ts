// The CustomResourceDefinitions of XRs and claims, rendered from their XRD.
// crossplane/crossplane-runtime v2.4.0 pkg/xcrd/crd.go (ForCompositeResource, ForCompositeResourceClaim,
// validateClaimNames).
// Not modelled: printer columns and the scale subresource, which no controller reads.

import {versionsOf} from '../defined-kinds.ts';
import {at, isObject, type JsonObject} from '../json.ts';
import {asController, type GroupVersionKind, type KubeObject} from '../object.ts';
import {kindCrd, kindDefinition} from '../vocabulary.ts';
import type {Profile} from './profile.ts';
import {claimSpecFields, statusFields, xrSpecFields} from './xr-schema.ts';
import {claimCrdName, scopeOf} from './xrd.ts';

// XR and claim names become label values.
const nameLengthMax = 63;

export function xrCrd(xrd: KubeObject, profile: Profile): KubeObject {
  const scope = scopeOf(xrd);
  const updatePolicy = textAt(xrd, 'defaultCompositionUpdatePolicy');
  return crd(xrd, xrd.metadata.name, scope === 'Namespaced' ? 'Namespaced' : 'Cluster', 'composite', {
    names: at(xrd.spec, ['names']) as JsonObject,
    specFields: xrSpecFields(scope, updatePolicy, profile),
    statusFields: statusFields(scope, profile),
  });
}

/** Why Crossplane cannot render the CRD of XRs, on which it reconciles the XRD no further. */
export function xrCrdProblem(xrd: KubeObject): string | undefined {
  return schemaProblem(xrd, 'Composite Resource');
}

/** Why it cannot render the CRD of claims. */
export function claimCrdProblem(xrd: KubeObject): string | undefined {
  const [own, claims] = ['names', 'claimNames'].map((field) => xrd.spec?.[field] as JsonObject);
  const same = ['kind', 'plural', 'singular', 'listKind'].find((key) => claims?.[key] && claims[key] === own?.[key]);
  if (same !== undefined)
    return `invalid resource claim names: ${JSON.stringify(claims?.[same])} conflicts with composite resource name`;
  return schemaProblem(xrd, 'Composite Resource Claim');
}

function schemaProblem(xrd: KubeObject, what: string): string | undefined {
  const isWhole = versionsOf(xrd).every(({schema}) => isObject(schema));
  const name = JSON.stringify(xrd.metadata.name);
  return isWhole ? undefined : `cannot generate CRD for "${what}" ${name}: custom resource validation cannot be nil`;
}

/** Only for an XRD that offers a claim. */
export function claimCrd(xrd: KubeObject, profile: Profile): KubeObject {
  return crd(xrd, claimCrdName(xrd), 'Namespaced', 'claim', {
    names: at(xrd.spec, ['claimNames']) as JsonObject,
    specFields: claimSpecFields(textAt(xrd, 'defaultCompositeDeletePolicy'), profile),
    statusFields: statusFields('LegacyCluster', profile),
  });
}

/** True if the CRD defines XRs, or claims, by its category. */
export function isCrdOf(object: KubeObject, category: 'composite' | 'claim'): boolean {
  const categories = at(object.spec, ['names', 'categories']);
  return Array.isArray(categories) && categories.includes(category);
}

/** The kind that the CRD defines, in each of its versions. */
export function definedBy({spec = {}}: KubeObject): readonly GroupVersionKind[] {
  const kind = String(at(spec, ['names', 'kind']));
  const versions = (spec['versions'] ?? []) as readonly JsonObject[];
  return versions.map(({name}) => ({apiVersion: `${String(spec['group'])}/${String(name)}`, kind}));
}

interface Parts {
  readonly names: JsonObject;
  readonly specFields: JsonObject;
  readonly statusFields: JsonObject;
}

function crd(
  xrd: KubeObject,
  name: string,
  scope: 'Cluster' | 'Namespaced',
  category: string,
  parts: Parts,
): KubeObject {
  const spec = xrd.spec ?? {};
  const categories = [...((parts.names['categories'] ?? []) as readonly string[]), category];
  return {
    ...kindCrd,
    metadata: {...inherited(xrd), name, ownerReferences: [asController({...xrd, ...kindDefinition})]},
    spec: {
      group: spec['group'] ?? '',
      scope,
      names: {...parts.names, categories},
      ...(spec['conversion'] === undefined ? {} : {conversion: spec['conversion']}),
      versions: versionsOf(xrd).map((version) => crdVersion(version, parts)),
    },
  };
}

// The XRD's labels, then those and the annotations its spec.metadata asks for.
function inherited(xrd: KubeObject): JsonObject {
  const labels = {...xrd.metadata.labels, ...(at(xrd.spec, ['metadata', 'labels']) as JsonObject | undefined)};
  const annotations = at(xrd.spec, ['metadata', 'annotations']);
  return {
    ...(Object.keys(labels).length === 0 ? {} : {labels}),
    ...(annotations === undefined ? {} : {annotations}),
  };
}

function crdVersion(version: JsonObject, parts: Parts): JsonObject {
  const schema = objectAt(version, ['schema', 'openAPIV3Schema']);
  const name = objectAt(schema, ['properties', 'metadata', 'properties', 'name']);
  const asked = typeof name['maxLength'] === 'number' ? name['maxLength'] : nameLengthMax;
  return {
    name: version['name'] ?? '',
    served: version['served'] ?? false,
    storage: version['referenceable'] ?? false,
    ...(version['deprecated'] === undefined ? {} : {deprecated: version['deprecated']}),
    subresources: {status: {}},
    schema: {
      openAPIV3Schema: {
        type: 'object',
        required: ['spec'],
        ...pick(schema, ['description', 'x-kubernetes-validations']),
        properties: {
          apiVersion: {type: 'string'},
          kind: {type: 'string'},
          metadata: {
            type: 'object',
            properties: {name: {...name, type: 'string', maxLength: Math.min(asked, nameLengthMax)}},
          },
          spec: part(objectAt(schema, ['properties', 'spec']), parts.specFields, specKeywords),
          status: part(objectAt(schema, ['properties', 'status']), parts.statusFields, statusKeywords),
        },
      },
    },
  };
}

const specKeywords = [
  'description',
  'required',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
  'oneOf',
];
const statusKeywords = ['description', 'required', 'x-kubernetes-validations', 'oneOf'];

// Crossplane's fields win over the author's of the same name.
function part(schema: JsonObject, fields: JsonObject, keywords: readonly string[]): JsonObject {
  const properties = {...(schema['properties'] as JsonObject | undefined), ...fields};
  return {type: 'object', ...pick(schema, keywords), properties};
}

function pick(object: JsonObject, keys: readonly string[]): JsonObject {
  const kept = keys.filter((key) => object[key] !== undefined);
  return Object.fromEntries(kept.map((key) => [key, object[key] as NonNullable<unknown>])) as JsonObject;
}

function objectAt(object: JsonObject, path: readonly string[]): JsonObject {
  const value = at(object, path);
  return isObject(value) ? value : {};
}

function textAt(xrd: KubeObject, field: string): string | undefined {
  const value = xrd.spec?.[field];
  return typeof value === 'string' ? value : undefined;
}
