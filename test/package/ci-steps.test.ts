import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {parse, parseAllDocuments} from 'yaml';

// The action and the GitLab template as their runners go: step after step, with conditions, inputs and outputs. What comes
// from elsewhere (checkout, Node, caches, artifacts) is only noted.

const root = new URL('../../', import.meta.url).pathname;
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tether-ci-'));
});
afterEach(() => rmSync(folder, {recursive: true, force: true}));

const scenario = (count: number): string =>
  `name: made\nsteps:\n  - apply: {apiVersion: v1, kind: Secret, metadata: {name: a, namespace: default}}\n    expect:\n      - {count: {kind: Secret}, is: ${count}}\n`;

async function bash(script: string, env: {readonly [name: string]: string}) {
  const path = `${folder}:${dirname(process.execPath)}:${process.env['PATH']}`;
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', script], {
    cwd: folder,
    env: {...process.env, PATH: path, ...env},
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return {code, said};
}

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: {readonly [name: string]: string};
  readonly with?: {readonly [name: string]: string};
}

interface Action {
  readonly inputs: {readonly [name: string]: {readonly default?: string}};
  readonly runs: {readonly steps: readonly Step[]};
}

/** What a runner of GitHub does with the steps of the action; answers what each came to. */
async function runAction(inputs: {readonly [name: string]: string}, pullRequest: string) {
  const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as Action;
  const values: {[path: string]: string} = {
    'github.action_path': root,
    'github.token': 'secret',
    'github.event.pull_request.number': pullRequest,
    'runner.os': 'Linux',
    'runner.arch': 'X64',
    'github.action_ref': 'main',
  };
  for (const [name, one] of Object.entries(action.inputs)) values[`inputs.${name}`] = inputs[name] ?? one.default ?? '';
  const filled = (text: string): string =>
    String(text).replaceAll(/\$\{\{ ([^}]+) \}\}/g, (_, path: string) => {
      const found = path.split(' || ').map((one) => values[one]);
      expect(found).not.toContain(undefined);
      return found.find((one) => one !== '') ?? '';
    });
  const trace: string[] = [];
  let failed = false;
  for (const step of action.runs.steps) {
    if (step.if === undefined ? failed : !isTrue(step.if, values)) continue;
    if (step.uses !== undefined) {
      trace.push(`${step.uses.split('@')[0]} ${filled(step.with?.['path'] ?? '').trim()}`.trim());
      continue;
    }
    const env = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, text]) => [name, filled(text)]));
    const output = join(folder, 'output');
    writeFileSync(output, '');
    const {code, said} = await bash(step.run ?? '', {
      ...env,
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: join(folder, 'summary'),
      GITHUB_REPOSITORY: 'example/platform',
      GITHUB_API_URL: 'http://[::1]:1',
    });
    for (const [, name, value = ''] of readFileSync(output, 'utf8').matchAll(/^([\w-]+)=(.*)$/gm)) {
      values[`steps.${step.id}.outputs.${name}`] = value;
    }
    failed ||= code !== 0;
    trace.push(`exit ${code}: ${said.trim().split('\n').at(-1)}`);
  }
  return {trace, failed};
}

/** A condition of a workflow, as far as the action has them. */
function isTrue(condition: string, values: {readonly [path: string]: string}): boolean {
  return condition.split(' && ').every((term) => {
    if (term === '!cancelled()') return true;
    const [, path = '', operator, wanted] = /^([\w.-]+)(?: (==|!=) '([^']*)')?$/.exec(term) ?? [];
    expect(Object.keys(values), term).toContain(path);
    if (operator === undefined) return values[path] !== '';
    return (values[path] === wanted) === (operator === '==');
  });
}

describe('the action, step after step', () => {
  test('passes, and keeps the reports', async () => {
    writeFileSync(join(folder, 'a.scenario.yaml'), scenario(1));
    const {trace, failed} = await runAction({files: '*.scenario.yaml', crossplane: 'main'}, '');
    expect(trace).toEqual([
      'actions/setup-node',
      expect.stringMatching(/^actions\/cache ~\/\.npm\s+~\/\.cache\/function-tether$/),
      'exit 0: 1 passed, 0 failed',
      'actions/upload-artifact tether-report',
    ]);
    expect(failed).toBe(false);
    expect(readdirSync(join(folder, 'tether-report')).sort()).toEqual([
      'junit.xml',
      'report.html',
      'report.json',
      'summary.md',
    ]);
  });

  test('fails at its end, after reports are kept and the pull request is told', async () => {
    writeFileSync(join(folder, 'a.scenario.yaml'), scenario(2));
    const {trace, failed} = await runAction({files: '*.scenario.yaml', crossplane: 'main', artifact: 'mine'}, '7');
    expect(trace.slice(2)).toEqual([
      'exit 0: 0 passed, 1 failed',
      'actions/upload-artifact tether-report',
      expect.stringMatching(/^exit 0: ::warning::cannot comment on pull request 7/),
      'exit 3: ',
    ]);
    expect(failed).toBe(true);
  });

  test('keeps no artifact and writes no comment, if that is not wanted', async () => {
    writeFileSync(join(folder, 'a.scenario.yaml'), scenario(1));
    const {trace} = await runAction({files: '*.yaml', crossplane: 'main', artifact: '', comment: 'false'}, '7');
    expect(trace.slice(2)).toEqual(['exit 0: 1 passed, 0 failed']);
  });
});

describe('the GitLab template', () => {
  const text = readFileSync(join(root, 'templates/tether-test.yml'), 'utf8');
  const [spec] = parseAllDocuments(text).map((one) => one.toJS());
  const inputs = spec.spec.inputs as {
    readonly [name: string]: {readonly default?: string; readonly description: string};
  };

  /** As GitLab puts inputs into the text, before it reads the job. */
  const jobWith = (given: {readonly [name: string]: string}) => {
    const [, body = ''] = text.split('\n---\n');
    const filled = body.replaceAll(/\$\[\[ inputs\.([\w-]+) \]\]/g, (_, name: string) => {
      expect(Object.keys(inputs)).toContain(name);
      return given[name] ?? inputs[name]?.default ?? expect.fail(`input ${name} is missing`);
    });
    return parse(filled)['tether test'] as {
      readonly script: readonly string[];
      readonly artifacts: {readonly paths: readonly string[]; readonly reports: {readonly junit: string}};
    };
  };

  /** Stands for npx: the command runs from this repository. */
  const npx = `#!/bin/bash\n[ "$1 $2 $3 $4" = "--yes --package function-tether@0.1.0 tether" ] || exit 9\nshift 4\nexec node ${join(root, 'src/main.ts')} "$@"\n`;

  test.each([
    ['passes', 1, 0, '1 passed, 0 failed'],
    ['fails', 2, 3, '0 passed, 1 failed'],
  ])('%s, with the reports where the job keeps them', async (_, count, exit, said) => {
    writeFileSync(join(folder, 'npx'), npx, {mode: 0o755});
    writeFileSync(join(folder, 'a.scenario.yaml'), scenario(count));
    const {script, artifacts} = jobWith({files: '*.scenario.yaml', args: '--crossplane main --workers 1'});
    const run = await bash(script.join('\n'), {});
    expect(run.said).toContain(said);
    expect(run.code).toBe(exit);
    for (const path of [...artifacts.paths, artifacts.reports.junit]) expect(existsSync(join(folder, path))).toBe(true);
  });

  test('finds scenarios in folders of any depth with **', async () => {
    writeFileSync(join(folder, 'npx'), npx, {mode: 0o755});
    for (const place of ['.', 'a', 'a/b']) {
      mkdirSync(join(folder, place), {recursive: true});
      writeFileSync(join(folder, place, 'x.scenario.yaml'), scenario(1));
    }
    const {script} = jobWith({files: '**/*.scenario.yaml', args: '--crossplane main'});
    expect((await bash(script.join('\n'), {})).said).toContain('3 passed, 0 failed');
  });

  test('is of this version, and explains its inputs', () => {
    const {version} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {version: string};
    expect(inputs['version']?.default).toBe(version);
    for (const {description} of Object.values(inputs)) expect(description).toMatch(/\.$/);
  });
});
