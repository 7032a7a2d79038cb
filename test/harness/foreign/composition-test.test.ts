import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {emptyFolder} from '../../cli/folder.ts';
import {tether} from '../../cli/tether.ts';
import {composition, staticStep} from '../../platform.ts';

// CompositionTest documents as `up test generate` lays them out: in tests/<name> of a project, with paths from its root.

const folder = emptyFolder();
const xr = {apiVersion: 'platform.example.com/v1', kind: 'XNetwork', metadata: {name: 'net'}, spec: {zones: 2}};
const vpc = {apiVersion: 'ec2.aws.example.com/v1beta1', kind: 'VPC'};
const base = {...vpc, metadata: {name: 'net-vpc'}, spec: {cidr: '10.0.0.0/16', tags: ['a', 'b']}};
const made = staticStep([{name: 'vpc', base}], {message: 'made a network'});
const networks = composition(xr, {...made, step: 'network'});
folder.write('apis/networks/composition.yaml', networks);
mkdirSync(join(folder.path, 'tests/test-networks'), {recursive: true});

interface Spec {
  readonly [field: string]: unknown;
}

function compositionTest(name: string, spec: Spec): object {
  const metadata = {name};
  const base = {
    compositionPath: 'apis/networks/composition.yaml',
    xrPath: '',
    xrdPath: '',
    timeoutSeconds: 60,
    validate: false,
  };
  return {apiVersion: 'meta.dev.upbound.io/v1alpha1', kind: 'CompositionTest', metadata, spec: {...base, xr, ...spec}};
}

function run(...documents: readonly object[]) {
  return tether(['test', folder.write('tests/test-networks/main.yaml', ...documents)], folder.path);
}

test('what is rendered is matched by parts: XR, composed resources, results, context', () => {
  const {code, out} = run(
    compositionTest('parts', {
      context: {region: {name: 'eu'}},
      assertResources: [
        {apiVersion: xr.apiVersion, kind: xr.kind, metadata: {name: 'net'}, spec: {zones: 2}},
        {
          ...vpc,
          metadata: {name: 'net-vpc', annotations: {'crossplane.io/composition-resource-name': 'vpc'}},
          spec: {tags: ['a', 'b']},
        },
        {
          apiVersion: 'render.crossplane.io/v1beta1',
          kind: 'Result',
          message: 'Pipeline step "network": made a network',
        },
        {apiVersion: 'render.crossplane.io/v1beta1', kind: 'Context', fields: {region: {name: 'eu'}}},
      ],
    }),
    compositionTest('wrong', {assertResources: [{...vpc, metadata: {name: 'net-vpc'}, spec: {cidr: '10.1.0.0/16'}}]}),
    compositionTest('absent', {assertResources: [{...vpc, metadata: {name: 'other'}}]}),
  );
  expect(code).toBe(3);
  expect(out).toContain('ok  parts on Crossplane main: 4 of 4 checks hold');
  expect(out).toContain('VPC net-vpc: VPC/net-vpc: spec.cidr expected "10.1.0.0/16", got "10.0.0.0/16"');
  expect(out).toContain('VPC other: expected VPC/other, got XNetwork/net, VPC/net-vpc');
  expect(out).toContain('1 passed, 2 failed');
});

test('what has no meaning here is said in a sentence', () => {
  const {code, err} = run(compositionTest('validated', {validate: true}));
  expect(code).toBe(0);
  expect(err).toBe(
    'tests/test-networks/main.yaml: "validate" has no meaning here: what is rendered is not checked against schemas\n',
  );
});

describe('refuses', () => {
  test.each([
    [
      'unknown fields',
      compositionTest('a', {assertResource: []}),
      'unknown field "assertResource" in spec: did you mean "assertResources"?',
    ],
    ['two XRs', compositionTest('a', {xrPath: 'xr.yaml'}), 'only one of xr and xrPath may be given, got both'],
    [
      'files that are nowhere',
      compositionTest('a', {compositionPath: 'apis/none.yaml'}),
      'cannot find "apis/none.yaml" in the folder of the test or above it',
    ],
    [
      'expressions',
      compositionTest('a', {assertResources: [{...vpc, spec: {'(length(tags))': 2}}]}),
      'got the expression "(length(tags))"',
    ],
    [
      'other kinds of test',
      {...compositionTest('a', {}), kind: 'E2ETest'},
      'only CompositionTest is read here, got E2ETest',
    ],
  ])('%s', (_, document, sentence) => {
    const {code, err} = run(document);
    expect(code).toBe(2);
    expect(err).toContain(sentence);
    expect(err).toMatch(/^tests\/test-networks\/main.yaml:1:\d+: /);
  });
});
