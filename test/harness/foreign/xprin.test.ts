import {describe, expect, test} from 'vitest';
import {emptyFolder} from '../../cli/folder.ts';
import {tether} from '../../cli/tether.ts';
import {composition, staticStep} from '../../platform.ts';

// Test files as xprin's own examples and docs write them (crossplane-contrib/xprin b4294cc examples/mytests), with
// function-static in the place of the functions there.

const folder = emptyFolder();
const aws = {apiVersion: 'aws.example.com/v1', kind: 'XAWSInfrastructure'};
const sg = {
  apiVersion: 'ec2.aws.example.com/v1beta1',
  kind: 'SecurityGroup',
  metadata: {name: 'platform-aws-sg', labels: {team: 'platform'}},
  spec: {forProvider: {description: 'rds access'}},
};
const rds = {
  apiVersion: 'rds.aws.example.com/v1beta1',
  kind: 'Cluster',
  metadata: {name: 'platform-aws-rds'},
  spec: {
    forProvider: {
      engine: 'aurora-postgresql',
      backupRetentionPeriod: 1,
      storageEncrypted: true,
      vpcSecurityGroupIds: ['sg-1'],
    },
  },
};
folder.write('aws/xr.yaml', {
  ...aws,
  metadata: {name: 'platform-aws'},
  spec: {region: 'eu-west-1', optionalNote: null},
});
const resources = [
  {name: 'sg', base: sg},
  {name: 'rds', base: rds},
];
folder.write('aws/composition.yaml', composition(aws, staticStep(resources)));
folder.write('aws/functions.yaml', {
  apiVersion: 'pkg.crossplane.io/v1',
  kind: 'Function',
  metadata: {name: 'function-static'},
});
folder.write('aws/observed/old.yaml', {
  apiVersion: 'ec2.aws.example.com/v1beta1',
  kind: 'Instance',
  metadata: {name: 'old', annotations: {'crossplane.io/composition-resource-name': 'old'}},
});

const inputs = `
    xr: aws/xr.yaml
    composition: aws/composition.yaml
    functions: aws/functions.yaml`;

function run(text: string, ...flags: readonly string[]) {
  return tether(['test', folder.write('x_xprin.yaml', text), ...flags], folder.path);
}

test('every type of assertion, as the examples use them', () => {
  const {code, out} = run(`
tests:
- name: "Second reconciliation loop"
  inputs:${inputs}
  assertions:
    xprin:
    - {name: "Number of all rendered resources (including XR)", type: "Count", value: 3}
    - {name: "Exactly 1", type: "Count", value: 1, resource: "SecurityGroup/platform-aws-sg"}
    - {name: "Exactly 0", type: "Count", value: 0, resource: "EC2/platform-aws-ec2"}
    - {name: "At least 1 SecurityGroup", type: "Exists", resource: "SecurityGroup"}
    - {name: "By pattern", type: "Exists", resource: "*/platform-aws-rds"}
    - {name: "No EC2", type: "NotExists", resource: "EC2"}
    - {name: "has a name", type: "FieldExists", resource: "SecurityGroup/platform-aws-sg", field: "metadata.name"}
    - {name: "no deprecated field", type: "FieldNotExists", resource: "Cluster/platform-aws-rds", field: "spec.deprecatedField"}
    - {name: "string", type: "FieldType", resource: "SecurityGroup", field: "spec.forProvider.description", value: "string"}
    - {name: "number", type: "FieldType", resource: "Cluster", field: "spec.forProvider.backupRetentionPeriod", value: "number"}
    - {name: "array", type: "FieldType", resource: "Cluster", field: "spec.forProvider.vpcSecurityGroupIds", value: "array"}
    - {name: "object", type: "FieldType", resource: "SecurityGroup", field: "metadata.labels", value: "object"}
    - {name: "boolean", type: "FieldType", resource: "Cluster", field: "spec.forProvider.storageEncrypted", value: "boolean"}
    - {name: "null", type: "FieldType", resource: "XAWSInfrastructure/platform-aws", field: "spec.optionalNote", value: "null"}
    - {name: "is", type: "FieldValue", resource: "Cluster/platform-aws-rds", field: "spec.forProvider.engine", operator: "is", value: "aurora-postgresql"}
    - {name: "==", type: "FieldValue", resource: "Cluster", field: "spec.forProvider.backupRetentionPeriod", operator: "==", value: 1}
`);
  expect(out).toContain('ok  Second reconciliation loop on Crossplane main: 16 of 16 checks hold');
  expect(code).toBe(0);
});

test('and each fails where it does not hold, with its place', () => {
  const {code, out} = run(`
tests:
- name: wrong
  inputs:${inputs}
  assertions:
    xprin:
    - {name: count, type: Count, value: 7}
    - {name: exists, type: Exists, resource: Bucket}
    - {name: not, type: NotExists, resource: Cluster}
    - {name: type, type: FieldType, resource: Cluster, field: spec.forProvider.engine, value: number}
    - {name: field, type: FieldExists, resource: Cluster, field: spec.nothing}
    - {name: nofield, type: FieldNotExists, resource: Cluster, field: spec.forProvider}
    - {name: value, type: FieldValue, resource: Cluster, field: spec.forProvider.engine, operator: is, value: mysql}
    - {name: nobody, type: FieldExists, resource: Bucket, field: spec}
`);
  expect(code).toBe(3);
  expect(out).toContain('FAILED  wrong on Crossplane main: 0 of 8 checks hold');
  expect(out).toContain(
    'x_xprin.yaml:10:7: count: expected 7 documents, got 3: XAWSInfrastructure/platform-aws, Cluster/platform-aws-rds, SecurityGroup/platform-aws-sg',
  );
  expect(out).toContain('not: expected no Cluster, got Cluster/platform-aws-rds');
  expect(out).toContain(
    'type: expected spec.forProvider.engine of Cluster/platform-aws-rds to be of type number, got string',
  );
  expect(out).toContain(
    'value: expected spec.forProvider.engine of Cluster/platform-aws-rds to be "mysql", got "aurora-postgresql"',
  );
});

test('common parts, and a test that goes on from another one', () => {
  const {code, out, err} = run(`
common:
  patches:
    connection-secret: true
  inputs:
    composition: aws/composition.yaml
    functions: aws/functions.yaml
    crds: [aws/xrd.yaml, aws/crossplane.yaml]
  hooks:
    pre-test:
    - run: "echo {{ .Inputs.XR }}"
  assertions:
    xprin: [{name: everything, type: Count, value: 3}]
tests:
- name: "Initial reconciliation loop"
  id: aws_first
  inputs:
    xr: aws/xr.yaml
- name: "Second reconciliation loop"
  inputs:
    xr: {{ .Tests.aws_first.Outputs.XR }}
    observed-resources: aws/observed
  assertions:
    xprin:
    - {name: its own, type: FieldExists, resource: XAWSInfrastructure, field: status.conditions}
`);
  expect(code).toBe(0);
  expect(out).toContain('ok  Initial reconciliation loop on Crossplane main: 1 of 1 checks hold');
  expect(out).toContain('ok  Second reconciliation loop on Crossplane main: 1 of 1 checks hold');
  expect(out).toContain('orphan: "old" is left behind');
  expect(
    err
      .split('\n')
      .filter((line) => line.includes('no meaning'))
      .map((line) => line.split('"')[1]),
  ).toEqual(['crds', 'connection-secret', 'hooks']);
});

test('golden files are compared, byte for byte or as values, and written with --update', () => {
  const text = (engine: string) => `
tests:
- name: golden
  inputs:${inputs}
  assertions:
    ${engine}:
    - {name: all of it, expected: golden/${engine}.yaml}
    - {name: one, expected: golden/${engine}-one.yaml, resource: Cluster/platform-aws-rds}
`;
  expect(run(text('diff'))).toMatchObject({code: 3, out: expect.stringContaining('got none; --update writes it')});
  expect(run(text('diff'), '--update').code).toBe(0);
  expect(run(text('diff')).code).toBe(0);
  expect(folder.read('golden/diff-one.yaml')).toMatch(/^apiVersion: rds/);
  folder.write('golden/dyff.yaml', folder.read('golden/diff.yaml'));
  const one = folder
    .read('golden/diff-one.yaml')
    .replace('engine: aurora-postgresql', '"engine":   "aurora-postgresql"');
  folder.write('golden/diff-one.yaml', one);
  folder.write('golden/dyff-one.yaml', one);
  expect(run(text('dyff')).code).toBe(0);
  expect(run(text('diff'))).toMatchObject({
    code: 3,
    out: expect.stringMatching(/golden\/diff-one.yaml" differs in line \d+/),
  });
});

describe('refuses, with the line', () => {
  test.each([
    [
      'unknown fields',
      'tests:\n- name: a\n  input: {}\n',
      'x_xprin.yaml:3:3: unknown field "input" in tests[0]: did you mean "inputs"?',
    ],
    [
      'claims',
      'tests:\n- name: a\n  inputs:\n    claim: c.yaml\n',
      'x_xprin.yaml:4:12: inputs.claim cannot be rendered here',
    ],
    [
      'a test without XR',
      'tests:\n- name: a\n  inputs: {}\n',
      'a test must have inputs.xr, its own or a common one, got none',
    ],
    [
      'repositories',
      'tests:\n- name: a\n  inputs:\n    xr: {{ .Repositories.mine }}/xr.yaml\n',
      'x_xprin.yaml:4:9: repository "mine" is named in xprin',
    ],
    [
      'tests that are not there',
      `tests:\n- name: a\n  inputs:\n    xr: {{ .Tests.b.Outputs.XR }}\n    composition: c\n    functions: f\n`,
      'x_xprin.yaml:4:9: test "b" must come before and have rendered, got none',
    ],
  ])('%s', (_, text, sentence) => {
    const {code, err} = run(text);
    expect(code).toBe(2);
    expect(err).toContain(sentence);
  });
});
