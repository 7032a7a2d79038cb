import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, describe, expect, test} from 'vitest';
import {tether as run} from '../../cli/tether.ts';
import {composition, tetherStep} from '../../platform.ts';

// A function with a process of its own is explored like one in process: to the same ends, with the same verdicts.

const main = new URL('../../../src/main.ts', import.meta.url).pathname;
const examples = new URL('../../../examples/explore/', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'called-'));
afterAll(() => rmSync(folder, {recursive: true}));

const bucket = {apiVersion: 'cloud.example.org/v1', kind: 'Bucket', spec: {forProvider: {region: 'here'}}};

/** An XR with one Bucket, composed by a function-tether that is `called` so and found as `source` says. */
function story(called: string, source: object): string {
  const step = {...tetherStep({resources: [{name: 'a', base: bucket}]}), functionRef: {name: called}};
  const app = {apiVersion: 'example.org/v1', kind: 'App'};
  const file = join(folder, `${called}.yaml`);
  writeFileSync(
    file,
    JSON.stringify({
      name: 'called',
      crossplane: 'main',
      fixtures: [`${examples}platform.yaml`, `${examples}definition.yaml`, composition(app, step)],
      functions: {[called]: source},
      explore: {moves: 'in-order', budgets: {'function-error': 1}},
      steps: [{name: 'a team asks for an App', apply: {...app, metadata: {name: 'shop'}, spec: {size: 'small'}}}],
    }),
  );
  return file;
}

const near = story('function-tether', {builtin: 'function-tether'});
const far = story('function-far', {
  command: ['node', main, 'serve', '--insecure', '--address', '127.0.0.1:{port}'],
  address: '127.0.0.1:{port}',
});

function tether(...argv: readonly string[]): {status: number | null; stdout: string; stderr: string} {
  const {code, out, err} = run(argv);
  return {status: code, stdout: out, stderr: err};
}

function explored(file: string, ...more: readonly string[]) {
  const {status, stdout, stderr} = tether('explore', file, '--all', '--json', '-', ...more);
  expect({status, stderr}).toEqual({status: 0, stderr: ''});
  // How many states are kept depends on their fingerprints, and functions elsewhere have other addresses.
  const [{quiescentStates, depth, outcome, properties}] = JSON.parse(stdout);
  const verdicts = properties.map(({name, verdict}: Record<string, string>) => [name, verdict]);
  return {quiescentStates, depth, outcome, verdicts};
}

describe('a function at an address', () => {
  test('is explored as one in process is, by one thread and by two', () => {
    const here = explored(near);
    expect(here.depth).toBeGreaterThan(90);
    expect(explored(far)).toEqual(here);
    const {outcome, verdicts} = explored(far, '--workers', '2');
    expect({outcome, verdicts}).toEqual({outcome: here.outcome, verdicts: here.verdicts});
  });

  test('is replayed, and a path that leads elsewhere now says what to look for', () => {
    const replayed = tether('replay', far, '--path', '0x40');
    expect(replayed).toMatchObject({status: 0, stdout: expect.stringContaining('operator: a team asks for an App')});
    const diverged = tether('replay', far, '--path', '0x3/9');
    expect(diverged.status).toBe(1);
    expect(diverged.stderr).toMatch(
      /^cannot replay the path: step 3 names action 9, but \d+ are enabled .* look for something that differs between processes/,
    );
  });

  test('has the notes of its scenario said once', () => {
    const story = JSON.parse(readFileSync(far, 'utf8'));
    const unknown = {
      apiVersion: 'pkg.crossplane.io/v1beta1',
      kind: 'ImageConfig',
      metadata: {name: 'mirror'},
      spec: {},
    };
    const file = join(folder, 'noted.yaml');
    writeFileSync(file, JSON.stringify({...story, fixtures: [...story.fixtures, unknown]}));
    const notes = tether('replay', file, '--path', '0x40').stderr.match(/^note: .*ImageConfig/gm);
    expect(notes).toHaveLength(1);
    expect(tether('explore', file, '--states', '5').stderr.match(/^note: .*ImageConfig/gm)).toEqual(notes);
  });

  test('that cannot be started is bad input, in a sentence', () => {
    const file = story('function-broken', {command: ['node', '-e', 'process.exit(7)'], address: '127.0.0.1:{port}'});
    expect(tether('explore', file)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^cannot start function "function-broken": its command ended with exit code 7/),
    });
  });
});
