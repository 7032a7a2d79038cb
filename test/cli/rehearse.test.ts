import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
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

test('an edit of an XRD that its CustomResourceDefinition cannot follow is found, unless a later edit mends it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tether-xrd-'));
  const edited = (name: string, type: string): string => {
    const properties = {spec: {type: 'object', properties: {a: {type}}}};
    const schema = {openAPIV3Schema: {type: 'object', properties}};
    const xrd = {
      apiVersion: 'apiextensions.crossplane.io/v2',
      kind: 'CompositeResourceDefinition',
      metadata: {name: 'xas.example.org'},
      spec: {
        scope: 'Cluster',
        group: 'example.org',
        names: {kind: 'XA', plural: 'xas'},
        versions: [{name: 'v1', served: true, referenceable: true, schema}],
      },
    };
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify(xrd));
    return file;
  };
  const [source, wrong, right] = [edited('a.json', 'string'), edited('b.json', 'strin'), edited('c.json', 'boolean')];
  const refused = tether(['rehearse', source, '--apply', wrong]);
  expect(refused.out).toContain('not-ready: CompositeResourceDefinition/xas.example.org does not take effect');
  expect(refused.code).toBe(3);
  expect(tether(['rehearse', source, '--apply', wrong, '--apply', right]).code).toBe(0);
  rmSync(folder, {recursive: true});
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
