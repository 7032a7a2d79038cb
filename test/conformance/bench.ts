import type {WatchEvent} from '../../src/cluster/api/request.ts';
import {at} from '../../src/cluster/json.ts';
import type {Process} from '../../src/cluster/kernel/process.ts';
import type {Definition, Latency, World} from '../../src/cluster/kernel/world.ts';
import {groupOf, type KubeObject} from '../../src/cluster/object.ts';
import {configureNopProvider, type NopProviderOptions, nopProvider} from '../../src/cluster/provider/nop-provider.ts';
import {runFunction} from '../../src/function/run.ts';
import {
  type ControlPlaneParts,
  controlPlaneAt,
  loadedLatency,
  openControlPlane,
  recordedLatency,
} from '../../src/harness/control-plane/control-plane.ts';
import {Operator, problemOf} from '../../src/harness/control-plane/operator/operator.ts';
import {profileNamed} from '../../src/harness/control-plane/profile-names.ts';
import type {Happening} from '../../src/harness/control-plane/session.ts';
import {type Builtins, builtins} from '../../src/harness/functions/builtin.ts';
import {driveHere} from '../../src/harness/functions/drive.ts';
import {functionStatic} from '../../src/harness/functions/function-static.ts';
import type {ProviderChange} from './recorded-scenario.ts';
import type {Bench} from './replay.ts';

// The control plane of the recordings: function-static, the emulated provider of every kind that a definition of the
// recordings brings, and what was applied and established before every scenario.

export interface BenchSetup {
  /** A profile's name. */
  readonly crossplane: string;
  readonly realtime?: boolean;
  /** Applied and settled before the scenario; not in snapshots. */
  readonly before: readonly KubeObject[];
  readonly seed: number;
  /** Names under which function-static is installed. */
  readonly functions: readonly string[];
  /** Applied in the course of the scenario. The emulated provider looks after the kinds defined there and before. */
  readonly later?: readonly KubeObject[];
  /** Told of everything, for people who look into a difference. */
  readonly trace?: (happening: Happening) => void;
}

export interface SeenEvent {
  readonly step: number;
  readonly type: WatchEvent['type'];
  readonly object: KubeObject;
}

export interface OpenBench {
  readonly bench: Bench;
  /** What watchers were told since the scenario began. */
  readonly events: () => readonly SeenEvent[];
  readonly atStep: (step: number) => void;
}

/** The recorder ran function-tether with the flags that it has unless set, and under any unknown name function-static. */
const functions: Builtins = {
  ...builtins,
  'function-tether': (request) => ({ok: true, response: runFunction(request, {})}),
};

/** Kinds of the control plane itself, which the recorder did not watch. */
const unwatchedGroups = ['', 'pkg.crossplane.io'];

export function openBench(setup: BenchSetup): OpenBench {
  const events: SeenEvent[] = [];
  const before = new Set<string>();
  let step = -1;
  let per: NonNullable<ProviderChange['per']> = {};
  let lastEventMs = 0;
  const watched = (object: KubeObject): boolean => !isUnwatched(object) && !before.has(object.metadata.uid ?? '');
  const observe = (happening: Happening): void => {
    const {atMs, entry} = happening;
    setup.trace?.(happening);
    if (entry.kind !== 'api') return;
    for (const {type, object} of entry.events.filter((event) => watched(event.object))) {
      lastEventMs = atMs;
      if (step >= 0) events.push({step, type, object});
    }
  };
  const beginning = settled(setup);
  lastEventMs = beginning.lastEventMs;
  const {parts, definition, world} = beginning;
  const controlPlane = controlPlaneAt(parts, definition, world, {observers: [observe]});
  const {session, catalogue} = controlPlane;
  const operator = new Operator(controlPlane);
  for (const object of catalogue.all()) before.add(object.metadata.uid ?? '');
  return {
    bench: {
      operator,
      lastEventMs: () => lastEventMs,
      setProvider: (change) => {
        per = {...per, ...change.per};
        session.change((world) => configureNopProvider(world, optionsOf(change, per)));
      },
      snapshot: () => catalogue.all().filter(watched),
    },
    events: () => events,
    atStep: (next) => {
      step = next;
    },
  };
}

/** A control plane that knows what was applied before a scenario. */
interface Beginning {
  readonly parts: ControlPlaneParts;
  readonly definition: Definition;
  readonly world: World;
  readonly lastEventMs: number;
}

/** Worlds never change, and many recordings begin in the same one: it is made once for each setup and seed. */
const beginnings: {readonly key: string; readonly before: readonly KubeObject[]; readonly made: Beginning}[] = [];

function settled(setup: BenchSetup): Beginning {
  const {crossplane, realtime, seed, functions, before, later = []} = setup;
  if (setup.trace !== undefined) return settle(setup);
  const key = JSON.stringify([crossplane, realtime, seed, functions, kindsDefined([...before, ...later])]);
  const isSame = (others: readonly KubeObject[]) =>
    before.length === others.length && before.every((object, index) => object === others[index]);
  const known = beginnings.find((one) => one.key === key && isSame(one.before));
  if (known !== undefined) return known.made;
  const made = settle(setup);
  beginnings.push({key, before, made});
  return made;
}

function settle(setup: BenchSetup): Beginning {
  let lastEventMs = 0;
  const observe = (happening: Happening): void => {
    const {atMs, entry} = happening;
    setup.trace?.(happening);
    if (entry.kind === 'api' && entry.events.some(({object}) => !isUnwatched(object))) lastEventMs = atMs;
  };
  const parts: ControlPlaneParts = {
    crossplane: profileNamed(setup.crossplane),
    ...(setup.realtime === undefined ? {} : {realtime: setup.realtime}),
    functions: Object.fromEntries(setup.functions.map((name) => [name, functions[name] ?? functionStatic])),
    provider: nopProvider(kindsDefined([...setup.before, ...(setup.later ?? [])])) as unknown as Process<never>,
    latency: latencyOf(setup.seed),
  };
  const controlPlane = openControlPlane({...parts, seed: setup.seed, observers: [observe]});
  const {session, processes, definition} = controlPlane;
  const problem = problemOf(driveHere(new Operator(controlPlane).carryOut({kind: 'apply', objects: setup.before})));
  if (problem !== undefined) throw new Error(problem);
  driveHere(session.run(session.nowMs + settleMsOf(setup.seed)));
  // The recorder switched realtime compositions on by restarting Crossplane, with its definitions already there.
  if (setup.realtime === true) {
    session.stop(processes.crossplane);
    session.start(processes.crossplane);
    driveHere(session.run(session.nowMs + settleMs));
  }
  return {parts, definition, world: session.world, lastEventMs};
}

function isUnwatched({apiVersion}: KubeObject): boolean {
  return unwatchedGroups.includes(groupOf(apiVersion));
}

/** The later seeds are loaded machines, as some of the recordings were made on. */
function latencyOf(seed: number): Latency {
  return seed <= promptSeeds ? recordedLatency : loadedLatency(seed);
}

const promptSeeds = 24;

/** The recorded control planes had known these kinds for long: the owner GC learns of new ones only every 30 s. */
const settleMs = 40_000;

/**
 * A scenario began at any time between two looks of the owner GC at discovery, which decides whether it knows a kind
 * that the scenario itself brings. Every fourth seed begins at another time.
 */
function settleMsOf(seed: number): number {
  return seed % 4 === 0 ? settleMs + (((seed / 4) * 7_000) % 30_000) : settleMs;
}

/** `Kind.group` of every CustomResourceDefinition: those of XRs are made by Crossplane, so these are managed kinds. */
function kindsDefined(objects: readonly KubeObject[]): readonly string[] {
  const definitions = objects.filter(({kind}) => kind === 'CustomResourceDefinition');
  const names = definitions.map(({spec}) => `${at(spec, ['names', 'kind'])}.${at(spec, ['group'])}`);
  return [...new Set(names)];
}

/** What is said of one resource stays said until it is said otherwise. */
function optionsOf(change: ProviderChange, per: NonNullable<ProviderChange['per']>): Partial<NopProviderOptions> {
  return {...change, per: per as NopProviderOptions['per']};
}
