import {expect, test} from 'vitest';
import {driveHere} from '../../../../src/harness/functions/drive.ts';
import {manifestReader} from '../../../../src/harness/input/manifests/read-manifests.ts';
import {parseYaml} from '../../../../src/harness/input/yaml.ts';
import {driveScenario} from '../../../../src/harness/scenario/drive-scenario.ts';
import {parseScenario} from '../../../../src/harness/scenario/parse-scenario.ts';
import type {RunResult} from '../../../../src/harness/scenario/run-result.ts';

// A CustomResourceDefinition that somebody wrote by hand lacks what those of providers default, and nothing ever gets ready.

/** A Bucket that is waited for; `policies` is the schema of its managementPolicies. */
function tell(policies: string, metadata = '{name: b}'): RunResult {
  const [cursor] = parseYaml(
    `
name: idle
fixtures:
- apiVersion: apiextensions.k8s.io/v1
  kind: CustomResourceDefinition
  metadata: {name: buckets.cloud.example.org}
  spec:
    group: cloud.example.org
    scope: Cluster
    names: {kind: Bucket, plural: buckets, categories: [managed]}
    versions:
    - name: v1
      served: true
      storage: true
      subresources: {status: {}}
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {${policies}}}
            status: {type: object, x-kubernetes-preserve-unknown-fields: true}
steps:
- apply: {apiVersion: cloud.example.org/v1, kind: Bucket, metadata: ${metadata}, spec: {forProvider: {}}}
  wait: {for: {object: {kind: Bucket, name: b}, condition: {type: Ready}}, timeout: 30s}
`,
    'idle.yaml',
  );
  if (cursor === undefined) throw new Error('the test wrote no scenario');
  const scenario = parseScenario(cursor, manifestReader('idle.yaml'));
  const [variant] = scenario.variants;
  if (variant === undefined) throw new Error('a scenario has a variant');
  return driveHere(driveScenario(scenario, {crossplane: 'main', variant}));
}

const advice =
  'Bucket "b" is paused because it has no managementPolicies: give spec.managementPolicies of its CustomResourceDefinition in `fixtures` the default ["*"], as providers do';

test('a managed resource without managementPolicies is told with what to add to the fixtures', () => {
  expect(tell('').failures[0]?.because).toEqual([advice]);
});

test('with that it gets ready', () => {
  const policies = 'managementPolicies: {type: array, items: {type: string}, default: ["*"]}';
  expect(tell(policies).failures).toEqual([]);
});

test('one that a person paused is told as paused, without advice', () => {
  const paused = tell('', '{name: b, annotations: {crossplane.io/paused: "true"}}');
  expect(paused.failures[0]?.because).toEqual(['the annotation crossplane.io/paused pauses Bucket "b"']);
});
