// A restored object without a controller reference, and with nothing on it that proves whose it is: the backup is older than
// function-tether, and the tool dropped the field managers. From v1.16.2 to v2.3.4 Crossplane deletes such an object, with its
// external resource, if the XR lists it and its pipeline leaves it out.

import {expect, test} from 'vitest';
import type {JsonObject} from '../../src/cluster/json.ts';
import {profileNamed} from '../../src/harness/control-plane/profile-names.ts';
import {driveHere} from '../../src/harness/functions/drive.ts';
import {driveScenario} from '../../src/harness/scenario/drive-scenario.ts';
import {registry} from './registry.ts';
import {readWhole} from './small-move.ts';
import {objectsIn} from './small-restore.ts';

const kinds = ['App', 'Network', 'Cluster'];
const dropped = {metadata: {managedFields: null}};

/** A backup of before function-tether comes back, and it joins. `crossplane`: the version, and what the input says of it. */
function restored(crossplane: string, before: JsonObject, after: JsonObject) {
  const scenario = readWhole({
    name: 'an older backup',
    crossplane,
    fixtures: [...objectsIn('platform.yaml'), before],
    functions: {'function-static': {builtin: 'function-static'}, 'function-tether': {builtin: 'function-tether'}},
    provider: {readyAfter: '1s', deleteAfter: '1s'},
    steps: [
      {name: 'it is made', apply: objectsIn('xr.yaml'), wait: {quiet: '90s', timeout: '10m'}},
      {name: 'it is saved', backup: {tool: 'velero', kinds}},
      {stop: 'crossplane'},
      {stop: 'provider'},
      {name: 'it is lost', wipe: {kinds}},
      {name: 'function-tether joins', apply: after},
      {
        name: 'it comes back',
        restore: {
          modifiers: ['networks', 'clusters'].map((name) => ({
            groupResource: `${name}.cloud.example.org`,
            mergePatch: dropped,
          })),
        },
      },
      {start: 'crossplane', wait: '1m'},
      {start: 'provider'},
      {name: 'the end', wait: '30m'},
    ],
  } as unknown as JsonObject);
  const variant = {name: 'with', without: [], expect: []};
  const {externals, orphans} = driveHere(
    driveScenario(scenario, {crossplane: profileNamed(crossplane), variant, seed: 1, builtins: registry}),
  );
  return {creates: externals.creates, deletes: externals.deletes, orphans: orphans.length};
}

interface Step {
  readonly step: string;
  input?: {resources?: {name: string; base: JsonObject}[]} & JsonObject;
}

/** The network, and what reads it: the cluster while the network has an id, the replica while the cluster is Ready. */
function conditional(edit: (steps: Step[]) => readonly Step[]): JsonObject {
  const [said] = objectsIn('status.yaml') as [{spec: {pipeline: Step[]}} & JsonObject];
  return {...said, spec: {...said.spec, pipeline: edit(said.spec.pipeline)}} as unknown as JsonObject;
}

const without = (steps: Step[]) => steps.filter(({step}) => step !== 'tether');
const input = {apiVersion: 'tether.fn.crossplane.io/v1beta1', kind: 'Input'};

test.each<[string, string | undefined]>([
  ['2.3', '2.3'],
  ['1.20', '1.20.11'],
  // It shows no capabilities, so it is older than 2.2.
  ['1.20', undefined],
  ['1.19', undefined],
])('of a version that deletes it, what a template leaves out meanwhile stays: Crossplane %s', (crossplane, named) => {
  const joining = (isEdited: boolean) =>
    conditional(([compose, tether]) => {
      if (isEdited) compose?.input?.resources?.pop();
      return [compose, {...tether, input: {...input, ...(named && {crossplane: named})}}] as Step[];
    });
  expect(restored(crossplane, conditional(without), joining(false))).toEqual({creates: 3, deletes: 0, orphans: 0});
  // What an edit dropped goes, once the world is back.
  expect(restored(crossplane, conditional(without), joining(true))).toEqual({creates: 3, deletes: 1, orphans: 0});
});

test.each(['main', '2.3', '1.20', '1.19', '1.16'])(
  'it stays if an edit gives it another resource name, whatever the input says: Crossplane %s',
  (crossplane) => {
    const naming = (name: string, edit = (steps: Step[]): readonly Step[] => steps) =>
      conditional(([compose, tether]) => {
        const base = {apiVersion: 'cloud.example.org/v1', kind: 'Cluster', metadata: {name: 'ledger'}, spec: {}};
        const resources = [{name, ready: 'Auto', base}];
        return edit([{...compose, input: {...compose?.input, resources}}, tether] as Step[]);
      });
    expect(restored(crossplane, naming('a', without), naming('b'))).toEqual({creates: 1, deletes: 0, orphans: 0});
  },
);
