import {readdirSync, readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {driveHere} from '../../src/harness/functions/drive.ts';
import {driveScenario} from '../../src/harness/scenario/drive-scenario.ts';
import {readScenario} from '../../src/harness/scenario/read-scenario.ts';
import {registry} from './registry.ts';
import {versionsInTurn} from './versions.ts';

// What it costs to move living cloud resources to another resource name, kind or XR.

const examples = new URL('../../examples/', import.meta.url);

for (const folder of ['handover', 'rename', 'split-xr', 'v1-to-v2']) {
  describe(folder, () => {
    for (const [index, scenario] of scenariosIn(new URL(`${folder}/`, examples)).entries())
      for (const crossplane of versionsInTurn(scenario.crossplane, index))
        for (const variant of scenario.variants)
          test(`${scenario.name} on Crossplane ${crossplane}, ${variant.name}`, () => {
            const {failures} = driveHere(driveScenario(scenario, {crossplane, variant, seed: 1, builtins: registry}));
            expect(failures).toEqual([]);
          });
  });
}

function scenariosIn(folder: URL) {
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  // Manifests lie beside the scenarios.
  const stories = files.filter((file) => /^steps:/m.test(readFileSync(new URL(file, folder), 'utf8')));
  expect(stories).not.toEqual([]);
  return stories.map((file) => readScenario(new URL(file, folder).pathname, registry));
}
