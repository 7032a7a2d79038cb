import type {ApiRequest, ApiResponse} from '../../../src/cluster/api/request.ts';
import {type ProfileName, profiles} from '../../../src/cluster/crossplane/profiles.ts';
import type {JsonObject} from '../../../src/cluster/json.ts';
import type {Process} from '../../../src/cluster/kernel/process.ts';
import type {KubeObject, ResourceRef} from '../../../src/cluster/object.ts';
import {conditionOf} from '../../../src/cluster/object.ts';
import {
  configureNopProvider,
  type NopProviderOptions,
  nopProvider,
} from '../../../src/cluster/provider/nop-provider.ts';
import {
  type ControlPlane,
  openControlPlane,
  recordedLatency,
} from '../../../src/harness/control-plane/control-plane.ts';
import type {Happening} from '../../../src/harness/control-plane/session.ts';
import type {InProcessFunction} from '../../../src/harness/functions/builtin.ts';
import {driveHere} from '../../../src/harness/functions/drive.ts';
import {functionStatic} from '../../../src/harness/functions/function-static.ts';

// A platform for stories about Crossplane: one kind of XR called App, one Composition called app, NopResources composed
// by function-static. Versions before v2 know only legacy XRs, so there App is one; a story says nothing about that.

export interface PlatformOptions {
  readonly crossplane: ProfileName;
  readonly realtime?: boolean;
  readonly scope?: 'LegacyCluster' | 'Cluster' | 'Namespaced';
  readonly claims?: boolean;
  readonly xrd?: JsonObject;
  readonly functions?: {readonly [name: string]: InProcessFunction};
  readonly seed?: number;
  /** How late watch events are; 0: caches are never behind. */
  readonly watchMs?: number;
}

/** A composed resource by resource name and value, as the Composition lists it. */
export type Wanted = readonly (string | JsonObject)[];

export class Platform {
  readonly happenings: Happening[] = [];
  readonly controlPlane: ControlPlane;
  private readonly scope: string;
  private from = 0;

  constructor(options: PlatformOptions) {
    const profile = profiles[options.crossplane];
    this.scope = options.scope ?? (profile.definitionApi === 'v1' ? 'LegacyCluster' : 'Cluster');
    this.controlPlane = openControlPlane({
      crossplane: options.crossplane,
      ...(options.realtime === undefined ? {} : {realtime: options.realtime}),
      seed: options.seed ?? 1,
      functions: {'function-static': functionStatic, ...options.functions},
      provider: nopProvider(['Nop.nop.example.org', 'NopInNamespace.nop.example.org']) as unknown as Process<never>,
      latency: {...recordedLatency, watchMs: options.watchMs ?? 0},
      observers: [(happening) => this.happenings.push(happening)],
    });
    this.apply(composedCrd('Nop', 'nops', 'Cluster'));
    this.apply(composedCrd('NopInNamespace', 'nopsinnamespace', 'Namespaced'));
    this.apply(this.xrd(options));
    this.pass(40);
  }

  apply(object: KubeObject): ApiResponse {
    const {apiVersion, kind, metadata} = object;
    const {name, namespace} = metadata;
    const ref = namespace === undefined ? {apiVersion, kind, name} : {apiVersion, kind, name, namespace};
    return this.request({verb: 'patch', type: 'apply', ref, body: object, manager: 'user', force: true});
  }

  request(request: ApiRequest): ApiResponse {
    return this.controlPlane.session.submit('user', request);
  }

  /** The Composition as it is from now on. A string is a Nop of that resource name. */
  compose(resources: Wanted, more: JsonObject = {}): ApiResponse {
    const input = {
      apiVersion: 'static.fn.example.org/v1',
      kind: 'Input',
      resources: resources.map(resourceEntry),
      ...more,
    };
    return this.pipeline([{step: 'static', functionRef: {name: 'function-static'}, input}]);
  }

  pipeline(steps: readonly JsonObject[]): ApiResponse {
    return this.apply({
      apiVersion: 'apiextensions.crossplane.io/v1',
      kind: 'Composition',
      metadata: {name: 'app'},
      spec: {compositeTypeRef: {apiVersion: 'example.org/v1', kind: 'App'}, mode: 'Pipeline', pipeline: steps},
    });
  }

  /** The XR `shop`, or another. */
  order(name = 'shop', spec: JsonObject = {}, more: JsonObject = {}): ApiResponse {
    const selection = {compositionRef: {name: 'app'}, ...more};
    const machinery = this.scope === 'LegacyCluster' ? selection : {crossplane: selection};
    const place = this.scope === 'Namespaced' ? {namespace: 'default'} : {};
    return this.apply({
      apiVersion: 'example.org/v1',
      kind: 'App',
      metadata: {name, ...place},
      spec: {...spec, ...machinery},
    });
  }

  /** Lets so many seconds pass. */
  pass(seconds: number): void {
    const {session} = this.controlPlane;
    driveHere(session.run(session.nowMs + seconds * 1000));
  }

  until(holds: () => boolean, seconds: number): boolean {
    const {session} = this.controlPlane;
    return driveHere(session.run(session.nowMs + seconds * 1000, holds));
  }

  xrRef(name = 'shop'): ResourceRef {
    const place = this.scope === 'Namespaced' ? {namespace: 'default'} : {};
    return {apiVersion: 'example.org/v1', kind: 'App', name, ...place};
  }

  xr(name = 'shop'): KubeObject | undefined {
    return this.get(this.xrRef(name));
  }

  get(ref: ResourceRef): KubeObject | undefined {
    const response = this.controlPlane.session.submit('reader', {verb: 'get', ref});
    return response.ok ? response.object : undefined;
  }

  /** `Ready=True/Available`, or `absent`. */
  condition(type: string, name = 'shop'): string {
    const condition = conditionOf(this.xr(name), type);
    return condition === undefined ? 'absent' : `${condition.status}/${condition.reason}`;
  }

  message(type: string, name = 'shop'): string {
    return conditionOf(this.xr(name), type)?.message ?? '';
  }

  /** The composed resources of a resource name, orphans included. */
  composed(resourceName: string, kind = 'Nop'): readonly KubeObject[] {
    return this.controlPlane.catalogue.find({kind, resource: resourceName});
  }

  one(resourceName: string): KubeObject {
    const [object, ...more] = this.composed(resourceName);
    if (object === undefined || more.length > 0) throw new Error(`${more.length} too many or no ${resourceName}`);
    return object;
  }

  /** Names in the XR's resourceRefs. */
  refs(name = 'shop'): readonly string[] {
    const spec = this.xr(name)?.spec ?? {};
    const machinery = (this.scope === 'LegacyCluster' ? spec : spec['crossplane']) as JsonObject;
    const refs = (machinery?.['resourceRefs'] ?? []) as readonly {readonly name: string}[];
    return refs.map((ref) => ref.name);
  }

  delete(ref: ResourceRef, propagationPolicy?: 'Background' | 'Foreground' | 'Orphan'): ApiResponse {
    return this.request({verb: 'delete', ref, ...(propagationPolicy === undefined ? {} : {propagationPolicy})});
  }

  patch(ref: ResourceRef, body: JsonObject): ApiResponse {
    return this.request({verb: 'patch', type: 'merge', ref, body, manager: 'user'});
  }

  provider(change: Partial<NopProviderOptions>): void {
    this.controlPlane.session.change((world) => configureNopProvider(world, change));
  }

  stop(): void {
    this.controlPlane.session.stop(this.controlPlane.processes.crossplane);
  }

  start(): void {
    this.controlPlane.session.start(this.controlPlane.processes.crossplane);
  }

  /** From here on `writes`, `calls` and `notes` count. */
  mark(): void {
    this.from = this.happenings.length;
  }

  /** Crossplane's writes since the mark, with what it asked. */
  writes(kind: string): readonly ApiRequest[] {
    return this.since().flatMap(({entry}) => {
      if (entry.kind !== 'api' || entry.actor !== this.controlPlane.processes.crossplane) return [];
      const {request} = entry;
      if (request.verb === 'get' || request.verb === 'list') return [];
      const about = 'object' in request ? request.object.kind : 'ref' in request ? request.ref.kind : request.kind;
      return about === kind ? [request] : [];
    });
  }

  calls(target = 'function-static'): number {
    return this.since().filter(({entry}) => entry.kind === 'function' && entry.target === target).length;
  }

  notes(): readonly string[] {
    return this.since().flatMap(({entry}) => (entry.kind === 'note' ? [entry.note.message] : []));
  }

  /** How the XR's condition looked after each write that showed it, repeats left out. */
  history(type: string): readonly string[] {
    const seen: string[] = [];
    for (const {entry} of this.since()) {
      if (entry.kind !== 'api') continue;
      for (const {object} of entry.events) {
        const condition = object.kind === 'App' ? conditionOf(object, type) : undefined;
        const text = condition === undefined ? undefined : `${condition.status}/${condition.reason}`;
        if (text !== undefined && seen.at(-1) !== text) seen.push(text);
      }
    }
    return seen;
  }

  died(): boolean {
    return this.happenings.some(({entry}) => entry.kind === 'process' && entry.change === 'died');
  }

  /** A backup of XR and composed resources, both lost, and a restore that leaves out uid and owner references. */
  restore(options: {readonly ownerReferences?: 'keep'} = {}): void {
    const objects = [...this.controlPlane.catalogue.find({kind: 'Nop'}), this.xr()].filter((one) => one !== undefined);
    this.stop();
    this.provider({enabled: false});
    for (const object of objects) this.wipe(object);
    for (const object of objects) this.request({verb: 'create', object: restored(object, options), manager: 'velero'});
    this.provider({enabled: true});
  }

  private wipe({apiVersion, kind, metadata}: KubeObject): void {
    const {name, namespace} = metadata;
    const ref = namespace === undefined ? {apiVersion, kind, name} : {apiVersion, kind, name, namespace};
    this.patch(ref, {metadata: {finalizers: null, ownerReferences: null}});
    this.delete(ref);
  }

  private since(): readonly Happening[] {
    return this.happenings.slice(this.from);
  }

  private xrd(options: PlatformOptions): KubeObject {
    const legacy = this.scope === 'LegacyCluster';
    return {
      apiVersion: `apiextensions.crossplane.io/${legacy ? 'v1' : 'v2'}`,
      kind: 'CompositeResourceDefinition',
      metadata: {name: 'apps.example.org'},
      spec: {
        group: 'example.org',
        names: {kind: 'App', plural: 'apps'},
        ...(legacy ? {} : {scope: this.scope}),
        ...(options.claims === true ? {claimNames: {kind: 'AppClaim', plural: 'appclaims'}} : {}),
        versions: [{name: 'v1', served: true, referenceable: true, schema: {openAPIV3Schema: xrSchema}}],
        ...options.xrd,
      },
    };
  }
}

export const nopRef = (name: string): ResourceRef => ({apiVersion: 'nop.example.org/v1', kind: 'Nop', name});

const anything = {type: 'object', 'x-kubernetes-preserve-unknown-fields': true};
const xrSchema = {
  type: 'object',
  properties: {
    spec: {type: 'object', properties: {size: {type: 'string'}}},
    status: {type: 'object', properties: {note: {type: 'string'}}},
  },
};

function resourceEntry(wanted: string | JsonObject): JsonObject {
  if (typeof wanted !== 'string') return {ready: 'Auto', ...wanted};
  return {name: wanted, ready: 'Auto', base: {apiVersion: 'nop.example.org/v1', kind: 'Nop', spec: {of: wanted}}};
}

export function composedCrd(kind: string, plural: string, scope: 'Cluster' | 'Namespaced'): KubeObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `${plural}.nop.example.org`},
    spec: {
      group: 'nop.example.org',
      scope,
      names: {kind, plural},
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
  };
}

function restored(object: KubeObject, options: {readonly ownerReferences?: 'keep'}): KubeObject {
  const {
    uid: _,
    resourceVersion: __,
    generation: ___,
    creationTimestamp: ____,
    managedFields: _____,
    ownerReferences,
    ...metadata
  } = object.metadata;
  const owners = options.ownerReferences === 'keep' && ownerReferences !== undefined ? {ownerReferences} : {};
  const {status: ______, ...rest} = object;
  return {...rest, metadata: {...metadata, ...owners}} as KubeObject;
}
