// Every report of every command that shows what is observed: none holds what is secret, for a report is pasted into pull
// requests and kept as a build's artifact. A canary stands in each place where a secret may be.

import {describe, expect, test} from 'vitest';
import {composition, definition, tetherStep} from '../platform.ts';
import {emptyFolder} from './folder.ts';
import {type Ran, tether} from './tether.ts';

const folder = emptyFolder();
/** Plain, or encoded. */
const canary = /[Kk]4NARY\d+|SzROQVJZ\w+/g;

const text = {type: 'string'};
const xrSchema = {
  type: 'object',
  properties: {
    spec: {type: 'object', properties: {password: text}},
    status: {type: 'object', properties: {dsn: text, adminPassword: text}},
  },
};
const shopKind = {apiVersion: 'e.org/v1', kind: 'Shop'};
const shops = definition(shopKind, xrSchema, {scope: 'Namespaced'});

const bucketSchema = {
  ...open(),
  properties: {
    spec: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: {
        managementPolicies: {type: 'array', items: text, default: ['*']},
        plain: {type: 'string', format: 'password'},
        token: {type: 'string', enum: ['small']},
      },
    },
    status: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true},
  },
};

const buckets = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: 'buckets.cloud.e.org'},
  spec: {
    group: 'cloud.e.org',
    scope: 'Namespaced',
    names: {
      kind: 'Bucket',
      listKind: 'BucketList',
      plural: 'buckets',
      singular: 'bucket',
      categories: ['crossplane', 'managed'],
    },
    versions: [
      {name: 'v1', served: true, storage: true, subresources: {status: {}}, schema: {openAPIV3Schema: bucketSchema}},
    ],
  },
};

/** `turn` tells the secrets of before an edit from those after it. */
function compositionAt(turn: number) {
  const secret = (place: number) => `K4NARY${turn}${place}`;
  const forProvider = {
    region: `r${turn}`,
    dsn: `postgres://u:${secret(10)}@h/db`,
    cfg: `password: ${secret(11)}`,
    env: [{name: 'X', value: secret(12)}],
    authorization: `Bearer ${secret(13)}`,
    credentials: {a: secret(14)},
    kubeconfig: secret(15),
    userData: secret(16),
    privateKeyPem: secret(17),
    values: `auth:\n  password: ${secret(18)}\n`,
    manifests: `apiVersion: v1\nkind: Secret\ndata: {p: ${secret(19)}}\n`,
    manifest: {apiVersion: 'v1', kind: 'Secret', data: {p: secret(20)}},
    connectionString: `Server=x;Pwd=${secret(21)}`,
    // The value of a Secret, as a template or a provider copies it.
    relayed: 'K4NARY300',
    encoded: btoa('K4NARY300'),
    note: `-----BEGIN PRIVATE KEY-----\n${secret(22)}\n-----END PRIVATE KEY-----`,
  };
  const bucket = {
    apiVersion: 'cloud.e.org/v1',
    kind: 'Bucket',
    spec: {plain: secret(23), forProvider},
  };
  const login = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {annotations: {note: secret(24)}, labels: {note: secret(25)}},
    stringData: {p: secret(26), q: 'K4NARY300'},
  };
  const input = {
    apiVersion: 'static.fn.example.org/v1',
    kind: 'Input',
    message: `made it with password="${secret(27)}" at https://u:${secret(28)}@h`,
    xrStatus: {dsn: `amqp://u:${secret(29)}@h`, adminPassword: secret(30)},
    resources: [
      {name: 'bucket', ready: 'Auto', base: bucket},
      {name: 'login', ready: 'True', base: login},
    ],
  };
  return composition(shopKind, {step: 'make', functionRef: {name: 'make'}, input}, tetherStep());
}

const shop = {
  apiVersion: 'e.org/v1',
  kind: 'Shop',
  metadata: {name: 'first', namespace: 'team', annotations: {note: '{"password":"K4NARY31"}'}},
  spec: {password: 'K4NARY32'},
};
const team = {apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'team'}};
const refused = {
  apiVersion: 'cloud.e.org/v1',
  kind: 'Bucket',
  metadata: {name: 'refused', namespace: 'team'},
  spec: {token: 'K4NARY33'},
};

function open() {
  const any = {type: 'object', 'x-kubernetes-preserve-unknown-fields': true};
  return {type: 'object', properties: {spec: any, status: any}};
}

const scenario = `
name: secrets
crossplane: [main]
fixtures: [team.yaml, kinds.yaml, before.yaml]
functions: {make: {builtin: function-static}, function-tether: {builtin: function-tether}}
steps:
  - name: a shop
    apply: shop.yaml
    wait: {quiet: 30s, timeout: 5m}
    expect:
      - {object: {kind: Bucket, resource: bucket}, match: {spec: {plain: K4NARY34, forProvider: {userData: K4NARY35}}}}
  - name: an edit
    apply: after.yaml
    wait: {quiet: 30s, timeout: 5m}
  - name: what is refused
    apply: refused.yaml
expect:
  - {object: {kind: Bucket, resource: bucket}, match: {spec: {forProvider: {userData: K4NARY36}}}}
  - {golden: {file: objects.golden.yaml, of: objects}}
  - {golden: {file: timeline.golden}}
`;

folder.write('team.yaml', team);
folder.write('kinds.yaml', shops, buckets);
folder.write('before.yaml', compositionAt(1));
folder.write('after.yaml', compositionAt(2));
folder.write('shop.yaml', shop);
folder.write('refused.yaml', refused);
folder.write('scenario.yaml', scenario);
folder.write('source.yaml', team, shops, buckets, compositionAt(1), {
  ...shop,
  metadata: {...shop.metadata, uid: 'u1'},
});

function expectNone({out, err}: Ran, files: readonly string[], shows: string): void {
  const all = [out, err, ...files.map(folder.read)];
  for (const [index, text] of all.entries()) {
    expect([['stdout', 'stderr', ...files][index], ...new Set(text.match(canary))]).toHaveLength(1);
  }
  expect(all.join('')).toContain(shows);
}

describe('no secret is in what', () => {
  test('test says, prints and writes', () => {
    const reports = ['--json', 'r.json', '--junit', 'r.xml', '--markdown', 'r.md', '--html', 'r.html'];
    const ran = tether(['test', 'scenario.yaml', '--keep-going', '--update', '--timeline', ...reports], folder.path);
    expect(ran.code).toBe(3);
    const files = ['r.json', 'r.xml', 'r.md', 'r.html', 'objects.golden.yaml', 'timeline.golden'];
    expectNone(ran, files, '(not shown)');
    // So that none was looked for in vain.
    for (const one of ['what is refused', 'first', 'bucket']) expect(folder.read('r.html')).toContain(one);
    expect(folder.read('objects.golden.yaml')).toContain('userData: (not shown)');
    expect(ran.out).toContain('refused');
  });

  test('test says of a twin', () => {
    expectNone(tether(['test', 'scenario.yaml', '--twin', 'function-tether'], folder.path), [], 'never worse');
  });

  test('rehearse prints and writes', () => {
    const args = ['rehearse', 'source.yaml', '--function', 'make=function-static', '--apply', 'after.yaml'];
    const ran = tether([...args, '--timeline', '--json', 'p.json', '--html', 'p.html'], folder.path);
    expectNone(ran, ['p.json', 'p.html'], '(not shown)');
    expect(folder.read('p.json')).toContain('"region": "r2"');
    const lived = ['rehearse', 'source.yaml', '--function', 'make=function-static', '--restore', 'velero'];
    expectNone(tether([...lived, '--plan', 'p.md'], folder.path), ['p.md'], 'estore');
  });

  test('explore prints and writes', () => {
    const args = ['explore', 'scenario.yaml', '--budget', 'crash=1', '--states', '60', '--json', 'e.json'];
    expectNone(tether(args, folder.path), ['e.json'], 'crossplane');
    expectNone(tether(['replay', 'scenario.yaml', '--path', '2/0x76'], folder.path), [], 'bucket');
  });

  test('audit prints and writes', () => {
    const lost = {
      ...refused,
      metadata: {
        ...refused.metadata,
        name: 'lost',
        labels: {'crossplane.io/composite': 'first'},
        annotations: {'crossplane.io/composition-resource-name': 'x'},
      },
    };
    const finalizers = ['composite.apiextensions.crossplane.io'];
    const composed = {...shop, metadata: {...shop.metadata, uid: 'u1', finalizers}};
    folder.write('cluster.yaml', team, shops, buckets, compositionAt(1), composed, lost);
    const reports = ['--json', 'a.json', '--junit', 'a.xml', '--markdown', 'a.md', '--sarif', 'a.sarif'];
    expectNone(
      tether(['audit', 'cluster.yaml', ...reports], folder.path),
      ['a.json', 'a.xml', 'a.md', 'a.sarif'],
      'lost',
    );
  });

  test.each(['text', 'json'])('explain prints as %s', (output) => {
    expectNone(tether(['explain', 'scenario.yaml', '--output', output], folder.path), [], 'bucket');
  });
});
