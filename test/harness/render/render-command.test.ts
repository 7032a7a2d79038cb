import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, describe, expect, test} from 'vitest';
import {parseAllDocuments} from 'yaml';
import {tether} from '../../cli/tether.ts';
import {composition, definition} from '../../platform.ts';

const folder = mkdtempSync(join(tmpdir(), 'render-'));
afterAll(() => rmSync(folder, {recursive: true, force: true}));

const staticServer = new URL('../functions/static-server.ts', import.meta.url).pathname;
const nop = {apiVersion: 'nop.m.example.org/v1alpha1', kind: 'NopResource'};
const xr = {
  apiVersion: 'ref.example.org/v1',
  kind: 'XApp',
  metadata: {name: 'demo', namespace: 'default'},
  spec: {size: 'small'},
};

interface Step {
  readonly name: string;
  readonly input?: object;
  readonly credentials?: object[];
}

/** Writes a Composition of these steps, and the Functions they run, without any word on where those run. */
function files(
  steps: readonly Step[],
  {annotations = {}, object = xr}: {annotations?: object; object?: object} = {},
): string[] {
  const pipeline = steps.map(({name, ...step}, index) => ({step: `step-${index}`, functionRef: {name}, ...step}));
  write('xr.yaml', object);
  write('composition.yaml', composition({apiVersion: 'ref.example.org/v1', kind: 'XApp'}, ...pipeline));
  const functions = [...new Set(steps.map(({name}) => name))];
  write(
    'functions.yaml',
    ...functions.map((name) => ({apiVersion: 'pkg.crossplane.io/v1', kind: 'Function', metadata: {name, annotations}})),
  );
  return ['render', 'xr.yaml', 'composition.yaml', 'functions.yaml'];
}

function write(name: string, ...objects: readonly object[]): string {
  writeFileSync(join(folder, name), objects.map((object) => JSON.stringify(object)).join('\n---\n'));
  return name;
}

function documents(args: readonly string[], code = 0): readonly Record<string, unknown>[] {
  const ran = tether(args, folder);
  expect(ran.err).not.toContain('    at ');
  expect(ran.code).toBe(code);
  return parseAllDocuments(ran.out).map((document) => document.toJS());
}

const kinds = (list: readonly Record<string, unknown>[]): readonly unknown[] => list.map(({kind}) => kind);
const composing = (...resources: object[]): Step => ({
  name: 'function-static',
  input: {apiVersion: 'v1', kind: 'Input', resources},
});

describe('where a function runs', () => {
  test('in process by its own name, or by that of its package', () => {
    expect(kinds(documents(files([composing({name: 'A', base: nop})])))).toEqual(['XApp', 'NopResource']);
    const args = files([{...composing({name: 'A', base: nop}), name: 'mine'}]);
    write('functions.yaml', {
      apiVersion: 'pkg.crossplane.io/v1',
      kind: 'Function',
      metadata: {name: 'mine'},
      spec: {package: 'registry.example.org/function-static:v1.2.3'},
    });
    expect(kinds(documents(args))).toEqual(['XApp', 'NopResource']);
  });

  test('from a command that the render starts and stops', () => {
    const command = `node ${staticServer} {port}`;
    const args = files([{...composing({name: 'A', base: nop}), name: 'elsewhere'}], {
      annotations: {
        'tether.fn.crossplane.io/render-command': command,
        'render.crossplane.io/runtime-development-target': '127.0.0.1:{port}',
      },
    });
    expect(kinds(documents(args))).toEqual(['XApp', 'NopResource']);
  });

  test('nowhere: a container is not run, and an address must answer', () => {
    const args = files([{...composing(), name: 'function-elsewhere'}]);
    expect(tether(args, folder)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^cannot run Function "function-elsewhere": no place is given for it/),
    });
    const development = [
      '-a',
      'render.crossplane.io/runtime=Development',
      '-a',
      'render.crossplane.io/runtime-development-target=127.0.0.1:1',
    ];
    expect(tether([...args, ...development], folder)).toMatchObject({
      code: 2,
      err: 'cannot reach function "function-elsewhere" at 127.0.0.1:1: no server answers there\n',
    });
  });
});

describe('what a pipeline is given', () => {
  test('context from values and files, shown at its end', () => {
    writeFileSync(join(folder, 'environment.yaml'), 'region: eu\nzones: [a, b]\n');
    const args = files([composing()]);
    const context = ['--context-files', 'env=environment.yaml', '--context-values', 'tier={"name": "gold"}', '-c'];
    const [, shown] = documents([...args, ...context]);
    expect(shown).toEqual({
      apiVersion: 'render.crossplane.io/v1beta1',
      kind: 'Context',
      fields: {env: {region: 'eu', zones: ['a', 'b']}, tier: {name: 'gold'}},
    });
  });

  test('several values in one flag, which a backslash keeps together, as the original parses them', () => {
    const args = [...files([composing()]), '--context-values=a=1;b=x\\;y;', '--include-context=true'];
    const [, shown] = documents(args);
    expect(shown).toMatchObject({kind: 'Context', fields: {a: 1, b: 'x;y'}});
    expect(documents([...args, '--include-context=false'])).toHaveLength(1);
  });

  test('required resources that the Composition asks for, and Secrets as credentials', () => {
    const credentials = [{name: 'cloud', source: 'Secret', secretRef: {namespace: 'default', name: 'key'}}];
    const args = files([{...composing({name: 'A', base: nop}), credentials}]);
    const missing = tether(args, folder);
    expect(missing).toMatchObject({code: 1, err: expect.stringContaining('credential "cloud" from Secret')});
    const secret = write('secret.yaml', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {name: 'key', namespace: 'default'},
      data: {key: 'czNjcmV0'},
    });
    expect(kinds(documents([...args, '--function-credentials', secret]))).toEqual(['XApp', 'NopResource']);
  });

  test('the defaults of the definition, which also tells legacy XRs', () => {
    const legacy = {...xr, metadata: {name: 'demo'}};
    const args = files([composing({name: 'A', base: nop})], {object: legacy});
    const openAPIV3Schema = {
      type: 'object',
      properties: {spec: {type: 'object', properties: {tier: {type: 'string', default: 'free'}}}},
    };
    const xrd = write('xrd.yaml', definition({apiVersion: 'ref.example.org/v1', kind: 'XApp'}, openAPIV3Schema));
    const [rendered] = documents([...args, '-x', '--xrd', xrd]);
    expect(rendered).toMatchObject({spec: {size: 'small', tier: 'free', resourceRefs: [{kind: 'NopResource'}]}});
  });
});

describe('a render that observes what the one before printed', () => {
  const kept = (name: string): object => ({name, ready: 'Auto', base: nop});
  const ordered = {rules: [{sequence: ['A', 'B']}]};
  const steps = [
    composing(kept('A'), kept('B')),
    {name: 'function-sequencer', input: {apiVersion: 'v1', kind: 'Input', ...ordered}},
  ];

  test.each<readonly [string, object, readonly string[]]>([
    ['a namespaced XR', xr, []],
    ['another version of it', {...xr, apiVersion: 'ref.example.org/v1alpha1'}, []],
    ['with results and context, which are no objects', xr, ['-r', '-c']],
  ])('composes the same objects: %s', (_, copy, flags) => {
    const args = [...files(steps), '--function', 'function-sequencer=function-sequencer'];
    const [printed = {}, ...others] = documents([...args, ...flags]);
    const {apiVersion, kind} = copy as {readonly apiVersion: string; readonly kind: string};
    const observed = write('before.yaml', {...printed, apiVersion, kind}, ...others);
    const [, first] = documents([...args, ...flags]);
    const again = tether([...args, '-o', observed], folder);
    expect(again.code).toBe(0);
    expect(again.err).toContain('before.yaml:1:1: the XR is no observed resource and is left out');
    const [, second] = parseAllDocuments(again.out).map((document) => document.toJS());
    expect(second.metadata).toEqual((first as {readonly metadata: object}).metadata);
    expect(second.metadata.ownerReferences[0].uid).not.toBe('');
    const items = [{...printed, apiVersion, kind}, ...others].filter((one) => 'metadata' in one);
    const list = write('list.yaml', {apiVersion: 'v1', kind: 'List', items});
    const listed = tether([...args, '-o', list], folder);
    expect(listed.out).toBe(again.out);
    expect(listed.err).not.toContain('without metadata.name');
    const stable = tether([...args, '-o', observed, '--until', 'stable'], folder);
    expect(stable.code).toBe(0);
    const all = parseAllDocuments(stable.out).map((document) => document.toJS());
    expect(kinds(all)).toEqual(['XApp', 'NopResource', 'NopResource']);
    expect(all[1].metadata.name).toBe((first as {readonly metadata: {readonly name: string}}).metadata.name);
  });

  test('an XR of the same kind and another name is observed', () => {
    const inner = {
      ...xr,
      metadata: {name: 'inner', namespace: 'default', annotations: {'crossplane.io/composition-resource-name': 'I'}},
    };
    const observed = write('before.yaml', inner);
    const step = {
      name: 'function-static',
      input: {
        apiVersion: 'v1',
        kind: 'Input',
        resources: [{name: 'I', base: {apiVersion: xr.apiVersion, kind: xr.kind}}],
      },
    };
    const all = documents([...files([step]), '-o', observed]);
    expect(all[1]).toMatchObject({kind: 'XApp', metadata: {name: 'inner'}});
  });
});

describe('what a render refuses, in one sentence', () => {
  test.each([
    [['xr.yaml'], 'tether render takes XR COMPOSITION FUNCTIONS, got 1 argument; see tether render --help'],
    [['xr.yaml', 'functions.yaml', 'functions.yaml'], 'functions.yaml:1:45: must be a Composition'],
    [['xr.yaml', 'composition.yaml', 'functions.yaml', '--until', 'done'], '--until must be stable, got "done"'],
    [['xr.yaml', 'composition.yaml', 'functions.yaml', '--timeout', 'soon'], '--timeout must look like 500ms'],
    [
      ['xr.yaml', 'composition.yaml', 'functions.yaml', '--crossplane-version', '1.5'],
      '--crossplane-version must be one of',
    ],
    [
      ['xr.yaml', 'composition.yaml', 'functions.yaml', '--crossplane-version', 'v2.2.0'],
      'Crossplane "v2.2.0" is not modelled: the nearest versions that are, before and after it, are 1.20 and 2.3',
    ],
    [['xr.yaml', 'composition.yaml', 'xr.yaml'], 'must be a Function, got XApp'],
    [['xr.yaml', 'composition.yaml', 'functions.yaml', '--required-schemas', '.'], 'cannot use --required-schemas'],
  ])('%s', (args, sentence) => {
    files([composing()]);
    const {code, err} = tether(['render', ...args], folder);
    expect(code).toBe(2);
    expect(err).toContain(sentence);
  });

  test('an observed resource that another object controls', () => {
    const owner = {apiVersion: 'v1', kind: 'XApp', name: 'other', uid: 'u-1', controller: true};
    const observed = write('observed.yaml', {
      ...nop,
      metadata: {name: 'a', namespace: 'default', ownerReferences: [owner]},
    });
    const {code, err} = tether([...files([composing()]), '-o', observed], folder);
    expect(code).toBe(2);
    expect(err).toContain(
      'it must be controlled by the XR (uid f2142a7c-e81c-5ffb-9aaf-d9b35eca6516) or have no controller',
    );
  });

  test('a fatal result, with its own exit code', () => {
    const {code, out, err} = tether(
      files([{name: 'function-static', input: {apiVersion: 'v1', kind: 'Input', fatal: 'no quota'}}]),
      folder,
    );
    expect({code, out}).toEqual({code: 3, out: ''});
    expect(err).toContain('pipeline step "step-0" returned a fatal result: no quota');
  });

  test('and flags that only the original needs are passed over with a word', () => {
    const {code, err} = tether([...files([composing()]), '--crossplane-image', 'x'], folder);
    expect(code).toBe(0);
    expect(err).toContain('--crossplane-image has no meaning here');
  });
});

describe('--until stable', () => {
  test('takes as many reconciles as an order of creation takes', () => {
    const sequence = {rules: [{sequence: ['A', 'B', 'C']}]};
    const base = (name: string): object => ({name, ready: 'Auto', base: nop});
    const args = files([
      composing(base('A'), base('B'), base('C')),
      {name: 'function-sequencer', input: {apiVersion: 'v1', kind: 'Input', ...sequence}},
    ]);
    expect(tether(args, folder)).toMatchObject({code: 2, out: ''});
    const standIn = [...args, '--function', 'function-sequencer=function-sequencer'];
    expect(kinds(documents(standIn))).toEqual(['XApp', 'NopResource']);
    const stable = tether([...standIn, '--until', 'stable'], folder);
    expect(stable.err).toContain('function "function-sequencer" is not the program: this tool\'s model');
    expect(stable.code).toBe(0);
    expect(stable.err).toContain('stable after 5 reconciles');
    expect(kinds(parseAllDocuments(stable.out).map((document) => document.toJS()))).toEqual([
      'XApp',
      'NopResource',
      'NopResource',
      'NopResource',
    ]);
    const short = tether([...standIn, '--until', 'stable', '--max-reconciles', '3'], folder);
    expect(short).toMatchObject({code: 3, err: expect.stringContaining('not stable after 3 reconciles')});
  });

  test('shows what leaves on the way: adopted first, deleted after', () => {
    const observed = write('observed.yaml', {
      ...nop,
      metadata: {name: 'old', namespace: 'default', annotations: {'crossplane.io/composition-resource-name': 'B'}},
    });
    const step = {
      name: 'function-static',
      input: {apiVersion: 'v1', kind: 'Input', adoptBeforeRemoval: true, resources: []},
    };
    const once = documents([...files([step]), '-o', observed, '--deleted']);
    expect(kinds(once)).toEqual(['XApp', 'NopResource']);
    const many = documents([...files([step]), '-o', observed, '--deleted', '--until', 'stable']);
    expect(kinds(many)).toEqual(['XApp', 'Removed']);
    expect(many[1]).toMatchObject({fate: 'deleted', resourceName: 'B'});
  });
});
