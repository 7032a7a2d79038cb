import type {ProfileName} from '../cluster/crossplane/profiles.ts';
import {type CommandLine, type Values as OptionValues, on, one, text} from '../command-line/option-table.ts';
import {profileNamed} from '../harness/control-plane/profile-names.ts';
import {readForeign} from '../harness/foreign/read-foreign.ts';
import type {RenderSuite} from '../harness/foreign/render-test.ts';
import {renderVerdict, runRenderSuite} from '../harness/foreign/run-render-test.ts';
import {type Builtins, builtins} from '../harness/functions/builtin.ts';
import {type FunctionPool, openFunctions} from '../harness/functions/function-pool.ts';
import {type Goldens, openGoldens} from '../harness/golden/goldens.ts';
import {parseDuration} from '../harness/input/duration.ts';
import {InputError} from '../harness/input/input-error.ts';
import {closing, runTitle, timelineText, verdictText} from '../harness/report/console.ts';
import {paintFor} from '../harness/report/paint.ts';
import {progressAt} from '../harness/report/progress.ts';
import {sideBySide} from '../harness/report/side-by-side.ts';
import {terminalWidth} from '../harness/report/wrap.ts';
import {checkReportFiles, filesOf, writeReports} from '../harness/report/write-reports.ts';
import {readScenario} from '../harness/scenario/parse-scenario.ts';
import type {RunProgress} from '../harness/scenario/run-progress.ts';
import type {RunResult} from '../harness/scenario/run-result.ts';
import {runScenario} from '../harness/scenario/run-scenario.ts';
import type {Scenario, Variant} from '../harness/scenario/scenario.ts';
import type {TwinContext} from '../harness/twin/twin-setting.ts';
import {complain} from './complain.ts';
import {checkBeside, count, crossplane, optionsOf} from './options.ts';
import {testTwins} from './test-twins.ts';
import {whenFilesChange} from './watch-files.ts';

export const testLine = {
  name: 'test',
  takes: 'FILE...',
  does: 'runs scenarios on a simulated control plane. It also takes test files of xprin and CompositionTest files of `up test`: each test is one render, and what of it has no meaning here is said on stderr.',
  options: {
    crossplane,
    only: text('NAME', 'only the scenarios and tests whose name contains NAME'),
    variant: text('NAME', 'only the variants whose name contains NAME'),
    'fail-fast': on('end after the first run that fails'),
    'keep-going': on('go on with a scenario after a step that failed, instead of ending it there'),
    'call-timeout': one('TIME', 'how long a function may take to answer, unless it says so itself (10s)', duration),
    seed: one('NUMBER', "instead of the scenario's seed", count),
    twin: text(
      'NAME',
      'run each scenario twice, with the functions named (NAME,NAME) and with pass-through in their place, and fail where anybody is worse off with them; with --crossplane, --seed and --timeline only',
    ),
    update: on('write golden files that say something else, or are not there yet'),
    watch: on('run again whenever a file in the folders of the FILEs changes'),
    functions: text('PATH', 'the Functions of CompositionTest files, as for tether render; else they run in process'),
    timeline: on('print the timeline of every run, not only of those that failed'),
    'side-by-side': on('print the first two variants beside each other'),
    json: text('FILE', 'write everything as JSON ("-" for the terminal)'),
    junit: text('FILE', 'write JUnit XML'),
    markdown: text('FILE', 'write a summary in Markdown, as $GITHUB_STEP_SUMMARY takes it'),
    html: text('FILE', 'write one page with everything on it: lanes over virtual time, decisions, diffs'),
  },
  example: 'tether test examples/restore-orphan/scenario.yaml --side-by-side',
  exitCodes: '0 everything came true, 1 the tool itself failed, 2 bad input, 3 an expectation failed.',
} satisfies CommandLine;

function duration(text: string, flag: string): number {
  return parseDuration(flag, text);
}

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
  const job = jobOf(given, registry);
  if (!values.watch) return runFiles(positionals, job);
  return whenFilesChange(positionals, filesOf(values), async (changed) => {
    if (changed !== undefined) console.log(`\n${changed} changed`);
    await runFiles(positionals, job).catch((error) => complain('test', error));
    console.log('watching for changes; Ctrl-C ends it');
  });
}

type Values = OptionValues<(typeof testLine)['options']>;

/** What the options ask for, read before anything runs. */
interface Job {
  readonly values: Values;
  readonly named: readonly string[];
  readonly registry: Builtins;
  readonly progress: RunProgress;
}

function jobOf({values, named}: Pick<Job, 'values' | 'named'>, registry: Builtins): Job {
  const {columns, isTTY} = process.stderr;
  const place = {write: (text: string) => process.stderr.write(text), nowMs: () => performance.now()};
  return {values, named, registry, progress: progressAt({...place, columns: isTTY ? columns : undefined})};
}

async function runFiles(files: readonly string[], job: Job): Promise<number> {
  const {values, registry, progress} = job;
  const goldens = openGoldens(values.update);
  const read = files.map((file) => readForeign(file, values.functions) ?? readScenario(file, registry));
  const told = read.map((one) => ('tests' in one ? one : {...one, variants: variantsNamed(one, values.variant)}));
  checkFlags(job, told);
  const results: RunResult[] = [];
  try {
    for (const one of chosen(told, values.only)) {
      const runs = 'tests' in one ? runForeign(one, job, goldens) : tellAll(one, job, goldens);
      for await (const result of runs) results.push(result);
      if (values['fail-fast'] && results.some(hasFailed)) break;
    }
  } finally {
    progress.end();
  }
  writeReports(results, values);
  for (const file of goldens.written) console.error(`wrote golden file "${file}"`);
  const failed = results.filter(hasFailed).length;
  if (values.json !== '-') console.log(`\n${results.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 3;
}

const ofScenarios = ['variant', 'seed', 'keep-going', 'call-timeout', 'timeline', 'side-by-side'] as const;

/** A flag that nothing takes heed of is a mistake. */
function checkFlags({values, named}: Job, told: readonly Told[]): void {
  const scenarios = told.filter((one): one is Scenario => !('tests' in one));
  if (scenarios.length === told.length && values.functions !== undefined) {
    throw new InputError(
      '',
      '--functions is for CompositionTest files, got none: a scenario names its functions itself',
    );
  }
  const idle = scenarios.length > 0 ? undefined : ofScenarios.find((flag) => named.includes(flag));
  if (idle !== undefined) throw new InputError('', `--${idle} is for scenarios, got tests of other tools alone`);
  const alone = scenarios.find(({variants}) => variants.length < 2);
  if (values['side-by-side'] && alone !== undefined) {
    throw new InputError('', `--side-by-side needs two variants, scenario "${alone.name}" has one to tell`);
  }
  const printed =
    values.json === '-' ? (['timeline', 'side-by-side'] as const).find((flag) => values[flag]) : undefined;
  if (printed !== undefined) throw new InputError('', `--${printed} and --json - would both be printed: give one`);
}

function hasFailed({failures}: RunResult): boolean {
  return failures.length > 0;
}

type Told = Scenario | RenderSuite;

/** Those whose name contains `only`, of suites the tests. */
function chosen(told: readonly Told[], only: string | undefined): readonly Told[] {
  if (only === undefined) return told;
  const names = told.flatMap((one) => ('tests' in one ? one.tests : [one]).map(({name}) => name));
  if (!names.some((name) => name.includes(only))) {
    throw new InputError('', `nothing is named "${only}": known are ${names.join(', ')}`);
  }
  return told.flatMap((one): readonly Told[] => {
    if (!('tests' in one)) return one.name.includes(only) ? [one] : [];
    const tests = one.tests.filter(({name}) => name.includes(only));
    return tests.length === 0 ? [] : [{...one, tests}];
  });
}

function runTwins(
  twin: string,
  files: readonly string[],
  {seed, crossplane, timeline}: Values,
  argv: readonly string[],
  functions: Builtins,
  twins: Omit<TwinContext, 'functions'> | undefined,
): Promise<number> {
  if (twins === undefined) throw new InputError('', '--twin is of the command tether alone');
  const asked = {files, twin, crossplane, seed, timeline};
  return testTwins(asked, argv, {functions, ...twins});
}

/** Every run of a scenario, printed as they end: a version's variants together. */
async function* tellAll(scenario: Scenario, job: Job, goldens: Goldens): AsyncGenerator<RunResult> {
  const {values, progress} = job;
  const callTimeoutMs = values['call-timeout'];
  progress.story(scenario.name);
  for (const note of scenario.notes ?? []) console.error(`note: ${note}`);
  const limit = callTimeoutMs === undefined ? {} : {callTimeoutMs};
  const pool = await openFunctions(scenario, {...limit, waitsFor: progress.waitsFor});
  try {
    for (const crossplane of versionsOf(values, scenario)) {
      const runs: RunResult[] = [];
      for (const variant of scenario.variants) {
        const run = await tellOne(scenario, {crossplane, variant, pool}, job, goldens);
        runs.push(run);
        if (values['fail-fast'] && hasFailed(run)) break;
      }
      progress.end();
      print(runs, values);
      yield* runs;
      if (values['fail-fast'] && runs.some(hasFailed)) return;
    }
  } finally {
    await pool.close();
  }
}

function tellOne(
  scenario: Scenario,
  run: {readonly crossplane: ProfileName; readonly variant: Variant; readonly pool: FunctionPool},
  {values, registry, progress}: Job,
  goldens: Goldens,
): Promise<RunResult> {
  progress.story(runTitle({scenario: scenario.name, crossplane: run.crossplane, variant: run.variant.name}));
  return runScenario(scenario, {
    ...run,
    ...(values.seed === undefined ? {} : {seed: values.seed}),
    builtins: registry,
    goldens,
    record: values.html !== undefined,
    keepGoing: values['keep-going'],
    progress,
  });
}

async function* runForeign(suite: RenderSuite, {values, registry}: Job, goldens: Goldens): AsyncGenerator<RunResult> {
  for (const note of suite.notes) console.error(note);
  for (const version of values.crossplane.length > 0 ? values.crossplane : (['main'] as const)) {
    const note = (sentence: string) => console.error(sentence);
    const runs = await runRenderSuite(suite, {crossplane: version, builtins: registry, goldens, note});
    if (values.json !== '-') for (const run of runs) console.log(renderVerdict(run));
    yield* runs;
  }
}

function versionsOf({crossplane}: Values, scenario: Scenario): readonly ProfileName[] {
  return crossplane.length > 0 ? crossplane : scenario.crossplane.map(profileNamed);
}

function variantsNamed({variants}: Scenario, name: string | undefined): Scenario['variants'] {
  const found = name === undefined ? variants : variants.filter((variant) => variant.name.includes(name));
  if (found.length > 0) return found;
  const known = variants.map((variant) => variant.name).join(', ') || 'none';
  throw new InputError('', `no variant is named "${name}": known are ${known}`);
}

function print(runs: readonly RunResult[], values: Values): void {
  if (values.json === '-') return;
  const [left, right] = runs;
  // A run that failed may have ended the others.
  const beside = values['side-by-side'] && right !== undefined;
  const always = values.timeline;
  if (beside && left !== undefined) {
    console.log(`${sideBySide(left, right)}\n`);
    for (const result of runs) console.log(`${closing(result)}\n`);
  }
  for (const result of runs) {
    if (!beside && (always || hasFailed(result))) console.log(`${timelineText(result)}\n`);
  }
  const paint = paintFor(process.stdout, process.env);
  for (const result of runs) console.log(verdictText(result, terminalWidth(), paint));
}
