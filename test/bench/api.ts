import type {ApiRequest, ApiResponse} from '../../src/cluster/api/request.ts';
import {emptyServer, type ServerState, serve} from '../../src/cluster/api/server.ts';
import type {JsonObject} from '../../src/cluster/json.ts';
import type {KubeObject} from '../../src/cluster/object.ts';
import {textRow} from '../../src/command-line/tables.ts';

// Requests per second of processor time of the simulated API server, over objects the size of real managed resources. Run:
// `node test/bench/api.ts [seconds per line]`.

const secondsPerLine = Number(process.argv[2] ?? 1);
const nowMs = 1_700_000_000_000;
const kind = {apiVersion: 'ec2.example.org/v1beta1', kind: 'Subnet'};

const text = {type: 'string'};
const tags = {type: 'object', additionalProperties: text};
const fields = Object.fromEntries(Array.from({length: 40}, (_, index) => [`field${index}`, text]));
const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: 'subnets.ec2.example.org'},
  spec: {
    group: 'ec2.example.org',
    scope: 'Cluster',
    names: {kind: 'Subnet', plural: 'subnets'},
    versions: [
      {
        name: 'v1beta1',
        served: true,
        storage: true,
        subresources: {status: {}},
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: {
              spec: {
                type: 'object',
                required: ['forProvider'],
                properties: {
                  deletionPolicy: {type: 'string', enum: ['Orphan', 'Delete'], default: 'Delete'},
                  forProvider: {type: 'object', properties: {...fields, tags}},
                },
              },
              status: {
                type: 'object',
                properties: {
                  atProvider: {type: 'object', properties: {...fields, tags}},
                  conditions: {
                    type: 'array',
                    items: {type: 'object', properties: {type: text, status: text, reason: text}},
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['type'],
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
} as unknown as KubeObject;

/** A configuration as a composition function desires it: about 2 KB. */
function configOf(name: string, changing: string): KubeObject {
  const values = Object.fromEntries(
    Array.from({length: 30}, (_, index) => [`field${index}`, `value-${index}-of-${name}`]),
  );
  return {
    ...kind,
    metadata: {
      name,
      labels: {'crossplane.io/composite': 'network', zone: 'eu-central-1a'},
      annotations: {'crossplane.io/composition-resource-name': name},
      ownerReferences: [{apiVersion: 'x/v1', kind: 'XNetwork', name: 'network', uid: 'u-1', controller: true}],
    },
    spec: {forProvider: {...values, field0: changing, tags: {name, team: 'platform', cost: '42'}}},
  };
}

interface Bench {
  readonly name: string;
  readonly request: (index: number, server: ServerState) => ApiRequest;
}

const count = 100;
const nameOf = (index: number) => `subnet-${index % count}`;
const apply = (index: number, changing: string): ApiRequest => ({
  verb: 'patch',
  type: 'apply',
  ref: {...kind, name: nameOf(index)},
  body: configOf(nameOf(index), changing) as JsonObject,
  manager: 'composed',
  force: true,
});

const benches: readonly Bench[] = [
  {name: 'get', request: (index) => ({verb: 'get', ref: {...kind, name: nameOf(index)}})},
  {name: 'list of 100', request: () => ({verb: 'list', ...kind})},
  {name: 'apply, nothing new', request: (index) => apply(index, 'same')},
  {name: 'apply, one field new', request: (index) => apply(index, `value ${index}`)},
  {
    name: 'update of one label',
    request: (index, server) => {
      const object = stored(server, nameOf(index));
      const labels = {...object.metadata.labels, turn: String(index)};
      return {verb: 'update', object: {...object, metadata: {...object.metadata, labels}}, manager: 'labeller'};
    },
  },
  {
    name: 'update of status',
    request: (index, server) => {
      const object = stored(server, nameOf(index));
      const conditions = [{type: 'Ready', status: index % 2 === 0 ? 'True' : 'False', reason: 'Available'}];
      const status = {...object.status, conditions};
      return {verb: 'update', object: {...object, status}, manager: 'provider', subresource: 'status'};
    },
  },
  {
    name: 'merge patch',
    request: (index) => ({
      verb: 'patch',
      type: 'merge',
      ref: {...kind, name: nameOf(index)},
      body: {metadata: {annotations: {turn: String(index)}}},
      manager: 'annotator',
    }),
  },
  {
    name: 'create and delete, by turns',
    request: (index) =>
      index % 2 === 0
        ? {verb: 'create', object: configOf(`new-${index}`, 'x'), manager: 'user'}
        : {verb: 'delete', ref: {...kind, name: `new-${index - 1}`}},
  },
];

const columns = [{head: 'request', width: 30}, {head: 'a second', width: 10, isNumber: true}, {head: ''}];

const base = prepared();
for (const {name, request} of benches) {
  measure(name, request, 0.3);
  const perSecond = measure(name, request, secondsPerLine);
  console.log(textRow(columns, [name, Math.round(perSecond).toLocaleString('en'), 'requests/s']));
}

function measure(name: string, request: Bench['request'], seconds: number): number {
  let server = base;
  let index = 0;
  const start = process.cpuUsage();
  let used = 0;
  while (used < seconds) {
    for (let turn = 0; turn < 100; turn++, index++) server = served(name, server, request(index, server));
    const {user, system} = process.cpuUsage(start);
    used = (user + system) / 1_000_000;
  }
  return index / used;
}

function served(name: string, server: ServerState, request: ApiRequest): ServerState {
  const {server: next, response} = serve(server, request, {nowMs});
  if (!response.ok) throw new Error(`cannot ${name}: ${response.message}`);
  return next;
}

function prepared(): ServerState {
  let server = served('install', emptyServer(), {verb: 'create', object: crd, manager: 'user'});
  for (let index = 0; index < count; index++) {
    server = served('prepare', server, apply(index, 'same'));
    const object = stored(server, nameOf(index));
    const finalizers = ['finalizer.managedresource.crossplane.io'];
    const managed = {...object, metadata: {...object.metadata, finalizers}};
    server = served('prepare', server, {verb: 'update', object: managed, manager: 'provider'});
  }
  return server;
}

function stored(server: ServerState, name: string): KubeObject {
  const response: ApiResponse = serve(server, {verb: 'get', ref: {...kind, name}}, {nowMs}).response;
  if (!response.ok || response.object === undefined) throw new Error(`cannot get "${name}"`);
  return response.object;
}
