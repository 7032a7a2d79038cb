// Everything `npm test` checks, with a count at the end: first what takes a minute at most, then the tests.
// A check that ran no test is a failure: silence is not a pass.
// With --fast, `npm run check:fast`: the same but for dead code, replayed recordings and every test that is no unit test or
// whose sources are as they are on main. It is for between two edits, and no pass.
import {spawn, spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';

const scratch = mkdtempSync(join(tmpdir(), 'tether-check-'));
const report = join(scratch, 'vitest.json');
/** How many recordings of the real thing are committed. */
const recordings = 509;
let passed = 0;
let failed = 0;

// Every process that a check starts takes the modules that one before it has compiled.
process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/node');

const isFast = process.argv.includes('--fast');
const reporters = ['--no-color', '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`];
const types = {name: 'types', command: 'node', args: ['node_modules/@typescript/native/bin/tsc', '--project', '.']};
const lint = {name: 'format and lint', command: 'biome', args: ['check', '--error-on-warnings', '.']};
const imports = {name: 'import rules', command: 'depcruise', args: ['--config', '.dependency-cruiser.cjs', 'src']};
if (isFast) {
  await sideBySide([types, lint, imports]);
  tests('unit tests of what changed', unitTestsOfChange());
} else {
  const conformance = {
    name: 'conformance',
    command: 'node',
    args: ['test/conformance/command.ts', '--strict'],
    count: everyRecording,
  };
  const start = {name: 'npm start', command: 'npm', args: ['run', '--silent', 'demo'], count: closingLine};
  // The import rules are among the tests (test/ratchets).
  await sideBySide([conformance, types, lint, {name: 'dead code', command: 'knip', args: []}, start]);
  tests('tests', []);
}

rmSync(scratch, {recursive: true, force: true});
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** Unit tests are those that start no process and run no whole stories. */
function unitTestsOfChange() {
  const base = spawnSync('git', ['merge-base', 'main', 'HEAD'], {encoding: 'utf8'}).stdout.trim() || 'HEAD';
  const whole = ['stories', 'cli', 'mistakes', 'package', 'docs', 'differential', 'conformance', 'browser'];
  const ofHarness = ['explore', 'twin', 'library', 'render', 'foreign', 'functions', 'golden', 'scenario'];
  const folders = [...whole, ...ofHarness.map((room) => `harness/${room}`)];
  const serving = 'test/function/{fuzz,load,server,serve,run-threads,reflection}.test.ts';
  const excluded = [...folders.map((folder) => `test/${folder}/**`), serving, 'test/*.test.ts', 'examples/**'];
  return [`--changed=${base}`, '--passWithNoTests', ...excluded.flatMap((glob) => ['--exclude', glob])];
}

/** Each of these takes one core: two go at once, and each prints what it says when it is done. */
async function sideBySide(checks) {
  const waiting = [...checks];
  const inTurn = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await check(one);
  };
  await Promise.all([inTurn(), inTurn()]);
}

async function check({name, command, args, count = exitStatus}) {
  const child = spawn(command, args, {stdio: ['ignore', 'pipe', 'pipe']});
  let [said, stdout] = ['', ''];
  const say = (text) => {
    said += text;
  };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    say(text);
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', say);
  child.once('error', ({message}) => say(message));
  const status = await new Promise((resolve) => child.once('close', resolve));
  console.log(`\n== ${name}: ${command} ${args.join(' ')}\n${said}`);
  add(count({status, stdout}), status);
}

function tests(name, args) {
  console.log(`\n== ${name}: vitest run ${args.join(' ')}`);
  // Tests keep every core busy. Threads that collect garbage beside them take an eighth more of the processor.
  const vitest = ['--single-threaded-gc', 'node_modules/vitest/vitest.mjs', 'run', ...args, ...reporters];
  const {status} = spawnSync('node', vitest, {stdio: ['ignore', 'inherit', 'inherit']});
  add(countTests(), status);
}

function add(result, status) {
  passed += result.passed;
  failed += result.failed;
  // A tool that failed without naming a failed test has failed itself.
  if (status !== 0 && result.failed === 0) failed += 1;
}

function exitStatus({status}) {
  return status === 0 ? {passed: 1, failed: 0} : {passed: 0, failed: 1};
}

function countTests() {
  try {
    const {numPassedTests, numFailedTests} = JSON.parse(readFileSync(report, 'utf8'));
    return numPassedTests + numFailedTests === 0 && !isFast
      ? {passed: 0, failed: 1}
      : {passed: numPassedTests, failed: numFailedTests};
  } catch {
    return {passed: 0, failed: 1};
  }
}

/** One that is not found any more is a failure, too. */
function everyRecording(result) {
  const totals = closingLine(result);
  return totals.passed + totals.failed === recordings ? totals : {...totals, failed: totals.failed + 1};
}

function closingLine({stdout}) {
  const match = /(\d+) passed, (\d+) failed\s*$/.exec(stdout);
  if (match === null || Number(match[1]) + Number(match[2]) === 0) return {passed: 0, failed: 1};
  return {passed: Number(match[1]), failed: Number(match[2])};
}
