// One run of a scenario: one Crossplane version, one variant, one seed. It reads no file, starts no program and asks no
// clock, so it runs in a browser, too; run-scenario.ts is the same with functions that run elsewhere.

import type {ProfileName} from '../../cluster/crossplane/profiles.ts';
import {latencyOf, openControlPlane} from '../control-plane/control-plane.ts';
import {type Builtins, builtins, type InProcessFunction} from '../functions/builtin.ts';
import type {Drive} from '../functions/drive.ts';
import {isOneOf} from '../functions/function-source.ts';
import {passThrough} from '../functions/passing.ts';
import {nearest} from '../input/cursor.ts';
import {InputError} from '../input/input-error.ts';
import {beginningOf} from './beginning.ts';
import type {Evidence} from './check.ts';
import {requireVersions} from './function-moves.ts';
import {expectationsOf, targetOf} from './known-names.ts';
import {prepare} from './prepare.ts';
import {requirePackages} from './provider-moves.ts';
import type {RunProgress} from './run-progress.ts';
import {RunRecord} from './run-record.ts';
import type {RunResult} from './run-result.ts';
import {causesOn, type Failure, runSteps, unmetOf, withCauses} from './run-steps.ts';
import type {Scenario, Step, Variant} from './scenario.ts';
import type {StepSetting} from './wait.ts';

/** The options of a run. */
export interface DriveOptions {
  readonly crossplane: ProfileName;
  readonly variant: Variant;
  /** The scenario's own where absent. */
  readonly seed?: number;
  /** Those of builtin.ts where absent. */
  readonly builtins?: Builtins;
  /** Keeps every version of every object and every function call: see RunResult.history. */
  readonly record?: boolean;
  /** Compares with a golden file, by its name; if absent, no expectation may compare. */
  readonly golden?: Evidence['golden'];
  /** The story goes on after a step that failed. */
  readonly keepGoing?: boolean;
  /** Called with the progress of the run. */
  readonly progress?: RunProgress;
}

/** The driver calls functions that are not in process: see functions/drive.ts. */
export function* driveScenario(scenario: Scenario, options: DriveOptions): Drive<RunResult> {
  const {crossplane, variant, progress, keepGoing = false} = options;
  const seed = options.seed ?? scenario.seed;
  refuseTwinOnly(scenario.steps);
  const history = options.record === true ? {skipped: variant.without} : undefined;
  const record = new RunRecord({history, progress, golden: options.golden});
  const controlPlane = openControlPlane({
    crossplane,
    ...(scenario.realtime === undefined ? {} : {realtime: scenario.realtime}),
    ...(scenario.operations === undefined ? {} : {operations: scenario.operations}),
    seed,
    functions: functionsOf(scenario, options),
    ...beginningOf(scenario, crossplane),
    latency: latencyOf(seed, scenario.loaded),
    observers: [record.observe],
  });
  requireVersions(scenario);
  requirePackages(scenario);
  yield* prepare(scenario, controlPlane);
  record.begin(controlPlane);
  const setting: StepSetting = {controlPlane, evidence: record.evidence, crossplane};
  const verdict = verdictOn(scenario);
  const beginStep = (step: Step): void => {
    verdict.stepBegins(step.name, setting);
    record.beginStep(step, scenario.steps.length);
  };
  const {failures, allowed, endedAfter} = yield* runSteps(scenario.steps, setting, {beginStep, keepGoing});
  record.shown.stepEnds(controlPlane.session.nowMs);
  const end = endedAfter === undefined ? endOf(scenario, options, setting, record, verdict) : undefined;
  const all = [...failures, ...(end?.failures ?? [])];
  const told = {
    scenario,
    variant,
    crossplane,
    composed: record.timeline.resourceNames,
    endMs: controlPlane.session.nowMs,
  };
  const hollow = all.length > 0 ? [] : record.shown.hollow(told);
  return {
    scenario: scenario.name,
    description: scenario.description,
    crossplane,
    variant: variant.name,
    seed,
    failures: all,
    ...(allowed.length === 0 ? {} : {allowed}),
    ...(hollow.length === 0 ? {} : {hollow}),
    ...(end === undefined ? {notRun: scenario.steps.slice(endedAfter).map(({name}) => name)} : {}),
    ...(end?.happened === undefined ? {} : {happened: end.happened}),
    ...record.result(),
  };
}

/** The failed expectations of the end, after every step. */
function endOf(
  scenario: Scenario,
  options: DriveOptions,
  setting: StepSetting,
  record: RunRecord,
  verdict: Verdict,
): {readonly failures: readonly Failure[]; readonly happened: boolean | undefined} {
  const {variant, crossplane} = options;
  const atEnd = unmetOf(variant.expect, setting).map((one) => ({...one, step: 'at the end'}));
  checkResourceNames(scenario, variant, crossplane, record.timeline.resourceNames);
  const happened = verdict.atEnd(setting);
  const failures = [...withCauses(atEnd, causesOn(setting)), ...unexpectedBug(scenario, options, happened)];
  return {failures, happened};
}

/** A story along recorded latencies has no n-th opportunity for a fault. */
function refuseTwinOnly(steps: Scenario['steps']): void {
  const found = steps.find(({faults, early}) => faults !== undefined || early !== undefined);
  if (found === undefined) return;
  throw new InputError('cannot run a step with faults or early here: only with --twin', {place: found.place});
}

/** A misspelled resource name would make every `absent` true: each name must have been composed at some time. */
function checkResourceNames(
  {steps}: Scenario,
  {expect}: Variant,
  crossplane: string,
  composed: ReadonlySet<string>,
): void {
  for (const {what, place, crossplane: only} of [...steps.flatMap(expectationsOf), ...expect]) {
    const name = targetOf(what)?.resource;
    if (name === undefined || composed.has(name) || (only.length > 0 && !only.includes(crossplane))) continue;
    const known = [...composed].sort();
    const near = nearest(name, known);
    const advice = near === undefined ? `there were ${known.join(', ') || 'none'}` : `did you mean "${near}"?`;
    throw new InputError(`no composed resource was ever named "${name}": ${advice}`, {place});
  }
}

function functionsOf(
  {functions}: Scenario,
  {variant: {without}, builtins: known = builtins}: DriveOptions,
): {readonly [name: string]: InProcessFunction | 'remote'} {
  return Object.fromEntries(
    Object.entries(functions).map(([name, source]) => {
      if (isOneOf(name, without)) return [name, passThrough];
      return [name, (source.kind === 'builtin' ? known[source.name] : undefined) ?? 'remote'];
    }),
  );
}

// Decides if a scenario's bug happened in a run, and if it was expected to.

interface Verdict {
  /** To be called before every step: the bug may show in the middle of the story. */
  readonly stepBegins: (name: string, setting: StepSetting) => void;
  /** Undefined for a scenario without a bug. */
  readonly atEnd: (setting: StepSetting) => boolean | undefined;
}

function verdictOn({bug}: Scenario): Verdict {
  let previous: string | undefined;
  let happened: boolean | undefined;
  return {
    stepBegins: (name, setting) => {
      if (bug !== undefined && bug.after !== undefined && bug.after === previous) {
        happened = unmetOf(bug.signs, setting).length === 0;
      }
      previous = name;
    },
    atEnd: (setting) => {
      if (bug === undefined) return undefined;
      return happened ?? unmetOf(bug.signs, setting).length === 0;
    },
  };
}

/** A bug that does not show where the world has it makes a story prove nothing; one that shows elsewhere is a defect. */
function unexpectedBug(
  {bug, anyOrder}: Scenario,
  {crossplane, variant: {happens, name}}: {readonly crossplane: string; readonly variant: Variant},
  happened: boolean | undefined,
): readonly Failure[] {
  // If the steps run in any order, only all orders together decide if it happens.
  if (bug === undefined || happens === undefined || happened === undefined || anyOrder.length > 0) return [];
  if (happens.sometimes.includes(crossplane)) return [];
  const wanted = happens.always.includes(crossplane);
  if (wanted === happened) return [];
  const message = wanted
    ? `expected the bug to happen: ${bug.name}; it did not`
    : `expected the bug not to happen: ${bug.name}; it did`;
  return [{place: `variant "${name}"`, step: 'the whole story', message}];
}
