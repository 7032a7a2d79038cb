import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {initCommand} from '../../../src/cli/init.ts';
import {testCommand} from '../../../src/cli/test.ts';
import {type Builtins, builtins} from '../../../src/harness/functions/builtin.ts';
import {readScenario} from '../../../src/harness/scenario/read-scenario.ts';
import {decodeRequest} from '../../../src/wire/request-decode.ts';
import {contextWith} from '../../cli/context.ts';

// A configuration becomes a scenario that runs. Its function is one that copies a value of the XR, so that there is
// something to edit; it composes what its input lists, so that there is something to remove.

const copying: Builtins[string] = (request, service) => {
  const {observed} = decodeRequest(request);
  const size = String(
    observed.composite?.json()?.['spec'] === undefined ? '' : JSON.stringify(observed.composite.json()),
  );
  const [, given = ''] = /"size":"([^"]*)"/.exec(size) ?? [];
  const reply = builtins['function-static']?.(replacing(request, given), service);
  if (reply === undefined) throw new Error('the harness has no function-static');
  return reply;
};

/** The request with every SIZE in its input as wide as what the XR says. */
function replacing(request: Uint8Array, size: string): Uint8Array {
  const text = Buffer.from(request).toString('latin1');
  return Buffer.from(text.replaceAll('SIZE-', size.padEnd(5, '-').slice(0, 5)), 'latin1');
}

const registry: Builtins = {...builtins, 'function-copying': copying};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tether-init-'));
});
afterEach(() => {
  rmSync(folder, {recursive: true, force: true});
  vi.restoreAllMocks();
});

const definition = (kind = 'XBucket', plural = 'xbuckets', more = ''): string => `
apiVersion: apiextensions.crossplane.io/v1
kind: CompositeResourceDefinition
metadata: {name: ${plural}.example.org}
spec:
  group: example.org
  names: {kind: ${kind}, plural: ${plural}}
${more}  versions:
  - name: v1
    served: true
    referenceable: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [size, count]
            properties:
              size: {type: string, enum: [small, large]}
              count: {type: integer, minimum: 3}
              region: {type: string}
`;

const entry = (name: string, kind: string, more = ''): string => `
      - name: ${name}
        base:
          apiVersion: cloud.example.org/v1
          kind: ${kind}
          spec: {forProvider: {size: SIZE-${more}}}
        ready: 'True'`;

const composition = (
  name = 'buckets',
  functionName = 'acme-function-copying',
  entries = entry('bucket', 'Bucket') + entry('policy', 'Policy', ', bucketIdSelector: {matchControllerRef: true}'),
): string => `
apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata: {name: ${name}}
spec:
  compositeTypeRef: {apiVersion: example.org/v1, kind: XBucket}
  mode: Pipeline
  pipeline:
  - step: copy
    functionRef: {name: ${functionName}}
    input:
      apiVersion: static.fn.example.org/v1
      kind: Input
      resources:${entries}
`;

const functions = `
apiVersion: pkg.crossplane.io/v1
kind: Function
metadata: {name: acme-function-copying}
spec: {package: "registry.example.org/acme/function-copying:v1.2.3"}
`;

const example = `
apiVersion: example.org/v1
kind: XBucket
metadata: {name: photos}
spec: {size: small, count: 4, region: north}
`;

const whole = {
  'crossplane.yaml': 'apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata: {name: buckets}\n',
  'apis/definition.yaml': definition(),
  'apis/composition.yaml': composition(),
  'examples/functions.yaml': functions,
  'examples/xr.yaml': example,
  'charts/broken.yaml': '{{ if .Values.x }}\na: [\n',
};

function write(files: {readonly [name: string]: string}): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), {recursive: true});
    writeFileSync(join(folder, name), text);
  }
}

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function run(command: () => Promise<number>): Promise<Ran> {
  const printed = {log: '', error: ''};
  for (const name of ['log', 'error'] as const) {
    vi.spyOn(console, name).mockImplementation((line) => {
      printed[name] += `${String(line)}\n`;
    });
  }
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const code = await command();
  return {code, out: printed.log.replaceAll(`${folder}/`, ''), err: printed.error.replaceAll(`${folder}/`, '')};
}

const init = (...args: string[]): Promise<Ran> =>
  run(() => initCommand([folder, ...args], contextWith(registry, join(folder, 'node_modules/function-tether'))));
const tell = (): Promise<Ran> => run(() => testCommand([join(folder, 'tether/scenario.yaml')], contextWith(registry)));
const written = (name: string): string => readFileSync(join(folder, 'tether', name), 'utf8');

describe('a configuration with its function', () => {
  test('becomes a scenario that comes true', async () => {
    write(whole);
    const {code, out, err} = await init();
    expect(out).toBe(
      [
        'wrote tether/crds.yaml, tether/scenario.yaml',
        '2 of 2 kinds have an open schema, made up: --crds gives their own',
        'edit: spec.size becomes "large"',
        'removed: policy',
        `next: tether test tether/scenario.yaml`,
        '',
      ].join('\n'),
    );
    expect(err).toContain('note: passed over: charts/broken.yaml');
    expect(code).toBe(0);
    const told = await tell();
    expect(told.out).toContain('2 passed, 0 failed');
    expect(told.code).toBe(0);
  });

  test('is told as a person would tell it', async () => {
    write(whole);
    await init('--crossplane', 'main');
    const text = written('scenario.yaml');
    expect(text.split('\n')[0]).toBe(
      '# yaml-language-server: $schema=../node_modules/function-tether/docs/scenario.schema.json',
    );
    expect(text).toContain(
      '# registry.example.org/acme/function-copying:v1.2.3: the one that the harness has, in process',
    );
    const {steps, crossplane} = readScenario(join(folder, 'tether/scenario.yaml'), registry);
    expect(crossplane).toEqual(['main']);
    expect(steps.map(({name}) => name)).toEqual([
      'XBucket photos is created',
      'a team edits it: spec.size becomes "large"',
      'policy leaves: the Composition no longer names it',
      'a backup is taken',
      'Crossplane stops',
      'everything is lost',
      'the backup comes back',
      'Crossplane is back',
      'XBucket photos is deleted',
    ]);
  });

  test('shows in the story what is wrong with it: a step that must not hold fails', async () => {
    write(whole);
    await init('--crossplane', 'main');
    const file = join(folder, 'tether/scenario.yaml');
    writeFileSync(
      file,
      written('scenario.yaml').replaceAll('{externals: creates, is: 2}', '{externals: creates, is: 3}'),
    );
    const {code, out} = await tell();
    expect(code).toBe(3);
    expect(out).toContain('FAILED');
  });

  test('takes definitions that are given, as they stand there, and makes up the others', async () => {
    write(whole);
    const crd = (kind: string, plural: string): string => `# as ${kind} stands there
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.cloud.example.org}
spec:
  group: cloud.example.org
  scope: Cluster
  names: {kind: ${kind}, plural: ${plural}, categories: [managed]}
  versions:
  - {name: v1, served: true, storage: true, subresources: {status: {}}, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
`;
    const stream = `apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: p}\n---\n${crd('Bucket', 'buckets')}---\n${crd('Queue', 'queues')}`;
    write({'elsewhere/package.yaml': stream});
    const {out} = await init('--crds', join(folder, 'elsewhere'));
    expect(out).toContain('1 of 2 kinds have an open schema');
    const crds = written('crds.yaml');
    expect(crds).toContain('# as Bucket stands there');
    expect(crds).not.toContain('Queue');
    expect((await tell()).code).toBe(0);
  });

  test('is not written over, and is not read as a part of the configuration the second time', async () => {
    write(whole);
    await init();
    const before = written('scenario.yaml');
    expect(await init()).toMatchObject({
      code: 2,
      err: 'cannot write tether/scenario.yaml: there already; --force writes over\n',
    });
    expect((await init('--force')).code).toBe(0);
    expect(written('scenario.yaml')).toBe(before);
    // In the configuration's own folder, where a template's Composition would stand a second time.
    write({'tether/composition-without-it.yaml': `# Written by tether init: buckets without it.${composition()}`});
    expect((await init('--output', join(folder, 'story.yaml'))).out).toContain('removed: policy');
  });

  test('whose resources all stay has a story without a removal', async () => {
    write({
      ...whole,
      'apis/composition.yaml': composition('buckets', 'acme-function-copying', entry('bucket', 'Bucket')).replace(
        'resources:',
        'usages:',
      ),
    });
    const {out} = await init('--crossplane', 'main');
    expect(out).not.toContain('removed:');
    expect(written('scenario.yaml')).toContain('# No change was found by which a resource leaves.');
    expect((await tell()).code).toBe(0);
  });

  test('that is composed of another API learns that one, too', async () => {
    const outer = composition(
      'outer',
      'acme-function-copying',
      `
      - name: inner
        base: {apiVersion: example.org/v1, kind: XBucket, spec: {size: small, count: 3}}`,
    ).replace('kind: XBucket}', 'kind: XShop}');
    write({
      ...whole,
      'apis/shop.yaml': definition('XShop', 'xshops'),
      'apis/shop-composition.yaml': outer,
      'examples/shop.yaml': example.replace('XBucket', 'XShop').replace('photos', 'shop'),
    });
    const {code, out} = await init('--xr', join(folder, 'examples/shop.yaml'));
    expect(code).toBe(0);
    expect(out).toContain('2 of 2 kinds have an open schema');
    const text = written('scenario.yaml');
    for (const name of ['shop', 'shop-composition', 'definition', 'composition'])
      expect(text).toContain(`../apis/${name}.yaml`);
    expect(out).toContain('removed: policy');
    expect((await tell()).code).toBe(0);
  });

  test('without an example gets one from its schema, and a claim stays a claim', async () => {
    const {'examples/xr.yaml': _, ...others} = whole;
    write(others);
    expect((await init()).err).toContain('note: no example of XBucket is in the folder: its values are made up');
    expect(written('scenario.yaml')).toMatch(/spec: \{size: small, count: 3\}/);
    expect((await tell()).code).toBe(0);
    write({
      'apis/definition.yaml': definition('XBucket', 'xbuckets', '  claimNames: {kind: Bucket, plural: buckets}\n'),
      'examples/claim.yaml': example
        .replace('XBucket', 'Bucket')
        .replace('name: photos', 'name: photos, namespace: team-a'),
      'apis/composition.yaml': composition().replaceAll('kind: Bucket', 'kind: Store'),
    });
    expect((await init('--force')).code).toBe(0);
    expect(written('scenario.yaml')).toContain('metadata: {name: team-a}');
    expect((await tell()).code).toBe(0);
  });
});

test('a namespaced XR has its composed resources beside it, and kinds that nobody acts on are named', async () => {
  const modern = definition()
    .replace('crossplane.io/v1', 'crossplane.io/v2')
    .replace('  group:', '  scope: Namespaced\n  group:');
  const idle = `
      - name: settings
        base: {apiVersion: shop.example.org/v1, kind: Settings, spec: {size: SIZE-}}
        ready: 'True'`;
  write({
    ...whole,
    'apis/definition.yaml': modern,
    'apis/composition.yaml': composition('buckets', 'acme-function-copying', entry('bucket', 'Bucket') + idle),
    'examples/xr.yaml': example.replace('name: photos', 'name: photos, namespace: team-a'),
  });
  expect((await init()).out).toContain('removed: settings');
  const text = written('scenario.yaml');
  expect(text).toContain('crossplane: ["2.3", main]');
  expect(text).toContain('# Nobody acts on Settings: no managed resources, and no APIs of this folder.');
  expect(written('crds.yaml').match(/scope: Namespaced/g)).toHaveLength(2);
  expect((await tell()).code).toBe(0);
});

describe('a configuration whose function nobody has', () => {
  const elsewhere = {
    ...whole,
    'apis/composition.yaml': composition('buckets', 'acme-function-other'),
    'examples/functions.yaml': functions.replaceAll('copying', 'other'),
  };

  test('becomes a scenario that says how to start it', async () => {
    write(elsewhere);
    const {code, out} = await init();
    expect(code).toBe(0);
    expect(out).toContain('start acme-function-other as the scenario says');
    const text = written('scenario.yaml');
    expect(text).toContain(
      '# docker run --rm --publish 9443:9443 registry.example.org/acme/function-other:v1.2.3 --insecure',
    );
    expect(text).toContain('address: 127.0.0.1:9443');
    expect(written('crds.yaml')).toMatch(/kind: Bucket[\s\S]*kind: Policy/);
    expect(readScenario(join(folder, 'tether/scenario.yaml'), registry).functions).toEqual({
      'acme-function-other': {kind: 'address', address: '127.0.0.1:9443'},
    });
  });

  test('takes the address of `crossplane render` for one', async () => {
    write(elsewhere);
    const annotations =
      '{render.crossplane.io/runtime: Development, render.crossplane.io/runtime-development-target: "dns:///127.0.0.1:1"}';
    write({
      'examples/functions.yaml': elsewhere['examples/functions.yaml'].replace(
        'other}',
        `other, annotations: ${annotations}}`,
      ),
    });
    expect(await init()).toMatchObject({
      code: 2,
      err: 'cannot reach function "acme-function-other" at 127.0.0.1:1: nobody answers there\n',
    });
    expect(readdirSync(folder)).not.toContain('tether');
  });
});

test('a folder that leads back to itself ends', async () => {
  write(whole);
  symlinkSync(folder, join(folder, 'apis/loop'));
  expect((await init()).code).toBe(0);
});
