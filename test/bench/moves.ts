// How long moving many resources takes, and what it asks of the function: N databases go to another XR, to another
// resource name, and to another kind, all at once, in the simulated world on the newest Crossplane. npm run bench:moves [-- N]. Virtual minutes
// count from the edit of the Composition to the last change; requests are those that function-tether was sent.
import {copyFileSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {driveHere} from '../../src/harness/functions/drive.ts';
import {driveScenario} from '../../src/harness/scenario/drive-scenario.ts';
import {readScenario} from '../../src/harness/scenario/read-scenario.ts';
import {registry} from '../stories/registry.ts';

const count = Number(process.argv[2] ?? 200);
const names = Array.from({length: count}, (_, index) => `db-${index}`);
const folder = mkdtempSync(join(tmpdir(), 'tether-moves-'));
const fixtures = ['platform.yaml', 'crds-other-provider.yaml'];
for (const name of fixtures)
  copyFileSync(new URL(`../../examples/split-xr/${name}`, import.meta.url), join(folder, name));

const ownKind = {apiVersion: 'rds.aws.upbound.io/v1beta1', kind: 'Instance'};
const give = {
  give: [
    {to: {apiVersion: 'example.org/v1', kind: 'Database', name: 'orders'}, resources: names.map((name) => ({name}))},
  ],
};
const take = {
  take: [
    {from: {apiVersion: 'example.org/v1', kind: 'Shop', name: 'orders'}, resources: names.map((name) => ({name}))},
  ],
};
const renamed = {handover: names.map((name) => ({from: {resources: [name]}, to: {resource: `${name}-new`}}))};
const otherKind = {apiVersion: 'rds.example.com/v1beta1', kind: 'PostgreSQL'};
const replaced = {handover: [{from: {kinds: [ownKind]}, to: otherKind}]};

tell('to another XR', [
  {name: 'split', apply: [composition('Shop', 'shops', [], give), composition('Database', 'databases', names, take)]},
  {name: 'take', apply: xr('Database'), wait: '30m'},
]);
tell('to another resource name', [
  {
    name: 'rename',
    apply: composition(
      'Shop',
      'shops',
      names.map((name) => `${name}-new`),
      renamed,
    ),
    wait: '30m',
  },
]);
tell(
  'to another kind',
  [{name: 'kind', apply: composition('Shop', 'shops', names, replaced, otherKind), wait: '30m'}],
  otherKind.kind,
);
rmSync(folder, {recursive: true});

function tell(what: string, moves: readonly object[], kind = 'Instance'): void {
  const file = join(folder, 'scenario.yaml');
  writeFileSync(file, JSON.stringify(scenario(moves, kind)));
  const requests: number[] = [];
  const tether = registry['function-tether'];
  if (tether === undefined) throw new Error('function-tether is not in the registry');
  const measured: typeof tether = (request, call) => {
    requests.push(request.length);
    return tether(request, call);
  };
  const read = readScenario(file, registry);
  const [variant] = read.variants;
  if (variant === undefined) throw new Error('a scenario has a variant');
  const builtins = {...registry, 'function-tether': measured};
  const {failures, externals, convergedMs, reconciles} = driveHere(
    driveScenario(read, {crossplane: 'main', variant, seed: 1, builtins}),
  );
  for (const {message} of failures) process.stdout.write(`${message}\n`);
  const minutes = (convergedMs / 60_000).toFixed(1);
  const largest = (Math.max(...requests) / 1024).toFixed(0);
  process.stdout.write(
    `${count} ${what}: ${minutes} virtual minutes, ${reconciles} reconciles and ${requests.length} calls in all, ` +
      `largest request ${largest} KiB, ${externals.creates} creates, ${externals.deletes} deletes\n`,
  );
}

function scenario(moves: readonly object[], kind: string): object {
  const ready = {for: {object: {kind: 'Shop', name: 'orders'}, condition: {type: 'Ready'}}, timeout: '30m'};
  return {
    name: 'moves',
    crossplane: 'main',
    fixtures: [...fixtures, composition('Shop', 'shops', names, {})],
    functions: {'function-templates': {builtin: 'function-static'}, 'function-tether': {builtin: 'function-tether'}},
    provider: {
      readyAfter: '2s',
      deleteAfter: '5s',
      externals: {'PostgreSQL.rds.example.com': {type: 'Instance', name: '{id}'}},
    },
    steps: [{name: 'ask', apply: xr('Shop'), wait: ready}, {wait: '5m'}, ...moves],
    expect: [
      {externals: 'creates', is: count},
      {externals: 'deletes', is: 0},
      {count: {kind}, is: count},
    ],
  };
}

function xr(kind: string): object {
  return {apiVersion: 'example.org/v1', kind, metadata: {name: 'orders'}, spec: {size: 'small'}};
}

function composition(kind: string, plural: string, wanted: readonly string[], rules: object, of = ownKind): object {
  const base = {
    ...of,
    spec: {forProvider: {region: 'eu-central-1', engine: 'postgres', instanceClass: 'db.t4g.small'}},
  };
  const resources = wanted.map((name) => ({name, ready: 'Auto', base}));
  const tether = {apiVersion: 'tether.fn.crossplane.io/v1beta1', kind: 'Input', ...rules};
  return {
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind: 'Composition',
    metadata: {name: plural},
    spec: {
      compositeTypeRef: {apiVersion: 'example.org/v1', kind},
      mode: 'Pipeline',
      pipeline: [
        {
          step: 'templates',
          functionRef: {name: 'function-templates'},
          input: {apiVersion: 'static.fn.example.org/v1', kind: 'Input', resources},
        },
        {step: 'tether', functionRef: {name: 'function-tether'}, input: tether},
      ],
    },
  };
}
