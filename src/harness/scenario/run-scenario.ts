import {isAbsolute, join} from 'node:path';
import {type ProfileName, profiles} from '../../cluster/crossplane/profiles.ts';
import {openControlPlane} from '../control-plane/control-plane.ts';
import {type Builtins, builtins, type InProcessFunction} from '../functions/builtin.ts';
import {type Drive, driveWith} from '../functions/drive.ts';
import {type FunctionPool, openFunctions} from '../functions/function-pool.ts';
import {passing} from '../functions/passing.ts';
import {type Goldens, openGoldens} from '../golden/goldens.ts';
import {nearest} from '../input/cursor.ts';
import {InputError} from '../input/input-error.ts';
import {unexpected, type Verdict, verdictOn} from './bug-verdict.ts';
import {expectationsOf} from './known-names.ts';
import {prepare} from './prepare.ts';
import type {RunProgress} from './run-progress.ts';
import {RunRecord} from './run-record.ts';
import type {RunResult} from './run-result.ts';
import {causesOn, type Failure, runSteps, unmetOf, withCauses} from './run-steps.ts';
import type {Scenario, Step, Variant} from './scenario.ts';
import {providerOf} from './simulated-provider.ts';
import type {StepSetting} from './step-setting.ts';

// One run of a scenario: one Crossplane version, one variant, one seed. To run a scenario from code:
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
  readonly progress?: RunProgress;
}

/** Starts and calls functions as the scenario says. Throws InputError where its input or a function is not there. */
export async function runScenario(scenario: Scenario, options: RunOptions): Promise<RunResult> {
  const service = `${profiles[options.crossplane].functionService}.FunctionRunnerService`;
  const called = {...scenario, functions: withoutSkipped(scenario.functions, options.variant.without)};
  const pool = options.pool ?? (await openFunctions(called));
  try {
    return await driveWith(driveScenario(scenario, options), async (call) => {
      options.progress?.waitsFor(`function "${call.target}"`);
      const reply = await pool.call(call, service);
      options.progress?.waitsFor(undefined);
      return reply;
    });
  } finally {
    if (options.pool === undefined) await pool.close();
  }
}

/** The same with functions called by whoever drives: see functions/drive.ts. */
export function* driveScenario(scenario: Scenario, options: RunOptions): Drive<RunResult> {
  const {crossplane, variant, progress, keepGoing = false} = options;
  const seed = options.seed ?? scenario.seed;
  refuseTwinOnly(scenario.steps);
  const history = options.record === true ? {skipped: variant.without} : undefined;
  const record = new RunRecord({history, progress, golden: goldenOf(scenario, options)});
  const controlPlane = openControlPlane({
    crossplane,
    ...(scenario.realtime === undefined ? {} : {realtime: scenario.realtime}),
    seed,
    functions: functionsOf(scenario, options),
    ...providerOf(scenario),
    observers: [record.observe],
  });
  yield* prepare(scenario, controlPlane);
  record.begin(controlPlane);
  const setting: StepSetting = {controlPlane, evidence: record.evidence, crossplane};
  const verdict = verdictOn(scenario);
  const beginStep = (step: Step): void => {
    verdict.stepBegins(step.name, setting);
    record.beginStep(step, scenario.steps.length);
  };
  const {failures, endedAfter} = yield* runSteps(scenario.steps, setting, {beginStep, keepGoing});
  const end = endedAfter === undefined ? endOf(scenario, options, setting, record, verdict) : undefined;
  return {
    scenario: scenario.name,
    description: scenario.description,
    crossplane,
    variant: variant.name,
    seed,
    failures: [...failures, ...(end?.failures ?? [])],
    ...(end === undefined ? {untold: scenario.steps.slice(endedAfter).map(({name}) => name)} : {}),
    ...(end?.happened === undefined ? {} : {happened: end.happened}),
    ...record.result(),
  };
}

/** What is expected once every step was carried out. */
function endOf(
  scenario: Scenario,
  options: RunOptions,
  setting: StepSetting,
  record: RunRecord,
  verdict: Verdict,
): {readonly failures: readonly Failure[]; readonly happened: boolean | undefined} {
  const {variant, crossplane} = options;
  const atEnd = unmetOf(variant.expect, setting).map((one) => ({...one, step: 'at the end'}));
  checkResourceNames(scenario, variant, crossplane, record.timeline.resourceNames());
  const happened = verdict.atEnd(setting);
  const failures = [...withCauses(atEnd, causesOn(setting)), ...unexpected(scenario, options, happened)];
  return {failures, happened};
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
): {readonly [name: string]: InProcessFunction | 'remote'} {
  return Object.fromEntries(
    Object.entries(functions).map(([name, source]) => {
      if (without.includes(name)) return [name, passing];
      return [name, (source.kind === 'builtin' ? known[source.name] : undefined) ?? 'remote'];
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
