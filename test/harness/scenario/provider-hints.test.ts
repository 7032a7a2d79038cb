import {expect, test} from 'vitest';
import {driveHere} from '../../../src/harness/functions/drive.ts';
import {manifestReader} from '../../../src/harness/input/manifests/read-manifests.ts';
import {parseYaml} from '../../../src/harness/input/yaml.ts';
import {driveScenario} from '../../../src/harness/scenario/drive-scenario.ts';
import {scenarioIn} from '../../../src/harness/scenario/parse-scenario.ts';
import type {Variant} from '../../../src/harness/scenario/scenario.ts';

// A hint names a kind, or a kind and its group.

const file = 'examples/restore-orphan/every-version/scenario.yaml';

function failuresWith(provider: string): readonly string[] {
  const text = `
name: hints
fixtures: [crds.yaml, definition.yaml, composition.yaml, functions.yaml]
functions: {function-templates: {builtin: function-static}, function-tether: {builtin: passing}}
provider: ${provider}
steps:
  - {apply: xr.yaml, wait: 1m}
expect:
  - {object: {kind: SubnetGroup, resource: subnets}, condition: {type: Ready}}
`;
  const [cursor] = parseYaml(text, file);
  if (cursor === undefined) throw new Error('no scenario');
  const scenario = scenarioIn([cursor], file, manifestReader(file));
  const run = driveHere(driveScenario(scenario, {crossplane: 'main', variant: scenario.variants[0] as Variant}));
  return run.failures.map(({message}) => message);
}

const group = 'rds.aws.upbound.io';

test('are ready within a minute', () => {
  expect(failuresWith('{kinds: {SubnetGroup: {readyAfter: 10s}}}')).toEqual([]);
});

test.each([
  '{kinds: {SubnetGroup: {readyAfter: 5m}}}',
  `{kinds: {SubnetGroup.${group}: {readyAfter: 5m}}}`,
  `{kinds: {SubnetGroup.${group}: {readyAfter: 5m}}, externals: {SubnetGroup: {type: Network}}}`,
  `{kinds: {SubnetGroup: {readyAfter: 5m}}, externals: {SubnetGroup.${group}: {type: Network}}}`,
])('%s: ready later', (provider) => {
  expect(failuresWith(provider)).toEqual([expect.stringContaining('Ready')]);
});
