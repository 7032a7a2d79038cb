import {spawnSync} from 'node:child_process';
import {cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {lifecycleRules, type Rule} from './lifecycle-rules.ts';

// Takes the rules of lifecycle/ away one by one, in a copy of the sources, and asks who notices: the tests of the
// lifecycle, or the explorer on the stories told with function-tether. A rule that nobody misses is untested or idle.
// Run with `node test/mutation/run.ts [TEXT ...]`; with TEXT only rules whose words contain one. Exit 1 if one survives.

const root = new URL('../../', import.meta.url).pathname;
const stories = ['s1-tethered', 's0-tethered'];
const bounds = ['--moves', 'in-order', '--crossplane', 'main'];

const only = process.argv.slice(2);
const rules = lifecycleRules.filter(({rule}) => only.length === 0 || only.some((text) => rule.includes(text)));
const copy = mkdtempSync(join(tmpdir(), 'mutation-'));
try {
  for (const part of [
    'src',
    'test',
    'examples',
    'proto',
    'package',
    'package.json',
    'tsconfig.json',
    'vitest.config.ts',
  ]) {
    cpSync(join(root, part), join(copy, part), {recursive: true, filter: (from) => !from.includes('recordings')});
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const beforehand = [...failedStories(), ...(failedTests() === 0 ? [] : ['tests'])];
  if (beforehand.length > 0) throw new Error(`with every rule in place these fail: ${beforehand.join(', ')}`);
  const survivors = rules.filter((rule) => !isCaught(rule));
  console.log(`\n${rules.length - survivors.length} of ${rules.length} rules are missed when they are gone`);
  process.exitCode = survivors.length === 0 ? 0 : 1;
} finally {
  rmSync(copy, {recursive: true, force: true});
}

function isCaught({rule, file, from, to}: Rule): boolean {
  const path = join(copy, 'src/lifecycle', file);
  const text = readFileSync(path, 'utf8');
  if (text.split(from).length !== 2) throw new Error(`the rule "${rule}" is not in ${file} as it is written here`);
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
  const explorer = failedStories();
  const tests = failedTests();
  writeFileSync(path, text);
  const caught = [...(tests === 0 ? [] : [`${tests} tests`]), ...explorer.map((story) => `explorer (${story})`)];
  console.log(`${caught.length === 0 ? 'SURVIVES' : 'caught  '}  ${rule}: ${caught.join(', ') || 'nobody'}`);
  return caught.length > 0;
}

function failedStories(): readonly string[] {
  return stories.filter((story) => !passes(['src/main.ts', 'explore', `examples/explore/${story}.yaml`, ...bounds]));
}

function passes(args: readonly string[]): boolean {
  return spawnSync(process.execPath, args, {cwd: copy, stdio: 'ignore'}).status === 0;
}

function failedTests(): number {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const output = join(copy, 'tests.json');
  const flags = ['--reporter', 'json', '--outputFile', output];
  rmSync(output, {force: true});
  spawnSync(process.execPath, [vitest, 'run', 'test/lifecycle', ...flags], {cwd: copy, stdio: 'ignore'});
  const report = JSON.parse(readFileSync(output, 'utf8')) as {
    readonly numFailedTests: number;
    readonly success: boolean;
  };
  return report.success ? 0 : Math.max(1, report.numFailedTests);
}
