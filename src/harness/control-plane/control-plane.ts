// A whole control plane: API server with Crossplane's kinds, Crossplane, the owner GC, the API server's own controllers, one
// provider, functions installed and healthy. Nothing of a scenario is in it yet. Its drivers (a scenario, the library, the
// explorer, a replayed recording) attach observers and act through an operator: see operator/operator.ts.

import type {KindDefinition} from '../../cluster/api/kinds.ts';
import type {WatchEvent} from '../../cluster/api/request.ts';
import {discover, installKind} from '../../cluster/api/server.ts';
import {crdFinalizer} from '../../cluster/api-controllers/crd-finalizer.ts';
import {namespaceController} from '../../cluster/api-controllers/namespace-controller.ts';
import {workloadController} from '../../cluster/api-controllers/workload-controller.ts';
import type {CloudModel} from '../../cluster/cloud/cloud-model.ts';
import {crossplane, processCrossplane} from '../../cluster/crossplane/crossplane.ts';
import {crossplaneKinds, installedFunction, providerKinds} from '../../cluster/crossplane/kinds/crossplane-kinds.ts';
import type {ProviderPackages} from '../../cluster/crossplane/packages/provider-package.ts';
import {namespaceCrossplane} from '../../cluster/crossplane/packages/provider-runtime.ts';
import type {Profile} from '../../cluster/crossplane/profile.ts';
import {type ProfileName, profiles} from '../../cluster/crossplane/profiles.ts';
import {usageAdmission} from '../../cluster/crossplane/usage-admission.ts';
import {equal, isList, isObject, type JsonObject} from '../../cluster/json.ts';
import {initialWorld} from '../../cluster/kernel/draft.ts';
import type {Process} from '../../cluster/kernel/process.ts';
import {advanceClock} from '../../cluster/kernel/step.ts';
import type {Definition, Latency, World} from '../../cluster/kernel/world.ts';
import {addressOf, type KubeObject} from '../../cluster/object.ts';
import {ownerGc} from '../../cluster/owner-gc/owner-gc.ts';
import type {InProcessFunction} from '../functions/builtin.ts';
import {isFirst} from '../functions/function-source.ts';
import {type Catalogue, catalogueOf} from './catalogue.ts';
import {type Happening, openSession, type Session} from './session.ts';

export interface ControlPlaneParts {
  readonly crossplane: ProfileName;
  /** Realtime compositions, where the version leaves it open. */
  readonly realtime?: boolean;
  /** Functions that Operations may run, where Crossplane runs Operations. */
  readonly operations?: readonly string[];
  /** Packages that Providers may name. Without one, only a definition serves a kind of this name. */
  readonly packages?: ProviderPackages;
  /** Polls without jitter: see Profile. */
  readonly steadyPolls?: true;
  /** Functions of pipelines that observers watch, or that are absent: see Profile. */
  readonly watched?: Profile['watched'];
  /** Every function that Compositions may name. One that is not in process is asked for through the session. */
  readonly functions: {readonly [name: string]: InProcessFunction | 'remote'};
  readonly provider: Process<never>;
  readonly cloud?: CloudModel;
  readonly latency?: Latency;
}

export interface ControlPlaneOptions extends ControlPlaneParts {
  readonly seed: number;
  readonly observers?: readonly Observer[];
  /** The objects at the start of the processes, functions included; by default a cluster with nothing but functions. */
  readonly from?: (fresh: World) => World;
}

/** Called with everything that happens, in its order. */
export type Observer = (happening: Happening) => void;

export interface ControlPlane {
  readonly session: Session;
  readonly catalogue: Catalogue;
  readonly definition: Definition;
  readonly processes: ProcessNames;
  /** The version it is now. */
  readonly crossplane: ProfileName;
  /** When an object last changed; the times of its conditions alone are no change. */
  readonly changedMs: number;
  /** The object of that change. */
  readonly changed: KubeObject | undefined;
  /** The names of the programs that answer for functions: see functions/function-source.ts. */
  readonly functions: readonly string[];
  /** Errors of functions that answer with one instead of running, by name. */
  readonly broken: Map<string, string>;
  /** Restarts Crossplane as another version, with the kinds that version brings. */
  upgrade(crossplane: ProfileName): void;
}

/** The names of the processes, as `start` and `stop` take them. */
export interface ProcessNames {
  readonly crossplane: string;
  readonly 'owner-gc': string;
  readonly provider: string;
}

/**
 * How long things take on the recorded control planes, about; drawn anew for every seed. A watch event arrives in the moment
 * of the write: on a real control plane the event and the writer's own answer leave together, so a reconciler that reads its
 * cache after a write nearly always sees it. With the event later it would see its own status flap.
 */
export const recordedLatency: Latency = {apiMs: 4, watchMs: 0, functionMs: 6, startMs: 4, jitter: 0.5};

/** How long things take, on a loaded plane or else as recorded. */
export function latencyOf(seed: number, loaded = false): Latency {
  return loaded ? loadedLatency(seed) : recordedLatency;
}

/**
 * How long things take on a loaded plane. Most watch events arrive after the answer to the write, so a reconciler reads a cache that
 * lags behind its own write and its XR's status flaps a few times: that empties the token bucket of the circuit breaker. The share is
 * what recordings of loaded machines showed, another for each seed.
 */
export function loadedLatency(seed: number): Latency {
  return {...recordedLatency, watchMs: 3, latePercent: 70 + (seed % 5) * 5};
}

const both = ['composition', 'operation'] as const;

/** Everything begins here: objects should carry times that people read as times. */
const startMs = Date.UTC(2026, 0, 1);

/** A new control plane, with every process started. */
export function openControlPlane(options: ControlPlaneOptions): ControlPlane {
  const {seed, functions, observers = [], from} = options;
  const profile = profiles[options.crossplane];
  const definition = definitionFor(options);
  const fresh = advanceClock(withKinds(initialWorld(definition, seed), kindsOf(profile, options)), startMs);
  const opened = controlPlaneAt(options, definition, from === undefined ? fresh : from(fresh), {observers});
  if (from === undefined) {
    for (const name of Object.keys(functions).filter(isFirst)) {
      const operates = options.operations?.includes(name) === true;
      installFunction(opened.session, installedFunction(name, name, profile, operates ? both : ['composition']));
    }
  }
  if (from === undefined && options.packages !== undefined) {
    submitted(opened.session, {apiVersion: 'v1', kind: 'Namespace', metadata: {name: namespaceCrossplane}});
  }
  for (const process of definition.processes) opened.session.start(process.name);
  return opened;
}

/** The control plane in the state `world`. */
export function controlPlaneAt(
  parts: ControlPlaneParts,
  initial: Definition,
  world: World,
  {
    observers = [],
    broken = new Map(),
  }: {readonly observers?: readonly Observer[]; readonly broken?: Map<string, string>},
): ControlPlane {
  let definition = initial;
  let version = parts.crossplane;
  let changedMs = 0;
  let changed: KubeObject | undefined;
  const isChange = changesSince();
  const observe = (happening: Happening): void => {
    const {atMs, entry} = happening;
    const last = entry.kind === 'api' ? entry.events.filter(isChange).at(-1) : undefined;
    if (last !== undefined) [changedMs, changed] = [atMs, last.object];
    for (const observer of observers) observer(happening);
  };
  const session = openSession(definition, world, {broken, observe});
  const processes = processNames(parts);
  return {
    session,
    catalogue: catalogueOf(session, () => discover(session.world.server)),
    processes,
    functions: Object.keys(parts.functions),
    broken,
    get definition() {
      return definition;
    },
    get crossplane() {
      return version;
    },
    get changedMs() {
      return changedMs;
    },
    get changed() {
      return changed;
    },
    upgrade: (next) => {
      const profile = profiles[next];
      version = next;
      definition = definitionFor({...parts, crossplane: next});
      session.stop(processes.crossplane);
      session.change((before) => withKinds(before, kindsOf(profile, parts)));
      session.redefine(definition);
      session.start(processes.crossplane);
    },
  };
}

function processNames({provider}: Pick<ControlPlaneParts, 'provider'>): ProcessNames {
  return {crossplane: processCrossplane, 'owner-gc': 'kube-controller-manager', provider: provider.name};
}

function kindsOf(profile: Profile, {packages}: Pick<ControlPlaneParts, 'packages'>): readonly KindDefinition[] {
  if (packages === undefined) return crossplaneKinds(profile);
  const ofPackages = providerKinds(profile);
  const isIdle = ({group, kind}: KindDefinition) => !ofPackages.some((one) => one.group === group && one.kind === kind);
  return [...crossplaneKinds(profile).filter(isIdle), ...ofPackages];
}

export function definitionFor(parts: ControlPlaneParts): Definition {
  const profile = profiles[parts.crossplane];
  const kinds = kindsOf(profile, parts);
  const engine = crossplane({
    profile: {
      ...profile,
      ...(parts.steadyPolls === true ? {steadyPolls: true as const} : {}),
      ...(parts.watched === undefined ? {} : {watched: parts.watched}),
    },
    ...(parts.realtime === undefined ? {} : {realtime: parts.realtime}),
    operations: parts.operations !== undefined,
    ...(parts.packages === undefined ? {} : {packages: parts.packages}),
  });
  return {
    processes: [
      engine,
      ownerGc(kinds),
      crdFinalizer,
      namespaceController(kinds),
      workloadController,
      parts.provider,
    ] as readonly Process<never>[],
    ...(parts.cloud === undefined ? {} : {cloud: parts.cloud}),
    functions: inProcess(parts.functions),
    admission: (world) => usageAdmission(profile.usages, world.processes.has(engine.name)),
    latency: parts.latency ?? recordedLatency,
  };
}

function inProcess(functions: ControlPlaneParts['functions']): {readonly [name: string]: InProcessFunction} {
  const here = Object.entries(functions).filter((entry): entry is [string, InProcessFunction] => entry[1] !== 'remote');
  return Object.fromEntries(here);
}

function withKinds(world: World, kinds: readonly KindDefinition[]): World {
  return {...world, server: kinds.reduce(installKind, world.server)};
}

/** The objects of an installed package; the target of a function is its name. */
function installFunction(session: Session, objects: readonly KubeObject[]): void {
  for (const object of objects) {
    submitted(session, object);
    const ref = {apiVersion: object.apiVersion, kind: object.kind, name: object.metadata.name};
    const status = {status: object.status ?? {}};
    session.submit('package manager', {
      verb: 'patch',
      type: 'merge',
      ref,
      body: status,
      manager: 'crossplane',
      subresource: 'status',
    });
  }
}

function submitted(session: Session, object: KubeObject): void {
  const response = session.submit('package manager', {verb: 'create', object, manager: 'crossplane'});
  if (!response.ok) throw new Error(`cannot install ${object.kind} "${object.metadata.name}": ${response.message}`);
}

/**
 * True for an event that leaves its object another one than the event before it did. A reconcile that fails again and again may
 * write its conditions each time, with a new time and nothing else.
 */
function changesSince(): (event: WatchEvent) => boolean {
  const seen = new Map<string, KubeObject>();
  return ({type, object}) => {
    const address = addressOf(object);
    const before = seen.get(address);
    seen.set(address, object);
    return type !== 'MODIFIED' || before === undefined || !equal(timeless(before), timeless(object));
  };
}

function timeless(object: KubeObject): JsonObject {
  const {resourceVersion, managedFields, ...metadata} = object.metadata;
  const {conditions, ...status} = object.status ?? {};
  const untimed = isList(conditions)
    ? conditions.map((one) => (isObject(one) ? {...one, lastTransitionTime: null} : one))
    : (conditions ?? null);
  return {...object, metadata, status: {...status, conditions: untimed}};
}
