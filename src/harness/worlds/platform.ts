// The platform every generated story runs on, one for each Crossplane version, so that thousands of stories share what
// it takes to start a control plane: kinds that differ in what a function may trip over, and XRs of equal names in
// several kinds, groups and namespaces.

import type {ProfileName} from '../../cluster/crossplane/profiles.ts';
import type {JsonObject} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';

/** A kind that Compositions compose. */
export interface ComposedKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** It stands for an external resource. */
  readonly managed: boolean;
  readonly body: JsonObject;
}

export interface XrKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly scope: 'LegacyCluster' | 'Cluster' | 'Namespaced';
  readonly plural: string;
}

export const namespaces = ['blue', 'green'];

/** Values that only their reader may see: a program that prints one has printed an observed value. Secrets have it in base64. */
export const canary = 'canary';

/** An integer that no double can hold next to its neighbours. */
export const large = 9_007_199_254_740_992;

/** Bytes in base64 that are no text in UTF-8. */
export const noText = '//6A/w==';

const bucket: ComposedKind = {
  apiVersion: 'cloud.example.org/v1',
  kind: 'Bucket',
  namespaced: false,
  managed: true,
  body: {spec: {forProvider: {region: `${canary}-region`}}},
};
const database: ComposedKind = {
  apiVersion: 'cloud.example.org/v1',
  kind: 'Database',
  namespaced: false,
  managed: true,
  body: {spec: {forProvider: {engine: 'small', replicas: 1}}},
};
const note: ComposedKind = {
  apiVersion: 'example.org/v1',
  kind: 'Note',
  namespaced: false,
  managed: false,
  body: {spec: {text: `${canary}-text`}},
};
/** Its client works in the background, as those of upjet do. */
export const asynchronous: ComposedKind = {
  apiVersion: 'cloud.example.org/v1',
  kind: 'Key',
  namespaced: false,
  managed: true,
  body: {spec: {forProvider: {region: `${canary}-region`}}},
};
const modernBucket: ComposedKind = {
  apiVersion: 'cloud.m.example.org/v1',
  kind: 'Bucket',
  namespaced: true,
  managed: true,
  body: {spec: {forProvider: {region: `${canary}-region`, replicas: 1}}},
};
const configMap: ComposedKind = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  namespaced: true,
  managed: false,
  body: {data: {key: `${canary}-data`, more: `${canary}-more`}, binaryData: {bytes: noText}},
};
const secret: ComposedKind = {
  apiVersion: 'v1',
  kind: 'Secret',
  namespaced: true,
  managed: false,
  body: {data: {password: 'Y2FuYXJ5LXZhbHVl', user: 'Y2FuYXJ5LW1vcmU=', x: noText}},
};

/** Kinds of the same name in another group: what a Composition moves to. */
export const movesTo: readonly (readonly [ComposedKind, ComposedKind])[] = [
  [bucket, modernBucket],
  [modernBucket, bucket],
  [bucket, database],
  [configMap, secret],
  [note, bucket],
];

export function composedKinds(crossplane: ProfileName): readonly ComposedKind[] {
  return isModern(crossplane)
    ? [bucket, bucket, database, note, modernBucket, modernBucket, configMap, secret]
    : [bucket, bucket, database, note];
}

/** The kinds that XRs of that scope may compose. */
export function kindsFor(crossplane: ProfileName, {scope}: XrKind): readonly ComposedKind[] {
  return composedKinds(crossplane).filter(({namespaced}) => scope !== 'Namespaced' || namespaced);
}

/** The kinds to which an edit of such an XR's Composition may change one. */
export function nextKinds(crossplane: ProfileName, xr: XrKind, kind: ComposedKind): readonly ComposedKind[] {
  const kinds = kindsFor(crossplane, xr);
  return movesTo.flatMap(([from, to]) => (from === kind && kinds.includes(to) ? [to] : []));
}

export function xrKinds(crossplane: ProfileName): readonly XrKind[] {
  return isModern(crossplane) ? [app, site, ...modern] : [app, site, teamSite];
}

/** An EnvironmentConfig that templates read. */
export const settings = 'settings';

export function settingsKind(crossplane: ProfileName): {readonly apiVersion: string; readonly kind: string} {
  const version = crossplane === '1.16' ? 'v1alpha1' : 'v1beta1';
  return {apiVersion: `apiextensions.crossplane.io/${version}`, kind: 'EnvironmentConfig'};
}

export function settingsOf(crossplane: ProfileName, region: string): KubeObject {
  return {...settingsKind(crossplane), metadata: {name: settings}, data: {region}};
}

export const app: XrKind = {apiVersion: 'example.org/v1', kind: 'App', scope: 'LegacyCluster', plural: 'apps'};
const site: XrKind = {apiVersion: 'example.org/v1', kind: 'Site', scope: 'LegacyCluster', plural: 'sites'};
/** The same kind in another group. */
const teamSite: XrKind = {apiVersion: 'team.example.org/v1', kind: 'Site', scope: 'LegacyCluster', plural: 'sites'};
const modern: readonly XrKind[] = [
  {apiVersion: 'team.example.org/v1', kind: 'App', scope: 'Namespaced', plural: 'apps'},
  {apiVersion: 'team.example.org/v1', kind: 'Site', scope: 'Cluster', plural: 'sites'},
];

export function isModern(crossplane: ProfileName): boolean {
  return crossplane === '2.3' || crossplane === 'main';
}

/** The objects before a story begins. */
export function platform(crossplane: ProfileName): readonly KubeObject[] {
  return [
    ...namespaces.map((name) => ({apiVersion: 'v1', kind: 'Namespace', metadata: {name}})),
    ...crds(crossplane),
    settingsOf(crossplane, 'north'),
    ...xrKinds(crossplane).map(xrd),
  ];
}

/** Kinds without which the story goes on: what may come and go. */
export function crds(crossplane: ProfileName): readonly KubeObject[] {
  const policies = {
    type: 'array',
    items: {type: 'string', enum: ['Observe', 'Create', 'Update', 'Delete', 'LateInitialize', '*']},
    default: ['*'],
  };
  const deletionPolicy = {type: 'string', enum: ['Orphan', 'Delete'], default: 'Delete'};
  const int64 = {type: 'integer', format: 'int64'};
  const text = {type: 'string'};
  // As upjet and kubebuilder write what cannot be changed.
  const immutable = [{rule: 'self == oldSelf', message: 'it cannot be changed'}];
  const tags = {type: 'object', 'x-kubernetes-preserve-unknown-fields': true};
  const fields = {region: text, replicas: {type: 'integer'}, size: text, tags};
  const secret = object({name: text, namespace: text});
  const providerConfigRef = object({name: text});
  const managed = {deletionPolicy, managementPolicies: policies, providerConfigRef, writeConnectionSecretToRef: secret};
  return [
    ...['Bucket', 'Key'].map((kind) =>
      crd('cloud.example.org', kind, 'Cluster', {forProvider: object(fields), ...managed}, true),
    ),
    crd(
      'cloud.example.org',
      'Database',
      'Cluster',
      {
        forProvider: object({
          engine: {type: 'string', enum: ['small', 'large'], 'x-kubernetes-validations': immutable},
          replicas: {type: 'integer'},
          quota: int64,
          tags,
        }),
        ...managed,
      },
      true,
    ),
    crd(
      'example.org',
      'Note',
      'Cluster',
      {text: {...text, 'x-kubernetes-validations': immutable}, count: int64},
      false,
    ),
    ...(isModern(crossplane)
      ? [
          crd(
            'cloud.m.example.org',
            'Bucket',
            'Namespaced',
            {
              forProvider: object(fields),
              managementPolicies: policies,
              providerConfigRef,
              writeConnectionSecretToRef: object({name: text}),
            },
            true,
          ),
        ]
      : []),
  ];
}

function object(properties: JsonObject): JsonObject {
  return {type: 'object', properties};
}

/** A kind; without `managed` it has no status at all. */
function crd(group: string, kind: string, scope: string, spec: JsonObject, managed: boolean): KubeObject {
  const plural = `${kind.toLowerCase()}s`;
  const status = {type: 'object', 'x-kubernetes-preserve-unknown-fields': true};
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `${plural}.${group}`},
    spec: {
      group,
      scope,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular: kind.toLowerCase(),
        ...(managed ? {categories: ['crossplane', 'managed']} : {}),
      },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          ...(managed ? {subresources: {status: {}}} : {}),
          schema: {openAPIV3Schema: object({spec: object(spec), ...(managed ? {status} : {})})},
        },
      ],
    },
  };
}

export function xrd({apiVersion, kind, scope, plural}: XrKind): KubeObject {
  const [group = ''] = apiVersion.split('/');
  const isLegacy = scope === 'LegacyCluster';
  return {
    apiVersion: `apiextensions.crossplane.io/${isLegacy ? 'v1' : 'v2'}`,
    kind: 'CompositeResourceDefinition',
    metadata: {name: `${plural}.${group}`},
    spec: {
      group,
      names: {kind, plural},
      ...(isLegacy ? {} : {scope}),
      versions: [
        {
          name: 'v1',
          served: true,
          referenceable: true,
          schema: {
            openAPIV3Schema: object({
              spec: object({size: {type: 'string'}, note: {type: 'string'}, count: {type: 'integer'}}),
              status: object({
                phase: {type: 'string'},
                externalNames: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true},
              }),
            }),
          },
        },
      ],
    },
  };
}
