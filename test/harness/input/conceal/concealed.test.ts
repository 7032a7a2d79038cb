import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {JsonObject} from '../../../../src/cluster/json.ts';
import {concealed, concealerOf} from '../../../../src/harness/input/conceal/concealed.ts';
import {concealedSentence} from '../../../../src/harness/input/conceal/concealed-text.ts';
import {comparableFields, unrestBetween} from '../../../../src/harness/rehearse/unrest.ts';
import {firstDifference} from '../../../../src/harness/scenario/check.ts';
import {tether} from '../../../cli/tether.ts';

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

const canary = 'k4nary-X9';

test.each([
  ['a password', {spec: {masterUserPassword: canary}}],
  ['a number', {spec: {pin: 4711000}}],
  ['a header', {spec: {headers: {Authorization: `Bearer ${canary}`}}}],
  ['a key in PEM', {spec: {privateKeyPem: canary, tls: {'tls.key': canary}}}],
  ['a short name', {spec: {pwd: canary, creds: canary, dsn: canary, kubeConfigRaw: canary, userDataBase64: canary}}],
  ['what lies under a secret name', {spec: {credentials: {a: canary, deep: {b: [canary]}}}}],
  ['credentials whose key is called key', {spec: {credentials: {key: canary}}}],
  ['a webhook', {spec: {slackWebhookUrl: canary, url: `https://hooks.slack.com/services/T0/B0/${canary}`}}],
  ['an address with a password', {spec: {endpoint: `postgres://u:${canary}/x@h:5432/db?sslmode=off`}}],
  ['an address with a token', {spec: {remote: `https://${canary}@git.example.org/a/b`}}],
  ['a connection string', {spec: {text: `Server=h;Pwd=${canary};Database=d`}}],
  ['a query', {spec: {url: `https://h/x?token=${canary}&a=b`}}],
  ['a flag', {spec: {args: ['--user=x', `--password=${canary}`]}}],
  ['a flag before its value', {spec: {args: ['--user', 'x', '--token', canary, '--verbose']}}],
  [
    'a key in any text',
    {spec: {text: `a\n-----BEGIN RSA PRIVATE KEY-----\n${canary}\n-----END RSA PRIVATE KEY-----\n`}},
  ],
  ['a JSON Web Token', {spec: {text: `eyJhbGciOi.eyJzdWIi.${canary}`}}],
  ['what a process is started with', {spec: {env: [{name: 'X', value: canary}]}}],
  ['the same as a map', {spec: {environment: [{variables: {X: canary}}]}}],
  ['a named value', {spec: {set: [{name: 'db.password', value: canary}]}}],
  ['a keyed value', {spec: {vars: [{key: 'db_password', value: canary}]}}],
  ['a value named by another field', {spec: {o: [{optionName: 'DB_PASSWORD', value: canary}]}}],
  ['the value of a parameter', {spec: {p: [{ParameterKey: 'DbPassword', ParameterValue: canary}]}}],
  ['the content of a file', {spec: {writeFiles: [{path: '/etc/app/token', content: canary}]}}],
  ['values that are set apart', {spec: {setSensitive: [{name: 'x', value: canary}]}}],
  ['what is no text', {binaryData: {'store.jks': btoa(canary)}}],
  ['a signed address', {spec: {blob: `https://h/c?sv=2020&sig=${canary}`}}],
  ['a user with a password', {spec: {args: [`--user=admin:${canary}`], run: `curl -u a:${canary} https://h`}}],
  ['an argument of mysql', {spec: {command: ['sh', '-c', `mysql -uroot -p${canary} -e x`]}}],
  ['what is before a colon', {spec: {run: `mysql -p${canary} && curl -H "Authorization: Bearer x"`}}],
  ['an argument of its own', {spec: {args: ['-u', 'root', `-p${canary}1`]}}],
  ['a variable of one word', {spec: {run: `PGPASSWORD=${canary} psql`}}],
  ['a variable of Rails', {spec: {environmentFile: `SECRET_KEY_BASE=${canary}`}}],
  ['an argument of redis-cli', {spec: {run: `redis-cli -h db -a ${canary}`}}],
  ['an argument of sshpass', {spec: {run: `sshpass -p ${canary} ssh h`}}],
  ['an argument of ldapsearch', {spec: {run: `ldapsearch -x -w ${canary}`}}],
  ['an argument of openssl', {spec: {run: `openssl enc -aes-256-cbc -k ${canary}`}}],
  ['an argument of PowerShell', {spec: {run: `ConvertTo-SecureString ${canary} -AsPlainText`}}],
  ['the JSON of a service account', {spec: {serviceAccountJson: canary}}],
  ['a password in German', {spec: {passwort: canary}}],
  ['a value that is sensitive', {spec: {vars: [{key: 'x', sensitive: true, value: canary}]}}],
  ['the key beside a certificate', {spec: {tls: {crt: 'x', key: canary}}}],
  ['a name in two words', {spec: {passPhrase: canary}}],
  ['a short name with a word before', {spec: {rootPw: canary}}],
  ['a key to a network', {spec: {vpnKey: canary}}],
  ['what a wallet or a generator starts from', {spec: {seed: canary}}],
  ['a hash of a password', {spec: {passwordHash: canary, line: `root:$6$salt$${canary}0123456789abcdef:1`}}],
  ['an element', {spec: {text: `<a><password>${canary}</password></a>`}}],
  ['a statement', {spec: {query: `ALTER USER x PASSWORD '${canary}'`}}],
  ['Helm values', {spec: {values: `auth:\n  password: ${canary}\nreplicas: 2\n`}}],
  ['JSON in a text', {spec: {values: JSON.stringify({auth: {password: canary}, replicas: 2})}}],
  ['a manifest in a text', {spec: {manifest: `apiVersion: v1\nkind: Secret\ndata: {p: ${canary}}\n`}}],
  ['a manifest in a template', {spec: {t: `{{ if x }}\nkind: Secret\ndata:\n  p: ${canary}\n{{ end }}`}}],
  ['a template', {spec: {t: `{{ if x }}\npassword: |\n  ${canary}\n  ${canary}\n{{ end }}`}}],
  ['a named value in a template', {spec: {t: `{{ x }}\n- name: DB_PASSWORD\n  value: ${canary}\n`}}],
  ['an environment file', {spec: {file: `A=b\nexport DB_PASSWORD=${canary} ${canary}\n`}}],
  ['encoded text', {spec: {text: btoa(`#cloud-config\npassword: ${canary}\n`)}}],
  ['a netrc', {spec: {config: `machine h login me password ${canary}1`}}],
  ['settings without a sign', {spec: {file: `port 1\nrequirepass ${canary}\nstats auth admin:${canary}`}}],
  ['an argument of a server', {spec: {args: ['--requirepass', canary, '--masterauth', canary]}}],
  ['a key in small letters', {spec: {x: `-----BEGIN OpenVPN Static key V1-----\n${canary}\n-----END x-----`}}],
  ['a login', {spec: {run: `docker login -u me -p ${canary} h; echo ${canary} | helm login --password-stdin`}}],
  ['an attribute of a key', {spec: {web: `<add key="Password" value="${canary}"/>`}}],
  ['a default of Terraform', {spec: {module: `variable "db_password" {\n  default = "${canary}"\n}`}}],
  ['an address of Oracle', {spec: {url: `jdbc:oracle:thin:scott/${canary}@h:1521:db`}}],
  ['an address of a bot', {spec: {url: `https://api.telegram.org/bot123456:${canary}/x`}}],
  ['a packed copy', {metadata: {annotations: {'objectset.rio.cattle.io/applied': `H4sIAAAAAAAA${canary}`}}}],
  ['keys of an application', {spec: {appKey: canary, presharedKey: canary, unsealKeys: [canary], primaryKey: canary}}],
  ['data of Grafana', {spec: {secureJsonData: {httpHeaderValue1: canary}, containerEnv: [{name: 'x', value: canary}]}}],
  ['a secure parameter', {spec: {forProvider: {type: 'SecureString', value: canary}}}],
  [
    'a secret of a provider',
    {apiVersion: 'a/v1', kind: 'ActionsSecret', spec: {forProvider: {plaintextValue: canary}}},
  ],
  ['a secret of Vault', {apiVersion: 'a/v1', kind: 'SecretV2', spec: {forProvider: {dataJsonWo: canary}}}],
  ['a key of gossip', {spec: {encrypt: canary}}],
  ['a code of a person', {spec: {verificationCode: canary, sessionId: canary, personalPat: canary}}],
  ['a password of before', {spec: {passwordOld: canary, tokenV2: canary, initialPassword: canary}}],
  ['a signed upload', {spec: {presignedUrl: canary}}],
  ['an annotation', {metadata: {annotations: {x: `{"password":"${canary}"}`}}}],
])('%s is not shown', (_what, object: JsonObject) => {
  const text = JSON.stringify(concealed(object));
  expect(text).toContain('(not shown)');
  expect(text).not.toMatch(/k4nary|4711000|azRuYXJ5/);
});

test.each([
  {spec: {passwordSecretRef: {name: 'pw', namespace: 'n', key: 'password'}, secretName: 's', tokenTTL: '1h'}},
  {spec: {credentials: {source: 'Secret', secretRef: {name: 'pw', namespace: 'n', key: 'password'}}}},
  {spec: {imagePullSecrets: [{name: 'pull'}], publicKey: 'ssh-rsa AAAA', automountServiceAccountToken: false}},
  {spec: {image: 'xpkg.example.org/a/b@sha256:0123', url: 'https://h/x?a=b#c', arn: 'arn:aws:iam::1:role/x'}},
  {spec: {text: 'a: b\nc: d', ca: '-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----'}},
  {spec: {environment: 'prod', env: [{name: 'X', valueFrom: {secretKeyRef: {name: 's', key: 'x'}}}]}},
  {spec: {partitionKey: 'id', objectKey: 'a/b', text: 'The password is in Secret x, see key 2.', kmsKeyId: 'x1'}},
  {apiVersion: 'e/v1', kind: 'ExternalSecret', spec: {data: [{remoteRef: {key: 'b'}}]}},
  {status: {conditions: [{type: 'Ready', status: 'False', message: 'waits for Secret/db-password: it is not there'}]}},
])('what is no secret is shown: %o', (object: JsonObject) => {
  expect(concealed(object)).toEqual(object);
});

test('the value of a Secret is shown nowhere, encoded or not, and what goes with it is', () => {
  const data = {value: btoa(canary), endpoint: btoa('db.example.org'), short: btoa('large')};
  const made = {apiVersion: 'v1', kind: 'Secret', metadata: {name: 's'}, data};
  const text = `${canary} of db.example.org`;
  const reader = {apiVersion: 'e/v1', kind: 'T', metadata: {name: 't'}, spec: {text, raw: data.value, size: 'large'}};
  const shown = {text: '(not shown) of db.example.org', raw: '(not shown)', size: 'large'};
  expect(concealerOf([made]).object(reader)).toEqual({...reader, spec: shown});
});

test('around a secret the rest stays readable', () => {
  expect(concealed({values: `auth:\n  password: ${canary}\nreplicas: 2\n`})).toEqual({
    values: 'auth:\n  password: (not shown)\nreplicas: 2\n',
  });
  expect(concealed({url: `postgres://u:${canary}@h/db`})).toEqual({url: 'postgres://(not shown)@h/db'});
});

test('a schema that says so makes any name secret, in a manifest, too', () => {
  const openAPIV3Schema = {properties: {spec: {properties: {plain: {type: 'string', format: 'password'}}}}};
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: 'things.e.org'},
    spec: {group: 'e.org', names: {kind: 'Thing'}, versions: [{name: 'v1', schema: {openAPIV3Schema}}]},
  };
  const thing = {apiVersion: 'e.org/v1', kind: 'Thing', metadata: {name: 't'}, spec: {plain: canary, size: 'small'}};
  const carrying = {apiVersion: 'k.e.org/v1', kind: 'Object', metadata: {name: 'o'}, spec: {manifest: thing}};
  const {object} = concealerOf([definition]);
  for (const one of [thing, carrying]) {
    expect(JSON.stringify(object(one))).toContain('"plain":"(not shown)","size":"small"');
    expect(JSON.stringify(concealerOf([]).object(one))).toContain(canary);
  }
});

test.each([
  [`Thing "t" is invalid: spec.password: Invalid value: "${canary}": spec.password in body should be longer`],
  [`expected self.spec.password == "${canary}" && self.spec.token != '${canary}', got false`],
  [`create failed: password "${canary}" is too short`],
  [`cannot connect to postgres://u:${canary}@h/db`],
  [`login failed: password="${canary}", user="u"`],
  [`got ${'Authorization'}: Bearer ${canary}`],
  [`create failed: invalid token ${canary}`],
  [`create failed: wrong API key: ${canary}, see the console`],
  [`401: expired credentials CANARY${canary}`],
  [`the token is ${canary}`],
])('a sentence of somebody else: %s', (text) => {
  expect(concealedSentence(text)).not.toContain(canary);
});

test.each([
  'holding db-password: its owner is not known',
  'Secret/db-credentials: ReconcileError: cannot get object',
  'password of Database/db: waits for network',
  'invalid token at position 12345678: expected a comma',
  'unknown key in map, invalid secret name',
])('a sentence without a secret: %s', (text) => expect(concealedSentence(text)).toBe(text));

test('a sentence about a field names no value that is secret', () => {
  const wanted = {spec: {password: 'other', size: 'large'}};
  expect(firstDifference('', wanted, {spec: {password: canary}})).toBe(
    'spec.password expected "(not shown)", got "(not shown)"',
  );
  expect(firstDifference('', {spec: {size: 'large'}}, {spec: {size: 'small'}})).toBe(
    'spec.size expected "large", got "small"',
  );
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
  expect(comparableFields(secret)).toEqual(comparableFields(read));
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
});

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
