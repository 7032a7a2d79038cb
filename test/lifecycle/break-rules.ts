// Removes the rules of the policy one after the other, in a copy, and prints which tests noticed: rule x what caught it.
// `node test/lifecycle/break-rules.ts [part of a rule]`. Exit 1 if a rule went unnoticed.

import {spawnSync} from 'node:child_process';
import {cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {type Rule, rules} from './rules.ts';

const root = new URL('../../', import.meta.url).pathname;
const copied = ['src/lifecycle', 'test/lifecycle', 'package', 'package.json', 'tsconfig.json', 'vitest.config.ts'];

/** The source without the rule. */
export function broken(source: string, {text, without}: Rule): string {
  return source.replace(text, () => without);
}

function breakAll(part: string): void {
  const copy = mkdtempSync(join(tmpdir(), 'tether-rules-'));
  try {
    for (const path of copied) cpSync(join(root, path), join(copy, path), {recursive: true});
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    // The first reads the very text that a broken rule no longer has; the second would shrink every failure for minutes.
    rmSync(join(copy, 'test/lifecycle/rules.test.ts'));
    rmSync(join(copy, 'test/lifecycle/convergence.test.ts'));
    const wanted = rules.filter(({rule}) => rule.includes(part));
    const unnoticed = wanted.filter((rule) => !isNoticed(rule, copy));
    console.log(`${wanted.length - unnoticed.length} of ${wanted.length} broken rules were noticed`);
    process.exitCode = unnoticed.length === 0 ? 0 : 1;
  } finally {
    rmSync(copy, {recursive: true});
  }
}

function isNoticed(rule: Rule, copy: string): boolean {
  const path = join(copy, 'src/lifecycle', rule.file);
  const source = readFileSync(path, 'utf8');
  writeFileSync(path, broken(source, rule));
  const failed = failedTests(copy);
  writeFileSync(path, source);
  const [first = 'nothing', ...others] = failed;
  console.log(`${rule.rule}: ${first}${others.length === 0 ? '' : ` and ${others.length} more`}`);
  return failed.length > 0;
}

interface Report {
  readonly testResults: readonly {
    readonly message: string;
    readonly name: string;
    readonly assertionResults: readonly {readonly status: string; readonly fullName: string}[];
  }[];
}

function failedTests(copy: string): readonly string[] {
  const vitest = join(copy, 'node_modules/vitest/vitest.mjs');
  const output = join(copy, 'report.json');
  // A run that breaks down writes no report; the one before must not speak for it.
  rmSync(output, {force: true});
  spawnSync(process.execPath, [vitest, 'run', 'test/lifecycle', '--reporter=json', `--outputFile=${output}`], {
    cwd: copy,
  });
  const {testResults} = JSON.parse(readFileSync(output, 'utf8')) as Report;
  return testResults.flatMap(({assertionResults, message, name}) => {
    const failed = assertionResults.filter(({status}) => status === 'failed').map(({fullName}) => fullName);
    return failed.length === 0 && message !== '' && assertionResults.length === 0 ? [name] : failed;
  });
}

if (process.argv[1] === new URL(import.meta.url).pathname) breakAll(process.argv[2] ?? '');
