// Compositions of Crossplane 1.x without `mode: Pipeline` compose natively, which is not modelled: every command that would
// reconcile an XR of one refuses it, in one sentence. It would delete what the XR has, and find nothing lost.

import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openWorld} from '../../src/harness/library/harness.ts';
import {emptyFolder} from './folder.ts';
import {tether} from './tether.ts';

const folder = emptyFolder();
const apiVersion = 'platform.example.org/v1';
const type = {apiVersion, kind: 'XTable'};
const named = (name: string) => ({metadata: {name}});
const schema = {openAPIV3Schema: {type: 'object', properties: {spec: {type: 'object'}}}};
const definition = {
  apiVersion: 'apiextensions.crossplane.io/v1',
  kind: 'CompositeResourceDefinition',
  ...named('xtables.platform.example.org'),
  spec: {
    group: 'platform.example.org',
    names: {kind: 'XTable', plural: 'xtables'},
    versions: [{name: 'v1', served: true, referenceable: true, schema}],
  },
};
const base = {apiVersion: 'v1', kind: 'ConfigMap', metadata: {namespace: 'default'}};
const native = {
  apiVersion: 'apiextensions.crossplane.io/v1',
  kind: 'Composition',
  ...named('tables'),
  spec: {compositeTypeRef: type, resources: [{name: 'table', base}]},
};
const piped = {
  ...native,
  ...named('piped-tables'),
  spec: {
    compositeTypeRef: type,
    mode: 'Pipeline',
    pipeline: [{step: 'tether', functionRef: {name: 'function-tether'}}],
  },
};
const xr = {...type, ...named('t'), spec: {}};
const uid = (object: object, uid: string) => ({
  ...object,
  metadata: {...(object as typeof xr).metadata, uid},
});
const scenario = (fixtures: readonly object[], steps: readonly object[], crossplane = '1.20') => ({
  name: 'native',
  crossplane,
  fixtures,
  functions: {'function-tether': {builtin: 'function-tether'}},
  steps,
});

const refused =
  /^XTable "t" is composed by Composition "tables", which has no `mode: Pipeline`: native .* not modelled .*convert.*\n$/;

test.each(['test', 'explore'])('tether %s refuses an XR that is composed natively', (command) => {
  const file = folder.write(`${command}.yaml`, scenario([definition, native], [{apply: xr, wait: '1m'}]));
  expect(tether([command, file], folder.path)).toMatchObject({code: 2, err: expect.stringMatching(refused)});
});

test('a world of the library does, too', async () => {
  const world = await openWorld({crossplane: '1.16', functions: {}, fixtures: [definition, native]});
  await world.apply(xr);
  await expect(world.settle()).rejects.toThrow('which has no `mode: Pipeline`: native patch-and-transform');
});

test('a Composition that composes natively and that no XR has is in the way of nothing', () => {
  const own = {...xr, spec: {compositionRef: {name: 'piped-tables'}}};
  const synced = {for: {object: {kind: 'XTable', name: 't'}, condition: {type: 'Synced'}}, timeout: '1m'};
  const file = folder.write('unused.yaml', scenario([definition, native, piped], [{apply: own, wait: synced}]));
  expect(tether(['test', file], folder.path)).toMatchObject({code: 0});
});

test('a rehearsal refuses it before anything is found not to be lost, and names an upgrade first', () => {
  const source = folder.write('source.yaml', uid(definition, 'd'), uid(native, 'c'), uid(xr, 'x'));
  const rehearsed = (...args: readonly string[]) =>
    tether(['rehearse', source, '--crossplane', '1.20', ...args], folder.path);
  expect(rehearsed()).toMatchObject({code: 2, out: '', err: expect.stringMatching(refused)});
  expect(rehearsed('--restore', 'velero')).toMatchObject({code: 2, out: ''});
  const upgraded = rehearsed('--upgrade-crossplane', 'main');
  expect(upgraded).toMatchObject({code: 2, out: ''});
  expect(upgraded.err).toMatch(
    /^cannot upgrade to Crossplane main: Composition "tables" has no `mode: Pipeline`: native/,
  );
});

test('nor is one rehearsed on Crossplane 2, where it was stored before', () => {
  const source = folder.write('stored.yaml', uid(definition, 'd'), uid(native, 'c'), uid(xr, 'x'));
  const rehearsed = tether(['rehearse', source, '--crossplane', 'main', '--restore', 'velero'], folder.path);
  expect(rehearsed).toMatchObject({code: 2, out: '', err: expect.stringMatching(refused)});
});

test('an audit says which Composition no other command takes', () => {
  const source = folder.write('audited.yaml', uid(definition, 'd'), uid(native, 'c'), uid(piped, 'p'));
  const {out} = tether(['audit', source], folder.path);
  expect(out.replaceAll(/\s+/g, ' ')).toContain(
    'not judged: 1 Composition without `mode: Pipeline` (first "tables"): native',
  );
});

test('an upgrade in a story stops at Compositions that Crossplane 2 does not know any more', () => {
  const file = folder.write('upgrade.yaml', scenario([definition, native], [{upgrade: {crossplane: 'main'}}]));
  const {code, out} = tether(['test', file], folder.path);
  expect(code).toBe(3);
  expect(out.replaceAll(/\s+/g, ' ')).toContain(
    'cannot upgrade to Crossplane main: Composition "tables" has no `mode: Pipeline`',
  );
});

test('Crossplane 2 refuses the Composition itself, and the tool adds what to do', async () => {
  const opened = openWorld({
    crossplane: 'main',
    functions: {},
    fixtures: [definition, join(folder.path, folder.write('native.yaml', native))],
  });
  await expect(opened).rejects.toThrow(/cannot apply fixture Composition "tables": .*crossplane composition convert/);
});
