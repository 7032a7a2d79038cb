import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {concealed} from '../../../src/harness/rehearse/concealed.ts';
import {shown, unrestBetween} from '../../../src/harness/rehearse/unrest.ts';
import {tether} from '../../cli/tether.ts';

const secret = {apiVersion: 'v1', kind: 'Secret', metadata: {name: 's'}, data: {a: 'aHVudGVyMg=='}};
const carrier = {
  apiVersion: 'kubernetes.crossplane.io/v1alpha2',
  kind: 'Object',
  metadata: {
    name: 'o',
    annotations: {
      'kubectl.kubernetes.io/last-applied-configuration': '{"manifest":{"kind":"Secret","data":"hunter2"}}',
    },
  },
  spec: {
    forProvider: {manifest: {...secret, stringData: 'hunter2'}, password: 'hunter2'},
    writeConnectionSecretToRef: {name: 'conn'},
    passwordSecretRef: {name: 'pw', key: 'password'},
  },
};

test('no content of a Secret is printed, whatever carries it, and what refers to one is', () => {
  const text = JSON.stringify(concealed(carrier));
  expect(text).not.toMatch(/hunter2|aHVudGVyMg/);
  expect(text).toContain('"writeConnectionSecretToRef":{"name":"conn"}');
  expect(text).toContain('"passwordSecretRef":{"name":"pw","key":"password"}');
  expect(
    JSON.stringify(concealed({...carrier, spec: {token: ['hunter2'], env: [{name: 'DB_PASSWORD', value: 'hunter2'}]}})),
  ).not.toMatch(/hunter2/);
});

test('labels and annotations of a Secret are not printed, but for those of Crossplane', () => {
  const [name, labels, annotations] = ['s', {team: 'hunter2', 'crossplane.io/composite': 'x'}, {note: 'hunter2'}];
  const printed = concealed({list: [{...secret, metadata: {name, labels, annotations}}]});
  expect(printed).toMatchObject({
    list: [
      {
        metadata: {
          name,
          labels: {team: '(not shown)', 'crossplane.io/composite': 'x'},
          annotations: {note: '(not shown)'},
        },
      },
    ],
  });
});

test('what is hidden and changes by itself is said without what it was or is', () => {
  const changed = (note: string, size: string) => ({...carrier, spec: {adminPassword: note, size}});
  const hidden = unrestBetween([changed('hunter1', 'small')], [changed('hunter2', 'small')]);
  expect(hidden).toMatchObject([{field: 'spec.adminPassword', was: undefined, is: undefined}]);
  const both = unrestBetween([changed('hunter1', 'small')], [changed('hunter2', 'large')]);
  expect(both).toMatchObject([{field: 'spec.size', was: 'small', is: 'large'}]);
});

test('a Secret whose content the source does not have is no unrest', () => {
  const {data: _, ...read} = secret;
  expect(shown(secret)).toEqual(shown(read));
});

test('a Secret that is there or that a function makes of what an XR says is in nothing that is printed or written', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tether-concealed-'));
  try {
    const file = join(folder, 'source.yaml');
    writeFileSync(file, source);
    const lively = join(folder, 'lived.yaml');
    writeFileSync(lively, source.replace('{name: first, ', '{name: first, uid: u1, '));
    writeFileSync(join(folder, 'edited.yaml'), (source.split('---')[1] ?? '').replace('aHVudGVyMg==', 'aHVudGVyMg0='));
    const steps = ['--apply', 'edited.yaml', '--delete', 'Secret/given', '--delete', 'Shop/first'];
    const args = ['--function', 'make=function-static', ...steps, '--timeline', '--html', 'page.html'];
    const text = tether(['rehearse', file, ...args, '--json', 'plan.json'], folder);
    expect(text.out).toContain('Shop/first');
    const make = ['rehearse', file, '--function', 'make=function-static'];
    const explored = tether([...make, ...steps, '--explore', '--budget', 'crash=1'], folder);
    expect(explored.out).toContain('Faults around the steps');
    const lived = ['rehearse', lively, '--function', 'make=function-static'];
    const restored = tether([...lived, '--restore', 'velero', '--plan', 'plan.md'], folder);
    expect(restored.out).toMatch(/estore plan/);
    const all = [
      text.out,
      text.err,
      ...['page.html', 'plan.json', 'plan.md'].map((name) => readFileSync(join(folder, name), 'utf8')),
      explored.out,
      explored.err,
      restored.out,
      restored.err,
    ];
    expect(all[3]).toContain('"kind": "Secret"');
    for (const one of all) expect(one).not.toMatch(/hunter2|aHVudGVyMg/);
    expect(all[2]).toContain('(not shown)');
    const printed = tether([...make, ...steps, '--json', '-'], folder);
    expect(printed.out + printed.err).not.toMatch(/hunter2|aHVudGVyMg/);
  } finally {
    rmSync(folder, {recursive: true});
  }
}, 120_000);

const source = `
apiVersion: apiextensions.crossplane.io/v2
kind: CompositeResourceDefinition
metadata: {name: shops.e.org}
spec:
  group: e.org
  scope: Namespaced
  names: {kind: Shop, plural: shops}
  versions:
    - name: v1
      served: true
      referenceable: true
      schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: string}}}}}}
---
apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata: {name: shops}
spec:
  compositeTypeRef: {apiVersion: e.org/v1, kind: Shop}
  mode: Pipeline
  pipeline:
    - step: make
      functionRef: {name: make}
      input:
        apiVersion: static.fn.example.org/v1
        kind: Input
        resources:
          - name: login
            base:
              apiVersion: v1
              kind: Secret
              metadata: {labels: {note: hunter2}, annotations: {note: hunter2, vault.e.org/copy: '{"login":"hunter2"}'}}
              stringData: {login: hunter2}
              data: {other: aHVudGVyMg==}
          - name: carrier
            base:
              apiVersion: k.e.org/v1
              kind: Object
              spec: {forProvider: {manifest: {apiVersion: v1, kind: Secret, data: {other: aHVudGVyMg==}}}}
---
apiVersion: k.e.org/v1
kind: Object
metadata: {name: another, namespace: team}
spec: {forProvider: {manifest: {}}}
---
apiVersion: e.org/v1
kind: Shop
metadata: {name: first, namespace: team}
spec: {size: small}
---
apiVersion: v1
kind: Secret
metadata:
  name: given
  namespace: team
  labels: {note: hunter2}
  annotations: {note: hunter2, kubectl.kubernetes.io/last-applied-configuration: '{"data":{"a":"aHVudGVyMg=="}}'}
data: {a: aHVudGVyMg==}
`;
