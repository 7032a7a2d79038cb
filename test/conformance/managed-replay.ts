import type {ApiRequest, WatchEvent} from '../../src/cluster/api/request.ts';
import {defaultConfig} from '../../src/cluster/cloud/cloud-config.ts';
import {cloudModel, deleteOutOfBand, putOutOfBand, reconfigured} from '../../src/cluster/cloud/cloud-ledger.ts';
import type {CloudLedger} from '../../src/cluster/cloud/ledger-state.ts';
import type {JsonObject} from '../../src/cluster/json.ts';
import {isObject} from '../../src/cluster/json.ts';
import {initialWorld} from '../../src/cluster/kernel/draft.ts';
import {armCrash} from '../../src/cluster/kernel/step.ts';
import {type Definition, defaultLatency, type World} from '../../src/cluster/kernel/world.ts';
import type {KubeObject} from '../../src/cluster/object.ts';
import {managedKind} from '../../src/cluster/provider/managed-kind.ts';
import {managedProvider} from '../../src/cluster/provider/managed-provider.ts';
import {runtimeVersions} from '../../src/cluster/provider/runtime-version.ts';
import {type Happening, openSession} from '../../src/harness/control-plane/session.ts';
import type {Drive} from '../../src/harness/functions/drive.ts';
import {InputError} from '../../src/harness/input/input-error.ts';
import type {ManagedScenario, ManagedStep} from './managed-recording.ts';
import {apiVersion, ledgerOf, newestExternal, objectOf, providerName, type Rig, refIn} from './managed-rig.ts';
import {wait} from './managed-wait.ts';

// Runs a scenario of the managed reconciler on a world of one provider and one cloud, as the recorder ran it: a wait
// looks at the object every 50 ms, and at the end the provider is killed.

export interface ManagedRun {
  /** Every change of the object that a watcher was told. */
  readonly states: readonly {readonly atMs: number; readonly event: WatchEvent}[];
  readonly happenings: readonly Happening[];
  /** What somebody did to the cloud out of band. */
  readonly outOfBand: readonly {readonly atMs: number; readonly entry: JsonObject}[];
  readonly ledger: CloudLedger;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly present: boolean;
}

/** When the recordings were made: values that people set by hand lie before or after it. */
const recordedAtMs = 1_795_246_269_000;
/** From the start of the process to its first reconcile. */
const startMs = 200;

/** Runs the scenario. `seed` 1 is the plain run; any other draws how long each call and event takes. */
export function* replayManaged(
  scenario: ManagedScenario,
  crds: readonly KubeObject[],
  seed: number,
): Drive<ManagedRun> {
  const happenings: Happening[] = [];
  const states: {atMs: number; event: WatchEvent}[] = [];
  const rig = rigOf(scenario, seed, (happening) => {
    happenings.push(happening);
    states.push(...statesIn(happening, scenario));
  });
  for (const object of crds) send(rig, {verb: 'create', object, manager: 'recorder'});
  const startedAtMs = rig.session.nowMs;
  for (const step of scenario.steps) yield* run(step, rig);
  rig.session.kill(providerName, 'the recording ends');
  const {nowMs} = rig.session;
  return {
    states,
    happenings,
    outOfBand: rig.outOfBand,
    ledger: ledgerOf(rig.session.world),
    startedAtMs,
    endedAtMs: nowMs,
    present: objectOf(rig) !== undefined,
  };
}

function rigOf(scenario: ManagedScenario, seed: number, observe: (happening: Happening) => void): Rig {
  const definition = definitionOf(scenario, seed);
  const world: World = {...initialWorld(definition, seed), nowMs: recordedAtMs};
  let observes = 0;
  const session = openSession(definition, world, {
    observe: (happening) => {
      const {entry} = happening;
      if (entry.kind === 'note' && entry.note.reason === 'observe') observes++;
      observe(happening);
    },
  });
  return {
    scenario,
    session,
    observesSinceStart: () => observes,
    started: () => {
      observes = 0;
    },
    outOfBand: [],
    backup: undefined,
  };
}

function definitionOf(scenario: ManagedScenario, seed: number): Definition {
  const {kind, provider, cloud} = scenario;
  const {pollMs, graceMs, namedBy, deterministicExternalName, managementPolicies, runtime} = provider;
  const client = kind === 'AsyncThing' ? 'async' : 'sync';
  const process = managedProvider({
    name: providerName,
    kinds: [managedKind({apiVersion, kind, client, namedBy, deterministicExternalName})],
    pollMs,
    creationGraceMs: graceMs,
    managementPolicies,
    runtime: runtimeVersions[runtime],
    criticalPauseMs: lateness(scenario, seed),
  });
  return {
    processes: [process as unknown as Definition['processes'][number]],
    cloud: cloudModel({...defaultConfig, ...cloud}) as unknown as NonNullable<Definition['cloud']>,
    functions: {},
    latency: latencyOf(seed),
  };
}

/**
 * A crash late before the critical annotations comes while the cloud still works or, for every third seed, when an
 * asynchronous create is over and told.
 */
function lateness({steps, cloud}: ManagedScenario, seed: number): number {
  const isLate = steps.some((step) => step.op === 'start' && step.crash === 'pre-critical-late');
  return isLate && seed % 3 === 0 ? (cloud.createDelayMs ?? 0) + 1000 : 0;
}

/** Odd seeds: a watch event overtakes the answer to the write it tells of; even ones: it comes after. Real runs mix both. */
function latencyOf(seed: number): Definition['latency'] {
  const isLagging = seed % 2 === 0;
  return {...defaultLatency, startMs, watchMs: isLagging ? 1 : 0, jitter: seed === 1 ? 0 : 1};
}

function* run(step: ManagedStep, rig: Rig): Drive<void> {
  const {session, scenario} = rig;
  const ref = refIn(scenario);
  switch (step.op) {
    case 'start':
      rig.started();
      if (step.crash !== undefined) {
        const point = step.crash;
        session.change((world) => armCrash(world, {process: providerName, point}));
      }
      return session.start(providerName);
    case 'kill':
      return session.kill(providerName, 'killed by the scenario');
    case 'create':
      return send(rig, {verb: 'create', object: objectToCreate(scenario), manager: 'user'});
    case 'patch':
      return send(rig, {verb: 'patch', type: 'merge', ref, body: withPlaceholders(step.patch, rig), manager: 'user'});
    case 'delete':
      return send(rig, {verb: 'delete', ref, propagationPolicy: 'Background'});
    case 'sleep':
      yield* session.run(session.nowMs + step.ms);
      return;
    case 'wait':
      return yield* wait(step.for, step.timeoutMs, rig);
    case 'backup':
      rig.backup = objectOf(rig);
      return;
    case 'forget':
      return forget(rig);
    case 'restore':
      return restore(step, rig);
    default:
      return changeCloud(step, rig);
  }
}

/** Deletes the object without its finalizers being heard, as the loss of a cluster does. */
function forget(rig: Rig): void {
  const ref = refIn(rig.scenario);
  send(rig, {verb: 'patch', type: 'merge', ref, body: {metadata: {finalizers: null}}, manager: 'user'});
  send(rig, {verb: 'delete', ref, propagationPolicy: 'Background'});
}

function restore({drop, status}: Extract<ManagedStep, {op: 'restore'}>, rig: Rig): void {
  const {backup} = rig;
  if (backup === undefined) throw new InputError(`scenario "${rig.scenario.name}" restores without a backup`);
  const {name, labels, annotations, finalizers} = backup.metadata;
  const kept = Object.entries({labels, annotations, finalizers}).filter(
    ([key, value]) => value !== undefined && !drop.includes(key),
  );
  const object: KubeObject = {
    apiVersion: backup.apiVersion,
    kind: backup.kind,
    metadata: {name, ...(Object.fromEntries(kept) as Partial<KubeObject['metadata']>)},
    ...(backup.spec === undefined ? {} : {spec: backup.spec}),
  };
  send(rig, {verb: 'create', object, manager: 'velero'});
  const live = objectOf(rig);
  if (!status || live === undefined || backup.status === undefined) return;
  const withStatus = {...live, status: backup.status};
  send(rig, {verb: 'update', object: withStatus, manager: 'velero', subresource: 'status'});
}

function changeCloud(step: Extract<ManagedStep, {op: 'oobPut' | 'oobDelete' | 'cloud'}>, rig: Rig): void {
  const {session, scenario, outOfBand} = rig;
  const {nowMs} = session;
  const change = (make: (ledger: CloudLedger) => CloudLedger) =>
    session.change((world) => ({...world, cloud: make(ledgerOf(world))}));
  if (step.op === 'cloud') return change((ledger) => reconfigured(ledger, step.set));
  if (step.op === 'oobPut') {
    const {id, fields, owner} = step;
    const external = {id, type: scenario.kind, fields, ...(owner === undefined ? {} : {owner})};
    outOfBand.push({atMs: nowMs, entry: {id, op: 'oob-put', ...sizeIn(fields)}});
    return change((ledger) => putOutOfBand(ledger, external, nowMs));
  }
  const id = step.id ?? newestExternal(session);
  outOfBand.push({atMs: nowMs, entry: {id, op: 'oob-delete'}});
  return change((ledger) => deleteOutOfBand(ledger, id, nowMs));
}

/** `$ext` stands for the identifier the cloud gave last. */
function withPlaceholders(patch: JsonObject, {session}: Rig): JsonObject {
  const text = JSON.stringify(patch);
  return text.includes('$ext') ? JSON.parse(text.replaceAll('$ext', newestExternal(session))) : patch;
}

function objectToCreate({name, kind, object}: ManagedScenario): KubeObject {
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  return {...object, apiVersion, kind, metadata: {...metadata, name}} as KubeObject;
}

export function sizeIn(fields: JsonObject): JsonObject {
  return typeof fields['size'] === 'string' ? {size: fields['size']} : {};
}

function statesIn({atMs, entry}: Happening, {kind, name}: ManagedScenario) {
  if (entry.kind !== 'api') return [];
  return entry.events
    .filter(({object}) => object.kind === kind && object.metadata.name === name)
    .map((event) => ({atMs, event}));
}

/** Sends a request of the user. A refusal is the step's result, as it was for the recorder, and the scenario goes on. */
function send({session}: Rig, request: ApiRequest): void {
  session.submit('user', request);
}
