import {writeFileSync} from 'node:fs';
import type {parseArgs} from 'node:util';
import {readForeign} from './foreign/read-foreign.ts';
import type {RenderSuite} from './foreign/render-test.ts';
import {renderVerdict, runRenderSuite} from './foreign/run-render-test.ts';
import {type Builtins, builtins} from './functions/builtin.ts';
import {type Goldens, openGoldens} from './golden/goldens.ts';
import {complain} from './input/complain.ts';
import {readFlags} from './input/flags.ts';
import {InputError} from './input/input-error.ts';
import {openFunctions} from './remote/function-pool.ts';
import {closing, timelineText, verdictText} from './report/console.ts';
import {readPageAssets} from './report/html/assets.ts';
import {htmlReport} from './report/html/page.ts';
import {jsonReport} from './report/json.ts';
import {junitReport} from './report/junit.ts';
import {markdownReport} from './report/markdown.ts';
import {sideBySide} from './report/side-by-side.ts';
import {readScenario} from './scenario/parse-scenario.ts';
import {profileNamed} from './scenario/profile-names.ts';
import type {RunResult} from './scenario/run-result.ts';
import {runScenario} from './scenario/run-scenario.ts';
import type {Scenario} from './scenario/scenario.ts';
import {whenFilesChange} from './watch-files.ts';

export const testHelp = `tether test FILE... runs scenarios on a simulated control plane. It also takes test files of xprin and CompositionTest
files of \`up test\`: each test is one render, and what of it has no meaning here is said on stderr.

  --crossplane VERSION   only this version (1.16, 1.19, 1.20, 2.3, main); may be given more than once
  --variant NAME         only the variants whose name contains NAME
  --seed NUMBER          instead of the scenario's seed
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
  variant: {type: 'string'},
  seed: {type: 'string'},
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
export async function testCommand(argv: readonly string[], registry: Builtins = builtins): Promise<number> {
  try {
    return await run(argv, registry);
  } catch (error) {
    return complain('test', error);
  }
}

async function run(argv: readonly string[], registry: Builtins): Promise<number> {
  const {values, positionals} = readFlags('test', {args: [...argv], options, allowPositionals: true});
  if (values.help === true) {
    console.log(testHelp);
    return 0;
  }
  if (positionals.length === 0) throw new InputError('', 'tether test needs a scenario file: tether test FILE...');
  if (values.watch !== true) return runFiles(positionals, values, registry);
  return whenFilesChange(positionals, async (changed) => {
    if (changed !== undefined) console.log(`\n${changed} changed`);
    await runFiles(positionals, values, registry).catch((error) => complain('test', error));
    console.log('watching for changes; Ctrl-C ends it');
  });
}

type Values = ReturnType<typeof parseArgs<{options: typeof options}>>['values'];

async function runFiles(files: readonly string[], values: Values, registry: Builtins): Promise<number> {
  const goldens = openGoldens(values.update === true);
  const told = files.map((file) => readForeign(file, values.functions) ?? readScenario(file, registry));
  const results: RunResult[] = [];
  for (const one of told) {
    results.push(
      ...('tests' in one
        ? await runForeign(one, values, registry, goldens)
        : await tellAll(one, values, registry, goldens)),
    );
  }
  report(results, values);
  for (const file of goldens.written) console.error(`wrote golden file "${file}"`);
  const failed = results.filter((result) => result.failures.length > 0).length;
  if (values.json !== '-') console.log(`\n${results.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 3;
}

/** Every run of a scenario, printed as they end. */
async function tellAll(
  scenario: Scenario,
  values: Values,
  registry: Builtins,
  goldens: Goldens,
): Promise<readonly RunResult[]> {
  const seed = values.seed === undefined ? {} : {seed: seedNamed(values.seed)};
  const options = {...seed, builtins: registry, goldens, record: values.html !== undefined};
  const variants = variantsNamed(scenario, values.variant);
  const versions = (values.crossplane ?? scenario.crossplane).map(profileNamed);
  const pool = await openFunctions(scenario);
  const results: RunResult[] = [];
  try {
    for (const crossplane of versions) {
      const runs: RunResult[] = [];
      for (const variant of variants) runs.push(await runScenario(scenario, {...options, crossplane, variant, pool}));
      print(runs, values);
      results.push(...runs);
    }
  } finally {
    await pool.close();
  }
  return results;
}

async function runForeign(
  suite: RenderSuite,
  values: Values,
  registry: Builtins,
  goldens: Goldens,
): Promise<readonly RunResult[]> {
  for (const note of suite.notes) console.error(note);
  const results: RunResult[] = [];
  for (const crossplane of (values.crossplane ?? ['main']).map(profileNamed)) {
    const note = (sentence: string) => console.error(sentence);
    const runs = await runRenderSuite(suite, {crossplane, builtins: registry, goldens, note});
    if (values.json !== '-') for (const run of runs) console.log(renderVerdict(run));
    results.push(...runs);
  }
  return results;
}

function seedNamed(text: string): number {
  const seed = Number(text);
  if (Number.isSafeInteger(seed) && seed >= 0) return seed;
  throw new InputError('', `--seed must be a whole number, got "${text}"`);
}

function variantsNamed({variants}: Scenario, name: string | undefined): Scenario['variants'] {
  const found = name === undefined ? variants : variants.filter((variant) => variant.name.includes(name));
  if (found.length > 0) return found;
  const known = variants.map((variant) => variant.name).join(', ');
  throw new InputError('', `no variant is named "${name}": known are ${known}`);
}

function print(runs: readonly RunResult[], values: Values): void {
  if (values.json === '-') return;
  const beside = values['side-by-side'] === true;
  const always = values.timeline === true;
  const [left, right] = runs;
  if (beside && left !== undefined && right !== undefined) {
    console.log(`${sideBySide(left, right)}\n`);
    for (const result of runs) console.log(`${closing(result)}\n`);
  }
  for (const result of runs) {
    if (!beside && (always || result.failures.length > 0)) console.log(`${timelineText(result)}\n`);
  }
  for (const result of runs) console.log(verdictText(result));
}

interface ReportFiles {
  readonly json?: string;
  readonly junit?: string;
  readonly markdown?: string;
  readonly html?: string;
}

function report(results: readonly RunResult[], {json, junit, markdown, html}: ReportFiles): void {
  if (json === '-') process.stdout.write(jsonReport(results));
  else if (json !== undefined) write(json, jsonReport(results));
  if (junit !== undefined) write(junit, junitReport(results));
  if (markdown !== undefined) write(markdown, markdownReport(results));
  if (html !== undefined) write(html, htmlReport(results, readPageAssets()));
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new InputError('', `cannot write report "${file}": ${(error as Error).message}`);
  }
}
