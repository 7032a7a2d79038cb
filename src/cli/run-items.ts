// Runs what `tether test` was given, one item after the other, or several at once in workers. Output and exit code
// are the same with any number of workers: items count in their order, and items after the end count as not begun.

import type {ProfileName} from '../cluster/crossplane/profiles.ts';
import {profileNamed} from '../harness/control-plane/profile-names.ts';
import type {RenderSuite} from '../harness/foreign/render-test.ts';
import {runRenderSuite} from '../harness/foreign/run-render-test.ts';
import type {Builtins} from '../harness/functions/builtin.ts';
import {type FunctionPool, openFunctions} from '../harness/functions/function-pool.ts';
import {InputError} from '../harness/input/input-error.ts';
import {concealedResult} from '../harness/report/concealed-result.ts';
import {closing, renderVerdict, runTitle, timelineText, verdictText} from '../harness/report/console.ts';
import {sideBySide} from '../harness/report/side-by-side.ts';
import {terminalWidth} from '../harness/report/terminal-width.ts';
import {type Goldens, openGoldens} from '../harness/scenario/golden/goldens.ts';
import type {RunProgress} from '../harness/scenario/run-progress.ts';
import type {RunResult} from '../harness/scenario/run-result.ts';
import {runScenario} from '../harness/scenario/run-scenario.ts';
import type {Scenario, Variant} from '../harness/scenario/scenario.ts';
import {paintHere, print, printAside} from './print.ts';
import {inWorkers} from './row-workers.ts';
import type {TestValues} from './test-options.ts';

/** The items of one file. */
export type Item = (Scenario & {readonly kind: 'scenario'}) | (RenderSuite & {readonly kind: 'suite'});

/** The request of the options, read before anything runs. */
export interface Job {
  readonly values: TestValues;
  readonly named: readonly string[];
  readonly registry: Builtins;
  readonly progress: RunProgress;
}

export interface ItemRuns {
  readonly results: readonly RunResult[];
  /** Golden files. */
  readonly written: readonly string[];
}

/** A part of what an item came to: what is worth noting, and the runs of one version. */
interface Part {
  readonly notes: readonly string[];
  readonly runs: readonly RunResult[];
}

export function hasFailed({failures}: RunResult): boolean {
  return failures.length > 0;
}

export async function runInTurn(items: readonly Item[], job: Job): Promise<ItemRuns> {
  const goldens = openGoldens(job.values.update);
  const results: RunResult[] = [];
  try {
    for (const item of items) {
      for await (const part of runItem(item, job, goldens)) {
        show(item, part, job);
        results.push(...part.runs);
      }
      if (endsWith(results, job)) break;
    }
  } finally {
    job.progress.end();
  }
  return {results, written: goldens.written};
}

function show(item: Item, {notes, runs}: Part, {values, progress}: Job): void {
  progress.end();
  for (const note of notes) printAside(note);
  if (values.json === '-') return;
  for (const text of item.kind === 'suite' ? runs.map(renderVerdict) : runTexts(runs, values)) print(text);
}

function endsWith(results: readonly RunResult[], {values}: Job): boolean {
  return values['fail-fast'] && results.some(hasFailed);
}

/** The message of a worker. */
interface Apart {
  readonly parts: readonly Part[];
  readonly written: readonly string[];
  /** Why it could not run: bad input, in one sentence. */
  readonly problem?: {readonly place: string; readonly message: string};
}

/** In a worker: runs one item for the other side, and prints nothing. */
export async function runApart(items: readonly Item[], row: number, job: Job): Promise<Apart> {
  const item = items[row];
  if (item === undefined) throw new Error(`a worker must be asked for an item below ${items.length}, got ${row}`);
  const goldens = openGoldens(job.values.update);
  const parts: Part[] = [];
  try {
    for await (const part of runItem(item, {...job, progress: silent}, goldens)) parts.push(part);
    return {parts, written: goldens.written};
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const {place, message} = error;
    const problem = {place, message: place === '' ? message : message.slice(`${place}: `.length)};
    return {parts, written: goldens.written, problem};
  }
}

const silent: RunProgress = {
  story: () => undefined,
  step: () => undefined,
  time: () => undefined,
  waitsFor: () => undefined,
  end: () => undefined,
};

export async function runInWorkers(
  items: readonly Item[],
  workers: number,
  job: Job,
  {entry, argv}: {readonly entry: string; readonly argv: readonly string[]},
): Promise<ItemRuns> {
  const {progress} = job;
  const [results, written]: [RunResult[], string[]] = [[], []];
  const onDone = (row: number, {parts, written: files, problem}: Apart): 'end' | undefined => {
    for (const part of parts) show(items[row] as Item, part, job);
    results.push(...parts.flatMap(({runs}) => runs));
    written.push(...files.filter((file) => !written.includes(file)));
    if (problem !== undefined) throw new InputError(problem.message, {place: problem.place});
    return endsWith(results, job) ? 'end' : undefined;
  };
  try {
    await inWorkers<Apart>(entry, argv, {rows: items.length, what: 'files', count: workers, progress, onDone});
  } finally {
    progress.end();
  }
  return {results, written};
}

function runItem(item: Item, job: Job, goldens: Goldens): AsyncGenerator<Part> {
  return item.kind === 'suite' ? runForeign(item, job, goldens) : runAll(item, job, goldens);
}

async function* runAll(scenario: Scenario, job: Job, goldens: Goldens): AsyncGenerator<Part> {
  const {progress, values} = job;
  const callTimeoutMs = values['call-timeout'];
  progress.story(scenario.name);
  yield {notes: (scenario.notes ?? []).map((note) => `note: ${note}`), runs: []};
  const limit = callTimeoutMs === undefined ? {} : {callTimeoutMs};
  const pool = await openFunctions(scenario, {...limit, waitsFor: progress.waitsFor});
  try {
    for (const crossplane of versionsOf(values, scenario)) {
      const runs: RunResult[] = [];
      for (const variant of scenario.variants) {
        runs.push(await runOne(scenario, {crossplane, variant, pool}, job, goldens));
        if (endsWith(runs, job)) break;
      }
      yield {notes: [], runs};
      if (endsWith(runs, job)) return;
    }
  } finally {
    await pool.close();
  }
}

async function runOne(
  scenario: Scenario,
  run: {readonly crossplane: ProfileName; readonly variant: Variant; readonly pool: FunctionPool},
  {values, registry, progress}: Job,
  goldens: Goldens,
): Promise<RunResult> {
  progress.story(runTitle({scenario: scenario.name, crossplane: run.crossplane, variant: run.variant.name}));
  const result = await runScenario(scenario, {
    ...run,
    ...(values.seed === undefined ? {} : {seed: values.seed}),
    builtins: registry,
    goldens,
    record: values.html !== undefined,
    keepGoing: values['keep-going'],
    progress,
  });
  return concealedResult(values.strict ? strictly(result) : result);
}

/** With --strict a run that is "ok, but" fails. */
function strictly({hollow, ...result}: RunResult): RunResult {
  if (hollow === undefined) return result;
  const failed = {place: result.scenario, step: 'at the end'};
  return {...result, failures: hollow.map((why) => ({...failed, message: `${why} (--strict)`}))};
}

function versionsOf({crossplane}: TestValues, scenario: Scenario): readonly ProfileName[] {
  return crossplane.length > 0 ? crossplane : scenario.crossplane.map(profileNamed);
}

async function* runForeign(suite: RenderSuite, {registry, values}: Job, goldens: Goldens): AsyncGenerator<Part> {
  yield {notes: suite.notes, runs: []};
  for (const version of values.crossplane.length > 0 ? values.crossplane : (['main'] as const)) {
    const notes: string[] = [];
    const note = (sentence: string) => void notes.push(sentence);
    const runs = await runRenderSuite(suite, {crossplane: version, builtins: registry, goldens, note});
    yield {notes, runs: runs.map(concealedResult)};
  }
}

/** The result of the runs of one version, for the terminal. */
function runTexts(runs: readonly RunResult[], values: TestValues): readonly string[] {
  const [left, right] = runs;
  // A run that failed may have ended the others.
  const beside = values['side-by-side'] && left !== undefined && right !== undefined;
  const shown = runs.filter((run) => !beside && (values.timeline || hasFailed(run)));
  const paint = paintHere();
  return [
    ...(beside ? [`${sideBySide(left, right)}\n`, ...runs.map((run) => `${closing(run)}\n`)] : []),
    ...shown.map((run) => `${timelineText(run)}\n`),
    ...runs.map((run) => verdictText(run, terminalWidth(), paint)),
  ];
}
