import {spawn} from 'node:child_process';
import {cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {availableParallelism, tmpdir} from 'node:os';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {broken, type Rule, rules} from '../lifecycle/rules.ts';

// Takes the rules of lifecycle/ away one by one, in copies of the sources, one for each core, and prints who notices: the
// tests of the lifecycle, and the explorer on the stories told with function-tether. A rule that nobody misses is untested
// or idle. `npm run mutation [TEXT ...]`; with TEXT only rules whose words contain one. Exit 1 if one survives.

const root = new URL('../../', import.meta.url).pathname;
const only = process.argv.slice(2);
const wanted = rules.filter(({rule}) => only.length === 0 || only.some((words) => rule.includes(words)));
const copies = Array.from({length: Math.min(availableParallelism(), wanted.length)}, () =>
  mkdtempSync(join(tmpdir(), 'mutation-')),
);
try {
  for (const copy of copies) copySources(copy);
  await checkWhole(copies[0] ?? root);
  console.log('| rule | test | explorer |\n| --- | --- | --- |');
  const waiting = [...wanted];
  const noticed = (await Promise.all(copies.map((copy) => noticeAll(copy, waiting)))).flat();
  const survivors = noticed.filter(({test, story}) => test === undefined && story === undefined).length;
  const explored = noticed.filter(({story}) => story !== undefined).length;
  console.log(`\n${wanted.length - survivors} of ${wanted.length} rules are missed when they are gone: `);
  console.log(`${noticed.filter(({test}) => test !== undefined).length} by a test, ${explored} by the explorer`);
  process.exitCode = survivors === 0 ? 0 : 1;
} finally {
  for (const copy of copies) rmSync(copy, {recursive: true, force: true});
}

function copySources(copy: string): void {
  const parts = ['src', 'test', 'examples', 'proto', 'package', 'package.json', 'tsconfig.json', 'vitest.config.ts'];
  for (const part of parts) {
    cpSync(join(root, part), join(copy, part), {recursive: true, filter: (from) => !from.includes('recordings')});
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  // The first reads the very text that a broken rule no longer has; the second would shrink every failure for minutes.
  rmSync(join(copy, 'test/lifecycle/rules.test.ts'));
  rmSync(join(copy, 'test/lifecycle/convergence.test.ts'));
}

async function checkWhole(copy: string): Promise<void> {
  const failed = [await failedTest(copy), await failedStory(copy)].filter((one) => one !== undefined);
  if (failed.length > 0) throw new Error(`with every rule in place these fail: ${failed.join(', ')}`);
}

interface Noticed {
  readonly test: string | undefined;
  readonly story: string | undefined;
}

/** Takes rules from those that wait until none is left. */
async function noticeAll(copy: string, waiting: Rule[]): Promise<readonly Noticed[]> {
  const noticed: Noticed[] = [];
  for (let rule = waiting.shift(); rule !== undefined; rule = waiting.shift()) noticed.push(await notice(copy, rule));
  return noticed;
}

async function notice(copy: string, rule: Rule): Promise<Noticed> {
  const path = join(copy, 'src/lifecycle', rule.file);
  const source = readFileSync(path, 'utf8');
  if (source.split(rule.text).length !== 2) {
    throw new Error(`the rule "${rule.rule}" is not in ${rule.file} as it is written in test/lifecycle/rules.ts`);
  }
  writeFileSync(path, broken(source, rule));
  const noticed = {test: await failedTest(copy), story: await failedStory(copy)};
  writeFileSync(path, source);
  const isMissed = noticed.test !== undefined || noticed.story !== undefined;
  console.log(`| ${rule.rule} | ${noticed.test ?? (isMissed ? '' : 'NOBODY')} | ${noticed.story ?? ''} |`);
  return noticed;
}

/** The story that does not hold, with the property. */
async function failedStory(copy: string): Promise<string | undefined> {
  const {status, stdout} = await run(copy, ['test/mutation/tethered-stories.ts']);
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
async function failedTest(copy: string): Promise<string | undefined> {
  const output = join(copy, 'tests.json');
  // A run that breaks down writes no report; the one before must not speak for it.
  rmSync(output, {force: true});
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const options = ['--bail', '1', '--no-isolate', '--maxWorkers', '1', '--reporter', 'json', '--outputFile', output];
  await run(copy, [vitest, 'run', 'test/lifecycle', ...options]);
  const {success, testResults} = JSON.parse(readFileSync(output, 'utf8')) as Report;
  if (success) return undefined;
  const failed = testResults.flatMap(({assertionResults}) => assertionResults).find(({status}) => status === 'failed');
  return failed?.fullName ?? testResults[0]?.name ?? 'the tests break down';
}

async function run(copy: string, args: readonly string[]): Promise<{readonly status: number | null; stdout: string}> {
  const child = spawn(process.execPath, args, {cwd: copy, stdio: ['ignore', 'pipe', 'ignore']});
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const stdout = await text(child.stdout);
  return {status: await ended, stdout};
}
