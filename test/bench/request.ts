// A RunFunctionRequest as Crossplane sends it: an XR and n composed resources, observed and desired, of realistic size.
// An observed managed resource is about 4 KB of JSON (metadata with managedFields, spec, status with conditions), a
// desired one about 1.5 KB. Everything is observed, controlled and desired: the steady state, which is nearly every call.

import {composedManager} from '../../src/cluster/crossplane/object-names.ts';
import {managerComposedPrefix} from '../../src/cluster/vocabulary.ts';
import {runFunction} from '../../src/function/run.ts';
import type {JsonObject} from '../../src/wire/json.ts';
import {encodeRequest, type RequestBody} from '../../src/wire/request-encode.ts';
import {decodeResponse} from '../../src/wire/response-decode.ts';
import {shuffledRequest} from '../function/shuffled-bytes.ts';

const xrUid = '5f9e2c1a-7b1d-4f0e-9a53-2f6f4b0c9d11';

/** The request bytes for `n` composed resources, without an input. */
export function benchRequest(n: number): Uint8Array {
  return encodeRequest(steadyState(n));
}

/**
 * The same with every part of the input in use: creation and deletion order over a chain of ten resources, with their
 * Usages observed; external names saved and remembered; lookup, stable names, removal policies, a budget,
 * protection, hand-over.
 */
export function benchRequestWithPolicy(n: number): Uint8Array {
  let body: RequestBody = {...steadyState(n), input: wholePolicy};
  // What the function adds is composed, too, and observed from then on.
  for (let round = 0; round < 3; round++) {
    const {desired, results} = decodeResponse(runFunction(encodeRequest(body)));
    if (results.some(({severity}) => severity === 'fatal')) throw new Error(results[0]?.message);
    const resources = new Map(body.observed.resources);
    for (const [name, {object}] of desired.resources) {
      if (!resources.has(name)) resources.set(name, {object: asObserved(object, resources.size)});
    }
    const status = {
      ...(body.observed.composite?.object['status'] as JsonObject),
      ...(desired.composite?.object['status'] as JsonObject),
    };
    const composite = {object: {...body.observed.composite?.object, status}};
    body = {...body, observed: {composite, resources}};
  }
  return encodeRequest(body);
}

const orders = 16;

/** The request as Go sends it from one reconcile to the next: the entries of its maps in another order every time. */
export function asGoSends(request: Uint8Array): readonly Buffer[] {
  let state = 1;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  return Array.from({length: orders}, () => Buffer.from(shuffledRequest(request, random)));
}

function steadyState(n: number): RequestBody {
  const names = Array.from({length: n}, (_, index) => `subnet-${String(index).padStart(3, '0')}`);
  return {
    tag: 'b6a9d1c0f3e2',
    capabilities: [1, 2, 3, 4, 5],
    observed: {
      composite: {object: xr(names)},
      resources: new Map(names.map((name, index) => [name, {object: observed(name, index)}])),
    },
    desired: {
      composite: {object: {status: {ready: n}}},
      resources: new Map(names.map((name, index) => [name, {object: desired(name, index), ready: 'true' as const}])),
    },
    context: {'apiextensions.crossplane.io/environment': {region: 'eu-central-1', account: '123456789012'}},
  };
}

const subnets = {kinds: [{apiVersion: 'ec2.aws.m.upbound.io/v1beta1', kind: 'Subnet'}]};
const wholePolicy: JsonObject = {
  apiVersion: 'tether.fn.crossplane.io/v1beta1',
  kind: 'Input',
  order: [{sequence: Array.from({length: 10}, (_, index) => ({resources: [`subnet-00${index}`]}))}],
  usages: [{of: 'subnet-000', by: 'subnet-009', reason: 'the last one needs the first'}],
  externalNames: {from: [{match: subnets, path: 'status.atProvider.id'}], remember: {in: 'Status'}},
  restore: {lookup: true, stableNames: true, kinds: subnets.kinds},
  removal: {
    policies: [
      {match: {labels: [{key: 'access', value: 'public'}]}, policy: 'Confirm'},
      {match: {pattern: 'subnet-.*'}, policy: 'Orphan'},
    ],
    budget: {percent: 20},
  },
  handover: [
    {
      from: {kinds: [{apiVersion: 'ec2.aws.upbound.io/v1beta1', kind: 'Subnet'}]},
      to: {apiVersion: 'ec2.aws.m.upbound.io/v1beta1'},
    },
    {from: {resources: ['subnet-a']}, to: {resource: 'subnet-001'}},
  ],
  protect: {resources: [{match: {labels: [{key: 'protected', value: 'true', ignoreCase: true}]}}]},
};

function asObserved(object: JsonObject, index: number): JsonObject {
  const metadata = object['metadata'] as JsonObject;
  return {
    ...object,
    metadata: {
      ...metadata,
      uid: `00000000-0000-4000-9000-${String(index).padStart(12, '0')}`,
      ownerReferences: [
        {apiVersion: 'platform.example.org/v1', kind: 'XNetwork', name: 'prod', uid: xrUid, controller: true},
      ],
    },
  };
}

/** One observed resource, to say how large it is. */
export function observedExample(): JsonObject {
  return observed('subnet-000', 0);
}

function xr(names: readonly string[]): JsonObject {
  return {
    apiVersion: 'platform.example.org/v1',
    kind: 'XNetwork',
    metadata: {
      name: 'prod',
      uid: xrUid,
      generation: 7,
      creationTimestamp: '2026-05-01T10:00:00Z',
      labels: {'crossplane.io/composite': 'prod', team: 'platform'},
      finalizers: ['composite.apiextensions.crossplane.io'],
    },
    spec: {
      region: 'eu-central-1',
      cidr: '10.0.0.0/16',
      crossplane: {
        compositionRef: {name: 'xnetworks.aws'},
        resourceRefs: names.map((name) => ({apiVersion: 'ec2.aws.m.upbound.io/v1beta1', kind: 'Subnet', name})),
      },
    },
    status: {conditions: [condition('Ready', 'Available'), condition('Synced', 'ReconcileSuccess')]},
  };
}

/** Of Crossplane, for what the XR composes. */
const manager = composedManager(managerComposedPrefix, {
  apiVersion: 'platform.example.org/v1',
  kind: 'XNetwork',
  name: 'prod',
});

function observed(name: string, index: number): JsonObject {
  const body = desired(name, index);
  return {
    ...body,
    metadata: {
      ...(body['metadata'] as JsonObject),
      name: `prod-${name}`,
      generateName: 'prod-',
      uid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      resourceVersion: String(812_345 + index),
      generation: 2,
      creationTimestamp: '2026-05-01T10:00:07Z',
      finalizers: ['finalizer.managedresource.crossplane.io'],
      labels: {
        ...((body['metadata'] as JsonObject)['labels'] as JsonObject),
        'crossplane.io/composite': 'prod',
        'tether.fn.crossplane.io/resource': name,
      },
      annotations: {
        'crossplane.io/composition-resource-name': name,
        'crossplane.io/external-name': `subnet-0a1b2c3d4e5f${String(index).padStart(5, '0')}`,
        'crossplane.io/external-create-pending': '2026-05-01T10:00:08Z',
        'crossplane.io/external-create-succeeded': '2026-05-01T10:00:11Z',
        'tether.fn.crossplane.io/phase': 'adopted',
      },
      ownerReferences: [
        {
          apiVersion: 'platform.example.org/v1',
          kind: 'XNetwork',
          name: 'prod',
          uid: xrUid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
      managedFields: [managed(manager, index, true), managed('crossplane-aws', index, false)],
    },
    status: {
      atProvider: {
        ...((body['spec'] as JsonObject)['forProvider'] as JsonObject),
        arn: `arn:aws:ec2:eu-central-1:123456789012:subnet/subnet-0a1b2c3d4e5f${String(index).padStart(5, '0')}`,
        id: `subnet-0a1b2c3d4e5f${String(index).padStart(5, '0')}`,
        ownerId: '123456789012',
        availabilityZoneId: 'euc1-az2',
        tagsAll: {
          'crossplane-kind': 'subnet.ec2.aws.m.upbound.io',
          'crossplane-name': `prod-${name}`,
          team: 'platform',
        },
      },
      conditions: [
        condition('Ready', 'Available'),
        condition('Synced', 'ReconcileSuccess'),
        condition('LastAsyncOperation', 'Success'),
        condition('AsyncOperation', 'Finished'),
      ],
    },
  };
}

function desired(name: string, index: number): JsonObject {
  return {
    apiVersion: 'ec2.aws.m.upbound.io/v1beta1',
    kind: 'Subnet',
    metadata: {
      labels: {
        'networks.platform.example.org/network-id': 'prod',
        access: index % 2 === 0 ? 'public' : 'private',
        zone: 'b',
      },
    },
    spec: {
      managementPolicies: ['*'],
      providerConfigRef: {kind: 'ClusterProviderConfig', name: 'default'},
      forProvider: {
        region: 'eu-central-1',
        availabilityZone: 'eu-central-1b',
        cidrBlock: `10.0.${index % 256}.0/24`,
        mapPublicIpOnLaunch: index % 2 === 0,
        assignIpv6AddressOnCreation: false,
        enableDns64: false,
        enableResourceNameDnsARecordOnLaunch: true,
        privateDnsHostnameTypeOnLaunch: 'resource-name',
        vpcIdSelector: {matchControllerRef: true, matchLabels: {'networks.platform.example.org/network-id': 'prod'}},
        tags: {
          Name: `prod-${name}`,
          team: 'platform',
          'cost-center': '4711',
          'kubernetes.io/role/elb': '1',
          'kubernetes.io/cluster/prod': 'shared',
          description: 'Subnet of the platform network, made by a Composition and kept by Crossplane',
        },
      },
    },
  };
}

function condition(type: string, reason: string): JsonObject {
  return {type, reason, status: 'True', lastTransitionTime: '2026-05-01T10:00:12Z', observedGeneration: 2};
}

function managed(manager: string, index: number, apply: boolean): JsonObject {
  const leaf = {};
  return {
    manager,
    operation: apply ? 'Apply' : 'Update',
    apiVersion: 'ec2.aws.m.upbound.io/v1beta1',
    time: `2026-05-01T10:00:${12 + (index % 48)}Z`,
    fieldsType: 'FieldsV1',
    fieldsV1: {
      'f:metadata': {
        'f:labels': {'f:crossplane.io/composite': leaf, 'f:access': leaf, 'f:zone': leaf},
        'f:annotations': {'f:crossplane.io/composition-resource-name': leaf},
        'f:ownerReferences': {[`k:{"uid":"${xrUid}"}`]: leaf},
      },
      'f:spec': {
        'f:managementPolicies': leaf,
        'f:forProvider': {
          'f:region': leaf,
          'f:availabilityZone': leaf,
          'f:cidrBlock': leaf,
          'f:mapPublicIpOnLaunch': leaf,
          'f:vpcIdSelector': {'f:matchControllerRef': leaf},
          'f:tags': {'f:Name': leaf, 'f:team': leaf, 'f:cost-center': leaf},
        },
      },
    },
  };
}
