// A story that passes on nothing is no plain "ok": it says what it shows nothing of.

import {expect, test} from 'vitest';
import {verdictText} from '../../../src/harness/report/console.ts';
import {watchForShown} from '../../../src/harness/scenario/hollow.ts';
import {readScenario} from '../../../src/harness/scenario/read-scenario.ts';
import {runScenario} from '../../../src/harness/scenario/run-scenario.ts';
import {emptyFolder} from '../../cli/folder.ts';
import {composition, definition, staticStep} from '../../platform.ts';

const folder = emptyFolder();
const apiVersion = 'platform.example.org/v1';
const table = {apiVersion, kind: 'Table'};
const tables = definition(table, undefined, {scope: 'Cluster'});
const note = {apiVersion: 'v1', kind: 'ConfigMap', metadata: {namespace: 'default'}};
const composing = (...resources: readonly object[]) => composition(table, staticStep(resources));
const xr = {apiVersion, kind: 'Table', metadata: {name: 't'}, spec: {}};
const fixtures = [tables, composing({name: 'note', ready: 'True', base: note})];

async function verdict(scenario: object): Promise<string> {
  const steps = [{apply: xr, wait: '1m'}];
  const functions = {'function-static': {builtin: 'function-static'}};
  const file = folder.write('s.yaml', {name: 's', fixtures, functions, steps, ...scenario});
  const read = readScenario(`${folder.path}/${file}`);
  const [variant] = read.variants;
  if (variant === undefined) throw new Error('a scenario has a variant');
  return verdictText(await runScenario(read, {crossplane: 'main', variant})).replaceAll(/\s+/g, ' ');
}

test('what shows something is ok', async () => {
  expect(await verdict({expect: [{count: {kind: 'ConfigMap'}, is: 1}]})).toMatch(/^ok s on /);
});

test('a composed resource that its XR forgets as its kind changes', async () => {
  const secret = {apiVersion: 'v1', kind: 'Secret', metadata: {name: 'other', namespace: 'default'}};
  const edit = {apply: composing({name: 'note', ready: 'True', base: secret}), wait: '2m'};
  const steps = [{apply: xr, wait: '1m'}, edit];
  expect(await verdict({steps, expect: [{orphans: 0}]})).toMatch(
    /^ok, but s on .* ConfigMap "t-\w+" lives on, and Table "t" lists it no more/,
  );
  expect(await verdict({steps, expect: [{count: {kind: 'ConfigMap'}, is: 1}]})).toMatch(/^ok s on /);
});

test('an XR that never synced, and why', async () => {
  const said = await verdict({fixtures: [tables], functions: {}, expect: [{orphans: 0}]});
  expect(said).toMatch(/^ok, but s on .* Table "t" never synced: cannot select Composition/);
});

test('an XR that syncs only on its way out, and at the end of no step', () => {
  const at = (status: string) => ({
    ...xr,
    status: {conditions: [{type: 'Synced', status, reason: 'R', message: 'rival'}]},
  });
  const shown = (...ends: readonly number[]): readonly string[] => {
    const watch = watchForShown();
    let beforeMs = 0;
    const see = (atMs: number, type: string, object: object) => {
      for (const end of ends) if (beforeMs < end && end <= atMs) watch.stepEnds(end);
      beforeMs = atMs;
      watch.observe({atMs, entry: {kind: 'api', events: [{type, object}]}} as never);
    };
    see(0, 'ADDED', tables);
    see(0, 'ADDED', at('False'));
    see(130_000, 'MODIFIED', at('True'));
    see(140_000, 'DELETED', at('True'));
    see(300_000, 'MODIFIED', tables);
    const scenario = {functions: {}, steps: [], bug: undefined};
    const expected = {what: {kind: 'orphans', range: {}}, place: 's.yaml', crossplane: []};
    const variant = {name: '', without: [], expect: [expected]};
    return watch.hollow({scenario, variant, crossplane: 'main', composed: new Set(['note']), endMs: 300_000} as never);
  };
  expect(shown(120_000, 200_000)).toEqual(['Table "t" was synced at the end of no step: rival']);
  expect(shown(120_000, 135_000, 200_000)).toEqual([]);
});

test('an XR that failed until it was paused', async () => {
  const paused = {...xr, metadata: {...xr.metadata, annotations: {'crossplane.io/paused': 'true'}}};
  const steps = [
    {apply: xr, wait: '2m'},
    {apply: paused, wait: '1m'},
  ];
  const said = await verdict({fixtures: [tables], functions: {}, steps, expect: [{orphans: 0}]});
  expect(said).toMatch(/^ok, but s on .* Table "t" never synced: cannot select Composition/);
  const sleeping = await verdict({
    fixtures: [tables],
    functions: {},
    steps: [{apply: paused, wait: '2m'}],
    expect: [{orphans: 0}],
  });
  expect(sleeping).not.toContain('never synced');
});

test('unless an expectation says that it does not sync', async () => {
  const unsynced = {object: {kind: 'Table', name: 't'}, condition: {type: 'Synced', status: 'False'}};
  expect(await verdict({fixtures: [tables], functions: {}, expect: [unsynced]})).toMatch(/^ok s on /);
});

test('a story in which nothing was composed', async () => {
  const said = await verdict({fixtures: [tables, composing()], expect: [{externals: 'alive', is: 0}]});
  expect(said).toMatch(/^ok, but s on .* nothing was composed/);
});

test('a story without an expectation on this version', async () => {
  expect(await verdict({expect: []})).toMatch(/^ok, but s on .* nothing was expected /);
  const elsewhere = [{orphans: 7, crossplane: ['1.20']}];
  expect(await verdict({expect: elsewhere})).toMatch(/^ok, but s on .* nothing was expected /);
});

test('a managed resource that its own definition pauses', async () => {
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: 'buckets.cloud.example.org'},
    spec: {
      group: 'cloud.example.org',
      scope: 'Cluster',
      names: {kind: 'Bucket', plural: 'buckets', categories: ['managed']},
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: {status: {}},
          schema: {openAPIV3Schema: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}},
        },
      ],
    },
  };
  const bucket = {apiVersion: 'cloud.example.org/v1', kind: 'Bucket', metadata: {name: 'b'}, spec: {forProvider: {}}};
  const said = await verdict({
    fixtures: [crd],
    functions: {},
    steps: [{apply: bucket, wait: '1m'}],
    expect: [{orphans: 0}],
  });
  expect(said).toMatch(/^ok, but s on .* Bucket "b" is paused because it has no managementPolicies/);
});

test('a function that was never called', async () => {
  const functions = {'function-static': {builtin: 'function-static'}, 'function-tether': {builtin: 'passing'}};
  expect(await verdict({functions})).toMatch(/^ok, but s on .* function "function-tether" was never called/);
});

test('an expectation about what was never there', async () => {
  const absent = {object: {kind: 'ConfigMap', name: 'other'}, absent: true};
  expect(await verdict({expect: [absent]})).toMatch(
    /^ok, but s on .*s\.yaml:\d+:\d+: ConfigMap "other" never was there/,
  );
});

test('a deletion in the background ends one in the foreground, as kubectl has it', async () => {
  const held = {...note, metadata: {...note.metadata, name: 'held', finalizers: ['example.org/kept']}};
  const target = {kind: 'ConfigMap', name: 'held', namespace: 'default'};
  const steps = [
    {apply: xr, wait: '1m'},
    {apply: held},
    {delete: {...target, propagationPolicy: 'Foreground'}},
    {delete: target},
  ];
  const finalizers = ['example.org/kept'];
  expect(await verdict({steps, expect: [{object: target, match: {metadata: {finalizers}}}]})).toMatch(/^ok s on /);
});
