import {isAbsolute, join} from 'node:path';
import {defaultConfig} from '../../cluster/cloud/cloud-config.ts';
import {
  aliveExternals,
  type CloudLedger,
  cloudModel,
  countersAt,
  type External,
} from '../../cluster/cloud/cloud-ledger.ts';
import {type ProfileName, profiles} from '../../cluster/crossplane/profiles.ts';
import type {CloudModel} from '../../cluster/kernel/cloud.ts';
import type {Process} from '../../cluster/kernel/process.ts';
import type {Definition} from '../../cluster/kernel/world.ts';
import {groupKindOf, type KubeObject, refOf} from '../../cluster/object.ts';
import {managedProvider} from '../../cluster/provider/managed-provider.ts';
import {defaultNopOptions, nopProvider} from '../../cluster/provider/nop-provider.ts';
import {type Builtins, builtins, type InProcessFunction} from '../functions/builtin.ts';
import {passing} from '../functions/passing.ts';
import {type Goldens, openGoldens} from '../golden/goldens.ts';
import {nearest} from '../input/cursor.ts';
import {InputError} from '../input/input-error.ts';
import {type Laboratory, type LaboratoryOptions, openLaboratory} from '../laboratory/laboratory.ts';
import {managedKindsOf} from '../laboratory/managed-kinds.ts';
import {type Duplicate, duplicatesAmong} from '../oracle/duplicate.ts';
import {type Orphan, orphansAmong} from '../oracle/orphan.ts';
import {stuckText, watchForStuck} from '../oracle/stuck.ts';
import {composedResources, type Touch, touchedAmong} from '../oracle/untouched.ts';
import {type FunctionPool, openFunctions} from '../remote/function-pool.ts';
import {type History, recordHistory} from '../report/lanes/history.ts';
import {type Recorder, recordTimeline, type TimelineEntry} from '../report/timeline.ts';
import {objectText} from '../report/words.ts';
import {type Drive, driveWith} from '../session/session.ts';
import {unexpected, verdictOn} from './bug-verdict.ts';
import type {Evidence} from './check.ts';
import {expectationsOf} from './known-names.ts';
import {profileNamed} from './profile-names.ts';
import type {Scenario, Variant} from './scenario.ts';
import {type Failure, placed, type Stage, tellSteps, unmetOf} from './tell.ts';

// One telling of a scenario: one Crossplane version, one variant, one seed. To run a scenario from code:
//
//   const scenario = readScenario('examples/restore-orphan/scenario.yaml');   // throws InputError
//   const result = await runScenario(scenario, {crossplane: 'main', variant: scenario.variants[0]});
//   result.failures, result.orphans, result.timeline, result.externals ...    // report/*.ts turns them into text

export interface RunOptions {
  readonly crossplane: ProfileName;
  readonly variant: Variant;
  /** The scenario's own where absent. */
  readonly seed?: number;
  /** Those of builtin.ts where absent. */
  readonly builtins?: Builtins;
  /** Functions that run already; started for this run alone where absent. */
  readonly pool?: FunctionPool;
  /** Keeps every version of every object and every function call: see RunResult.history. */
  readonly record?: boolean;
  /** What golden files are compared with; they are only read where absent. */
  readonly goldens?: Goldens;
}

export interface RunResult {
  readonly scenario: string;
  readonly description: string;
  readonly crossplane: ProfileName;
  readonly variant: string;
  readonly seed: number;
  /** Empty where everything came true. */
  readonly failures: readonly Failure[];
  /** From the first step on, times counted from there. */
  readonly timeline: readonly TimelineEntry[];
  /** At the end. */
  readonly orphans: readonly Orphan[];
  readonly duplicates: readonly Duplicate[];
  /** Whether the scenario's bug happened; undefined for a scenario without one. */
  readonly happened?: boolean;
  /** What will never move again, a sentence each. */
  readonly stuck: readonly string[];
  readonly externals: Externals;
  readonly objects: readonly KubeObject[];
  /** Reconciles of XRs and function calls since the first step. */
  readonly reconciles: number;
  readonly functionCalls: number;
  /** Virtual time from the last action to the last change after it. */
  readonly convergedMs: number;
  /** Virtual time from the first step to the last change and to the end. */
  readonly settledMs: number;
  readonly lastedMs: number;
  /** What became of the composed resources since Crossplane last started; absent where the story never started it. */
  readonly sinceStart?: SinceStart;
  /** Only where the run was asked to record it. */
  readonly history?: History;
}

export interface SinceStart {
  readonly startedMs: number;
  /** Composed resources that lived then and are the same objects still. */
  readonly untouched: readonly string[];
  readonly touched: readonly Touch[];
}

export interface Externals {
  readonly alive: number;
  readonly creates: number;
  readonly deletes: number;
  readonly list: readonly External[];
}

/** Starts and calls functions as the scenario says. Throws InputError where its input or a function is not there. */
export async function runScenario(scenario: Scenario, options: RunOptions): Promise<RunResult> {
  const service = `${profiles[options.crossplane].functionService}.FunctionRunnerService`;
  const called = {...scenario, functions: withoutSkipped(scenario.functions, options.variant.without)};
  const pool = options.pool ?? (await openFunctions(called));
  try {
    return await driveWith(tellScenario(scenario, options), (call) => pool.call(call, service));
  } finally {
    if (options.pool === undefined) await pool.close();
  }
}

/** The same with functions called by whoever drives: see session.ts. */
export function* tellScenario(scenario: Scenario, options: RunOptions): Drive<RunResult> {
  const {crossplane, variant, seed} = options;
  const recorder = recordTimeline();
  const historian = options.record === true ? recordHistory(variant.without) : undefined;
  const watchman = watchForStuck();
  let began = false;
  let lastEventMs = 0;
  let functionCalls = 0;
  const broken = new Map<string, string>();
  const laboratory = openLaboratory({
    profile: profiles[crossplane],
    ...(scenario.realtime === undefined ? {} : {realtime: scenario.realtime}),
    seed: seed ?? scenario.seed,
    functions: functionsOf(scenario, options, broken),
    ...providerOf(scenario),
    observe: (happening) => {
      const {atMs, entry} = happening;
      watchman.observe(happening);
      if (entry.kind === 'api' && entry.events.length > 0) lastEventMs = atMs;
      if (!began) return;
      if (entry.kind === 'function') functionCalls++;
      recorder.observe(happening);
      historian?.observe(happening);
    },
  });
  yield* prepare(scenario, laboratory);
  const startMs = laboratory.session.nowMs;
  const objectsBefore = historian === undefined ? [] : laboratory.catalogue.all();
  const reconcilesBefore = recorder.reconciles();
  began = true;
  const begun = new Map<string, Begun>();
  const stuck = (): readonly string[] =>
    watchman.stuckAmong(laboratory.catalogue.all(), laboratory.session.nowMs).map((one) => stuckText(one, startMs));
  const golden = goldenOf(scenario, options);
  const evidence = {...evidenceOf(laboratory, recorder, begun), stuck, golden};
  let crossplaneStart: string | undefined;
  const verdict = verdictOn(scenario);
  let actedMs = startMs;
  const stage: Stage = {
    laboratory,
    evidence,
    crossplane,
    lastEventMs: () => lastEventMs,
    beginStep: ({name, action}) => {
      begun.set(name, {atMs: laboratory.session.nowMs, objects: laboratory.catalogue.all()});
      if (action?.kind === 'process' && action.process === 'crossplane' && action.change !== 'stop')
        crossplaneStart = name;
      verdict.stepBegins(name, stage);
      if (action !== undefined) actedMs = laboratory.session.nowMs;
      recorder.step(laboratory.session.nowMs, name);
      historian?.step(laboratory.session.nowMs);
    },
    breakFunction: (name, error) => {
      if (error === undefined) broken.delete(name);
      else broken.set(name, error);
    },
    upgrade: (next) => laboratory.upgrade(profiles[profileNamed(next)]),
  };
  const failures = yield* breaking(tellSteps(scenario.steps, stage), broken);
  const atEnd = unmetOf(variant.expect, stage).map((one) => ({...one, step: 'at the end'}));
  checkResourceNames(scenario, variant, crossplane, recorder.resourceNames());
  const happened = verdict.atEnd(stage);
  const objects = evidence.objects();
  const externals = externalsOf(laboratory);
  const history = historian?.history(startMs, objectsBefore, externals.list);
  return {
    scenario: scenario.name,
    description: scenario.description,
    crossplane,
    variant: variant.name,
    seed: seed ?? scenario.seed,
    failures: [...failures, ...atEnd, ...unexpected(scenario, options, happened)],
    ...(happened === undefined ? {} : {happened}),
    timeline: recorder.entries().map((entry) => ({...entry, atMs: entry.atMs - startMs})),
    orphans: orphansAmong(objects),
    duplicates: duplicatesAmong(objects),
    externals,
    stuck: stuck(),
    objects,
    reconciles: recorder.reconciles() - reconcilesBefore,
    functionCalls,
    convergedMs: Math.max(0, lastEventMs - actedMs),
    settledMs: lastEventMs - startMs,
    lastedMs: laboratory.session.nowMs - startMs,
    ...(crossplaneStart === undefined ? {} : {sinceStart: sinceStart(crossplaneStart, begun, evidence, startMs)}),
    ...(history === undefined ? {} : {history}),
  };
}

/** The moment before a step's action. */
interface Begun {
  readonly atMs: number;
  readonly objects: readonly KubeObject[];
}

function sinceStart(step: string, begun: ReadonlyMap<string, Begun>, evidence: Evidence, startMs: number): SinceStart {
  const {atMs, objects} = begun.get(step) ?? {atMs: startMs, objects: []};
  const touched = touchedAmong(objects, evidence.objects(), evidence.deletesSince?.(step) ?? [], []);
  const names = new Set(touched.map((touch) => touch.object.metadata.uid));
  const untouched = composedResources(objects).filter((object) => !names.has(object.metadata.uid));
  return {startedMs: atMs - startMs, untouched: untouched.map(objectText), touched};
}

/** A misspelled resource name would make every `absent` true: each name must have been composed at some time. */
function checkResourceNames(
  {steps}: Scenario,
  {expect}: Variant,
  crossplane: string,
  composed: ReadonlySet<string>,
): void {
  for (const {what, place, crossplane: only} of [...steps.flatMap(expectationsOf), ...expect]) {
    const name = 'target' in what ? what.target.crn : undefined;
    if (name === undefined || composed.has(name) || (only.length > 0 && !only.includes(crossplane))) continue;
    const known = [...composed].sort();
    const near = nearest(name, known);
    const advice = near === undefined ? `there were ${known.join(', ') || 'none'}` : `did you mean "${near}"?`;
    throw new InputError(place, `no composed resource was ever named "${name}": ${advice}`);
  }
}

/** Answers calls of broken remote functions with their error. */
function* breaking<T>(drive: Drive<T>, broken: ReadonlyMap<string, string>): Drive<T> {
  let step = drive.next();
  while (!step.done) {
    const error = broken.get(step.value.target);
    step = drive.next(error === undefined ? yield step.value : {ok: false, message: error});
  }
  return step.value;
}

type Functions = Scenario['functions'];

function withoutSkipped(functions: Functions, skipped: readonly string[]): Functions {
  return Object.fromEntries(Object.entries(functions).filter(([name]) => !skipped.includes(name)));
}

function functionsOf(
  {functions}: Scenario,
  {variant: {without}, builtins: known = builtins}: RunOptions,
  broken: ReadonlyMap<string, string>,
): {readonly [name: string]: InProcessFunction | 'remote'} {
  return Object.fromEntries(
    Object.entries(functions).map(([name, source]) => {
      if (without.includes(name)) return [name, passing];
      const builtin = source.kind === 'builtin' ? known[source.name] : undefined;
      return [name, builtin === undefined ? 'remote' : breakable(name, builtin, broken)];
    }),
  );
}

function breakable(name: string, run: InProcessFunction, broken: ReadonlyMap<string, string>): InProcessFunction {
  return (request) => {
    const message = broken.get(name);
    return message === undefined ? run(request) : {ok: false, message};
  };
}

export function providerOf({
  provider,
  fixtures,
}: Pick<Scenario, 'provider' | 'fixtures'>): Pick<LaboratoryOptions, 'provider' | 'cloud'> {
  const kinds = managedKindsOf(fixtures, provider);
  if (provider.kind === 'nop') {
    const options = {...defaultNopOptions, readyDelayMs: provider.readyAfterMs, deleteDelayMs: provider.deleteAfterMs};
    return {provider: nopProvider(kinds.map(groupKindOf), options) as unknown as Process<never>};
  }
  const delays = (readyAfterMs: number, deleteAfterMs: number) => ({
    createDelayMs: readyAfterMs,
    deleteDelayMs: deleteAfterMs,
  });
  const {readyAfterMs, deleteAfterMs} = provider;
  const types = Object.entries(provider.kinds).map(([kind, own]) => [
    kind,
    delays(own.readyAfterMs ?? readyAfterMs, own.deleteAfterMs ?? deleteAfterMs),
  ]);
  const cloud = {...defaultConfig, ...delays(readyAfterMs, deleteAfterMs), types: Object.fromEntries(types)};
  return {
    provider: managedProvider({name: 'provider', kinds}) as unknown as Process<never>,
    cloud: cloudModel(cloud) as unknown as CloudModel<never>,
  };
}

/** Kinds that the package manager of a real Crossplane would install: here the laboratory does. */
const installedKinds = ['Function', 'Provider', 'Configuration', 'ProviderConfig', 'ClusterProviderConfig'];
const settleMs = 40_000;

/** Applies the fixtures and lets the control plane get to know them. */
export function* prepare(
  {fixtures, functions}: Pick<Scenario, 'fixtures' | 'functions'>,
  laboratory: Laboratory,
): Drive<void> {
  const {session} = laboratory;
  for (const fixture of fixtures) {
    if (installedKinds.includes(fixture.kind)) continue;
    for (const name of pipelineFunctions(fixture)) requireFunction(name, fixture, functions);
    const object = placed(fixture, laboratory);
    const response = session.submit('user', {
      verb: 'patch',
      type: 'apply',
      ref: refOf(object),
      body: object,
      manager: 'user',
      force: true,
    });
    if (!response.ok) {
      throw new InputError('', `cannot apply fixture ${object.kind} "${object.metadata.name}": ${response.message}`);
    }
    // Definitions are established before what they define is applied.
    if (/Definition$/.test(object.kind)) yield* session.run(session.nowMs + 1000);
  }
  // The owner GC learns of new kinds only every 30 s.
  yield* session.run(session.nowMs + settleMs);
}

function pipelineFunctions({kind, spec}: KubeObject): readonly string[] {
  const pipeline = kind === 'Composition' ? spec?.['pipeline'] : undefined;
  if (!Array.isArray(pipeline)) return [];
  return pipeline.map((step: {functionRef?: {name?: string}}) => step.functionRef?.name ?? '');
}

function requireFunction(name: string, composition: KubeObject, functions: Functions): void {
  if (Object.hasOwn(functions, name)) return;
  const known = Object.keys(functions);
  throw new InputError(
    '',
    `cannot run Composition "${composition.metadata.name}": it calls function "${name}", which the scenario does not have (it has ${known.length === 0 ? 'none' : known.join(', ')})`,
  );
}

/** Golden files lie beside the scenario, or where it says, one for each run that its name tells apart. */
function goldenOf({folder}: Scenario, {goldens = openGoldens(false), variant, crossplane}: RunOptions) {
  return (name: string, text: string): string | undefined => {
    const file = name
      .replaceAll('{variant}', variant.name.replaceAll(/[^\w.-]+/g, '-'))
      .replaceAll('{crossplane}', crossplane);
    return goldens.compare(isAbsolute(file) ? file : join(folder, file), text);
  };
}

function evidenceOf(laboratory: Laboratory, recorder: Recorder, begun: ReadonlyMap<string, Begun>): Evidence {
  const {catalogue} = laboratory;
  return {
    find: catalogue.find,
    objects: catalogue.all,
    timeline: recorder.entries,
    atStep: (name) => begun.get(name)?.objects,
    deletesSince: (name) => recorder.deletes().filter(({atMs}) => atMs >= (begun.get(name)?.atMs ?? 0)),
    externals: () => externalsOf(laboratory),
  };
}

function externalsOf({session, definition}: Laboratory): Externals {
  if (!hasLedger(definition)) return {alive: 0, creates: 0, deletes: 0, list: []};
  const ledger = session.world.cloud as CloudLedger;
  const list = aliveExternals(ledger, session.nowMs);
  const {creates, deletes} = countersAt(ledger, session.nowMs);
  return {alive: list.length, creates, deletes, list};
}

function hasLedger(definition: Definition): boolean {
  return definition.cloud !== undefined;
}
