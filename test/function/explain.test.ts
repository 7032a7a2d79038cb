import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, test, vi} from 'vitest';
import {explainCommand, renderExplanation} from '../../src/cli/explain.ts';
import {parseRequestJson} from '../../src/cli/request-json.ts';
import {explain} from '../../src/function/explain.ts';
import {runFunction} from '../../src/function/run.ts';
import {encodeRequest, type RequestBody} from '../../src/wire/request-encode.ts';
import {decodeResponse} from '../../src/wire/response-decode.ts';
import {contextWith} from '../cli/context.ts';
import {tether} from '../cli/tether.ts';
import {misfitsOf} from '../package/json-schemas.ts';
import {requestBytes} from './calling.ts';

const owned = {ownerReferences: [{controller: true, uid: 'u1'}]};
// The label is the XR's identity: group, kind, namespace and name.
const restored = {
  name: 'prod-db',
  namespace: 'team',
  labels: {'tether.fn.crossplane.io/composite': '745c87eae2e2c5c1'},
};
const request = {
  meta: {tag: 'x', capabilities: ['CAPABILITY_CAPABILITIES', 2]},
  observed: {
    composite: {
      resource: {apiVersion: 'e/v1', kind: 'XApp', metadata: {name: 'prod', namespace: 'team', uid: 'u1'}},
    },
    resources: {
      db: {resource: {apiVersion: 'e/v1', kind: 'Db', metadata: restored, spec: {}}},
      app: {resource: {apiVersion: 'e/v1', kind: 'App', metadata: {name: 'prod-app', namespace: 'team', ...owned}}},
    },
  },
  desired: {
    resources: {
      app: {resource: {apiVersion: 'e/v1', kind: 'App'}, ready: 'READY_TRUE'},
      new: {resource: {apiVersion: 'e/v1', kind: 'App'}},
    },
  },
};
const bytes = encodeRequest(bodyOf(request));

function bodyOf(request: object): RequestBody {
  const read = parseRequestJson(JSON.stringify(request));
  if (read.kind === 'invalid-request') throw new Error(read.sentence);
  return read.body;
}

const asText = `XApp team/prod
Tethered=False Restoring: holding composed resource "db": it has no controller reference and is adopted before it is released

RESOURCE  OBJECT             OBSERVED  DESIRED  DECISION                   LEAVES
app       App team/prod-app  yes       yes      keep                       with marks
db        Db team/prod-db    yes       no       hold (without-controller)  our object
new       App                no        yes      create                     with marks

- holding composed resource "db": it has no controller reference and is adopted before it is released
`;

test('an explanation says for every resource what is decided, why, and what leaves', () => {
  const explanation = explain(bytes);
  expect(renderExplanation(explanation)).toBe(asText);
  expect(explanation.resources[1]).toEqual({
    resourceName: 'db',
    object: 'Db team/prod-db',
    observed: true,
    desired: false,
    decision: 'hold',
    reason: 'without-controller',
    sentence: 'holding composed resource "db": it has no controller reference and is adopted before it is released',
    leaves: 'our object',
  });
});

const misfits = misfitsOf('explanation.schema.json');

test('an explanation has the published shape, and reasons of its decision alone', () => {
  const explanation = explain(bytes);
  expect(misfits(explanation)).toEqual([]);
  expect(misfits(explain(Uint8Array.of(0xff)))).toEqual([]);
  const resources = explanation.resources.map((resource) => ({...resource, reason: 'lookup-pending'}));
  expect(misfits({...explanation, resources})).not.toEqual([]);
});

test('and so has the last explanation of every XR of a scenario', () => {
  const root = new URL('../../', import.meta.url).pathname;
  const args = ['explain', 'examples/usage-left-behind/dropped-together.yaml', '--output', 'json'];
  const {code, out} = tether(args, root);
  expect(code).toBe(0);
  expect(misfits(JSON.parse(out))).toEqual([]);
});

test('what the function asks of Crossplane is told, and what it leaves out until then', () => {
  const input = {apiVersion: 'tether.fn.crossplane.io/v1beta1', kind: 'Input', restore: {lookup: true}};
  const desired = {resources: new Map([['db', {object: {apiVersion: 'e/v1', kind: 'Db'}}]])};
  const explanation = explain(requestBytes({input, desired}));
  expect(explanation.resources).toMatchObject([{decision: 'wait', reason: 'lookup-pending', leaves: 'nothing'}]);
  expect(renderExplanation(explanation)).toContain(`asks for: ${explanation.requirements.join()}`);
  expect(explanation.requirements).toHaveLength(1);
});

test('a refusal is explained, too', () => {
  const input = {kind: 'Other'};
  expect(renderExplanation(explain(requestBytes({input})))).toMatch(/^XNetwork prod\nrefused: cannot use input/);
  expect(explain(Uint8Array.of(0xff)).refused).toMatch(/^cannot read RunFunctionRequest/);
});

describe('a request in JSON', () => {
  test('may use the names of the contract or those of protojson', () => {
    const items = [{resource: {kind: 'Db'}}];
    const snake = parseRequestJson(JSON.stringify({required_resources: {lost: {items}}}));
    expect(snake).toEqual(parseRequestJson(JSON.stringify({requiredResources: {lost: {items}}})));
    expect(snake).toMatchObject({body: {requiredResources: new Map([['lost', [{kind: 'Db'}]]])}});
  });

  test.each<[string, string]>([
    ['{', 'expected JSON: '],
    ['[]', 'request: expected an object, got []'],
    ['{"desire":{}}', 'request: expected one of the fields meta, observed, desired, input, context, extraResources, '],
    ['{"meta":{"tag":1}}', 'meta.tag: expected a string, got 1'],
    ['{"meta":{"capabilities":["X"]}}', 'meta.capabilities[0]: expected one of CAPABILITY_UNSPECIFIED, '],
    ['{"observed":{"composite":{"resource":"x"}}}', 'observed.composite.resource: expected an object, got "x"'],
    ['{"desired":{"resources":{"db":{"ready":"yes"}}}}', 'desired.resources["db"].ready: expected one of READY_'],
    ['{"requiredResources":{"a":{"items":{}}}}', 'requiredResources["a"].items: expected a list, got {}'],
  ])('%s is refused in one sentence', (source, sentence) => {
    expect(parseRequestJson(source)).toEqual({kind: 'invalid-request', sentence: expect.stringContaining(sentence)});
  });
});

describe('a memory of external names that is sealed', () => {
  const key = 'a key of thirty-two characters, or more';
  const input = {externalNames: {remember: {in: 'Status'}}};
  const about = (uid: string, more: object) =>
    encodeRequest(
      bodyOf({
        ...request,
        input: {apiVersion: 'tether.fn.crossplane.io/v1beta1', kind: 'Input', ...input},
        observed: {composite: {resource: {apiVersion: 'e/v1', kind: 'XApp', metadata: {name: 'p', uid}, ...more}}},
        desired: {resources: {db: {resource: {apiVersion: 'e/v1', kind: 'Db'}}}},
      }),
    );
  const kept = {
    kind: 'Db',
    apiVersion: 'e/v1',
    metadata: {name: 'p-db', uid: 'u2', annotations: {'crossplane.io/external-name': 'e-1'}, ...owned},
  };
  const before = bodyOf({
    ...request,
    input: {apiVersion: 'tether.fn.crossplane.io/v1beta1', kind: 'Input', ...input},
    observed: {
      composite: {resource: {apiVersion: 'e/v1', kind: 'XApp', metadata: {name: 'p', uid: 'u1'}}},
      resources: {db: {resource: kept}},
    },
  });
  const answered = decodeResponse(runFunction(encodeRequest(before), {memoryKeys: [key]}));
  const after = about('u9', {status: answered.desired.composite?.object['status']});

  test('is read with its key alone', () => {
    expect(explain(after, {memoryKeys: [key]}).requirements).toEqual(['remembered-db']);
    expect(explain(after).requirements).toEqual([]);
  });

  test('is read by the command with --memory-key-file', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'tether-explain-key-'));
    writeFileSync(join(dir, 'key'), key);
    writeFileSync(join(dir, 'short'), 'short');
    writeFileSync(join(dir, 'request'), after);
    const out = vi.spyOn(console, 'log').mockReturnValue();
    const err = vi.spyOn(console, 'error').mockReturnValue();
    expect(await explainCommand(['--memory-key-file', join(dir, 'key'), join(dir, 'request')], contextWith())).toBe(0);
    expect(out).toHaveBeenCalledWith(expect.stringContaining('asks for: remembered-db'));
    expect(await explainCommand(['--memory-key-file', join(dir, 'short'), join(dir, 'request')], contextWith())).toBe(
      2,
    );
    expect(err).toHaveBeenCalledWith(expect.stringContaining('expected keys of 32 characters or more'));
    expect(await explainCommand(['--memory-key-file', join(dir, 'key'), 'story.yaml'], contextWith())).toBe(2);
    expect(err).toHaveBeenCalledWith(expect.stringContaining('runs with a key of its own'));
    out.mockRestore();
    err.mockRestore();
    rmSync(dir, {recursive: true});
  });
});

describe('tether explain', () => {
  const dir = mkdtempSync(join(tmpdir(), 'tether-explain-'));
  const json = join(dir, 'request.json');
  const protobuf = join(dir, 'request.bin');
  const wrong = join(dir, 'wrong.json');
  writeFileSync(json, JSON.stringify(request));
  writeFileSync(protobuf, bytes);
  writeFileSync(wrong, '{"input": {"a": 9007199254740993}}');
  const module = new URL('../../src/cli/explain.ts', import.meta.url).href;
  const program = `const {explainCommand} = await import(${JSON.stringify(module)});
    process.exitCode = await explainCommand(process.argv.slice(1), {functions: {}});`;

  /** Only a process of its own is given an input. */
  function run(args: readonly string[], input = '') {
    if (input === '') {
      const {code, out, err} = tether(['explain', ...args]);
      return {status: code, stdout: out, stderr: err};
    }
    const flags = ['--input-type=module', '--eval', program, '--', ...args];
    const {status, stdout, stderr} = spawnSync(process.execPath, flags, {input, encoding: 'utf8'});
    return {status, stdout, stderr};
  }

  test.each([
    [[json], ''],
    [[protobuf], ''],
    [['-'], JSON.stringify(request)],
  ])('%j', (args, input) => {
    expect(run(args, input)).toEqual({status: 0, stdout: asText, stderr: ''});
  });

  test('--help', async () => {
    const print = vi.spyOn(console, 'log').mockReturnValue();
    expect(await explainCommand(['--help'], contextWith())).toBe(0);
    expect(print).toHaveBeenCalledWith(expect.stringMatching(/^tether explain REQUEST/));
    print.mockRestore();
  });

  test('in JSON', () => {
    const {status, stdout} = run(['-o', 'json', json]);
    expect([status, JSON.parse(stdout)]).toEqual([0, explain(bytes)]);
  });

  test.each([
    [[], 'tether explain takes REQUEST|SCENARIO.yaml, got 0 arguments; see tether explain --help\n'],
    [['a', 'b'], 'tether explain takes REQUEST|SCENARIO.yaml, got 2 arguments; see tether explain --help\n'],
    [['--yaml', 'a'], "cannot read flags: unknown option '--yaml'; see tether explain --help\n"],
    [['-o', 'yaml', 'a'], '--output must be one of text, json, got "yaml"\n'],
    [['--crossplane', 'main', 'a.json'], 'cannot use --crossplane: expected a SCENARIO.yaml, got "a.json"\n'],
    [['--variant', 'x', '-'], 'cannot use --variant: expected a SCENARIO.yaml, got "-"\n'],
    [['a.yaml'], 'cannot read file "a.yaml": no such file\n'],
    [['/no/such/file'], 'cannot read request "/no/such/file": no such file\n'],
    [['/'], 'cannot read request "/": is a directory\n'],
    [['-'], 'cannot read request "-": expected JSON or protobuf, got nothing\n'],
    [
      [wrong],
      `cannot read request "${wrong}": input.a: expected a JSON value, got the unsafe integer 9007199254740992\n`,
    ],
  ])('%j is refused', (args, stderr) => {
    expect(run(args)).toEqual({status: 2, stdout: '', stderr});
  });
});
