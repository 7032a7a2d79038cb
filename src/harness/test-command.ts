import {writeFileSync} from 'node:fs';
import {parseArgs} from 'node:util';
import {type Builtins, builtins} from './functions/builtin.ts';
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
import {type RunResult, runScenario} from './scenario/run-scenario.ts';
import type {Scenario} from './scenario/scenario.ts';

export const testHelp = `tether test FILE... runs scenarios on a simulated control plane.

  --crossplane VERSION   only this version (1.16, 1.19, 1.20, 2.3, main); may be given more than once
  --variant NAME         only the variants whose name contains NAME
  --seed NUMBER          instead of the scenario's seed
  --timeline             print the timeline of every run, not only of those that failed
  --side-by-side         print the first two variants beside each other
  --json FILE            write everything as JSON ("-" for the terminal)
  --junit FILE           write JUnit XML
  --markdown FILE        write a summary in Markdown, as $GITHUB_STEP_SUMMARY takes it
  --html FILE            write one page with everything on it: lanes over virtual time, decisions, diffs

Exit codes: 0 everything came true, 1 the tool itself failed, 2 bad input, 3 an expectation failed.`;

const options = {
  crossplane: {type: 'string', multiple: true},
  variant: {type: 'string'},
  seed: {type: 'string'},
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
    if (error instanceof InputError) console.error(error.message);
    else
      console.error(`tether test failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return error instanceof InputError ? 2 : 1;
  }
}

async function run(argv: readonly string[], registry: Builtins): Promise<number> {
  const {values, positionals} = parsed(argv);
  if (values.help === true) {
    console.log(testHelp);
    return 0;
  }
  if (positionals.length === 0) throw new InputError('', 'tether test needs a scenario file: tether test FILE...');
  const scenarios = positionals.map((file) => readScenario(file, registry));
  const seed = values.seed === undefined ? {} : {seed: seedNamed(values.seed)};
  const record = values.html !== undefined;
  const results: RunResult[] = [];
  for (const scenario of scenarios) {
    const variants = variantsNamed(scenario, values.variant);
    const versions = (values.crossplane ?? scenario.crossplane).map(profileNamed);
    const pool = await openFunctions(scenario);
    try {
      for (const crossplane of versions) {
        const runs: RunResult[] = [];
        for (const variant of variants) {
          runs.push(await runScenario(scenario, {crossplane, variant, builtins: registry, pool, record, ...seed}));
        }
        if (values.json !== '-') print(runs, values['side-by-side'] === true, values.timeline === true);
        results.push(...runs);
      }
    } finally {
      await pool.close();
    }
  }
  report(results, values);
  const failed = results.filter((result) => result.failures.length > 0).length;
  if (values.json !== '-') console.log(`\n${results.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 3;
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({args: [...argv], options, allowPositionals: true});
  } catch (error) {
    throw new InputError('', error instanceof Error ? error.message : String(error));
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
  const known = variants.map((variant) => variant.name).join(', ');
  throw new InputError('', `no variant is named "${name}": known are ${known}`);
}

function print(runs: readonly RunResult[], beside: boolean, always: boolean): void {
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
