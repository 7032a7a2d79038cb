import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {afterAll, describe, expect, test} from 'vitest';
import {composition, definition, staticStep} from '../platform.ts';
import {tether} from './tether.ts';

const restored = (...steps: string[]) =>
  tether(
    ['rehearse', 'backup.tar.gz', ...steps, '--restore', 'velero', '--stopped', 'crossplane'],
    'examples/rehearse',
  );

test('a rehearsal ends the same whether a function is added before the Composition is applied or after it', () => {
  const apply = ['--apply', 'composition-without-replica.yaml'];
  const [before, after] = [
    restored('--with', 'function-tether', ...apply),
    restored(...apply, '--with', 'function-tether'),
  ];
  expect(before.out).toMatch(/! adopted, deleted: replica \(Instance\)/);
  expect([before.out, before.code]).toEqual([after.out, after.code]);
});

const xa = {apiVersion: 'example.org/v1', kind: 'XA'};

const xrdOf = (type: string) =>
  definition(
    xa,
    {type: 'object', properties: {spec: {type: 'object', properties: {a: {type}, b: {type: 'string'}}}}},
    {scope: 'Cluster'},
  );

describe('an edit of an XRD', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tether-xrd-'));
  afterAll(() => rmSync(folder, {recursive: true}));
  const written = (name: string, ...objects: readonly object[]): string => {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify({apiVersion: 'v1', kind: 'List', items: objects}));
    return file;
  };

  test('that its CustomResourceDefinition cannot follow is found, unless a later edit mends it', () => {
    const [source, wrong, right] = ['string', 'strin', 'boolean'].map((type) => written(`${type}.json`, xrdOf(type)));
    const refused = tether(['rehearse', source as string, '--apply', wrong as string]);
    expect(refused.out).toContain('not-ready: CustomResourceDefinition/xas.example.org does not take effect');
    expect(refused.code).toBe(3);
    expect(tether(['rehearse', source as string, '--apply', wrong as string, '--apply', right as string]).code).toBe(0);
  });

  test('that leaves a version without a schema is found', () => {
    const without = {...xrdOf('string').spec, versions: [{name: 'v1', served: true, referenceable: true}]};
    const [source, edit] = [
      written('whole.json', xrdOf('string')),
      written('less.json', {...xrdOf('string'), spec: without}),
    ];
    const {out, code} = tether(['rehearse', source, '--apply', edit]);
    expect(out.replaceAll(/\s+/g, ' ')).toContain('custom resource validation cannot be nil');
    expect(code).toBe(3);
  });

  test.each(['True', 'False'])(
    'that gives a field of a living XR another type is found, as its reconciles fail since; with Ready %s before',
    (ready) => {
      const base = {apiVersion: 'v1', kind: 'ConfigMap', metadata: {namespace: 'default'}};
      const resources = [{name: 'settings', base, ready}];
      const composed = composition(xa, staticStep(resources));
      const xr = {...xa, metadata: {name: 'one'}, spec: {a: 'text'}};
      const source = written('source.json', xrdOf('string'), composed, xr);
      const found = (type: string) => tether(['rehearse', source, '--apply', written('edit.json', xrdOf(type))]);
      expect(found('string').code).toBe(0);
      const {out, code} = found('integer');
      expect(out.replaceAll(/\s+/g, ' ')).toContain('.spec.a: expected numeric (int or float), got string');
      expect([out.match(/not-ready: XA\/one/)?.[0], code]).toEqual(['not-ready: XA/one', 3]);
    },
  );
});

test('a function that is both added and left out is refused', () => {
  expect(restored('--without', 'function-tether', '--with', 'function-tether')).toMatchObject({
    code: 2,
    err: '--with function-tether and --without function-tether contradict each other: give one\n',
  });
});

test('the faults around a step are searched alike with a function in this process and one that is called', () => {
  const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
  const explored = (...more: readonly string[]) => {
    const steps = ['--with', 'function-tether', '--apply', 'composition-without-replica.yaml', ...more];
    const {code, out, err} = tether(
      ['rehearse', 'backup.tar.gz', ...steps, '--explore', '--budget', 'function-error=1', '--json', '-'],
      'examples/rehearse',
    );
    expect({code, err}).toEqual({code: 3, err: ''});
    const {faultless, searches} = JSON.parse(out).faults;
    return {
      faultless,
      searches: searches.map(({units, ends, ended, found}: Record<string, unknown>) => ({units, ends, ended, found})),
    };
  };
  const here = explored();
  expect(here).toMatchObject({faultless: [], searches: [{units: {'function-error': 1}, ended: true, found: []}]});
  expect(explored('--function', `function-tether=node ${main} serve`)).toEqual(here);
});

test('a comparison that comes after the restore is refused, for it would be none', () => {
  const steps = ['rehearse', 'backup.tar.gz', '--restore', 'velero', '--with', 'function-tether'];
  expect(tether(steps, 'examples/rehearse')).toMatchObject({
    code: 2,
    err: '--with function-tether stands after --restore, so the restore would run without that function: give it before --restore\n',
  });
});
