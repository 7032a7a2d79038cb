import {expect, test} from 'vitest';
import {runFunction} from '../../../src/function/run.ts';
import {builtins} from '../../../src/harness/functions/builtin.ts';
import {driveHere} from '../../../src/harness/functions/drive.ts';
import {driveScenario} from '../../../src/harness/scenario/drive-scenario.ts';
import {readScenario} from '../../../src/harness/scenario/read-scenario.ts';

const registry = {
  ...builtins,
  'function-tether': (request: Uint8Array) => ({ok: true as const, response: runFunction(request)}),
};

const versions = ['1.16', '1.19', '1.20', '2.3', 'main'] as const;

test.each(versions)('an XR follows the referenceable version, and its backup from before, on %s', (crossplane) => {
  const scenario = readScenario(new URL('./versions/referenceable-moves.yaml', import.meta.url).pathname, registry);
  const ends = scenario.variants.map((variant) =>
    driveHere(driveScenario(scenario, {crossplane, variant, seed: 1, builtins: registry})),
  );
  expect(ends.map(({failures}) => failures)).toEqual([[], []]);
  const read = ends.map(({objects}) => objects.find(({kind}) => kind === 'App')?.apiVersion);
  expect(read).toEqual(['example.org/v2', 'example.org/v2']);
});
