import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {concealed, isConcealed} from '../../../src/harness/rehearse/concealed.ts';
import {shown} from '../../../src/harness/rehearse/unrest.ts';
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
  expect(isConcealed(carrier, 'spec.forProvider.manifest.data.a')).toBe(true);
  expect(isConcealed(carrier, 'spec.forProvider.manifest.metadata.name')).toBe(false);
  expect(isConcealed({...carrier, spec: {}}, 'spec.adminPassword')).toBe(true);
});

test('a Secret whose content the source does not have is no unrest', () => {
  const {data: _, ...read} = secret;
  expect(shown(secret)).toEqual(shown(read));
});

test('a Secret that a function makes of what an XR says is in no plan, no JSON and no page', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tether-concealed-'));
  try {
    const file = join(folder, 'source.yaml');
    writeFileSync(file, source);
    writeFileSync(join(folder, 'edited.yaml'), (source.split('---')[1] ?? '').replace('aHVudGVyMg==', 'aHVudGVyMg0='));
    const steps = ['--apply', 'edited.yaml', '--delete', 'Shop/first'];
    const args = ['--function', 'make=function-static', ...steps, '--timeline', '--html', 'page.html'];
    const text = tether(['rehearse', file, ...args, '--json', 'plan.json'], folder);
    expect(text.out).toContain('Shop/first');
    const all = [
      text.out,
      text.err,
      ...['page.html', 'plan.json'].map((name) => readFileSync(join(folder, name), 'utf8')),
    ];
    expect(all[3]).toContain('"kind": "Secret"');
    for (const one of all) expect(one).not.toMatch(/hunter2|aHVudGVyMg/);
    expect(all[2]).toContain('(not shown)');
  } finally {
    rmSync(folder, {recursive: true});
  }
}, 60_000);

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
            base: {apiVersion: v1, kind: Secret, stringData: {login: hunter2}, data: {other: aHVudGVyMg==}}
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
`;
