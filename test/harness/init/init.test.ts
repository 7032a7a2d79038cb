import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {initCommand} from '../../../src/cli/init.ts';
import {testCommand} from '../../../src/cli/test.ts';
import {type Builtins, builtins} from '../../../src/harness/functions/builtin.ts';
import {answerWith} from '../../../src/harness/functions/passing.ts';
import {sampleXr} from '../../../src/harness/init/sample-xr.ts';
import {readScenario} from '../../../src/harness/scenario/read-scenario.ts';
import {decodeRequest} from '../../../src/wire/request-decode.ts';
import type {ResourceChange} from '../../../src/wire/response-encode.ts';
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

/** A resource for each zone of the XR, as wide as the XR says. */
const listing: Builtins[string] = (request) => {
  const asked = decodeRequest(request);
  const {size, zones} = (asked.observed.composite?.json()?.['spec'] ?? {}) as {size: string; zones: string[]};
  const zone = (name: string): [string, ResourceChange] => [
    name,
    {
      kind: 'put',
      object: {apiVersion: 'cloud.example.org/v1', kind: 'Zone', spec: {forProvider: {size}}},
      ready: 'true',
    },
  ];
  return answerWith(asked, {resources: new Map(zones.map(zone))});
};

/** As copying, and fatal once a Bucket shows an identifier that is not of the form of a real provider. */
const parsing: Builtins[string] = (request, service) => {
  const asked = decodeRequest(request);
  const bucket = asked.observed.resources.get('bucket')?.json() as {status?: {atProvider?: {id?: string}}} | undefined;
  const id = bucket?.status?.atProvider?.id ?? 'buckets/none';
  if (id.startsWith('buckets/')) return copying(request, service);
  return answerWith(asked, {results: [{severity: 'fatal', message: `no bucket in ${id}`}]});
};

const registry: Builtins = {
  ...builtins,
  'function-copying': copying,
  'function-listing': listing,
  'function-parsing': parsing,
};

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

/** A resource that is composed once this object gives its zone. */
const zoneOf = (object: string): string =>
  entry('zone', 'Zone').replace(
    'base:',
    `needs: {object: {${object}}, field: data.zone, to: spec.forProvider.zone}\n        base:`,
  );

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

const initEverywhere = (...args: string[]): Promise<Ran> =>
  run(() => initCommand([folder, ...args], contextWith(registry, join(folder, 'node_modules/function-tether'))));
/** For one version: what is tried, is tried on each. */
const init = (...args: string[]): Promise<Ran> => initEverywhere('--crossplane', 'main', ...args);
const tell = (...args: string[]): Promise<Ran> => tellFile('tether/scenario.yaml', ...args);
const tellFile = (file: string, ...args: string[]): Promise<Ran> =>
  run(() => testCommand([join(folder, file), ...args], contextWith(registry)));
const written = (name: string): string => readFileSync(join(folder, 'tether', name), 'utf8');

describe('a configuration with its function', () => {
  test('becomes a scenario that comes true', async () => {
    write(whole);
    const {code, out, err} = await initEverywhere();
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

  test('that parses an identifier is no plain ok, until the form of a real provider is given', async () => {
    const parses = 'acme-function-parsing';
    const installed = functions.replaceAll('copying', 'parsing');
    write({...whole, 'apis/composition.yaml': composition('buckets', parses), 'examples/functions.yaml': installed});
    const {out} = await init();
    expect(out).toContain('if it parses status.atProvider (Bucket, Policy), give the form of a real provider');
    expect((await tell()).out.replaceAll(/\s+/g, ' ')).toContain(
      'ok, but xbucket on Crossplane main XBucket "photos" was synced at the end of no step',
    );
    expect((await init('--force', '--shows', 'Bukcet.id=buckets/{id}')).err).toContain(
      '--shows names Bukcet, which no Composition of the story composes',
    );
    await init('--force', '--shows', 'Bucket.id=buckets/{id}');
    expect(written('scenario.yaml')).toContain('{Bucket: {shows: {id: "buckets/{id}"}}}');
    expect((await tell()).out).toContain('1 passed, 0 failed');
  });

  test('is told as a person would tell it', async () => {
    write(whole);
    await init();
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
    await init();
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
    const {out} = await init();
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
  expect((await initEverywhere()).out).toContain('removed: settings');
  const text = written('scenario.yaml');
  expect(text).toContain('crossplane: ["2.3", main]');
  expect(text).toContain('# No controller acts on Settings: no managed resources, and no APIs of this folder.');
  expect(written('crds.yaml').match(/scope: Namespaced/g)).toHaveLength(2);
  expect((await tell()).code).toBe(0);
});

describe('a configuration whose function nobody has', () => {
  const elsewhere = {
    ...whole,
    'apis/composition.yaml': composition('buckets', 'acme-function-other'),
    'examples/functions.yaml': functions.replaceAll('copying', 'other'),
  };

  test('becomes a scenario that leaves the place open, for whoever runs it', async () => {
    write(elsewhere);
    const {code, out} = await init();
    expect(code).toBe(0);
    expect(out).toContain('next: tether test tether/scenario.yaml --function acme-function-other=PLACE');
    const text = written('scenario.yaml');
    expect(text).toContain('docker run --rm --publish 9443:9443 IMAGE --insecure');
    expect(text).toContain('spec: {package: registry.example.org/acme/function-other:v1.2.3}');
    expect(written('crds.yaml')).toMatch(/kind: Bucket[\s\S]*kind: Policy/);
    expect(readScenario(join(folder, 'tether/scenario.yaml'), registry).functions).toEqual({});
    expect((await tell()).err).toContain('--run-functions runs it from its package');
    expect((await tell('--function', 'acme-function-other=function-copying')).code).toBe(0);
  });

  test('has recorded answers stand in for it', async () => {
    write(elsewhere);
    write({
      'render.yaml': `${example}---
apiVersion: cloud.example.org/v1
kind: Bucket
metadata:
  annotations: {crossplane.io/composition-resource-name: bucket}
  generateName: photos-
  labels: {crossplane.io/composite: photos}
  ownerReferences: [{apiVersion: example.org/v1, kind: XBucket, name: photos, uid: "", controller: true}]
spec: {forProvider: {size: small}}
`,
    });
    expect((await init('--recorded', join(folder, 'render.yaml'))).code).toBe(0);
    expect(written('scenario.yaml')).toContain('functionRef: {name: function-static}');
    expect(written('scenario.yaml')).toContain('# Recorded answers stand in for the functions of buckets');
    expect(await tell()).toMatchObject({code: 0, out: expect.stringContaining('(1 create, 1 delete)')});
    expect(await init('--force', '--recorded', join(folder, 'examples/functions.yaml'))).toMatchObject({
      code: 2,
      err: expect.stringContaining('must hold what `crossplane render` prints'),
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
      err: expect.stringContaining(
        'cannot reach function "acme-function-other" at 127.0.0.1:1: no server answers there\n',
      ),
    });
    expect(readdirSync(folder)).not.toContain('tether');
  });
});

describe('a story means what it says', () => {
  const steps = () => readScenario(join(folder, 'tether/scenario.yaml'), registry).steps;

  test('a removal keeps the edit before it', async () => {
    write({
      ...whole,
      'apis/definition.yaml': definition().replace(
        'region: {',
        'zones: {type: array, items: {type: string}}\n              region: {',
      ),
      'apis/composition.yaml': composition('buckets', 'function-listing'),
      'examples/xr.yaml': example.replace('region: north', 'zones: [a, b]'),
    });
    const {out} = await init();
    expect(out).toContain('edit: spec.size becomes "large"\nremoved: b\n');
    expect((await tell()).code).toBe(0);
    const removed = steps().find(({name}) => name.includes('leaves'));
    expect(JSON.stringify(removed?.action)).toContain('"spec":{"zones":["a"]}');
  });

  test('what the policies keep in the cloud stays there when the XR is deleted', async () => {
    const kept = entry('vault', 'Vault').replace('spec: {', 'spec: {managementPolicies: [Observe, Create, Update], ');
    write({
      ...whole,
      'apis/composition.yaml': composition('buckets', 'acme-function-copying', kept + entry('bucket', 'Bucket')),
    });
    await init();
    expect(written('scenario.yaml')).toContain('{externals: alive, is: 1}');
    expect(written('scenario.yaml')).toContain('# The policies of vault keep the external resource');
    expect((await tell()).code).toBe(0);
  });

  test('one external resource of two resources stays once, and none if one of them deletes it', async () => {
    const named = (name: string, external: string, policies: string) =>
      entry(name, 'Vault')
        .replace('spec: {', `spec: {managementPolicies: ${policies}, `)
        .replace('spec: {', `metadata: {annotations: {crossplane.io/external-name: ${external}}}\n          spec: {`);
    const observed = named('seen', 'one', '[Observe]') + named('looked-at', 'two', '[Observe]');
    write({
      ...whole,
      'apis/composition.yaml': composition(
        'buckets',
        'acme-function-copying',
        named('made', 'one', '[Observe, Create, Update]') + named('owned', 'two', '["*"]') + observed,
      ),
    });
    await init();
    expect(written('scenario.yaml')).toContain('{externals: alive, is: 1}');
    expect((await tell()).code).toBe(0);
  });

  test('of many objects that a function could read those are there that it asks for, the nearest first', async () => {
    const config = (name: string, zone: string): string =>
      `apiVersion: apiextensions.crossplane.io/v1beta1\nkind: EnvironmentConfig\nmetadata: {name: ${name}}\ndata: {zone: ${zone}}\n`;
    const reading = zoneOf('apiVersion: apiextensions.crossplane.io/v1beta1, kind: EnvironmentConfig, name: env');
    write({
      ...whole,
      'apis/composition.yaml': composition('buckets', 'acme-function-copying', reading),
      'examples/env.yaml': config('env', 'near'),
      'other/env.yaml': config('env', 'far'),
      'examples/second.yaml': config('second', 'none'),
    });
    await init();
    const text = written('scenario.yaml');
    expect(text).toContain('../examples/env.yaml');
    expect(text).not.toMatch(/other\/env|second\.yaml/);
    expect(await tell()).toMatchObject({code: 0, out: expect.stringContaining('(1 create, 1 delete)')});
  });

  test('an object that a function asks for and no file has is named if nothing is composed', async () => {
    const reading = zoneOf('apiVersion: v1, kind: ConfigMap, name: env');
    write({...whole, 'apis/composition.yaml': composition('buckets', 'acme-function-copying', reading)});
    const {out} = await init();
    expect(out).toContain('nothing was composed\na function asks for ConfigMap env, which no file has\n');
  });

  test('an edit that leads to another external resource is none', async () => {
    const named = entry('bucket', 'Bucket').replace(
      'kind: Bucket',
      'kind: Bucket\n          metadata: {annotations: {crossplane.io/external-name: SIZE-}}',
    );
    write({...whole, 'apis/composition.yaml': composition('buckets', 'acme-function-copying', named)});
    const {out} = await init();
    expect(out).not.toContain('edit: spec.size');
    expect(written('scenario.yaml')).toMatch(/externals: \{Bucket\.cloud\.example\.org: \{namedBy: author\}/);
    expect((await tell()).code).toBe(0);
  });

  test('an edit that shows in a list alone is one', async () => {
    const tagged = entry('bucket', 'Bucket').replace('size: SIZE-', 'tags: [SIZE-]');
    write({...whole, 'apis/composition.yaml': composition('buckets', 'acme-function-copying', tagged)});
    const {out} = await init();
    expect(out).toContain('edit: spec.size becomes "large"');
    expect(written('scenario.yaml')).toContain('match: {spec: {forProvider: {tags: [large]}}}');
    expect((await tell()).code).toBe(0);
  });

  test('a kind whose objects are referred to by their own name is named so', async () => {
    const bucket = entry('bucket', 'Bucket').replace('kind: Bucket', 'kind: Bucket\n          metadata: {name: pics}');
    const policy = entry('policy', 'Policy', ', bucket: pics');
    write({...whole, 'apis/composition.yaml': composition('buckets', 'acme-function-copying', bucket + policy)});
    await init();
    expect(written('scenario.yaml')).toMatch(/externals: \{Bucket\.cloud\.example\.org: \{namedBy: object\}/);
    expect((await tell()).code).toBe(0);
  });

  test('what only observes has no external resource to keep', async () => {
    const seen = entry('seen', 'Vault').replace('spec: {', 'spec: {managementPolicies: [Observe], ');
    write({
      ...whole,
      'apis/composition.yaml': composition('buckets', 'acme-function-copying', seen + entry('bucket', 'Bucket')),
    });
    await init();
    expect(written('scenario.yaml')).toContain('{externals: alive, is: 0}');
    expect((await tell()).code).toBe(0);
  });

  test('a kind that a nested XR composes in another version is served in both', async () => {
    const nested = entry('inner', 'XInner')
      .replace('cloud.example.org', 'example.org')
      .replace('{forProvider: {size: SIZE-}}', '{size: small, count: 4}');
    const many = Array.from({length: 55}, (_, index) => entry(`bucket-${index}`, 'Bucket')).join('');
    const old = entry('old', 'Bucket').replace('cloud.example.org/v1', 'cloud.example.org/v1alpha1');
    write({
      ...whole,
      'apis/composition.yaml': composition('buckets', 'acme-function-copying', nested + many),
      'inner/definition.yaml': definition('XInner', 'xinners'),
      'inner/composition.yaml': composition('inner', 'acme-function-copying', old).replace(
        'kind: XBucket',
        'kind: XInner',
      ),
    });
    const {out} = await init();
    expect(out).not.toContain('come to rest');
    expect((await tell()).code).toBe(0);
  });

  test('a kind with a config of its provider is managed, even if nothing of it is set yet', async () => {
    const bare = entry('bare', 'Account').replace('{forProvider: {size: SIZE-}}', '{providerConfigRef: {name: eu}}');
    write({
      ...whole,
      'apis/composition.yaml': composition('buckets', 'acme-function-copying', bare + entry('bucket', 'Bucket')),
    });
    expect((await init()).out).not.toContain('no controller acts on');
    expect(written('scenario.yaml')).toContain('{externals: creates, is: 2}');
    expect((await tell()).code).toBe(0);
  });

  test('a kind composed in two versions is served in both', async () => {
    const old = entry('old', 'Bucket').replace('cloud.example.org/v1', 'cloud.example.org/v1alpha1');
    write({
      ...whole,
      'apis/composition.yaml': composition('buckets', 'acme-function-copying', old + entry('bucket', 'Bucket')),
    });
    const {out} = await init();
    expect(out).not.toContain('come to rest');
    expect((await tell()).code).toBe(0);
  });

  test('what does not come true is explained where it stands', async () => {
    const fatal = composition().replace('resources:', 'message: no quota\n      fatal: true\n      resources:');
    write({...whole, 'apis/composition.yaml': fatal});
    const {out} = await init();
    expect(out).toContain('on Crossplane main "XBucket photos is created" does not come true');
    expect(written('scenario.yaml')).toContain('# This does not come true on Crossplane main');
    expect((await tell()).code).toBe(3);
  });

  test('the Composition that an XR may move to is there, and the enforced one is taken', async () => {
    write({
      ...whole,
      'apis/definition.yaml': definition('XBucket', 'xbuckets', '  enforcedCompositionRef: {name: second}\n'),
      'apis/second.yaml': composition('second', 'acme-function-copying', entry('bucket', 'Bucket')),
    });
    expect((await init()).code).toBe(0);
    expect(written('scenario.yaml')).toMatch(/apis\/second\.yaml[\s\S]*apis\/composition\.yaml/);
    expect(await tell()).toMatchObject({code: 0, out: expect.stringContaining('(1 create, 1 delete)')});
  });
});

test('an API without an example has no story if what the schema asks for composes nothing', async () => {
  const {'examples/xr.yaml': _, ...others} = whole;
  write({...others, 'apis/composition.yaml': composition().replace('resources:', 'fatal: no zone\n      resources:')});
  expect(await init()).toMatchObject({
    code: 2,
    err: expect.stringContaining(
      'no example of XBucket is in the folder, and one made up from its schema composes nothing',
    ),
  });
});

test('of two files with one Composition the nearest to its definition is taken', async () => {
  write({...whole, 'a-copy/composition.yaml': composition('buckets', 'acme-function-gone')});
  expect((await init()).code).toBe(0);
  expect(written('scenario.yaml')).toContain('../apis/composition.yaml');
});

describe('a folder with several APIs', () => {
  const several = {
    ...whole,
    'shops/definition.yaml': definition('XShop', 'xshops'),
    'shops/composition.yaml': composition('shops').replace('kind: XBucket}', 'kind: XShop}'),
    'shops/xr.yaml': example.replace('XBucket', 'XShop'),
  };

  test('lists them, and takes the one that is named', async () => {
    write(several);
    const {code, err} = await init();
    expect(code).toBe(2);
    expect(err).toContain('choose one with --api KIND or --xr FILE, or write a scenario of each with --all');
    expect(err).toContain('\n  XShop; shops/xr.yaml; shops\n');
    expect(await init('--api', 'XStop')).toMatchObject({
      code: 2,
      err: expect.stringContaining('no API of the name "XStop"'),
    });
    expect((await init('--api', 'XShop')).code).toBe(0);
    expect((await tell()).out).toContain('xshop');
  });

  test('has a scenario of each, in folders of their own', async () => {
    write({...several, 'idle.yaml': definition('XIdle', 'xidles')});
    const {code, out} = await init('--all');
    expect(code).toBe(0);
    expect(out).toContain('2 of 3 APIs have a scenario');
    for (const api of ['xbucket', 'xshop']) expect((await tellFile(`tether/${api}/scenario.yaml`)).code).toBe(0);
    expect(await init('--all')).toMatchObject({code: 2, err: expect.stringContaining('there already')});
    expect(await init('--all', '--force', '--shows', 'Bucket.id={id}', '--shows', 'Bukcet.id={id}')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--shows names Bukcet, which'),
    });
    expect(await init('--all', '--force', '--shows', 'Bucket.id={id}')).toMatchObject({code: 0});
    expect(await init('--all', '--xr', 'x')).toMatchObject({code: 2, err: expect.stringContaining('--all goes with')});
  });
});

describe('a folder of examples, each with a definition of its own under one name', () => {
  const second = definition().replace('region: {type: string}', 'zone: {type: string}');
  const own = {
    'a/definition.yaml': definition(),
    'a/composition.yaml': composition('first', 'acme-function-copying', entry('bucket', 'Bucket')),
    'a/xr.yaml': example,
    'b/definition.yaml': second,
    'b/composition.yaml': composition('second'),
    'b/xr.yaml': example.replace('region: north', 'zone: north').replace('photos', 'films'),
    'b/functions.yaml': functions,
  };

  test('is one API, and its example has the definition and the Composition beside it', async () => {
    write(own);
    const {code, err} = await init('--xr', join(folder, 'b/xr.yaml'));
    expect([code, err]).toEqual([0, expect.stringContaining('second is taken; --composition NAME takes another')]);
    expect(written('scenario.yaml')).toContain('../b/definition.yaml');
    expect((await tell()).code).toBe(0);
  });

  test('is listed once, with all its examples', async () => {
    const shops = {'definition.yaml': definition('XShop', 'xshops'), 'xr.yaml': example.replace('XBucket', 'XShop')};
    write({...own, 'shops/definition.yaml': shops['definition.yaml'], 'shops/xr.yaml': shops['xr.yaml']});
    expect((await init()).err).toMatch(
      /has 2 APIs .*\n {2}XBucket; a\/xr\.yaml, b\/xr\.yaml; first, second\n {2}XShop;/,
    );
    const {code, err} = await init('--api', 'XBucket');
    expect([code, err]).toEqual([0, expect.stringContaining('of 2 examples a/xr.yaml is taken')]);
  });
});

test('a made-up XR is in a namespace if its definition asks for that, in whatever version that is written', () => {
  const spec = {group: 'example.org', names: {kind: 'XBucket', plural: 'xbuckets'}, scope: 'Namespaced'};
  const [kind, name] = ['CompositeResourceDefinition', 'xbuckets.example.org'];
  for (const version of ['v1', 'v2']) {
    const made = sampleXr({apiVersion: `apiextensions.crossplane.io/${version}`, kind, metadata: {name}, spec});
    expect(made.metadata).toEqual({name: 'xbucket', namespace: 'default'});
  }
});

test('an example whose name is an expression is none', async () => {
  write({...whole, 'backstage/template.yaml': example.replace('photos', "'${{ values.name }}'")});
  const {code, err} = await init();
  expect([code, err]).toEqual([
    0,
    expect.stringMatching(/passed over: objects whose name is an expression.*template\.yaml/),
  ]);
  expect(written('scenario.yaml')).toContain('XBucket "photos"');
});

test('a made-up XR that the API server refuses asks for an example', async () => {
  const strict = definition().replace(
    'count: {type: integer, minimum: 3}',
    "count: {type: string, pattern: '^vpc-[0-9a-f]+'}",
  );
  write({...whole, 'apis/definition.yaml': strict, 'examples/xr.yaml': ''});
  const {code, err} = await init();
  expect([code, err]).toEqual([2, expect.stringMatching(/should match .*put an example of XBucket into the folder/)]);
});

test('of an example that the API server refuses the others are named', async () => {
  const other = example.replace('photos', 'films');
  write({...whole, 'examples/a.yaml': example.replace('count: 4', 'count: 1'), 'examples/xr.yaml': other});
  const {code, err} = await init();
  const others =
    /greater than or equal to 3; of 2 examples examples.a\.yaml is taken; --xr FILE takes another: examples.xr\.yaml$/m;
  expect([code, err]).toEqual([2, expect.stringMatching(others)]);
});

test('a folder that leads back to itself ends', async () => {
  write(whole);
  symlinkSync(folder, join(folder, 'apis/loop'));
  expect((await init()).code).toBe(0);
});

test('a definition of a name that no API server takes has no story', async () => {
  write({...whole, 'apis/definition.yaml': definition().replace('xbuckets.example.org', 'buckets')});
  expect((await init()).err).toContain(
    'CompositeResourceDefinition "buckets" must be named xbuckets.example.org: no API server takes another name',
  );
});
