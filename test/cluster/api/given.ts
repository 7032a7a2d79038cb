import type {KindDefinition} from '../../../src/cluster/api/kinds.ts';
import type {
  ApiError,
  ApiRequest,
  ApiResponse,
  PropagationPolicy,
  WatchEvent,
} from '../../../src/cluster/api/request.ts';
import {
  type Admission,
  emptyServer,
  installKind,
  type Served,
  type ServerState,
  serve,
} from '../../../src/cluster/api/server.ts';
import {isObject, type Json, type JsonObject} from '../../../src/cluster/json.ts';
import type {KubeObject} from '../../../src/cluster/object.ts';

// A server with one kind, Widget, and one widget to write to, so that a story says only who writes what.

export const widgets = {apiVersion: 'test.example.org/v1', kind: 'Widget'};
export const startMs = 1_700_000_000_000;

const text = {type: 'string'};

const specSchema: JsonObject = {
  type: 'object',
  properties: {
    size: {type: 'integer', minimum: 0, maximum: 10},
    color: {...text, default: 'red', enum: ['red', 'green', 'blue']},
    owner: {...text, minLength: 1},
    tags: {type: 'array', items: text, 'x-kubernetes-list-type': 'set'},
    args: {type: 'array', items: text},
    ports: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
      items: {
        type: 'object',
        required: ['port'],
        properties: {port: {type: 'integer'}, protocol: {...text, default: 'TCP'}, name: text},
      },
    },
    options: {type: 'object', additionalProperties: text},
    point: {type: 'object', 'x-kubernetes-map-type': 'atomic', properties: {x: text, y: text}},
    nested: {type: 'object', properties: {a: text, b: {...text, nullable: true}}},
    free: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true},
  },
};

const statusSchema: JsonObject = {
  type: 'object',
  properties: {
    phase: {...text, enum: ['New', 'Done']},
    conditions: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
      items: {type: 'object', properties: {type: text, status: text}},
    },
  },
};

export const widgetKind: KindDefinition = {
  group: 'test.example.org',
  kind: 'Widget',
  plural: 'widgets',
  namespaced: false,
  versions: [
    {
      name: 'v1',
      served: true,
      storage: true,
      status: true,
      schema: {type: 'object', properties: {spec: specSchema, status: statusSchema}},
    },
  ],
};

type Body = JsonObject;

/** A server that remembers its state from request to request. */
export class Rig {
  server: ServerState;
  nowMs = startMs;
  readonly events: WatchEvent[] = [];
  admission: Admission | undefined;

  constructor(...kinds: readonly KindDefinition[]) {
    this.server = (kinds.length === 0 ? [widgetKind] : kinds).reduce(installKind, emptyServer());
  }

  ask(request: ApiRequest): ApiResponse {
    const context = this.admission === undefined ? {nowMs: this.nowMs} : {nowMs: this.nowMs, admission: this.admission};
    const served: Served = serve(this.server, request, context);
    this.server = served.server;
    this.events.push(...served.events);
    return served.response;
  }

  /** The object after a request that must succeed. */
  do(request: ApiRequest): KubeObject {
    const response = this.ask(request);
    if (!response.ok) throw new Error(`${request.verb}: ${response.message}`);
    return response.object as KubeObject;
  }

  /** The error of a request that must fail. */
  refuse(request: ApiRequest): ApiError {
    const response = this.ask(request);
    if (response.ok) throw new Error(`${request.verb} should have failed, got ${JSON.stringify(response.object)}`);
    return response;
  }

  get widget(): KubeObject {
    return this.do({verb: 'get', ref: {...widgets, name: 'w'}});
  }

  /** The widget changed by a function and written back by a PUT. */
  update(manager: string, change: (widget: KubeObject) => KubeObject): ApiResponse {
    return this.ask({verb: 'update', object: change(this.widget), manager});
  }

  /** managedFields as `manager operation[/subresource]` -> the paths owned, which is what a story is about. */
  get owners(): {readonly [manager: string]: readonly string[]} {
    const entries = this.widget.metadata.managedFields ?? [];
    return Object.fromEntries(
      entries.map(({manager, operation, subresource, fieldsV1}) => [
        `${manager} ${operation}${subresource === undefined ? '' : `/${subresource}`}`,
        paths(fieldsV1),
      ]),
    );
  }

  /** Replaces the kind by one whose list `field` is atomic. */
  makeAtomic(field: string): void {
    const properties = specSchema['properties'] as JsonObject;
    this.changeField(field, {...(properties[field] as JsonObject), 'x-kubernetes-list-type': 'atomic'});
  }

  /** Replaces the kind by one in which `field` of the spec has the schema. */
  changeField(field: string, to: JsonObject): void {
    const changed = {...(specSchema['properties'] as JsonObject), [field]: to};
    const [version] = widgetKind.versions;
    if (version === undefined) throw new Error('the kind of the rig has no version');
    const schema = {type: 'object', properties: {spec: {...specSchema, properties: changed}, status: statusSchema}};
    this.server = installKind(this.server, {...widgetKind, versions: [{...version, schema}]});
  }

  exists(name = 'w'): boolean {
    return this.ask({verb: 'get', ref: {...widgets, name}}).ok;
  }
}

export function create(
  spec: Body,
  rest: {readonly metadata?: Body; readonly status?: Body; readonly manager?: string} = {},
): ApiRequest {
  const {metadata = {}, status, manager = 'creator'} = rest;
  const object = widget({metadata, spec, ...(status === undefined ? {} : {status})});
  return {verb: 'create', object, manager};
}

export function apply(
  manager: string,
  spec: Body | undefined,
  options: {readonly force?: boolean; readonly metadata?: Body; readonly status?: Body} = {},
): ApiRequest {
  const {force = false, metadata = {}, status} = options;
  const body = widget({
    metadata,
    ...(spec === undefined ? {} : {spec}),
    ...(status === undefined ? {} : {status}),
  });
  return {verb: 'patch', type: 'apply', ref: {...widgets, name: 'w'}, body, manager, force};
}

export function applyStatus(manager: string, status: Body, force = false): ApiRequest {
  const body = widget({status});
  return {verb: 'patch', type: 'apply', ref: {...widgets, name: 'w'}, body, manager, force, subresource: 'status'};
}

export function merge(manager: string, body: Body, subresource?: 'status'): ApiRequest {
  const request = {verb: 'patch', type: 'merge', ref: {...widgets, name: 'w'}, body, manager} as const;
  return subresource === undefined ? request : {...request, subresource};
}

export function jsonPatch(manager: string, body: readonly Body[]): ApiRequest {
  return {verb: 'patch', type: 'json', ref: {...widgets, name: 'w'}, body, manager};
}

export function remove(
  options: {
    readonly propagationPolicy?: PropagationPolicy;
    readonly preconditions?: {uid?: string; resourceVersion?: string};
  } = {},
): ApiRequest {
  return {verb: 'delete', ref: {...widgets, name: 'w'}, ...options};
}

export function widget(parts: {readonly metadata?: Body; readonly spec?: Body; readonly status?: Body}): KubeObject {
  return {...widgets, ...parts, metadata: {name: 'w', ...parts.metadata}} as KubeObject;
}

export function withSpec(object: KubeObject, spec: Body): KubeObject {
  return {...object, spec: {...object.spec, ...spec}};
}

export function withMetadata(object: KubeObject, metadata: Body): KubeObject {
  return {...object, metadata: {...object.metadata, ...metadata} as KubeObject['metadata']};
}

/** Owned paths as dotted text, sorted: `spec.ports[{"port":80}].name`. A parent owned besides its children is there too. */
function paths(fields: JsonObject, prefix = ''): readonly string[] {
  return Object.entries(fields)
    .flatMap(([element, below]: [string, Json]) => {
      if (element === '.') return [prefix];
      const path = element.startsWith('f:')
        ? `${prefix}${prefix === '' ? '' : '.'}${element.slice(2)}`
        : `${prefix}[${element.slice(2)}]`;
      return isObject(below) && Object.keys(below).length > 0 ? paths(below, path) : [path];
    })
    .sort();
}
