import {expect, test} from 'vitest';
import {driveHere} from '../../../src/harness/functions/drive.ts';
import {manifestReader} from '../../../src/harness/input/manifests/read-manifests.ts';
import {parseYaml} from '../../../src/harness/input/yaml.ts';
import {driveScenario} from '../../../src/harness/scenario/drive-scenario.ts';
import {scenarioIn} from '../../../src/harness/scenario/parse-scenario.ts';
import type {Variant} from '../../../src/harness/scenario/scenario.ts';

// Crossplane deletes a composed resource again as soon as it hears that somebody changed its XR. Where its cache is behind
// it hears of that later.

const file = 'examples/restore-orphan/every-version/scenario.yaml';

function story(fault: string, waitFor: string) {
  const text = `
name: stale
fixtures: [crds.yaml, definition.yaml, composition.yaml, functions.yaml]
functions: {function-templates: {builtin: function-static}, function-tether: {builtin: passing}}
provider: {kind: managed, references: [{field: dbSubnetGroupName, kind: SubnetGroup}]}
steps:
  - {apply: xr.yaml, wait: {quiet: 5s, timeout: 5m}}
  ${fault}
  - {delete: {kind: XDatabase, name: orders}, wait: ${waitFor}}
expect:
  - {object: {kind: XDatabase, name: orders}, absent: true}
`;
  const [cursor] = parseYaml(text, file);
  if (cursor === undefined) throw new Error('no scenario');
  const scenario = scenarioIn([cursor], file, manifestReader(file));
  return driveHere(driveScenario(scenario, {crossplane: 'main', variant: scenario.variants[0] as Variant}));
}

test('a deleted XR is let go of at once where caches are true', () => {
  expect(story('', '3s').failures).toEqual([]);
});

test('a stale cache keeps Crossplane from knowing of the deletion until it has caught up', () => {
  const fault = '- fault: {stale: crossplane, for: 10s}';
  expect(story(fault, '3s').failures.map(({message}) => message)).toEqual([
    expect.stringContaining('XDatabase "orders"'),
  ]);
  expect(story(fault, '20s').failures).toEqual([]);
});

test('what is stale may be named by kind; of others the process knows as before', () => {
  expect(story('- fault: {stale: crossplane, kinds: [Instance], for: 10s}', '3s').failures).toEqual([]);
});

test('a process that starts again knows everything', () => {
  const fault = '- fault: {stale: crossplane, for: 60s}\n  - restart: crossplane';
  expect(story(fault, '10s').failures).toEqual([]);
});

test('a kind that nobody has is refused where it is named', () => {
  expect(() => story('- fault: {stale: crossplane, kinds: [Instanz], for: 10s}', '3s')).toThrow(
    /unknown kind "Instanz"/,
  );
});
