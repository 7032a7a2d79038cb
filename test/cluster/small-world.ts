import type {KindDefinition} from '../../src/cluster/api/kinds.ts';
import type {ApiRequest, ApiResponse} from '../../src/cluster/api/request.ts';
import {type Admission, installKind} from '../../src/cluster/api/server.ts';
import type {JsonObject} from '../../src/cluster/json.ts';
import {initialWorld} from '../../src/cluster/kernel/draft.ts';
import type {Process} from '../../src/cluster/kernel/process.ts';
import {type Definition, defaultLatency, type World} from '../../src/cluster/kernel/world.ts';
import type {KubeObject, OwnerReference, ResourceRef} from '../../src/cluster/object.ts';
import {type Happening, openSession, type Session} from '../../src/harness/control-plane/session.ts';
import {driveHere} from '../../src/harness/functions/drive.ts';

// A world of a few processes and kinds for stories about one controller: no Crossplane, no functions.

export interface SmallWorld {
  readonly session: Session;
  readonly happenings: readonly Happening[];
  create(object: KubeObject): KubeObject;
  get(ref: ResourceRef): KubeObject | undefined;
  request(request: ApiRequest): ApiResponse;
  delete(ref: ResourceRef, options?: JsonObject): ApiResponse;
  /** Lets `ms` pass. */
  pass(ms: number): void;
  /** Requests of one actor, as `verb Kind/name code`, in order. */
  writes(actor: string): readonly string[];
}

export function smallWorld(options: {
  readonly processes: readonly Process<never>[];
  readonly kinds?: readonly KindDefinition[];
  readonly objects?: readonly KubeObject[];
  readonly admission?: (world: World) => Admission | undefined;
}): SmallWorld {
  const happenings: Happening[] = [];
  const definition: Definition = {
    processes: options.processes,
    functions: {},
    latency: defaultLatency,
    ...(options.admission === undefined ? {} : {admission: options.admission}),
  };
  const empty = initialWorld(definition, 1);
  const server = (options.kinds ?? []).reduce(installKind, empty.server);
  const session = openSession(definition, {...empty, server}, {observe: (happening) => happenings.push(happening)});
  const request = (wanted: ApiRequest) => session.submit('user', wanted);
  const create = (object: KubeObject): KubeObject => {
    const response = request({verb: 'create', object, manager: 'user'});
    if (!response.ok || response.object === undefined) throw new Error(JSON.stringify(response));
    return response.object;
  };
  options.objects?.forEach(create);
  for (const process of options.processes) session.start(process.name);
  const pass = (ms: number): void => {
    driveHere(session.run(session.nowMs + ms));
  };
  return {
    session,
    happenings,
    create,
    request,
    pass,
    get: (ref) => {
      const response = request({verb: 'get', ref});
      return response.ok ? response.object : undefined;
    },
    delete: (ref, rest = {}) => request({verb: 'delete', ref, ...rest}),
    writes: (actor) => happenings.flatMap((happening) => writeOf(actor, happening)),
  };
}

function writeOf(wanted: string, {entry}: Happening): readonly string[] {
  if (entry.kind !== 'api' || entry.actor !== wanted) return [];
  const {request, response} = entry;
  if (request.verb === 'get' || request.verb === 'list' || request.verb === 'delete-collection') return [];
  const {kind, name} =
    'object' in request ? {kind: request.object.kind, name: request.object.metadata.name} : request.ref;
  return [`${request.verb} ${kind}/${name} ${response.ok ? response.code : response.code}`];
}

/** A kind without a CustomResourceDefinition of its own, cluster-scoped unless said otherwise. */
export function kindNamed(kind: string, namespaced = false): KindDefinition {
  const anything: JsonObject = {type: 'object', 'x-kubernetes-preserve-unknown-fields': true};
  const properties = {metadata: {type: 'object'}, spec: anything, status: anything};
  return {
    group: 'example.org',
    kind,
    plural: `${kind.toLowerCase()}s`,
    namespaced,
    versions: [{name: 'v1', served: true, storage: true, status: true, schema: {type: 'object', properties}}],
  };
}

export function thing(kind: string, name: string, metadata: JsonObject = {}, rest: JsonObject = {}): KubeObject {
  return {apiVersion: 'example.org/v1', kind, metadata: {name, ...metadata}, spec: {}, ...rest} as KubeObject;
}

export function refTo(kind: string, name: string, namespace?: string): ResourceRef {
  const ref = {apiVersion: 'example.org/v1', kind, name};
  return namespace === undefined ? ref : {...ref, namespace};
}

export function ownedBy(owner: KubeObject, rest: JsonObject = {}): OwnerReference {
  const {apiVersion, kind, metadata} = owner;
  return {apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '', ...rest} as OwnerReference;
}

/** A CustomResourceDefinition of a kind in example.org. */
export function crdOf(kind: string, namespaced = false): KubeObject {
  const plural = `${kind.toLowerCase()}s`;
  const anything: JsonObject = {type: 'object', 'x-kubernetes-preserve-unknown-fields': true};
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `${plural}.example.org`},
    spec: {
      group: 'example.org',
      scope: namespaced ? 'Namespaced' : 'Cluster',
      names: {kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List`},
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: {status: {}},
          schema: {openAPIV3Schema: {type: 'object', properties: {spec: anything, status: anything}}},
        },
      ],
    },
  } as unknown as KubeObject;
}
