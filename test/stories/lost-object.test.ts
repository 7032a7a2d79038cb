// An object is lost with its finalizers, and its XR lives on: a template composes others only while that one's status has an id, so
// it leaves them out until the object is made again and Ready. Or an XR no longer lists its objects.

import {expect, test} from 'vitest';
import type {ProfileName} from '../../src/cluster/crossplane/profiles.ts';
import type {Json, JsonObject} from '../../src/cluster/json.ts';
import {driveHere} from '../../src/harness/functions/drive.ts';
import {driveScenario} from '../../src/harness/scenario/drive-scenario.ts';
import {registry} from './registry.ts';
import {readWhole} from './small-move.ts';
import {idioms, objectsIn} from './small-restore.ts';
import {isEveryVersion, versionsInTurn} from './versions.ts';

const versions: readonly ProfileName[] = ['main', '2.3', '1.20', '1.19', '1.16'];

function endOf(
  idiom: (typeof idioms)[number],
  version: ProfileName,
  steps: readonly object[],
  without: readonly string[],
) {
  const scenario = readWhole({
    name: 'a lost object',
    crossplane: version,
    fixtures: [...objectsIn('platform.yaml'), ...objectsIn(`${idiom}.yaml`)],
    functions: {'function-static': {builtin: 'function-static'}, 'function-tether': {builtin: 'function-tether'}},
    provider: {readyAfter: '1s', deleteAfter: '1s'},
    steps: [{apply: objectsIn('xr.yaml'), wait: {quiet: '90s', timeout: '10m'}}, ...steps],
  } as unknown as JsonObject);
  const variant = {name: 'one', without, expect: []};
  const {externals} = driveHere(driveScenario(scenario, {crossplane: version, variant, seed: 1, builtins: registry}));
  return {alive: externals.alive, deletes: externals.deletes};
}

test.each(
  idioms.flatMap((idiom, story) =>
    versionsInTurn(versions, story, isEveryVersion).map((version) => ({idiom, version})),
  ),
)('what the template leaves out meanwhile stays: $idiom on Crossplane $version', ({idiom, version}) => {
  const steps = [{stop: 'provider'}, {wipe: {kinds: ['Network']}, wait: '1h'}, {start: 'provider', wait: '30m'}];
  // The network is made anew, beside the one that lives on in the cloud.
  expect(endOf(idiom, version, steps, [])).toEqual({alive: 4, deletes: 0});
  if (idiom !== 'include') expect(endOf(idiom, version, steps, ['function-tether']).deletes).toBeGreaterThan(0);
});

interface Piped extends JsonObject {
  readonly spec: {readonly pipeline: readonly {readonly functionRef: {readonly name: string}; input?: JsonObject}[]};
}

/** A static function composes the cluster while the network's status has an id. */
function composing(change: (pipeline: Piped['spec']['pipeline']) => void): JsonObject {
  const [composition] = objectsIn('status.yaml') as unknown as readonly [Piped];
  change(composition.spec.pipeline);
  return composition;
}

test.each(versions)('what the template leaves out stays in an XR that is not Ready: Crossplane %s', (version) => {
  const base = {apiVersion: 'cloud.example.org/v1', kind: 'Network', spec: {forProvider: {region: 'never'}}};
  const never = composing(([step]) => {
    const input = step?.input as {resources: Json[]};
    input.resources.push({name: 'never', ready: 'False', base});
  });
  const steps = [
    {apply: [never], wait: '5m'},
    {stop: 'provider'},
    {wipe: {kinds: ['Network']}, wait: '1h'},
    {start: 'provider', wait: '30m'},
  ];
  expect(endOf('status', version, steps, [])).toEqual({alive: 6, deletes: 0});
});

test.each(['main', '2.3', '1.20'] as const)(
  'on %s the XR came back first, and what a lookup finds then stays',
  (version) => {
    const kinds = ['Network', 'Cluster'].map((kind) => ({apiVersion: 'cloud.example.org/v1', kind}));
    const input = {apiVersion: 'tether.fn.crossplane.io/v1beta1', kind: 'Input', restore: {lookup: true, kinds}};
    const finds = composing(([, tether]) => Object.assign(tether as object, {input}));
    const clusters = ['clusters.cloud.example.org'];
    const steps = [
      {apply: [finds], wait: '5m'},
      {backup: {tool: 'velero', kinds: ['App', 'Network', 'Cluster']}},
      {stop: 'provider'},
      {wipe: {kinds: ['App', 'Network', 'Cluster']}, wait: '1m'},
      {restore: {resources: ['apps.example.org']}, wait: '1m'},
      {restore: {resources: clusters, statusOf: clusters}, wait: '10m'},
      {start: 'provider', wait: '1h'},
    ];
    // The network was made anew, so a template leaves the cluster out until that is Ready.
    expect(endOf('status', version, steps, [])).toEqual({alive: 4, deletes: 0});
  },
);

const xr = {apiVersion: 'example.org/v1', kind: 'App', name: 'shop'};
const emptied = {patch: {...xr, body: {spec: {resourceRefs: []}}}, wait: '30m'};
const orphaned = {delete: {...xr, propagationPolicy: 'Orphan'}, wait: '5m'};
const asked = {apply: objectsIn('xr.yaml'), wait: '30m'};

// The names that Crossplane 2 makes up depend on the XR's UID, those of Crossplane 1 on chance.
test.each([
  ...versions.map((version) => ({how: 'the XR loses its references', version, steps: [emptied]})),
  ...(['1.20', '1.16'] as const).map((version) => ({how: 'the XR is made anew', version, steps: [orphaned, asked]})),
])('a template of the input makes nothing twice: $how on Crossplane $version', ({version, steps}) => {
  expect(endOf('include', version, steps, [])).toEqual({alive: 3, deletes: 0});
});
