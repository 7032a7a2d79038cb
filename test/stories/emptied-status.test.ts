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

interface Relay {
  readonly resource?: string;
  readonly field: string;
  readonly to: string;
}

const relayed: Relay = {resource: 'network', field: 'status.atProvider.id', to: 'networkId'};

/** The id of the cluster comes from the XR's status, too, once the first is there. */
const twoSteps: readonly Relay[] = [relayed, {field: 'status.networkId', to: 'clusterId'}];

const note = {
  name: 'note',
  ready: 'True',
  base: {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'note', namespace: 'later'}},
};

interface Emptied {
  readonly crossplane: string;
  readonly without?: readonly string[];
  readonly relays?: readonly Relay[];
  /** Whether an edit adds a resource that is refused for a while, so that Crossplane writes no status. */
  readonly isRefused?: boolean;
  readonly seed?: number;
}

function composition({relays}: Emptied, isRefused = false): JsonObject {
  const [said] = objectsIn('relay.yaml') as [
    {spec: {pipeline: {input?: JsonObject & {resources: unknown[]}}[]}} & JsonObject,
  ];
  const [{input} = {}] = said.spec.pipeline;
  if (input === undefined) throw new Error('the first step has an input');
  if (isRefused) input.resources.push(note);
  Object.assign(input, relays && {relays});
  return said;
}

function emptied(one: Emptied) {
  const {crossplane, without = [], isRefused = false, seed = 1} = one;
  const scenario = readWhole({
    name: 'an emptied status',
    crossplane,
    fixtures: [...objectsIn('platform.yaml'), composition(one)],
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
      ...(isRefused ? [{apply: composition(one, true)}] : []),
      {start: 'crossplane', wait: '5m'},
      {apply: {apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'later'}}},
      {name: 'the end', wait: '30m'},
    ],
  } as unknown as JsonObject);
  const variant = {name: 'one', without, expect: []};
  const {externals, objects} = driveHere(
    driveScenario(scenario, {crossplane: profileNamed(crossplane), variant, seed, builtins: registry}),
  );
  const xr = objects.find(({kind}) => kind === 'App') as unknown as {status: {conditions: JsonObject[]}};
  const tethered = xr.status.conditions.find(({type}) => type === 'Tethered');
  return {creates: externals.creates, deletes: externals.deletes, tethered: tethered?.['status']};
}

const versions = ['main', '2.3', '1.20', '1.19', '1.16'];

test.each(versions)('on Crossplane %s', (crossplane) => {
  expect(emptied({crossplane, without: ['function-tether']})).toMatchObject({
    deletes: expect.toSatisfy((n: number) => n > 0),
  });
  expect(emptied({crossplane})).toEqual({
    creates: 3,
    deletes: 0,
    tethered: crossplane === '1.16' ? undefined : 'True',
  });
});

test.each(versions)('and the second id only after the first, on Crossplane %s', (crossplane) => {
  expect(emptied({crossplane, relays: twoSteps})).toMatchObject({creates: 3, deletes: 0});
});

// The order in which Crossplane applies is its own: in one of these the held ones come before the one that is refused.
test.each(['main', '2.3'])('and Crossplane writes none for a while, on Crossplane %s', (crossplane) => {
  for (const seed of [1, 2, 3, 4]) {
    expect(emptied({crossplane, isRefused: true, seed}), `seed ${seed}`).toMatchObject({creates: 3, deletes: 0});
  }
});
