import {spawn} from 'node:child_process';
import {cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {availableParallelism, tmpdir} from 'node:os';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {parseArgs} from 'node:util';
import {createVitest} from 'vitest/node';
import {markdownHead, markdownRow} from '../../src/command-line/tables.ts';
import {broken, type Rule, rules} from '../lifecycle/rules.ts';
import {judgedWithout} from './judged.ts';

// Takes the safety rules of lifecycle/ away one by one, in copies of the sources, one for each core, and prints who notices: the
// tests of the lifecycle, and the explorer on the stories told with function-tether. A rule that nobody misses is untested
// or idle. What a test notices is shown to the explorer on the free schedule only; what no test notices, on others, too.
// `npm run mutation:rules -- [--tests] [--judge] [TEXT ...]`; with TEXT only rules whose words contain one; with --tests, which takes
// minutes and not hours, the explorer is asked only about what no test misses; with --judge the judge of `test --twin` alone is asked,
// about each rule in its story. Exit 1 if one survives.

/** Without some rules a story never rests, and its search has no end. With all of them it takes seconds. */
const patienceMs = 120_000;
const root = new URL('../../', import.meta.url).pathname;
const {values, positionals: only} = parseArgs({
  options: {tests: {type: 'boolean'}, judge: {type: 'boolean'}},
  allowPositionals: true,
});
const wanted = rules.filter(({rule}) => only.length === 0 || only.some((words) => rule.includes(words)));
if (wanted.length === 0) {
  console.error(`TEXT must be among the words of a rule of test/lifecycle/rules.ts, got ${only.join(', ')}`);
  process.exit(2);
}
if (values.judge === true) process.exit(await askJudge());
const copies = Array.from({length: Math.min(availableParallelism(), wanted.length)}, () =>
  mkdtempSync(join(tmpdir(), 'mutation-')),
);
try {
  for (const copy of copies) copySources(copy);
  console.log(markdownHead(['rule', 'test', 'explorer']).join('\n'));
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

/** The exit code. */
async function askJudge(): Promise<number> {
  console.log(markdownHead(['rule', 'story', 'judge']).join('\n'));
  const all = [];
  for (const rule of wanted) {
    const judged = await judgedWithout(rule);
    const isSeen = judged !== undefined && judged.whole.length === 0 && judged.without.length > 0;
    const [first = `NOT SEEN: ${rule.unseen ?? 'no story'}`] =
      judged?.whole.length === 0 ? judged.without : (judged?.whole ?? []);
    all.push({isSeen, isKnown: isSeen || (judged === undefined && rule.unseen !== undefined)});
    console.log(markdownRow([rule.rule, rule.seenIn ?? '', first]));
  }
  console.log(`\nthe judge sees ${all.filter(({isSeen}) => isSeen).length} of ${all.length} rules when they are gone`);
  return all.every(({isKnown}) => isKnown) ? 0 : 1;
}

function copySources(copy: string): void {
  const parts = ['src', 'test', 'examples', 'proto', 'package', 'package.json', 'tsconfig.json'];
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

/** Takes rules from those that wait until none is left. */
async function noticeAll(copy: string, waiting: Rule[]): Promise<readonly Noticed[]> {
  const tests = await openTests(copy);
  await checkWhole(copy, tests);
  const noticed: Noticed[] = [];
  for (let rule = waiting.shift(); rule !== undefined; rule = waiting.shift()) {
    noticed.push(await notice(copy, tests, rule));
  }
  await tests.close();
  return noticed;
}

async function checkWhole(copy: string, tests: Tests): Promise<void> {
  const failed = [await tests.firstFailed(), await failedStory(copy, 'every')].filter((one) => one !== undefined);
  if (failed.length > 0) throw new Error(`with every rule in place these fail: ${failed.join(', ')}`);
}

async function notice(copy: string, tests: Tests, rule: Rule): Promise<Noticed> {
  const path = join(copy, 'src/lifecycle', rule.file);
  const source = readFileSync(path, 'utf8');
  const without = broken(source, rule);
  if (without === undefined) {
    throw new Error(`the rule "${rule.rule}" is not in ${rule.of} of ${rule.file} as test/lifecycle/rules.ts says it`);
  }
  tests.write(path, without);
  const test = await tests.firstFailed();
  const isEnough = values.tests === true && test !== undefined;
  const story = isEnough ? undefined : await failedStory(copy, test === undefined ? 'every' : 'free');
  tests.write(path, source);
  const isMissed = test !== undefined || story !== undefined;
  console.log(markdownRow([rule.rule, test ?? (isMissed ? '' : 'NOBODY'), story ?? '']));
  return {test, story};
}

/** The story that does not hold, with the property: on the free schedule alone, or on every one with another choice. */
async function failedStory(copy: string, schedules: 'free' | 'every'): Promise<string | undefined> {
  const {status, stdout} = await run(copy, ['test/mutation/tethered-stories.ts', schedules]);
  if (status === 0) return undefined;
  return stdout.trim().split('\n').at(-1) || 'the explorer breaks down';
}

interface Tests {
  /** Writes a source, which the next run reads anew. */
  write(path: string, text: string): void;
  /** The first test that fails, or the file of it where the file cannot even be read. */
  firstFailed(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** The tests of the lifecycle, which stay loaded but for what is written: Vite knows what that is, Node would not. */
async function openTests(copy: string): Promise<Tests> {
  const vitest = await createVitest('test', {
    root: copy,
    config: false,
    include: ['test/lifecycle/**/*.test.ts'],
    testTimeout: 60_000,
    watch: true,
    bail: 1,
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    reporters: [{}],
  });
  return {
    write: (path, text) => {
      writeFileSync(path, text);
      vitest.invalidateFile(path);
    },
    firstFailed: async () => {
      const specifications = await vitest.globTestSpecifications();
      for (let run = 0; run < 3; run++) {
        const {testModules} = await vitest.runTestSpecifications(specifications, true);
        const failed = testModules.filter((module) => module.state() === 'failed');
        const test = failed.flatMap((module) => [...module.children.allTests('failed')])[0];
        if (failed.length > 0) return test?.fullName ?? failed[0]?.relativeModuleId;
        if (testModules.every((module) => module.state() === 'passed')) return undefined;
        // The run before, which stopped at its first failure, stopped this one as well.
      }
      throw new Error('the tests neither pass nor fail: three runs were cut short');
    },
    close: () => vitest.close(),
  };
}

async function run(copy: string, args: readonly string[]): Promise<{readonly status: number | null; stdout: string}> {
  const child = spawn(process.execPath, args, {cwd: copy, stdio: ['ignore', 'pipe', 'ignore'], timeout: patienceMs});
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const stdout = await text(child.stdout);
  return {status: await ended, stdout};
}
