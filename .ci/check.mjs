// Everything `npm test` checks, in the order of what fails fastest, with a count at the end.
// A check that ran no test is a failure: silence is not a pass.
// With --fast, `npm run check:fast`: the same but for dead code, replayed recordings and every test that is no unit test or
// whose sources are as they are on main. It is for between two edits, and no pass.
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const scratch = mkdtempSync(join(tmpdir(), 'tether-check-'));
const report = join(scratch, 'vitest.json');
let passed = 0;
let failed = 0;

check('format and lint', 'biome', ['check', '--error-on-warnings', '.']);
check('types', 'tsc', ['--project', '.']);
check('import rules', 'depcruise', ['--config', '.dependency-cruiser.cjs', 'src']);
const isFast = process.argv.includes('--fast');
const reporters = ['--no-color', '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`];
if (isFast) {
  check('unit tests of what changed', 'vitest', ['run', ...unitTestsOfChange(), ...reporters], countTests);
} else {
  check('dead code', 'knip', []);
  check('tests', 'vitest', ['run', ...reporters], countTests);
  check('conformance', 'node', ['test/conformance/command.ts'], countClosingLine);
  check('npm start', 'npm', ['run', '--silent', 'demo'], countClosingLine);
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

function check(name, command, args, count = countStep) {
  console.log(`\n== ${name}: ${command} ${args.join(' ')}`);
  const capture = count === countClosingLine;
  const run = spawnSync(command, args, {
    stdio: ['ignore', capture ? 'pipe' : 'inherit', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (capture) process.stdout.write(run.stdout ?? '');
  const result = count(run);
  passed += result.passed;
  failed += result.failed;
  // A tool that failed without naming a failed test has failed itself.
  if (run.status !== 0 && result.failed === 0) failed += 1;
}

function countStep({status}) {
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

function countClosingLine({stdout}) {
  const match = /(\d+) passed, (\d+) failed\s*$/.exec(stdout ?? '');
  if (match === null || Number(match[1]) + Number(match[2]) === 0) return {passed: 0, failed: 1};
  return {passed: Number(match[1]), failed: Number(match[2])};
}
