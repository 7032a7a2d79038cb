import {spawnSync} from 'node:child_process';
import {cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {broken, type Rule, rules} from '../lifecycle/rules.ts';

// Takes the rules of lifecycle/ away one by one, in a copy of the sources, and prints who notices: the tests of the
// lifecycle, and the explorer on the stories told with function-tether. A rule that nobody misses is untested or idle.
// `node test/mutation/run.ts [TEXT ...]`; with TEXT only rules whose words contain one. Exit 1 if one survives.

const root = new URL('../../', import.meta.url).pathname;
const only = process.argv.slice(2);
const wanted = rules.filter(({rule}) => only.length === 0 || only.some((text) => rule.includes(text)));
const copy = mkdtempSync(join(tmpdir(), 'mutation-'));
try {
  copySources();
  const beforehand = [failedTest(), failedStory()].filter((one) => one !== undefined);
  if (beforehand.length > 0) throw new Error(`with every rule in place these fail: ${beforehand.join(', ')}`);
  console.log('| rule | test | explorer |\n| --- | --- | --- |');
  const noticed = wanted.map(notice);
  const survivors = noticed.filter(({test, story}) => test === undefined && story === undefined).length;
  const explored = noticed.filter(({story}) => story !== undefined).length;
  console.log(`\n${wanted.length - survivors} of ${wanted.length} rules are missed when they are gone: `);
  console.log(`${noticed.filter(({test}) => test !== undefined).length} by a test, ${explored} by the explorer`);
  process.exitCode = survivors === 0 ? 0 : 1;
} finally {
  rmSync(copy, {recursive: true, force: true});
}

function copySources(): void {
  const parts = ['src', 'test', 'examples', 'proto', 'package', 'package.json', 'tsconfig.json', 'vitest.config.ts'];
  for (const part of parts) {
    cpSync(join(root, part), join(copy, part), {recursive: true, filter: (from) => !from.includes('recordings')});
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  // The first reads the very text that a broken rule no longer has; the second would shrink every failure for minutes.
  rmSync(join(copy, 'test/lifecycle/rules.test.ts'));
  rmSync(join(copy, 'test/lifecycle/convergence.test.ts'));
}

interface Noticed {
  readonly test: string | undefined;
  readonly story: string | undefined;
}

function notice(rule: Rule): Noticed {
  const path = join(copy, 'src/lifecycle', rule.file);
  const source = readFileSync(path, 'utf8');
  if (source.split(rule.text).length !== 2) {
    throw new Error(`the rule "${rule.rule}" is not in ${rule.file} as it is written in test/lifecycle/rules.ts`);
  }
  writeFileSync(path, broken(source, rule));
  const noticed = {test: failedTest(), story: failedStory()};
  writeFileSync(path, source);
  const isMissed = noticed.test !== undefined || noticed.story !== undefined;
  console.log(`| ${rule.rule} | ${noticed.test ?? (isMissed ? '' : 'NOBODY')} | ${noticed.story ?? ''} |`);
  return noticed;
}

/** The story that does not hold, with the property. */
function failedStory(): string | undefined {
  const {status, stdout} = run(['test/mutation/tethered-stories.ts']);
  if (status === 0) return undefined;
  return stdout.trim().split('\n').at(-1) || 'the explorer breaks down';
}

interface Report {
  readonly success: boolean;
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly {readonly status: string; readonly fullName: string}[];
  }[];
}

/** The first test that fails, or the file of it where the file cannot even be read. */
function failedTest(): string | undefined {
  const output = join(copy, 'tests.json');
  // A run that breaks down writes no report; the one before must not speak for it.
  rmSync(output, {force: true});
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  run([vitest, 'run', 'test/lifecycle', '--bail', '1', '--reporter', 'json', '--outputFile', output]);
  const {success, testResults} = JSON.parse(readFileSync(output, 'utf8')) as Report;
  if (success) return undefined;
  const failed = testResults.flatMap(({assertionResults}) => assertionResults).find(({status}) => status === 'failed');
  return failed?.fullName ?? testResults[0]?.name ?? 'the tests break down';
}

function run(args: readonly string[]): {readonly status: number | null; readonly stdout: string} {
  return spawnSync(process.execPath, args, {cwd: copy, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']});
}
