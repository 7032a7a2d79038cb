import {type ChildProcess, spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {parseAllDocuments} from 'yaml';
import {classNames} from '../../src/harness/audit/class-words.ts';
import {tether} from './tether.ts';

// `tether audit cluster --every`, as a Deployment runs it: a real process, a kubectl that answers from a file.

const root = new URL('../../', import.meta.url).pathname;
let folder = '';
let child: ChildProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tether-again-'));
  writeFileSync(join(folder, 'kubectl'), kubectl);
  chmodSync(join(folder, 'kubectl'), 0o755);
});
afterEach(async () => {
  if (child !== undefined && child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  child = undefined;
  rmSync(folder, {recursive: true, force: true});
});

const kubectl = `#!${process.execPath}
const {readFileSync, writeFileSync} = require('node:fs');
const lists = JSON.parse(readFileSync(__dirname + '/lists.json', 'utf8'));
if (process.argv[2] === 'apply') {
  const {items} = JSON.parse(readFileSync(0, 'utf8'));
  const there = Object.groupBy(items, ({kind}) => kind);
  for (const [kind, plural] of [['PolicyReport', 'policyreports'], ['ClusterPolicyReport', 'clusterpolicyreports']])
    lists['/apis/wgpolicyk8s.io/v1alpha2/' + plural] = {items: there[kind] ?? []};
  writeFileSync(__dirname + '/lists.json', JSON.stringify(lists));
  process.exit(0);
}
const [path] = process.argv.at(-1).split('?');
if (lists.hangs) { writeFileSync(__dirname + '/hangs', ''); return setInterval(() => {}, 1000); }
if (lists.down) { console.error('The connection to the server was refused'); process.exit(1); }
if (lists[path] === undefined) { console.error('Error from server (NotFound): not served'); process.exit(1); }
console.log(JSON.stringify(lists[path]));
`;

const crd = (kind: string, category: string) => ({
  metadata: {name: `${kind.toLowerCase()}s.e.org`},
  spec: {
    group: 'e.org',
    scope: 'Cluster',
    names: {kind, plural: `${kind.toLowerCase()}s`, categories: [category]},
    versions: [{name: 'v1', served: true, storage: true}],
  },
});
const list = (apiVersion: string, kind: string, items: readonly object[]) => ({
  apiVersion,
  kind: `${kind}List`,
  metadata: {},
  items,
});
const bucket = {
  metadata: {
    name: 'b',
    uid: 'uid-b',
    annotations: {'crossplane.io/composition-resource-name': 'bucket'},
    labels: {'crossplane.io/composite': 'shop'},
  },
};
/** An XR whose Bucket it does not control, and one Bucket that no XR lists. */
function serve(more: readonly object[], down = false): void {
  const apps = [
    {
      metadata: {name: 'shop', uid: 'uid-shop'},
      spec: {resourceRefs: [{apiVersion: 'e.org/v1', kind: 'Bucket', name: 'b'}]},
    },
  ];
  const lists = {
    down,
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions': list(
      'apiextensions.k8s.io/v1',
      'CustomResourceDefinition',
      [crd('XApp', 'composite'), crd('Bucket', 'managed')],
    ),
    '/api/v1/namespaces': list('v1', 'Namespace', []),
    '/apis/e.org/v1/xapps': list('e.org/v1', 'XApp', apps),
    '/apis/e.org/v1/buckets': list('e.org/v1', 'Bucket', [bucket, ...more]),
  };
  writeFileSync(join(folder, 'lists.json'), JSON.stringify(lists));
}
const orphan = {metadata: {...bucket.metadata, name: 'lost', uid: 'uid-lost', labels: {}}};

async function start(): Promise<{readonly scrape: () => Promise<string>; readonly said: () => string}> {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const {port} = free.address() as {readonly port: number};
  free.close();
  await once(free, 'close');
  const args = ['audit', 'cluster', '--every', '1s', '--metrics-address', `127.0.0.1:${port}`];
  child = spawn(process.execPath, [join(root, 'src/main.ts'), ...args], {
    cwd: folder,
    env: {...process.env, PATH: folder},
  });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return {
    scrape: async () => {
      try {
        return await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      } catch {
        return '';
      }
    },
    said: () => said,
  };
}

const findings = (text: string, name: string): number =>
  [...text.matchAll(new RegExp(`^tether_audit_findings\\{class="${name}".* (\\d+)$`, 'gm'))].reduce(
    (sum, [, one]) => sum + Number(one),
    0,
  );

interface Result {
  readonly rule: string;
  readonly resources: readonly {readonly name: string}[];
}

describe('audit --every', () => {
  test('counts findings by class and kind of XR, follows the cluster, outlives its outage, and ends when asked to', async () => {
    serve([]);
    const {scrape, said} = await start();
    await expect.poll(scrape, {timeout: 20_000}).toContain('tether_audit_runs_total{outcome="ok"} 1');
    const first = await scrape();
    expect(first).toContain('tether_audit_findings{class="unowned",severity="warning",xr_kind="XApp.e.org"} 1');
    for (const name of classNames) expect(first).toContain(`class="${name}"`);
    expect(findings(first, 'orphan')).toBe(0);
    expect(first).toMatch(/^tether_audit_objects 4$/m);
    serve([orphan]);
    await expect.poll(async () => findings(await scrape(), 'orphan'), {timeout: 20_000}).toBe(1);
    serve([], true);
    await expect.poll(scrape, {timeout: 20_000}).toMatch(/outcome="failed"} [1-9]/);
    expect(findings(await scrape(), 'orphan')).toBe(1);
    expect(said()).toContain('audit failed, the next is in 1 s: cannot read the cluster');
    serve([]);
    await expect.poll(async () => findings(await scrape(), 'orphan'), {timeout: 20_000}).toBe(0);
    child?.kill('SIGTERM');
    const [code] = await once(child as ChildProcess, 'exit');
    expect(code).toBe(0);
  });

  test('ends when asked to, although kubectl hangs', async () => {
    writeFileSync(join(folder, 'lists.json'), JSON.stringify({hangs: true}));
    await start();
    await expect.poll(() => existsSync(join(folder, 'hangs')), {timeout: 20_000}).toBe(true);
    child?.kill('SIGTERM');
    expect(await once(child as ChildProcess, 'exit')).toEqual([0, null]);
  });

  test('ends with one sentence if the first audit cannot be made', async () => {
    serve([], true);
    const {said} = await start();
    const [code] = await once(child as ChildProcess, 'exit');
    expect(code).toBe(2);
    expect(said()).toMatch(/^cannot read the cluster: /m);
  });

  test('applies PolicyReports, and empties one whose findings are gone', () => {
    serve([orphan]);
    const reports = '/apis/wgpolicyk8s.io/v1alpha2/clusterpolicyreports';
    const lists = () => JSON.parse(readFileSync(join(folder, 'lists.json'), 'utf8'));
    const audited = () =>
      spawnSync(process.execPath, [join(root, 'src/main.ts'), 'audit', 'cluster', '--policy-reports', 'cluster'], {
        cwd: folder,
        env: {...process.env, PATH: folder},
        encoding: 'utf8',
      });
    expect(audited()).toMatchObject({status: 2, stderr: expect.stringContaining('it does not serve wgpolicyk8s.io')});
    const served = {[reports]: {items: []}, '/apis/wgpolicyk8s.io/v1alpha2/policyreports': {items: []}};
    writeFileSync(join(folder, 'lists.json'), JSON.stringify({...lists(), ...served}));
    expect(audited()).toMatchObject({status: 0});
    const [report] = lists()[reports].items;
    expect(report).toMatchObject({metadata: {name: 'tether-audit'}, summary: {fail: 1, warn: 1}});
    expect(report.results.map(({rule, resources}: Result) => [rule, resources[0]?.name])).toEqual([
      ['orphan', 'lost'],
      ['unowned', 'b'],
    ]);
    const clean = Object.keys(lists()).filter((path) => path.startsWith('/apis/e.org'));
    writeFileSync(
      join(folder, 'lists.json'),
      JSON.stringify({...lists(), ...Object.fromEntries(clean.map((path) => [path, list('e.org/v1', 'X', [])]))}),
    );
    expect(audited()).toMatchObject({status: 0});
    expect(lists()[reports].items).toMatchObject([{metadata: {name: 'tether-audit'}, results: []}]);
  });

  test.each([
    [['backup.tar.gz', '--policy-reports', 'cluster'], /--policy-reports cluster is for the source "cluster", got/],
    [
      ['backup.tar.gz', '--every', '10m'],
      /--every is for the source "cluster", which changes; got source "backup.tar.gz"/,
    ],
    [['cluster', '--metrics-address', ':8080'], /--metrics-address does nothing without --every/],
    [['cluster', '--every', '10ms'], /--every must be 1s to 596h, got 10ms/],
    [['cluster', '--every', '600h'], /--every must be 1s to 596h, got 600h/],
    [
      ['cluster', '--every', '10m', '--metrics-address', 'here'],
      /--metrics-address must be host:port or :port, got "here"/,
    ],
    [['cluster', '--every', '10m', '--fail-on', 'error'], /--every goes with .*got --fail-on/],
  ])('%j is refused', (args, message) => {
    const {code, err} = tether(['audit', ...args]);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });
});

describe('the manifests', () => {
  const documents = ['rbac', 'deployment', 'rules'].flatMap((name) =>
    parseAllDocuments(readFileSync(join(root, `examples/audit-cluster/${name}.yaml`), 'utf8')).map((one) => one.toJS()),
  );
  const the = (kind: string) => documents.filter((one) => one.kind === kind);

  test('let it read what it asks for, write nothing, and never see a Secret', () => {
    const rules = the('ClusterRole').flatMap(({rules: own = []}) => own);
    expect(rules.length).toBeGreaterThan(3);
    expect(new Set(rules.flatMap(({verbs}) => verbs))).toEqual(new Set(['get', 'list']));
    const resources = rules.flatMap((rule) => rule.resources as string[]);
    expect(resources).not.toContain('*');
    expect(resources).not.toContain('secrets');
    const source = readFileSync(join(root, 'src/harness/input/source/cluster-source.ts'), 'utf8');
    for (const [, plural = '', group = ''] of source.matchAll(/^ {2}'(\w+)\.([\w.]+)',$/gm)) {
      expect(
        rules.some((rule) => rule.apiGroups.includes(group) && rule.resources.includes(plural)),
        plural,
      ).toBe(true);
    }
  });

  test('write PolicyReports alone, if they are asked for', () => {
    const rules = parseAllDocuments(readFileSync(join(root, 'examples/audit-policy-reports/rbac.yaml'), 'utf8'))
      .map((one) => one.toJS())
      .flatMap(({rules: own}) => own);
    expect(rules).toEqual([
      {
        apiGroups: ['wgpolicyk8s.io'],
        resources: ['policyreports', 'clusterpolicyreports'],
        verbs: ['get', 'list', 'create', 'patch'],
      },
    ]);
  });

  test('start it with flags that it has, and alert on metrics that it has', async () => {
    const [{spec}] = the('Deployment');
    const [container] = spec.template.spec.containers;
    expect(container.args).toEqual(['audit', 'cluster', '--every=10m', '--metrics-address=:8080']);
    const {AuditMetrics} = await import('../../src/harness/audit/audit-metrics.ts');
    const metrics = new AuditMetrics();
    const source = {
      origin: {kind: 'cluster', name: ''},
      objects: [],
      kinds: [],
      asOfMs: 0,
      notes: {
        files: 0,
        bytes: 0,
        skipped: [],
        notUnderstood: [{why: 'a kind that may not be read', count: 2, first: '/'}],
      },
    } as const;
    const notJudged = [
      {what: 'one thing', count: 3},
      {what: 'another', count: 1},
    ];
    metrics.audited({source, findings: [], notJudged}, {endMs: 0, tookMs: 0});
    expect(metrics.render()).toMatch(/^tether_audit_not_judged 4$/m);
    expect(metrics.render()).toMatch(/^tether_audit_not_read 2$/m);
    const [{spec: rules}] = the('PrometheusRule');
    for (const {expr} of rules.groups[0].rules) {
      for (const [name] of expr.matchAll(/tether_\w+/g)) expect(metrics.render()).toContain(`# TYPE ${name} `);
    }
  });
});
