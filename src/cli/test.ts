import type {parseArgs} from 'node:util';
import type {ProfileName} from '../cluster/crossplane/profiles.ts';
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
import {readFlags} from './flags.ts';
import {testTwins} from './test-twins.ts';
import {whenFilesChange} from './watch-files.ts';

export const testHelp = `tether test FILE... runs scenarios on a simulated control plane. It also takes test files of xprin and CompositionTest
files of \`up test\`: each test is one render, and what of it has no meaning here is said on stderr.

  --crossplane VERSION   only this version (1.16, 1.19, 1.20, 2.3, main); may be given more than once
  --only NAME            only the scenarios and tests whose name contains NAME
  --variant NAME         only the variants whose name contains NAME
  --fail-fast            end after the first run that fails
  --keep-going           go on with a story after a step that failed, instead of ending it there
  --call-timeout TIME    how long a function may take to answer, unless it says so itself (10s)
  --seed NUMBER          instead of the scenario's seed
  --twin NAME            tell each scenario twice, with the functions named (NAME,NAME) and with pass-through in their place,
                         and fail where anybody is worse off with them; with --crossplane, --seed and --timeline only
  --update               write golden files that say something else, or are not there yet
  --watch                run again whenever a file in the folders of the FILEs changes
  --functions PATH       the Functions of CompositionTest files, as for tether render; else they run in process
  --timeline             print the timeline of every run, not only of those that failed
  --side-by-side         print the first two variants beside each other
  --json FILE            write everything as JSON ("-" for the terminal)
  --junit FILE           write JUnit XML
  --markdown FILE        write a summary in Markdown, as $GITHUB_STEP_SUMMARY takes it
  --html FILE            write one page with everything on it: lanes over virtual time, decisions, diffs

Example: tether test examples/restore-orphan/scenario.yaml --side-by-side

Exit codes: 0 everything came true, 1 the tool itself failed, 2 bad input, 3 an expectation failed.`;

const options = {
  crossplane: {type: 'string', multiple: true},
  only: {type: 'string'},
  variant: {type: 'string'},
  'fail-fast': {type: 'boolean'},
  'keep-going': {type: 'boolean'},
  'call-timeout': {type: 'string'},
  seed: {type: 'string'},
  twin: {type: 'string'},
  update: {type: 'boolean'},
  watch: {type: 'boolean'},
  functions: {type: 'string'},
  timeline: {type: 'boolean'},
  'side-by-side': {type: 'boolean'},
  json: {type: 'string'},
  junit: {type: 'string'},
  markdown: {type: 'string'},
  html: {type: 'string'},
  help: {type: 'boolean', short: 'h'},
} as const;

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
  const {values, positionals} = readFlags('test', {args: [...argv], options, allowPositionals: true});
  if (values.help === true) {
    console.log(testHelp);
    return 0;
  }
  if (positionals.length === 0) throw new InputError('', 'tether test needs a scenario file: tether test FILE...');
  if (values.twin !== undefined) return runTwins(values.twin, positionals, values, argv, registry, twins);
  checkReportFiles(values);
  const job = jobOf(values, registry);
  if (values.watch !== true) return runFiles(positionals, job);
  return whenFilesChange(positionals, filesOf(values), async (changed) => {
    if (changed !== undefined) console.log(`\n${changed} changed`);
    await runFiles(positionals, job).catch((error) => complain('test', error));
    console.log('watching for changes; Ctrl-C ends it');
  });
}

type Values = ReturnType<typeof parseArgs<{options: typeof options}>>['values'];

/** What the flags ask for, read before anything runs. */
interface Job {
  readonly values: Values;
  readonly registry: Builtins;
  readonly crossplane: readonly ProfileName[] | undefined;
  readonly seed: number | undefined;
  readonly callTimeoutMs: number | undefined;
  readonly progress: RunProgress;
}

function jobOf(values: Values, registry: Builtins): Job {
  const {crossplane, seed} = values;
  const callTimeout = values['call-timeout'];
  const {columns, isTTY} = process.stderr;
  const place = {write: (text: string) => process.stderr.write(text), nowMs: () => performance.now()};
  return {
    values,
    registry,
    crossplane: crossplane?.map(profileNamed),
    seed: seed === undefined ? undefined : seedNamed(seed),
    callTimeoutMs: callTimeout === undefined ? undefined : parseDuration('--call-timeout', callTimeout),
    progress: progressAt({...place, columns: isTTY ? columns : undefined}),
  };
}

async function runFiles(files: readonly string[], job: Job): Promise<number> {
  const {values, registry, progress} = job;
  const goldens = openGoldens(values.update === true);
  const read = files.map((file) => readForeign(file, values.functions) ?? readScenario(file, registry));
  const told = read.map((one) => ('tests' in one ? one : {...one, variants: variantsNamed(one, values.variant)}));
  checkFlags(values, told);
  const results: RunResult[] = [];
  try {
    for (const one of chosen(told, values.only)) {
      const runs = 'tests' in one ? runForeign(one, job, goldens) : tellAll(one, job, goldens);
      for await (const result of runs) results.push(result);
      if (values['fail-fast'] === true && results.some(hasFailed)) break;
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
function checkFlags(values: Values, told: readonly Told[]): void {
  const scenarios = told.filter((one): one is Scenario => !('tests' in one));
  if (scenarios.length === told.length && values.functions !== undefined) {
    throw new InputError(
      '',
      '--functions is for CompositionTest files, got none: a scenario names its functions itself',
    );
  }
  const idle = scenarios.length > 0 ? undefined : ofScenarios.find((flag) => values[flag] !== undefined);
  if (idle !== undefined) throw new InputError('', `--${idle} is for scenarios, got tests of other tools alone`);
  const alone = scenarios.find(({variants}) => variants.length < 2);
  if (values['side-by-side'] === true && alone !== undefined) {
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
  const own = seed === undefined ? undefined : seedNamed(seed);
  const asked = {files, twin, crossplane, seed: own, timeline: timeline === true};
  return testTwins(asked, argv, {functions, ...twins});
}

/** Every run of a scenario, printed as they end: a version's variants together. */
async function* tellAll(scenario: Scenario, job: Job, goldens: Goldens): AsyncGenerator<RunResult> {
  const {values, progress, callTimeoutMs} = job;
  progress.story(scenario.name);
  for (const note of scenario.notes ?? []) console.error(`note: ${note}`);
  const limit = callTimeoutMs === undefined ? {} : {callTimeoutMs};
  const pool = await openFunctions(scenario, {...limit, waitsFor: progress.waitsFor});
  try {
    for (const crossplane of job.crossplane ?? scenario.crossplane.map(profileNamed)) {
      const runs: RunResult[] = [];
      for (const variant of scenario.variants) {
        const run = await tellOne(scenario, {crossplane, variant, pool}, job, goldens);
        runs.push(run);
        if (values['fail-fast'] === true && hasFailed(run)) break;
      }
      progress.end();
      print(runs, values);
      yield* runs;
      if (values['fail-fast'] === true && runs.some(hasFailed)) return;
    }
  } finally {
    await pool.close();
  }
}

function tellOne(
  scenario: Scenario,
  run: {readonly crossplane: ProfileName; readonly variant: Variant; readonly pool: FunctionPool},
  {values, registry, seed, progress}: Job,
  goldens: Goldens,
): Promise<RunResult> {
  progress.story(runTitle({scenario: scenario.name, crossplane: run.crossplane, variant: run.variant.name}));
  return runScenario(scenario, {
    ...run,
    ...(seed === undefined ? {} : {seed}),
    builtins: registry,
    goldens,
    record: values.html !== undefined,
    keepGoing: values['keep-going'] === true,
    progress,
  });
}

async function* runForeign(
  suite: RenderSuite,
  {values, registry, crossplane}: Job,
  goldens: Goldens,
): AsyncGenerator<RunResult> {
  for (const note of suite.notes) console.error(note);
  for (const version of crossplane ?? [profileNamed('main')]) {
    const note = (sentence: string) => console.error(sentence);
    const runs = await runRenderSuite(suite, {crossplane: version, builtins: registry, goldens, note});
    if (values.json !== '-') for (const run of runs) console.log(renderVerdict(run));
    yield* runs;
  }
}

function seedNamed(text: string): number {
  const seed = Number(text);
  if (Number.isSafeInteger(seed) && seed >= 0) return seed;
  throw new InputError('', `--seed must be a whole number, got "${text}"`);
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
  const beside = values['side-by-side'] === true && right !== undefined;
  const always = values.timeline === true;
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
