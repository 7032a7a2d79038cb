import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {activates} from '../../../src/cluster/crossplane/activation-policy.ts';
import {runFunction} from '../../../src/function/run.ts';
import {entryText} from '../../../src/harness/control-plane/record/words.ts';
import {builtins} from '../../../src/harness/functions/builtin.ts';
import {driveHere} from '../../../src/harness/functions/drive.ts';
import {manifestReader} from '../../../src/harness/input/manifests/read-manifests.ts';
import {parseYaml} from '../../../src/harness/input/yaml.ts';
import {driveScenario} from '../../../src/harness/scenario/drive-scenario.ts';
import {parseScenario} from '../../../src/harness/scenario/parse-scenario.ts';

// Managed kinds that are there once somebody activates them, told with the example.

const file = new URL('../../../examples/managed-definitions/scenario.yaml', import.meta.url).pathname;
const example = readFileSync(file, 'utf8');
const registry = {
  ...builtins,
  'function-tether': (request: Uint8Array) => ({ok: true as const, response: runFunction(request)}),
};

function run(text: string, crossplane: '1.20' | '2.3' | 'main', without: readonly string[] = []) {
  const [cursor] = parseYaml(text, 'managed.yaml');
  if (cursor === undefined) throw new Error('the test wrote no scenario');
  const scenario = parseScenario(cursor, manifestReader(file), registry);
  return driveHere(
    driveScenario(scenario, {crossplane, variant: {name: '', without, expect: []}, seed: 1, builtins: registry}),
  );
}

/** The fixtures of the example with other steps. */
function told(steps: string, crossplane: '1.20' | '2.3' | 'main' = 'main') {
  return run(`${example.slice(0, example.indexOf('\nsteps:'))}\nsteps:\n${steps}`, crossplane, ['function-tether']);
}

const crd = '{kind: CustomResourceDefinition, name: queues.cloud.example.org}';
const mrd = '{kind: ManagedResourceDefinition, name: queues.cloud.example.org}';

describe('a managed kind whose definition is inactive', () => {
  test.each(['2.3', 'main'] as const)('comes with a policy and goes with its definition, on %s', (crossplane) => {
    expect(run(example, crossplane).failures).toEqual([]);
    expect(run(example, crossplane, ['function-tether']).failures).toEqual([]);
  });

  test('is no match to an XR that composes it', () => {
    const {timeline} = told(
      '- {apply: {apiVersion: example.org/v1, kind: App, metadata: {name: shop}, spec: {size: small}}, wait: 10s}',
    );
    expect(timeline.map(entryText).join('\n')).toContain(
      'cannot get composed resource: no matches for kind "Queue" in version "cloud.example.org/v1"',
    );
  });

  test('becomes active by hand, and cannot be inactive again', () => {
    const {failures} = told(`
- patch: {kind: ManagedResourceDefinition, name: queues.cloud.example.org, body: {spec: {state: Active}}}
  wait: 10s
  expect:
  - {object: ${crd}, condition: {type: Established}}
  - {object: ${mrd}, condition: {type: Established, reason: EstablishedManagedResource}}
- patch: {kind: ManagedResourceDefinition, name: queues.cloud.example.org, body: {spec: {state: Inactive}}}`);
    expect(failures.map(({message}) => message)).toEqual([
      expect.stringContaining('state cannot be changed once it becomes Active'),
    ]);
  });

  test('stays away while its definition is paused', () => {
    const {failures} = told(`
- patch: {kind: ManagedResourceDefinition, name: queues.cloud.example.org, body: {metadata: {annotations: {crossplane.io/paused: "true"}}, spec: {state: Active}}}
  wait: 10s
  expect: [{object: ${crd}, absent: true}]
- patch: {kind: ManagedResourceDefinition, name: queues.cloud.example.org, body: {metadata: {annotations: {crossplane.io/paused: "false"}}}}
  wait: 10s
  expect: [{object: ${crd}, exists: true}]`);
    expect(failures).toEqual([]);
  });

  test('is made again by its definition where somebody deletes it', () => {
    const {failures} = told(`
- delete: {kind: CustomResourceDefinition, name: buckets.cloud.example.org}
  wait: 30s
  expect: [{object: {kind: CustomResourceDefinition, name: buckets.cloud.example.org}, condition: {type: Established}}]`);
    expect(failures).toEqual([]);
  });

  test('is refused before v2 in one sentence', () => {
    expect(() => told('- wait: 1s', '1.20')).toThrow(
      'cannot apply fixture ManagedResourceDefinition "buckets.cloud.example.org": the server could not find the requested resource; Crossplane has this kind since v2.0',
    );
  });
});

test.each([
  ['*', 'buckets.s3.aws.upbound.io', true],
  ['*.s3.aws.upbound.io', 'buckets.s3.aws.upbound.io', true],
  ['*.s3.aws.upbound.io', 'buckets.s3-aws.upbound.io', false],
  ['bucket?.s3.*', 'buckets.s3.aws.upbound.io', true],
  ['[a-c]uckets.s3.*', 'buckets.s3.aws.upbound.io', true],
  ['[^a-c]uckets.s3.*', 'buckets.s3.aws.upbound.io', false],
  [String.raw`buckets\.s3.*`, 'buckets.s3.aws.upbound.io', true],
  ['buckets.s3', 'buckets.s3.aws.upbound.io', false],
  ['[', '[', false],
])('the pattern %s matches %s: %s', (pattern, name, matches) => {
  const policy = {
    apiVersion: 'apiextensions.crossplane.io/v1alpha1',
    kind: 'ManagedResourceActivationPolicy',
    metadata: {name: 'p'},
    spec: {activate: [pattern]},
  };
  expect(activates(policy, name)).toBe(matches);
});
