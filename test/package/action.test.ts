import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {parse} from 'yaml';

// The GitHub Action runs elsewhere. Its two scripts run here: on the repository as it is, and against an API that only
// keeps comments.

const root = new URL('../../', import.meta.url).pathname;
const text = readFileSync(join(root, 'action.yml'), 'utf8');
const action = parse(text) as {
  readonly inputs: {readonly [name: string]: {readonly description: string; readonly required?: boolean}};
  readonly runs: {readonly steps: readonly {readonly run?: string; readonly env?: {readonly [key: string]: string}}[]};
};
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tether-action-'));
});
afterEach(() => rmSync(folder, {recursive: true, force: true}));

async function run(command: string, args: readonly string[], env: {readonly [name: string]: string}) {
  const child = spawn(command, args, {cwd: folder, env: {...process.env, ...env}});
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return {code, said};
}

describe('action.yml', () => {
  test('says what each input is, uses each, and puts none of them into a script', () => {
    for (const [name, {description}] of Object.entries(action.inputs)) {
      expect(description).toMatch(/\.$|\)\.$/);
      expect(text).toContain(`inputs.${name}`);
    }
    expect(action.runs.steps.filter((step) => step.run?.includes('${{'))).toEqual([]);
    expect(action.inputs['files']?.required).toBe(true);
  });

  test('runs scripts that are there, with every variable they read, and actions at a commit', () => {
    for (const {run: script = '', env = {}} of action.runs.steps) {
      const [, file] = /"\$ACTION\/([^"]+)"/.exec(script) ?? [];
      if (file === undefined) continue;
      const source = readFileSync(join(root, file), 'utf8');
      for (const name of Object.keys(env)) expect(`${script}\n${source}`).toContain(name);
    }
    for (const [, used] of text.matchAll(/^ +- uses: (.*)$/gm)) {
      expect(used).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });
});

describe('the scenarios of the action', () => {
  const told = (inputs: {readonly [name: string]: string}, path = process.env['PATH'] ?? '') =>
    run('bash', [join(root, '.github/action/test.sh')], {
      PATH: `${dirname(process.execPath)}:${path}`,
      ACTION: root,
      VERSION: '',
      COMMAND: 'test',
      CROSSPLANE: '',
      VARIANT: '',
      FUNCTIONS: '',
      RUN_FUNCTIONS: 'false',
      WORKERS: '',
      ARGS: '',
      REPORT: 'the report',
      GITHUB_OUTPUT: join(folder, 'output'),
      GITHUB_STEP_SUMMARY: join(folder, 'job'),
      ...inputs,
    });
  const output = (): string => readFileSync(join(folder, 'output'), 'utf8');
  const scenario = (kind: string): string =>
    `name: ${kind}\nsteps:\n  - apply: {apiVersion: v1, kind: ${kind}, metadata: {name: a, namespace: default}}\n    expect:\n      - {count: {kind: ${kind}}, is: 1}\n`;

  test('are those of every pattern, on the versions asked for; the reports and the summary are there', async () => {
    writeFileSync(join(folder, 'one of two.yaml'), scenario('Secret'));
    writeFileSync(join(folder, 'two.yaml'), scenario('ConfigMap'));
    const {code, said} = await told({FILES: 'one*.yaml\n\ntwo.yaml\n', CROSSPLANE: '1.19\nmain'});
    expect(said).toContain('4 passed, 0 failed');
    expect([code, output()]).toEqual([0, 'exit-code=0\n']);
    for (const name of ['report.html', 'report.json', 'junit.xml']) {
      expect(existsSync(join(folder, 'the report', name))).toBe(true);
    }
    expect(readFileSync(join(folder, 'job'), 'utf8')).toContain('tether test: 4 passed, 0 failed');
  });

  test('that fail, or are not there, are told in the output: the comment comes before the end', async () => {
    writeFileSync(join(folder, 'a.yaml'), scenario('Secret').replace('is: 1', 'is: 2'));
    expect((await told({FILES: 'a.yaml'})).code).toBe(0);
    expect(output()).toBe('exit-code=3\n');
    const {said} = await told({FILES: 'gone/*.yaml; touch harm'});
    expect(said).toContain('gone/*.yaml; touch harm');
    expect(output()).toBe('exit-code=3\nexit-code=2\n');
    expect(existsSync(join(folder, 'harm'))).toBe(false);
  });

  test('are files even where they are named as options are, and of any folder with **', async () => {
    mkdirSync(join(folder, 'a/b'), {recursive: true});
    writeFileSync(join(folder, '--update.yaml'), scenario('Secret'));
    writeFileSync(join(folder, 'a/b/c.yaml'), scenario('ConfigMap'));
    expect((await told({FILES: '**/*.yaml', CROSSPLANE: 'main'})).said).toContain('2 passed, 0 failed');
  });

  test('that cannot be told leave no report of an earlier run', async () => {
    writeFileSync(join(folder, 'a.yaml'), scenario('Secret'));
    await told({FILES: 'a.yaml', CROSSPLANE: 'main'});
    await told({FILES: 'b.yaml'});
    expect(output()).toBe('exit-code=0\nexit-code=2\n');
    expect(readdirSync(join(folder, 'the report'))).toEqual([]);
  });

  test('are none of packages, unless their folder is named', async () => {
    mkdirSync(join(folder, 'node_modules/other'), {recursive: true});
    mkdirSync(join(folder, 'a'));
    writeFileSync(join(folder, 'node_modules/other/c.yaml'), scenario('ConfigMap'));
    writeFileSync(join(folder, 'a/c.yaml'), scenario('ConfigMap'));
    expect((await told({FILES: '**/*.yaml', CROSSPLANE: 'main'})).said).toContain('1 passed, 0 failed');
    expect((await told({FILES: 'node_modules/**/*.yaml', CROSSPLANE: 'main'})).said).toContain('1 passed, 0 failed');
  });

  test('run with every option that the inputs have, as they are written', async () => {
    writeFileSync(join(folder, 'npx'), '#!/bin/sh\nprintf "[%s]" "$@"\n', {mode: 0o755});
    const {said} = await told({
      FILES: 'a.yaml',
      VERSION: '1.2.3',
      VARIANT: 'with it',
      FUNCTIONS: 'function-a=localhost:9443\n\nfunction-b=go run .',
      RUN_FUNCTIONS: 'true',
      WORKERS: 'all',
      ARGS: "--only 'a name'\n--keep-going $(touch harm) `touch harm`",
      PATH: `${folder}:${process.env['PATH']}`,
    });
    const options = ['--variant', 'with it', '--workers', 'all', '--run-functions'];
    const functions = ['--function', 'function-a=localhost:9443', '--function', 'function-b=go run .'];
    const further = ['--only', 'a name', '--keep-going', '$(touch', 'harm)', '`touch', 'harm`'];
    expect(said).toContain(['test', ...options, ...functions, ...further, '--json'].map((one) => `[${one}]`).join(''));
    expect(existsSync(join(folder, 'harm'))).toBe(false);
    expect((await told({FILES: 'a.yaml', ARGS: "--only 'a name"})).said).toContain('a quote has no end');
    expect((await told({FILES: 'a.yaml', RUN_FUNCTIONS: 'yes'})).said).toContain('must be true or false, got yes');
    expect(output()).toMatch(/exit-code=2\n$/);
  });

  test('may be Compositions for lint, with its options and its report for code scanning', async () => {
    cpSync(join(root, 'examples/lint'), join(folder, 'apis'), {recursive: true});
    const {said} = await told({COMMAND: 'lint', FILES: 'apis/*.yaml\napis', ARGS: '--fail-on error'});
    expect(said).toContain('error not-last');
    expect(output()).toBe('exit-code=3\n');
    expect(readdirSync(join(folder, 'the report')).sort()).toEqual(['lint.sarif', 'report.json']);
    expect((await told({COMMAND: 'serve', FILES: 'apis'})).said).toContain('must be test or lint, got serve');
  });

  test('are told by a version on npm where one is named', async () => {
    const npx = join(folder, 'npx');
    writeFileSync(npx, '#!/bin/sh\necho "npx: $*"\n', {mode: 0o755});
    cpSync(npx, join(folder, 'copy'));
    const {said} = await told({FILES: 'a.yaml', VERSION: '1.2.3', PATH: `${folder}:${process.env['PATH']}`});
    expect(said).toMatch(/^npx: --yes --package function-tether@1\.2\.3 tether test --json .* -- a\.yaml$/m);
  });
});

describe('the comment of the action', () => {
  interface Comment {
    readonly id: number;
    readonly user: {readonly type: string};
    body: string;
  }

  async function commented(comments: Comment[], status = 200, readStatus = 200) {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const url = new URL(request.url ?? '', 'http://api');
      const page = Number(url.searchParams.get('page') ?? 1);
      expect(request.headers.authorization).toBe('Bearer secret');
      response.statusCode = request.method === 'GET' ? readStatus : status;
      if (request.method === 'GET') return response.end(JSON.stringify(comments.slice(100 * (page - 1), 100 * page)));
      const {body} = JSON.parse(Buffer.concat(chunks).toString()) as {body: string};
      const id = Number(/\/issues\/comments\/(\d+)$/.exec(url.pathname)?.[1] ?? Number.NaN);
      const old = comments.find((one) => one.id === id);
      if (status === 200 && old === undefined) comments.push({id: comments.length, user: {type: 'Bot'}, body});
      if (status === 200 && old !== undefined) old.body = body;
      return response.end('{}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const {port} = server.address() as AddressInfo;
    const env = {NAME: 'a --> b', NUMBER: '7', REPORT: '.', TOKEN: 'secret', GITHUB_REPOSITORY: 'example/platform'};
    const script = join(root, '.github/action/comment.mjs');
    const answer = await run(process.execPath, [script], {...env, GITHUB_API_URL: `http://127.0.0.1:${port}`});
    server.close();
    return answer;
  }

  test('is made once, then changed in place, on whatever page it is; those of people stay as they are', async () => {
    const mark = '<!-- function-tether: a%20--%3E%20b -->';
    const comments: Comment[] = [{id: 0, user: {type: 'User'}, body: `${mark}\nmine`}];
    for (let id = 1; id < 150; id++) comments.push({id, user: {type: 'Bot'}, body: 'another'});
    for (const verdict of ['first', 'second']) {
      writeFileSync(join(folder, 'summary.md'), verdict);
      expect((await commented(comments)).code).toBe(0);
      expect(comments.filter(({body}) => body.startsWith(mark)).map(({body}) => body)).toEqual([
        `${mark}\nmine`,
        `${mark}\n${verdict}`,
      ]);
    }
  });

  test('says so where nothing was told, and is never longer than GitHub takes', async () => {
    const comments: Comment[] = [];
    await commented(comments);
    expect(comments[0]?.body).toContain('not told');
    writeFileSync(join(folder, 'summary.md'), 'a line of a summary\n'.repeat(10_000));
    await commented(comments);
    expect(comments).toHaveLength(1);
    expect(comments[0]?.body.length).toBeLessThan(65_536);
    expect(comments[0]?.body).toMatch(/a line of a summary\n\n<\/details>\n\nThe rest is in the summary of the job\.$/);
  });

  test('is not made again where those that are there cannot be read', async () => {
    const comments: Comment[] = [];
    const {code, said} = await commented(comments, 200, 502);
    expect(said).toContain('::warning::cannot comment on pull request 7: the API answered 502');
    expect([code, comments]).toEqual([0, []]);
  });

  test('is a warning where nobody answers', async () => {
    const env = {
      NAME: '',
      NUMBER: '7',
      REPORT: '.',
      TOKEN: '',
      GITHUB_REPOSITORY: 'a/b',
      GITHUB_API_URL: 'http://[::1]:1',
    };
    const {code, said} = await run(process.execPath, [join(root, '.github/action/comment.mjs')], env);
    expect(said).toMatch(/^::warning::cannot comment on pull request 7: fetch failed \(.+\)\n$/);
    expect(code).toBe(0);
  });

  test('that a fork may not make is a warning, not a failure', async () => {
    const {code, said} = await commented([], 403);
    expect(said).toContain('::warning::cannot comment on pull request 7: the API answered 403');
    expect(code).toBe(0);
  });
});
