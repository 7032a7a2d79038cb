import {spawnSync} from 'node:child_process';
import {cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {lauxlib, lua, lualib, to_luastring} from 'fengari';
import {NetworkPolicy} from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {parse, parseAllDocuments, stringify} from 'yaml';
import {inlineAnswerer} from '../../src/function/answerer.ts';
import {Metrics} from '../../src/function/metrics.ts';
import {runWithReport} from '../../src/function/run.ts';
import {summaryOf} from '../../src/function/run-summary.ts';
import {openWorld, type RunFunction, type World} from '../../src/harness/library/harness.ts';
import {conditions} from '../../src/lifecycle/words/conditions.ts';
import {kinds, type Reason, reasons} from '../../src/lifecycle/words/reasons.ts';

// What operators install and watch with, against the function itself: metrics of a real run, XRs of a real story.

const root = new URL('../../', import.meta.url).pathname;
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
// biome-ignore lint/suspicious/noExplicitAny: manifests, whose shape the tests look at
const manifest = (path: string): any => parse(read(path));

const rules = manifest('examples/monitoring/rules.yaml').spec as {
  readonly groups: readonly {readonly rules: readonly Alert[]}[];
};
interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: {readonly runbook_url: string};
}
const alerts = rules.groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(read('examples/monitoring/dashboard.json')) as {
  readonly panels: readonly {readonly title: string; readonly targets: readonly {readonly expr: string}[]}[];
};
const queries = [
  ...alerts.map(({alert, expr}) => [alert, expr] as const),
  ...dashboard.panels.flatMap(({title, targets}) => targets.map(({expr}) => [title, expr] as const)),
];

const metrics = new Metrics(inlineAnswerer({}));
const counted: RunFunction = (request) => {
  const {response, report} = runWithReport(request);
  metrics.ran(summaryOf(report));
  metrics.handled('apiextensions.fn.proto.v1.FunctionRunnerService', 'RunFunction', 'OK', 0.002);
  return response;
};

const library = join(root, 'examples/library');
const composition = (change: (resources: Resource[]) => void, input?: object): object => {
  const object = manifest('examples/library/any-function/composition.yaml');
  const [composing, tethered] = object.spec.pipeline;
  change(composing.input.resources);
  if (input !== undefined) {
    tethered.input = {apiVersion: 'tether.fn.crossplane.io/v1beta1', kind: 'Input', ...input};
  }
  return object;
};
interface Resource {
  readonly name: string;
  base: {kind: string};
}
const confirming = {removal: {policies: [{match: {pattern: '.*'}, policy: 'Confirm'}]}};

let world: World;
/** The XR at each stage of one story. */
const xrs = new Map<string, object>();
const keep = (stage: string): void => {
  xrs.set(stage, world.find({kind: 'XStorage', name: 'invoices'})[0] ?? {});
};

beforeAll(async () => {
  world = await openWorld({
    functions: {'function-static': {builtin: 'function-static'}, 'function-under-test': counted},
    fixtures: [
      join(library, 'platform/crds.yaml'),
      join(library, 'platform/definition.yaml'),
      composition(() => {}, confirming) as never,
    ],
    provider: {readyAfterMs: 60_000},
  });
  await world.stop('crossplane');
  await world.apply(join(library, 'platform/xr.yaml'));
  keep('new');
  await world.start('crossplane');
  await world.run(10_000);
  keep('unready');
  await world.run(180_000);
  keep('ready');
  world.breakFunction('function-static', 'connection refused');
  await world.run(120_000);
  keep('broken');
  world.mendFunction('function-static');
  await world.settle();
  await world.apply(composition((resources) => resources.pop(), confirming) as never);
  await world.run(120_000);
  keep('holding');
  const another = (resources: Resource[]): void => {
    for (const one of resources) if (one.name === 'bucket') one.base.kind = 'BucketVersioning';
  };
  await world.apply(composition(another, confirming) as never);
  await world.run(120_000);
  keep('refusing');
  await world.apply(composition(() => {}, {nonsense: true}) as never);
  await world.run(120_000);
  keep('fatal');
  await world.patch({kind: 'XStorage', name: 'invoices'}, {metadata: {annotations: {'crossplane.io/paused': 'true'}}});
  await world.run(120_000);
  keep('paused');
});
afterAll(() => world.close());

// Words of PromQL and Grafana, and what a scrape adds.
const words =
  'sum by rate increase histogram_quantile absent and on le namespace pod __rate_interval __range datasource'.split(
    ' ',
  );

describe('alerts and dashboard', () => {
  test.each(queries)('%s asks for metrics and labels that a run has', (_, expr) => {
    const samples = metrics
      .render()
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    const names = new Set(samples.map((line) => /^\w+/.exec(line)?.[0] ?? ''));
    const labels = new Set(samples.flatMap((line) => [...line.matchAll(/(\w+)="/g)].map(([, label = '']) => label)));
    const asked = expr.replaceAll(/"[^"]*"/g, '').match(/\$?[a-z_]\w*/gi) ?? [];
    const unknown = asked.filter(
      (word) => !names.has(word) && !labels.has(word) && !words.includes(word.replace('$', '')),
    );
    expect(unknown.filter((word) => !/^\d*[smhd]$/.test(word))).toEqual([]);
  });

  test('name decisions and reasons that there are', () => {
    const asked = alerts.flatMap(({expr}) => [...expr.matchAll(/\b(decision|reason|outcome)=~?"([^"]+)"/g)]);
    expect(asked.length).toBeGreaterThan(3);
    const known: {readonly [label: string]: readonly string[]} = {
      decision: Object.keys(kinds),
      reason: [...Object.keys(conditions), ...Object.keys(reasons)],
      outcome: ['planned', 'fatal'],
    };
    for (const [, label = '', values = ''] of asked) {
      expect(known[label]).toEqual(expect.arrayContaining(values.split('|')));
    }
  });

  test('send a person only for what ends by a person', () => {
    const {expr = ''} = alerts.find(({alert}) => alert === 'TetherWaitsForAPerson') ?? {};
    const named = /reason=~"([^"]+)"/.exec(expr)?.[1]?.split('|') ?? [];
    const rows: {readonly [reason: string]: Reason | undefined} = reasons;
    expect(named.length).toBeGreaterThan(0);
    for (const name of named) {
      expect(rows[name]?.ends).toBe('person');
    }
  });

  test('lead to pages that the site has', () => {
    for (const {annotations} of alerts) {
      const [, page = ''] =
        /^https:\/\/crossplane-contrib\.github\.io\/function-tether\/(.*?)\/(#.*)?$/.exec(annotations.runbook_url) ??
        [];
      expect(existsSync(join(root, 'docs', `${page}.md`)), annotations.runbook_url).toBe(true);
    }
  });

  // Debian's package prometheus has it.
  const promtool = spawnSync('promtool', ['--version']).status === 0;
  test.runIf(promtool)('promtool finds each alert firing when it should, and only then', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tether-rules-'));
    writeFileSync(join(folder, 'groups.yaml'), stringify(rules));
    cpSync(join(root, 'examples/monitoring/rules.test.yaml'), join(folder, 'rules.test.yaml'));
    for (const args of [
      ['check', 'rules', 'groups.yaml'],
      ['test', 'rules', 'rules.test.yaml'],
    ]) {
      const {status, stdout, stderr} = spawnSync('promtool', args, {cwd: folder, encoding: 'utf8'});
      expect(status, stdout + stderr).toBe(0);
    }
    rmSync(folder, {recursive: true});
  });

  test('every alert has a test that it stays silent, and one that it fires', () => {
    const {tests} = manifest('examples/monitoring/rules.test.yaml') as {readonly tests: readonly object[]};
    const [silent, firing, absent] = tests.map((one) => stringify(one));
    for (const {alert} of alerts) {
      expect(silent).toContain(`alertname: ${alert}`);
      expect(`${firing}${absent}`).toContain(alert);
    }
  });
});

/** What Argo CD makes of health.lua: the table it returns for `obj`. */
function healthOf(object: object | undefined): {readonly status: string; readonly message: string} {
  const state = lauxlib.luaL_newstate();
  lualib.luaL_openlibs(state);
  const script = `obj = ${luaOf(JSON.parse(JSON.stringify(object)))}\n${read('examples/install/health.lua')}`;
  const failed = lauxlib.luaL_dostring(state, to_luastring(script));
  if (failed) throw new Error(lua.lua_tojsstring(state, -1));
  const field = (name: string): string => {
    lua.lua_getfield(state, -1, to_luastring(name));
    const text = lua.lua_tojsstring(state, -1);
    lua.lua_pop(state, 1);
    return text;
  };
  return {status: field('status'), message: field('message')};
}

function luaOf(value: unknown): string {
  if (Array.isArray(value)) return `{${value.map(luaOf).join(', ')}}`;
  if (typeof value !== 'object' || value === null) return value === null ? 'nil' : JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, one]) => `[${JSON.stringify(key)}] = ${luaOf(one)}`)
    .join(', ')}}`;
}

describe('the health of an XR in Argo CD', () => {
  test.each([
    ['new', 'Progressing', /not reconciled it yet/],
    ['unready', 'Progressing', /^Creating: /],
    ['ready', 'Healthy', /^Ready$/],
    ['broken', 'Degraded', /connection refused/],
    ['holding', 'Progressing', /^Holding: .*versioning.*Confirm/],
    ['refusing', 'Degraded', /^Refusing: .*bucket/],
    ['fatal', 'Degraded', /nonsense/],
    ['paused', 'Suspended', /paused/],
  ])('%s: %s', (stage, status, message) => {
    expect(healthOf(xrs.get(stage))).toEqual({status, message: expect.stringMatching(message)});
  });

  test('is in the ConfigMap as it is in the script', () => {
    const {data} = manifest('examples/install/argo-cd-config.yaml');
    const customizations = parse(data['resource.customizations']);
    expect(Object.values(customizations)).toEqual([{'health.lua': read('examples/install/health.lua')}]);
  });
});

describe('what is installed', () => {
  const kustomization = (folder: string): readonly string[] =>
    manifest(`${folder}/kustomization.yaml`).resources.flatMap((one: string) =>
      one.endsWith('.yaml') ? [join(folder, one)] : kustomization(join(folder, one)),
    );

  test('is what the Kustomizations name', () => {
    const files = ['examples/install', 'examples/monitoring'].flatMap(kustomization);
    const kinds = files.flatMap((file) => parseAllDocuments(read(file)).map((one) => one.toJS().kind as string));
    expect(kinds.sort()).toEqual(
      [
        'DeploymentRuntimeConfig',
        'Function',
        'NetworkPolicy',
        'PodDisruptionBudget',
        'PodMonitor',
        'PrometheusRule',
      ].sort(),
    );
  });

  test('lets in who calls it, on the ports that it serves', () => {
    const policy = manifest('examples/install/network-policy.yaml');
    new NetworkPolicy(policy).validate();
    const ports = policy.spec.ingress.flatMap((one: {ports: {port: number}[]}) => one.ports.map(({port}) => port));
    const [container] = manifestOf('DeploymentRuntimeConfig').spec.deploymentTemplate.spec.template.spec.containers;
    expect(ports).toEqual([9443, Number(container.args[0].split(':')[1])]);
  });

  test('has the sizes of the docs: memory of one thread requested, that of three as the limit', () => {
    const said = /Plan (\d+) MiB for\s+a pod,.*? Add (\d+) MiB/s.exec(read('docs/how-to/scale.md'));
    const [first, more] = [Number(said?.[1]), Number(said?.[2])];
    const [container] = manifestOf('DeploymentRuntimeConfig').spec.deploymentTemplate.spec.template.spec.containers;
    expect(container.resources.requests.memory).toBe(`${first}Mi`);
    expect(container.resources.limits.memory).toBe(`${first + 2 * more}Mi`);
    const {expr = ''} = alerts.find(({alert}) => alert === 'TetherMemory') ?? {};
    expect(Number(/> (\d+)/.exec(expr)?.[1])).toBe(Math.floor((first + 2 * more) * 1024 * 1024 * 0.8));
  });

  test('is of this version in Argo CD, from a folder that is there', () => {
    const {source} = manifest('examples/install/argo-cd-application.yaml').spec;
    expect(source.targetRevision).toBe(`v${JSON.parse(read('package.json')).version}`);
    expect(existsSync(join(root, source.path, 'kustomization.yaml'))).toBe(true);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: manifests, whose shape the tests look at
function manifestOf(kind: string): any {
  const all = parseAllDocuments(read('examples/scale/runtime.yaml')).map((one) => one.toJS());
  return all.find((one) => one.kind === kind);
}
