// A sound control plane of any size, as a dump has it: units of a claim, its XR, what the XR composes and a Usage. Among
// them is much that looks like a fault and is none: an audit that cries wolf is not read twice.

import type {JsonObject} from '../../../src/cluster/json.ts';
import type {KubeObject, OwnerReference} from '../../../src/cluster/object.ts';

export interface Unit {
  claim: KubeObject | undefined;
  xr: KubeObject;
  composed: KubeObject[];
  usage: KubeObject | undefined;
  readonly others: KubeObject[];
}

export const takenAt = '2026-03-01T12:00:00Z';
/** A moment so long before the dump was taken. */
export const ago = (minutes: number): string =>
  new Date(Date.parse(takenAt) - minutes * 60_000).toISOString().replace('.000', '');

const group = 'platform.example.org';
const managedKinds = ['Vpc', 'Subnet', 'Bucket', 'Role', 'Key'];
export const resourceNames = ['vpc', 'subnet-a', 'subnet-b', 'bucket', 'role', 'key', 'log-bucket'];
const kindOf = (resourceName: string): string => {
  const kind = resourceName.replace(/^log-/, '').replace(/-[ab]$/, '');
  return `${kind[0]?.toUpperCase()}${kind.slice(1)}`;
};

export function ownedBy({apiVersion, kind, metadata}: KubeObject): OwnerReference {
  return {apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '', controller: true, blockOwnerDeletion: true};
}

/** What every control plane has once. */
export function platform(): KubeObject[] {
  const xrd = definition('xnets', 'XNet', {claimNames: {kind: 'Net', plural: 'nets'}});
  const crds = managedKinds.map((kind) => crd(kind, `${kind.toLowerCase()}s`, ['crossplane', 'managed']));
  const pipeline = (resources: readonly string[], second: string): JsonObject => ({
    compositeTypeRef: {apiVersion: `${group}/v1`, kind: 'XNet'},
    mode: 'Pipeline',
    pipeline: [
      {
        step: 'a',
        functionRef: {name: 'function-patch-and-transform'},
        input: {resources: resources.map((name) => ({name}))},
      },
      {step: 'b', functionRef: {name: second}},
    ],
  });
  const apiVersion = 'apiextensions.crossplane.io/v1';
  return [
    xrd,
    // As it was written, and what version 2 has words for.
    definition('xolds', 'XOld', {scope: 'LegacyCluster', claimNames: {kind: 'Old', plural: 'olds'}}),
    {...definition('sites', 'Site', {scope: 'Namespaced'}), apiVersion: 'apiextensions.crossplane.io/v2'},
    {...definition('xsites', 'XSite', {scope: 'Cluster'}), apiVersion: 'apiextensions.crossplane.io/v2'},
    ...crds,
    object(apiVersion, 'Composition', 'nets', {spec: pipeline(resourceNames, 'function-auto-ready')}),
    // Nobody knows what a function of a team's own desires.
    object(apiVersion, 'Composition', 'coded', {spec: pipeline(['vpc'], 'acme-function-nets')}),
    ...Array.from({length: 20}, (_, team) => object('v1', 'Namespace', `team-${team}`)),
  ];
}

export function definition(plural: string, kind: string, more: JsonObject = {}): KubeObject {
  const spec = {group, names: {kind, plural}, versions: [{name: 'v1', served: true, referenceable: true}], ...more};
  return object('apiextensions.crossplane.io/v1', 'CompositeResourceDefinition', `${plural}.${group}`, {spec});
}

function crd(kind: string, plural: string, categories: readonly string[]): KubeObject {
  const versions = [{name: 'v1beta1', served: true, storage: true}];
  const spec = {group: 'cloud.example.org', scope: 'Cluster', names: {kind, plural, categories}, versions};
  return object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', `${plural}.cloud.example.org`, {spec});
}

/** Sound, and of one of a few shapes by its number. */
export function unit(number: number): Unit {
  const team = `team-${number % 20}`;
  const claimRef = {apiVersion: `${group}/v1`, kind: 'Net', name: `net-${number}`, namespace: team};
  const bare = object(`${group}/v1`, 'XNet', `net-${number}-x`);
  const composed = resourceNames.map((resourceName, index) => managed(number, index, resourceName, bare));
  const resourceRefs = composed.map(({apiVersion, kind, metadata}) => ({apiVersion, kind, name: metadata.name}));
  const compositionRef = {name: number % 7 === 0 ? 'coded' : 'nets'};
  const xr: KubeObject = {...bare, spec: {claimRef, compositionRef, resourceRefs}, status: conditions('True')};
  const [vpc, subnet] = composed;
  const end = (one: KubeObject | undefined) => ({
    apiVersion: one?.apiVersion ?? '',
    kind: one?.kind ?? '',
    resourceRef: {name: one?.metadata.name ?? ''},
  });
  const by: JsonObject = number % 5 === 0 ? {reason: 'kept'} : {by: end(subnet)};
  return {
    claim: object(`${group}/v1`, 'Net', `net-${number}`, {
      namespace: team,
      spec: {resourceRef: {apiVersion: `${group}/v1`, kind: 'XNet', name: xr.metadata.name}},
    }),
    xr,
    composed,
    usage: object('protection.crossplane.io/v1beta1', 'ClusterUsage', `usage-${number}`, {spec: {of: end(vpc), ...by}}),
    others: decoys(number, xr),
  };
}

function managed(number: number, index: number, resourceName: string, xr: KubeObject): KubeObject {
  const id = idOf(number, index);
  const region = `region-${number % 3}`;
  // Buckets of a name live in every region; a role's id is a path that ends in its name.
  const shared: {readonly [name: string]: readonly [string, string]} = {
    bucket: [`assets-${Math.floor(number / 3)}`, `assets-${Math.floor(number / 3)}`],
    role: [`role-${number}`, `arn:cloud:iam::1:role/role-${number}`],
  };
  const [name, told] = shared[resourceName] ?? [`${resourceName}-${id}`, `${resourceName}-${id}`];
  return object('cloud.example.org/v1beta1', kindOf(resourceName), `net-${number}-${index}-${id.slice(0, 5)}`, {
    labels: {'crossplane.io/composite': xr.metadata.name},
    annotations: {
      'crossplane.io/composition-resource-name': resourceName,
      'crossplane.io/external-name': name,
      'crossplane.io/external-create-pending': ago(9000),
      'crossplane.io/external-create-succeeded': ago(8999),
    },
    ownerReferences: [ownedBy(xr)],
    finalizers: ['finalizer.managedresource.crossplane.io'],
    spec: {
      forProvider: {region, size: number % 4, password: `hunter${number}`},
      providerConfigRef: {name: 'default'},
      managementPolicies: ['*'],
    },
    status: {...conditions('True'), atProvider: {id: told}},
  });
}

/** What is no fault, though it looks like one. */
function decoys(number: number, xr: KubeObject): KubeObject[] {
  const made = (index: number): KubeObject => ({
    ...managed(number, index, 'key', xr),
    metadata: {
      ...managed(number, index, 'key', xr).metadata,
      ownerReferences: [],
      annotations: {'crossplane.io/external-name': `own-${idOf(number, index)}`},
    },
  });
  const changed = (one: KubeObject, metadata: JsonObject, more: JsonObject = {}): KubeObject => ({
    ...one,
    ...more,
    metadata: {...one.metadata, ...metadata} as KubeObject['metadata'],
  });
  switch (number % 12) {
    case 1: // Made by hand, paused an hour ago.
      return [
        changed(made(20), {
          annotations: {'crossplane.io/external-name': `hand-${number}`, 'crossplane.io/paused': 'true'},
          managedFields: [pausedSince(ago(60))],
        }),
      ];
    case 2: // Just created: its name comes later.
      return [
        changed(
          made(21),
          {
            annotations: {
              'crossplane.io/external-create-pending': ago(2),
              'crossplane.io/external-create-succeeded': ago(1),
            },
          },
          {status: {}},
        ),
      ];
    case 3: // Two that only watch what a third has made.
      return [22, 23, 24].map((index) =>
        changed(
          made(index),
          {annotations: {'crossplane.io/external-name': `seen-${number}`}},
          index === 24 ? {} : {spec: {managementPolicies: ['Observe'], forProvider: {}}},
        ),
      );
    case 4: // A Usage that has just been deleted.
      return [
        object('protection.crossplane.io/v1beta1', 'ClusterUsage', `leaving-${number}`, {
          deletionTimestamp: ago(1),
          finalizers: ['usage.apiextensions.crossplane.io'],
          spec: {of: {apiVersion: 'v1', kind: 'Nothing', resourceRef: {name: 'x'}}, reason: 'r'},
        }),
      ];
    case 5: // A connection secret is the XR's and is not composed.
      return [
        object('v1', 'Secret', `conn-${number}`, {
          namespace: 'team-1',
          ownerReferences: [ownedBy(xr)],
          data: {password: 'aHVudGVyMg=='},
        }),
      ];
    case 6: // A Usage of a kind that the dump does not have.
      return [
        object('protection.crossplane.io/v1beta1', 'Usage', `web-${number}`, {
          namespace: 'team-2',
          spec: {of: {apiVersion: 'apps/v1', kind: 'Deployment', resourceRef: {name: 'web'}}, reason: 'r'},
        }),
      ];
    case 7: // On its way out with all it has.
      return [
        changed(made(25), {deletionTimestamp: ago(3), annotations: {'crossplane.io/composition-resource-name': 'key'}}),
      ];
    case 9: // Made by hand in the old kind and moved to the new one of its cloud, which alone may delete it.
      return [
        changed(
          made(27),
          {annotations: {'crossplane.io/external-name': `arn:cloud:key:1:${number}`}},
          {
            spec: {forProvider: {}, deletionPolicy: 'Orphan'},
          },
        ),
        changed(
          made(28),
          {annotations: {'crossplane.io/external-name': `arn:cloud:key:1:${number}`}},
          {apiVersion: 'cloud.m.example.org/v1beta1', spec: {forProvider: {}}},
        ),
      ];
    case 10: // An asynchronous create that fails and is tried again.
      return [
        changed(
          made(29),
          {
            annotations: {
              'crossplane.io/external-create-pending': ago(100),
              'crossplane.io/external-create-succeeded': ago(100),
            },
          },
          {status: {conditions: [{type: 'LastAsyncOperation', status: 'False', reason: 'AsyncCreateFailure'}]}},
        ),
      ];
    case 11: // A usage of a config by the managed resource of its name.
      return [
        object('cloud.example.org/v1beta1', 'ProviderConfig', `config-${number}`),
        {
          ...object('cloud.example.org/v1beta1', 'ProviderConfigUsage', made(30).metadata.uid ?? ''),
          providerConfigRef: {name: `config-${number}`},
        },
        made(30),
      ];
    case 8: // Created, failed, and tried again: all of it known.
      return [
        changed(
          made(26),
          {
            annotations: {
              'crossplane.io/external-create-pending': ago(100),
              'crossplane.io/external-create-failed': ago(99),
            },
          },
          {status: conditions('False')},
        ),
      ];
    default:
      return [];
  }
}

export function pausedSince(time: string): JsonObject {
  return {
    manager: 'kubectl',
    operation: 'Update',
    apiVersion: 'v1',
    time,
    fieldsType: 'FieldsV1',
    fieldsV1: {'f:metadata': {'f:annotations': {'f:crossplane.io/paused': {}}}},
  };
}

function conditions(ready: 'True' | 'False'): JsonObject {
  const since = {lastTransitionTime: ago(8000)};
  return {
    conditions: [
      {type: 'Ready', status: ready, reason: ready === 'True' ? 'Available' : 'Creating', ...since},
      {type: 'Synced', status: 'True', reason: 'ReconcileSuccess', ...since},
    ],
  };
}

/** Seventeen hexadecimal digits as a cloud makes them up. */
function idOf(number: number, index: number): string {
  const mixed = Math.imul(number * 64 + index + 1, 0x9e3779b1) >>> 0;
  return `0${mixed.toString(16).padStart(8, '0')}${(number * 64 + index).toString(16).padStart(8, '0')}`;
}

interface Given {
  readonly namespace?: string;
  readonly [field: string]: unknown;
}

const ofMetadata = ['namespace', 'labels', 'annotations', 'ownerReferences', 'finalizers', 'deletionTimestamp'];

export function object(apiVersion: string, kind: string, name: string, given: Given = {}): KubeObject {
  const entries = Object.entries(given);
  const metadata = Object.fromEntries(entries.filter(([field]) => ofMetadata.includes(field)));
  const rest = Object.fromEntries(entries.filter(([field]) => !ofMetadata.includes(field)));
  const uid = `uid-${kind}-${given.namespace ?? ''}-${name}`;
  return {apiVersion, kind, metadata: {name, uid, creationTimestamp: ago(9000), ...metadata}, ...rest} as KubeObject;
}
