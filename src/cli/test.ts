// `tether test`: runs scenario files, and test files of other tools, and writes the reports that are asked for. Which flags
// go together is checked here, before anything runs; running is run-items.ts, watching is watch-files.ts.

import {readForeign} from '../harness/foreign/read-foreign.ts';
import {type Builtins, builtins} from '../harness/functions/builtin.ts';
import {InputError} from '../harness/input/input-error.ts';
import {checkReportFiles, filesOf, writeReports} from '../harness/report/write-reports.ts';
import {readScenario} from '../harness/scenario/read-scenario.ts';
import type {Scenario} from '../harness/scenario/scenario.ts';
import type {TwinContext} from '../harness/twin/twin-setting.ts';
import {complain} from './complain.ts';
import {checkBeside, optionsOf} from './options.ts';
import {placedScenario} from './place-functions.ts';
import {progressHere} from './progress-here.ts';
import {isRowWorker, workOnDemand} from './row-workers.ts';
import {hasFailed, type Item, type ItemRuns, type Job, runApart, runInTurn, runInWorkers} from './run-items.ts';
import {type TestValues, testLine} from './test-options.ts';
import {testTwins} from './test-twins.ts';
import {whenFilesChange} from './watch-files.ts';

/** Answers the exit code. */
export async function testCommand(
  argv: readonly string[],
  registry: Builtins = builtins,
  twins?: Omit<TwinContext, 'functions'>,
): Promise<number> {
  try {
    return await run(argv, registry, twins);
  } catch (error) {
    return complain('test', error);
  }
}

async function run(
  argv: readonly string[],
  registry: Builtins,
  twins: Omit<TwinContext, 'functions'> | undefined,
): Promise<number> {
  const given = optionsOf(testLine, argv);
  if (given === undefined) return 0;
  const {values, files: positionals, named} = given;
  if (positionals.length === 0) throw new InputError('', 'tether test needs a scenario file: tether test FILE...');
  checkBeside(named, 'twin', ['crossplane', 'seed', 'timeline']);
  if (values.twin !== undefined) return runTwins(values.twin, positionals, values, argv, registry, twins);
  checkReportFiles(values);
  const job = {values, named, registry, progress: progressHere()};
  const started = {argv, entry: twins?.entry};
  if (!values.watch) return runFiles(positionals, job, started);
  return whenFilesChange(positionals, filesOf(values), async (changed) => {
    if (changed !== undefined) console.log(`\n${changed} changed`);
    await runFiles(positionals, job, started).catch((error) => complain('test', error));
    console.log('watching for changes; Ctrl-C ends it');
  });
}

/** The command as it was called: workers are called the same. */
interface Started {
  readonly argv: readonly string[];
  readonly entry: string | undefined;
}

async function runFiles(files: readonly string[], job: Job, {argv, entry}: Started): Promise<number> {
  const {values} = job;
  const named = files.map((file) => itemOf(file, job));
  checkFlags(job, named);
  const items = await placed(chosen(named, values.only), job);
  if (isRowWorker()) return workOnDemand((row) => runApart(items, row, job));
  const {workers = 1} = values;
  if (workers > 1 && entry === undefined) throw new InputError('', '--workers is of the command tether alone');
  const isApart = workers > 1 && items.length > 1 && entry !== undefined;
  const runs = isApart
    ? await runInWorkers(items, workers, job, {entry, argv: ['test', ...argv]})
    : await runInTurn(items, job);
  return report(runs, values);
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
  for (const file of written) console.error(`wrote golden file "${file}"`);
  const failed = results.filter(hasFailed).length;
  if (values.json !== '-') console.log(`\n${results.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 3;
}

const ofScenarios = [
  'function',
  'run-functions',
  'variant',
  'seed',
  'keep-going',
  'call-timeout',
  'timeline',
  'side-by-side',
] as const;

/** A flag that nothing takes heed of is a mistake. */
function checkFlags({values, named}: Job, items: readonly Item[]): void {
  const scenarios = items.filter((one) => one.kind === 'scenario');
  if (scenarios.length === items.length && values.functions !== undefined) {
    throw new InputError(
      '',
      '--functions is for CompositionTest files, got none: a scenario names its functions itself',
    );
  }
  const idle = scenarios.length > 0 ? undefined : ofScenarios.find((flag) => named.includes(flag));
  if (idle !== undefined) throw new InputError('', `--${idle} is for scenarios, got tests of other tools alone`);
  const alone = scenarios.find(({variants}) => variants.length < 2);
  if (values['side-by-side'] && alone !== undefined) {
    throw new InputError('', `--side-by-side needs two variants, scenario "${alone.name}" has one`);
  }
  const printed =
    values.json === '-' ? (['timeline', 'side-by-side'] as const).find((flag) => values[flag]) : undefined;
  if (printed !== undefined) throw new InputError('', `--${printed} and --json - would both be printed: give one`);
}

/** Those whose name contains `only`, of suites the tests. */
function chosen(items: readonly Item[], only: string | undefined): readonly Item[] {
  if (only === undefined) return items;
  const names = items.flatMap((one) => (one.kind === 'suite' ? one.tests : [one]).map(({name}) => name));
  if (!names.some((name) => name.includes(only))) {
    throw new InputError('', `nothing is named "${only}": known are ${names.join(', ')}`);
  }
  return items.flatMap((one): readonly Item[] => {
    if (one.kind === 'scenario') return one.name.includes(only) ? [one] : [];
    const tests = one.tests.filter(({name}) => name.includes(only));
    return tests.length === 0 ? [] : [{...one, tests}];
  });
}

function runTwins(
  twin: string,
  files: readonly string[],
  {seed, crossplane, timeline}: TestValues,
  argv: readonly string[],
  functions: Builtins,
  twins: Omit<TwinContext, 'functions'> | undefined,
): Promise<number> {
  if (twins === undefined) throw new InputError('', '--twin is of the command tether alone');
  const asked = {files, twin, crossplane, seed, timeline};
  return testTwins(asked, argv, {functions, ...twins});
}

function variantsNamed({variants}: Scenario, name: string | undefined): Scenario['variants'] {
  const found = name === undefined ? variants : variants.filter((variant) => variant.name.includes(name));
  if (found.length > 0) return found;
  const known = variants.map((variant) => variant.name).join(', ') || 'none';
  throw new InputError('', `no variant is named "${name}": known are ${known}`);
}
