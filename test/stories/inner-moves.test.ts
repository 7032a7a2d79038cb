// An XR within another one moves its network to another resource name or kind. Its template finds nothing there for a moment, so it
// leaves out the id that it relays through the XR's status. The outer XR composes a cluster only while it has that id.

import {expect, test} from 'vitest';
import type {JsonObject} from '../../src/cluster/json.ts';
import {profileNamed} from '../../src/harness/control-plane/profile-names.ts';
import {driveHere} from '../../src/harness/functions/drive.ts';
import {driveScenario} from '../../src/harness/scenario/drive-scenario.ts';
import {composition, staticStep, tetherStep} from '../platform.ts';
import {registry} from './registry.ts';
import {readWhole} from './small-move.ts';
import {objectsIn} from './small-restore.ts';

const apps = objectsIn('platform.yaml');
const sites = JSON.parse(
  JSON.stringify(apps.filter(({kind}) => kind === 'CompositeResourceDefinition'))
    .replaceAll('App', 'Site')
    .replaceAll('apps', 'sites'),
) as JsonObject[];

function managed(kind: string) {
  return {apiVersion: 'cloud.example.org/v1', kind, spec: {forProvider: {region: 'here'}}};
}

interface Composing {
  readonly resources: readonly object[];
  readonly relays?: readonly object[];
}

function composing(kind: string, {resources, ...more}: Composing, rules: object = {}) {
  return composition({apiVersion: 'example.org/v1', kind}, staticStep(resources, more), tetherStep(rules));
}

const outer = composing('App', {
  resources: [
    {
      name: 'site',
      ready: 'Auto',
      base: {apiVersion: 'example.org/v1', kind: 'Site', metadata: {name: 'site'}, spec: {}},
    },
    {
      name: 'cluster',
      ready: 'Auto',
      needs: {resource: 'site', field: 'status.networkId'},
      base: managed('Cluster'),
    },
  ],
});

/** The network of the inner XR under this resource name and kind. */
function inner(name: string, kind: string, to?: object) {
  const relays = [{resource: name, field: 'status.atProvider.id', to: 'networkId'}];
  const rules = {handover: [{from: {resources: ['network']}, to}]};
  return composing('Site', {relays, resources: [{name, ready: 'Auto', base: managed(kind)}]}, to && rules);
}

const moves = {
  name: inner('net', 'Network', {resource: 'net'}),
  kind: inner('network', 'Cluster', {kind: 'Cluster'}),
};

const versions = ['main', '2.3', '1.20', '1.19', '1.16'];

interface Story {
  readonly crossplane: string;
  readonly steps: readonly object[];
  readonly seed: number;
}

function ending({crossplane, steps, seed}: Story) {
  const scenario = readWhole({
    name: 'an inner move',
    crossplane,
    fixtures: [...apps, ...sites, outer, inner('network', 'Network')],
    functions: {'function-static': {builtin: 'function-static'}, 'function-tether': {builtin: 'function-tether'}},
    provider: {readyAfter: '1s', deleteAfter: '1s'},
    steps: [{apply: objectsIn('xr.yaml'), wait: '20m'}, ...steps, {name: 'the end', wait: '30m'}],
  } as unknown as JsonObject);
  const variant = {name: 'one', without: [], expect: []};
  const {externals, objects, timeline} = driveHere(
    driveScenario(scenario, {crossplane: profileNamed(crossplane), variant, seed, builtins: registry}),
  );
  const made = objects.filter(({kind}) => kind === 'Site') as unknown as {status: JsonObject}[];
  const refused = timeline.filter(({change}) => change.kind === 'refused');
  return {made: [externals.creates, externals.deletes], ids: made.map(({status}) => status['networkId']), refused};
}

const cases = versions.flatMap((crossplane) =>
  (['name', 'kind'] as const).flatMap((to) => [1, 2].map((seed) => [crossplane, to, seed] as const)),
);

test.each(cases)(
  'on Crossplane %s its move to another %s costs the outer XR nothing, seed %s',
  (crossplane, to, seed) => {
    const {made, ids} = ending({crossplane, steps: [{apply: moves[to]}], seed});
    expect(made).toEqual([2, 0]);
    expect(ids).toEqual([expect.stringMatching(/./)]);
  },
);

// On 1.16 the inner XR shows no condition.
test.each(versions.slice(0, -1))(
  'on Crossplane %s nor does one that begins before the restored provider is back',
  (crossplane) => {
    const kinds = ['Site', 'Network', 'Cluster'];
    const steps = [
      {backup: {tool: 'velero', kinds: ['App', ...kinds]}},
      {stop: 'crossplane'},
      {stop: 'provider'},
      {wipe: {kinds}},
      {restore: {}},
      {start: 'crossplane', wait: '40s'},
      {apply: moves.kind, wait: '1m'},
      {start: 'provider'},
    ];
    expect(ending({crossplane, steps, seed: 1}).made).toEqual([2, 0]);
  },
);

// From 2.0 on Crossplane applies the conditions together with the status of the pipeline, and so owns them, too.
test.each(['main', '2.3'])('on Crossplane %s its status is written while the move waits', (crossplane) => {
  expect(ending({crossplane, steps: [{stop: 'provider'}, {apply: moves.kind}], seed: 1}).refused).toEqual([]);
});
