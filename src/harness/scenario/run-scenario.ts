import {isAbsolute, join} from 'node:path';
import {type ProfileName, profiles} from '../../cluster/crossplane/profiles.ts';
import {type Laboratory, openLaboratory} from '../control-plane/control-plane.ts';
import {profileNamed} from '../control-plane/profile-names.ts';
import {type Drive, driveWith} from '../control-plane/session.ts';
import {type Broken, breakable, breakingRemote} from '../functions/breakable.ts';
import {type Builtins, builtins, type InProcessFunction} from '../functions/builtin.ts';
import {type FunctionPool, openFunctions} from '../functions/function-pool.ts';
import {passing} from '../functions/passing.ts';
import {type Goldens, openGoldens} from '../golden/goldens.ts';
import {nearest} from '../input/cursor.ts';
import {InputError} from '../input/input-error.ts';
import {duplicatesAmong} from '../oracle/duplicate.ts';
import {externalCounts, externalsIn} from '../oracle/externals.ts';
import {orphansAmong} from '../oracle/orphan.ts';
import {stuckText, watchForStuck} from '../oracle/stuck.ts';
import {recordHistory} from '../record/history.ts';
import {type Recorder, recordTimeline} from '../record/timeline.ts';
import type {Progress} from '../report/progress.ts';
import {unexpected, verdictOn} from './bug-verdict.ts';
import type {Evidence} from './check.ts';
import {expectationsOf} from './known-names.ts';
import {prepare} from './prepare.ts';
import type {RunResult} from './run-result.ts';
import type {Scenario, Variant} from './scenario.ts';
import {providerOf} from './simulated-provider.ts';
import {type Begun, sinceStart} from './since-start.ts';
import type {Stage} from './stage.ts';
import {causesOn, tellSteps, unmetOf, withCauses} from './tell.ts';

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
  /** The story goes on after a step that failed. */
  readonly keepGoing?: boolean;
  /** Told how far the story is. */
  readonly progress?: Progress;
}

/** Starts and calls functions as the scenario says. Throws InputError where its input or a function is not there. */
export async function runScenario(scenario: Scenario, options: RunOptions): Promise<RunResult> {
  const service = `${profiles[options.crossplane].functionService}.FunctionRunnerService`;
  const called = {...scenario, functions: withoutSkipped(scenario.functions, options.variant.without)};
  const pool = options.pool ?? (await openFunctions(called));
  try {
    return await driveWith(tellScenario(scenario, options), async (call) => {
      options.progress?.waitsFor(`function "${call.target}"`);
      const reply = await pool.call(call, service);
      options.progress?.waitsFor(undefined);
      return reply;
    });
  } finally {
    if (options.pool === undefined) await pool.close();
  }
}

/** The same with functions called by whoever drives: see session.ts. */
export function* tellScenario(scenario: Scenario, options: RunOptions): Drive<RunResult> {
  const {crossplane, variant, seed} = options;
  refuseTwinOnly(scenario.steps);
  const recorder = recordTimeline();
  const historian = options.record === true ? recordHistory(variant.without) : undefined;
  const watchman = watchForStuck();
  let began = false;
  let startMs = 0;
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
      historian?.observe(happening);
      if (!began) return;
      options.progress?.time(atMs - startMs);
      if (entry.kind === 'function') functionCalls++;
      recorder.observe(happening);
    },
  });
  yield* prepare(scenario, laboratory);
  startMs = laboratory.session.nowMs;
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
      options.progress?.step(begun.size + 1, scenario.steps.length, name);
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
  const {failures, endedAfter} = yield* breakingRemote(tellSteps(scenario.steps, stage, options.keepGoing), broken);
  const isWhole = endedAfter === undefined;
  const atEnd = isWhole ? unmetOf(variant.expect, stage).map((one) => ({...one, step: 'at the end'})) : [];
  if (isWhole) checkResourceNames(scenario, variant, crossplane, recorder.resourceNames());
  const happened = isWhole ? verdict.atEnd(stage) : undefined;
  const objects = evidence.objects();
  const externals = externalsIn(laboratory.session.world);
  const history = historian?.history(startMs, objectsBefore, externals);
  return {
    scenario: scenario.name,
    description: scenario.description,
    crossplane,
    variant: variant.name,
    seed: seed ?? scenario.seed,
    failures: [
      ...failures,
      ...withCauses(atEnd, causesOn(stage)),
      ...(isWhole ? unexpected(scenario, options, happened) : []),
    ],
    ...(isWhole ? {} : {untold: scenario.steps.slice(endedAfter).map(({name}) => name)}),
    ...(happened === undefined ? {} : {happened}),
    timeline: recorder.entries().map((entry) => ({...entry, atMs: entry.atMs - startMs})),
    orphans: orphansAmong(objects),
    duplicates: duplicatesAmong(objects),
    externals: {...externalCounts(laboratory.session.world), list: externals},
    stuck: stuck(),
    objects,
    reconciles: recorder.reconciles() - reconcilesBefore,
    functionCalls,
    convergedMs: Math.max(0, lastEventMs - actedMs),
    settledMs: Math.max(0, lastEventMs - startMs),
    lastedMs: laboratory.session.nowMs - startMs,
    ...(crossplaneStart === undefined ? {} : {sinceStart: sinceStart(crossplaneStart, begun, evidence, startMs)}),
    ...(history === undefined ? {} : {history}),
  };
}

/** A story along recorded latencies has no n-th opportunity for a fault. */
function refuseTwinOnly(steps: Scenario['steps']): void {
  const found = steps.find(({faults, early}) => faults !== undefined || early !== undefined);
  if (found === undefined) return;
  throw new InputError(found.place, 'cannot tell a step with faults or early here: only with --twin');
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

function withoutSkipped(functions: Scenario['functions'], skipped: readonly string[]): Scenario['functions'] {
  return Object.fromEntries(Object.entries(functions).filter(([name]) => !skipped.includes(name)));
}

function functionsOf(
  {functions}: Scenario,
  {variant: {without}, builtins: known = builtins}: RunOptions,
  broken: Broken,
): {readonly [name: string]: InProcessFunction | 'remote'} {
  return Object.fromEntries(
    Object.entries(functions).map(([name, source]) => {
      if (without.includes(name)) return [name, passing];
      const builtin = source.kind === 'builtin' ? known[source.name] : undefined;
      return [name, builtin === undefined ? 'remote' : breakable(name, builtin, broken)];
    }),
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
  const {catalogue, session} = laboratory;
  return {
    find: catalogue.find,
    objects: catalogue.all,
    timeline: recorder.entries,
    atStep: (name) => begun.get(name)?.objects,
    deletesSince: (name) => recorder.deletes().filter(({atMs}) => atMs >= (begun.get(name)?.atMs ?? 0)),
    externals: () => externalCounts(session.world),
  };
}
