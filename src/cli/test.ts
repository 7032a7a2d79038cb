// `tether test`: runs scenario files, and test files of other tools, and writes the reports that are asked for. Which flags
// go together is checked here, before anything runs; running is run-items.ts, watching is watch-files.ts.

import {type FSWatcher, fstatSync, type Stats, statSync, watch} from 'node:fs';
import {dirname, join, relative, resolve, sep} from 'node:path';
import type {ProfileName} from '../cluster/crossplane/profiles.ts';
import {profileNamed} from '../harness/control-plane/profile-names.ts';
import {mustBeCalled, runCalling} from '../harness/explore/called-functions.ts';
import {readForeign} from '../harness/foreign/read-foreign.ts';
import {fileProblem} from '../harness/input/file-problem.ts';
import {InputError} from '../harness/input/input-error.ts';
import {checkReportFiles, filesOf, writeReports} from '../harness/report/write-reports.ts';
import {readScenario} from '../harness/scenario/read-scenario.ts';
import {verdictText} from '../harness/twin/grades.ts';
import {runTwins} from '../harness/twin/twin.ts';
import {type CommandContext, command} from './command.ts';
import {complain} from './complain.ts';
import {variantsNamed} from './named-variants.ts';
import {timelineOf} from './never-worse.ts';
import {checkBeside} from './options.ts';
import {type PlaceValues, placedScenario} from './place-functions.ts';
import {print, printAside} from './print.ts';
import {progressHere} from './progress-here.ts';
import {isRowWorker, workOnDemand} from './row-workers.ts';
import {hasFailed, type Item, type ItemRuns, type Job, runApart, runInTurn, runInWorkers} from './run-items.ts';
import {type TestValues, testLine} from './test-options.ts';
import {comparableTwins, composes, type TwinContext} from './twin-setting.ts';

export const testCommand = command(testLine, async ({values, files, named, argv}, context: CommandContext) => {
  checkBeside(named, 'twin', ['crossplane', 'seed', 'loaded', 'timeline', 'function', 'run-functions']);
  const {twin, crossplane, seed, timeline} = values;
  if (twin !== undefined) return testTwins({files, twin, crossplane, seed, timeline, places: values}, argv, context);
  checkReportFiles(values);
  const job = {values, named, registry: context.functions, progress: progressHere()};
  const started = {entry: context.entry, argv: ['test', ...argv]};
  if (!values.watch) return runFiles(files, job, started);
  return whenFilesChange(files, filesOf(values), async (changed) => {
    if (changed !== undefined) print(`\n${changed} changed`);
    await runFiles(files, job, started).catch((error) => complain('test', error));
    print('watching for changes; Ctrl-C ends it');
  });
});

/** Workers are called as the command was: with what it was `started` with. */
async function runFiles(files: readonly string[], job: Job, started: Parameters<typeof runInWorkers>[3]) {
  const {values} = job;
  const named = files.map((file) => itemOf(file, job));
  checkFlags(job, named);
  const items = await placed(chosen(named, values.only), job);
  if (isRowWorker()) return workOnDemand((row) => runApart(items, row, job));
  const {workers = 1} = values;
  const isApart = workers > 1 && items.length > 1;
  return report(isApart ? await runInWorkers(items, workers, job, started) : await runInTurn(items, job), values);
}

function itemOf(file: string, {values, registry}: Job): Item {
  const suite = readForeign(file, values.functions);
  if (suite !== undefined) return {kind: 'suite', ...suite};
  const scenario = readScenario(file, registry);
  return {kind: 'scenario', ...scenario, variants: variantsNamed(scenario, values.variant)};
}

async function placed(items: readonly Item[], {values, registry}: Job): Promise<readonly Item[]> {
  const placed: Item[] = [];
  for (const one of items) {
    placed.push(one.kind === 'suite' ? one : {kind: 'scenario', ...(await placedScenario(one, values, registry))});
  }
  return placed;
}

function report({results, written}: ItemRuns, values: TestValues): number {
  writeReports(results, values);
  for (const file of written) printAside(`wrote golden file "${file}"`);
  const failed = results.filter(hasFailed).length;
  const hollow = results.filter((one) => one.hollow !== undefined).length;
  const but = hollow === 0 ? '' : ` (${hollow} of them "ok, but")`;
  if (values.json !== '-') print(`\n${results.length - failed} passed${but}, ${failed} failed`);
  return failed === 0 ? 0 : 3;
}

const ofScenarios = [
  'function',
  'run-functions',
  'variant',
  'seed',
  'loaded',
  'keep-going',
  'strict',
  'call-timeout',
  'timeline',
  'side-by-side',
] as const;

/** A flag that nothing takes heed of is a mistake. */
function checkFlags({values, named}: Job, items: readonly Item[]): void {
  const scenarios = items.filter((one) => one.kind === 'scenario');
  if (scenarios.length === items.length && values.functions !== undefined) {
    throw new InputError('--functions is for CompositionTest files, got none: a scenario names its functions itself');
  }
  const idle = scenarios.length > 0 ? undefined : ofScenarios.find((flag) => named.includes(flag));
  if (idle !== undefined) throw new InputError(`--${idle} is for scenarios, got tests of other tools alone`);
  const alone = scenarios.find(({variants}) => variants.length < 2);
  if (values['side-by-side'] && alone !== undefined) {
    throw new InputError(`--side-by-side needs two variants, scenario "${alone.name}" has one`);
  }
  const printed =
    values.json === '-' ? (['timeline', 'side-by-side'] as const).find((flag) => values[flag]) : undefined;
  if (printed !== undefined) throw new InputError(`--${printed} and --json - would both be printed: give one`);
}

/** Those whose name contains `only`, of suites the tests. */
function chosen(items: readonly Item[], only: string | undefined): readonly Item[] {
  if (only === undefined) return items;
  const names = items.flatMap((one) => (one.kind === 'suite' ? one.tests : [one]).map(({name}) => name));
  if (!names.some((name) => name.includes(only))) {
    throw new InputError(`nothing is named "${only}": known are ${names.join(', ')}`);
  }
  return items.flatMap((one): readonly Item[] => {
    if (one.kind === 'scenario') return one.name.includes(only) ? [one] : [];
    const tests = one.tests.filter(({name}) => name.includes(only));
    return tests.length === 0 ? [] : [{...one, tests}];
  });
}

// `tether test --twin FUNCTION FILE...`: each scenario run twice, with the function and with pipelines that have no step of it.

interface TwinTest {
  readonly files: readonly string[];
  /** Functions that are replaced, separated by commas. */
  readonly twin: string;
  readonly crossplane: readonly ProfileName[];
  readonly seed: number | undefined;
  readonly timeline: boolean;
  readonly places: PlaceValues;
}

/** Answers the exit code. */
async function testTwins(asked: TwinTest, argv: readonly string[], context: TwinContext): Promise<number> {
  let worse = 0;
  let count = 0;
  for (const file of asked.files) {
    const scenario = await placedScenario(readScenario(file, context.functions), asked.places, context.functions);
    // Whatever runs elsewhere runs there: a function of this package at an address is another one.
    if (mustBeCalled(scenario, {})) return runCalling(context.entry, ['test', ...argv], scenario, {});
    for (const crossplane of asked.crossplane.length > 0 ? asked.crossplane : scenario.crossplane.map(profileNamed)) {
      const story = asked.seed === undefined ? scenario : {...scenario, seed: asked.seed};
      const {twins} = comparableTwins(story, file, asked.twin, crossplane, context);
      const {violations, with: mine, without: theirs} = runTwins(twins, story);
      count++;
      if (violations.length > 0) worse++;
      if (asked.timeline || violations.length > 0) print(timelineOf(story, twins).join('\n'));
      const isEmpty = !composes(mine) && !composes(theirs);
      const verdict = violations.length > 0 ? 'WORSE' : isEmpty ? 'never worse, but' : 'never worse';
      print(`${verdict}  ${scenario.name}  Crossplane ${crossplane}, without ${asked.twin}`);
      for (const one of violations) print(`  ${verdictText(one)}`);
      if (isEmpty) print('  nothing was composed, with the function or without it');
    }
  }
  print(`\n${count - worse} passed, ${worse} failed`);
  return worse === 0 ? 0 : 3;
}

// Runs something again when files change (`tether test --watch`). Whole folders are watched, because a scenario reads other
// files beside its own; changes that come close together count as one.

const settleMs = 100;
const ignored = ['node_modules', '.git'];

/**
 * Calls `act` now and after every change below the folders of `files`, one at a time, for as long as the process lives.
 * Changes during a call are one more call after it. Files that the call writes do not count: `outputs`, and the file that
 * the process prints to.
 */
async function whenFilesChange(
  files: readonly string[],
  outputs: readonly string[],
  act: (changed: string | undefined) => Promise<unknown>,
): Promise<never> {
  const own = new Set(outputs.map((file) => resolve(file)));
  const isOwn = (path: string): boolean => own.has(resolve(path)) || isPrintedTo(path);
  const changes = watchFolders([...new Set(files.map((file) => dirname(file)))], isOwn);
  await act(undefined);
  for (;;) await act(await changes());
}

/** Answers the next change: a path. One that came since the last answer counts. */
function watchFolders(folders: readonly string[], isOwn: (path: string) => boolean): () => Promise<string> {
  let changed: string | undefined;
  let wake: (() => void) | undefined;
  for (const folder of folders) {
    watcherOf(folder).on('change', (_, name) => {
      const path = join(folder, String(name));
      if (path.split(sep).some((part) => ignored.includes(part)) || isOwn(path)) return;
      changed = path;
      wake?.();
    });
  }
  return async () => {
    if (changed === undefined) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    // An editor writes a file in several steps; what it means is there when it is done.
    await new Promise((resolve) => setTimeout(resolve, settleMs));
    const path = relative('.', changed ?? '');
    changed = undefined;
    wake = undefined;
    return path;
  };
}

/** True if stdout or stderr goes to this file, as in `tether test ... > out.txt`. */
function isPrintedTo(path: string): boolean {
  const file = statSync(path, {throwIfNoEntry: false});
  return file !== undefined && [1, 2].some((descriptor) => isSameFile(file, descriptor));
}

function isSameFile({dev, ino}: Stats, descriptor: number): boolean {
  try {
    const printedTo = fstatSync(descriptor);
    return printedTo.dev === dev && printedTo.ino === ino;
  } catch {
    return false;
  }
}

function watcherOf(folder: string): FSWatcher {
  try {
    return watch(folder, {recursive: true});
  } catch (error) {
    throw new InputError(`cannot watch folder "${folder}": ${fileProblem(error)}`);
  }
}
