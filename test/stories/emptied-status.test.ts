// The XR's own status is emptied, and what it composes lives on: a person, a tool or another version of its definition did it. A
// template that relays an id through that status leaves out, for one reconcile, what reads it.

import {expect, test} from 'vitest';
import type {JsonObject} from '../../src/cluster/json.ts';
import {profileNamed} from '../../src/harness/control-plane/profile-names.ts';
import {driveHere} from '../../src/harness/functions/drive.ts';
import {driveScenario} from '../../src/harness/scenario/drive-scenario.ts';
import {registry} from './registry.ts';
import {readWhole} from './small-move.ts';
import {objectsIn} from './small-restore.ts';

function emptied(crossplane: string, without: readonly string[]) {
  const scenario = readWhole({
    name: 'an emptied status',
    crossplane,
    fixtures: [...objectsIn('platform.yaml'), ...objectsIn('relay.yaml')],
    functions: {'function-static': {builtin: 'function-static'}, 'function-tether': {builtin: 'function-tether'}},
    provider: {readyAfter: '1s', deleteAfter: '1s'},
    steps: [
      {apply: objectsIn('xr.yaml'), wait: {quiet: '90s', timeout: '10m'}},
      {stop: 'crossplane'},
      {
        patch: {
          kind: 'App',
          name: 'shop',
          type: 'json',
          subresource: 'status',
          body: [{op: 'remove', path: '/status'}],
        },
      },
      {start: 'crossplane'},
      {name: 'the end', wait: '30m'},
    ],
  } as unknown as JsonObject);
  const variant = {name: 'one', without, expect: []};
  const {externals, objects} = driveHere(
    driveScenario(scenario, {crossplane: profileNamed(crossplane), variant, seed: 1, builtins: registry}),
  );
  const xr = objects.find(({kind}) => kind === 'App') as unknown as {status: {conditions: JsonObject[]}};
  const tethered = xr.status.conditions.find(({type}) => type === 'Tethered');
  return {creates: externals.creates, deletes: externals.deletes, tethered: tethered?.['status']};
}

test.each(['main', '2.3', '1.20', '1.19', '1.16'])('on Crossplane %s', (crossplane) => {
  expect(emptied(crossplane, ['function-tether'])).toMatchObject({deletes: expect.toSatisfy((n: number) => n > 0)});
  expect(emptied(crossplane, [])).toEqual({
    creates: 3,
    deletes: 0,
    tethered: crossplane === '1.16' ? undefined : 'True',
  });
});
