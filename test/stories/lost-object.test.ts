// One object is lost, with its finalizers, and its XR lives on. A template composes others only while that one's status has an id,
// so it leaves them out until the object is made again and Ready.

import {expect, test} from 'vitest';
import type {JsonObject} from '../../src/cluster/json.ts';
import {driveHere} from '../../src/harness/functions/drive.ts';
import {driveScenario} from '../../src/harness/scenario/drive-scenario.ts';
import {registry} from './registry.ts';
import {readWhole} from './small-move.ts';
import {idioms, objectsIn} from './small-restore.ts';
import {isEveryVersion, versionsInTurn} from './versions.ts';

const versions = ['main', '2.3', '1.20', '1.19', '1.16'];

test.each(
  idioms.flatMap((idiom, story) =>
    versionsInTurn(versions, story, isEveryVersion).map((version) => ({idiom, version})),
  ),
)('what the template leaves out meanwhile stays: $idiom on Crossplane $version', ({idiom, version}) => {
  const scenario = readWhole({
    name: 'a lost object',
    crossplane: version,
    fixtures: [...objectsIn('platform.yaml'), ...objectsIn(`${idiom}.yaml`)],
    functions: {'function-static': {builtin: 'function-static'}, 'function-tether': {builtin: 'function-tether'}},
    provider: {readyAfter: '1s', deleteAfter: '1s'},
    steps: [
      {apply: objectsIn('xr.yaml'), wait: {quiet: '90s', timeout: '10m'}},
      {stop: 'provider'},
      {wipe: {kinds: ['Network']}, wait: '1h'},
      {start: 'provider', wait: '30m'},
    ],
  } as unknown as JsonObject);
  const run = (without: readonly string[]) => {
    const variant = {name: 'one', without, expect: []};
    const {externals} = driveHere(driveScenario(scenario, {crossplane: version, variant, seed: 1, builtins: registry}));
    return {alive: externals.alive, deletes: externals.deletes};
  };
  // The network is made anew, beside the one that lives on in the cloud.
  expect(run([])).toEqual({alive: 4, deletes: 0});
  if (idiom !== 'include') expect(run(['function-tether']).deletes).toBeGreaterThan(0);
});
