import {readdirSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {driveHere} from '../../src/harness/functions/drive.ts';
import {driveScenario} from '../../src/harness/scenario/drive-scenario.ts';
import {readScenario} from '../../src/harness/scenario/read-scenario.ts';
import {registry} from './registry.ts';
import {versionsInTurn} from './versions.ts';

// Stories in which nobody may be worse off with function-tether than without. Each is told both ways where there is
// something to compare.

const folder = new URL('../../examples/never-worse/', import.meta.url);
const files = readdirSync(folder).filter((file) => file.endsWith('.yaml') && file !== 'platform.yaml');

describe('never worse', () => {
  for (const [index, file] of files.entries()) {
    const scenario = readScenario(new URL(file, folder).pathname, registry);
    for (const crossplane of versionsInTurn(scenario.crossplane, index)) {
      for (const variant of scenario.variants) {
        test(`${scenario.name} on Crossplane ${crossplane}, ${variant.name}`, () => {
          const {failures} = driveHere(driveScenario(scenario, {crossplane, variant, seed: 1, builtins: registry}));
          expect(failures).toEqual([]);
        });
      }
    }
  }
});
