// How long moving many resources takes, and what it asks of the function: N databases go to another XR, to another
// resource name, and to another kind, all at once, in the simulated world on the newest Crossplane. npm run bench:moves [-- N]. Virtual minutes
// count from the edit of the Composition to the last change; requests are those that function-tether was sent.
import {copyFileSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {JsonObject} from '../../src/cluster/json.ts';
import {composition, functions, instance, order, provider, runFile} from './shop-story.ts';

const count = Number(process.argv[2] ?? 200);
const names = Array.from({length: count}, (_, index) => `db-${index}`);
const folder = mkdtempSync(join(tmpdir(), 'tether-moves-'));
const fixtures = ['platform.yaml', 'crds-other-provider.yaml'];
for (const name of fixtures)
  copyFileSync(new URL(`../../examples/split-xr/${name}`, import.meta.url), join(folder, name));

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
const replaced = {handover: [{from: {kinds: [instance]}, to: otherKind}]};

tell('to another XR', [
  {name: 'split', apply: [shop('Shop', 'shops', [], give), shop('Database', 'databases', names, take)]},
  {name: 'take', apply: order('Database'), wait: '30m'},
]);
tell('to another resource name', [
  {
    name: 'rename',
    apply: shop(
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
  [{name: 'kind', apply: shop('Shop', 'shops', names, replaced, otherKind), wait: '30m'}],
  otherKind.kind,
);
rmSync(folder, {recursive: true});

function tell(what: string, moves: readonly object[], kind = 'Instance'): void {
  const file = join(folder, 'scenario.yaml');
  writeFileSync(file, JSON.stringify(scenario(moves, kind)));
  const requests: number[] = [];
  const {failures, externals, convergedMs, reconciles} = runFile(file, ({length}) => void requests.push(length));
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
    fixtures: [...fixtures, shop('Shop', 'shops', names, {})],
    functions,
    provider: {...provider, externals: {'PostgreSQL.rds.example.com': {type: 'Instance', name: '{id}'}}},
    steps: [{name: 'ask', apply: order('Shop'), wait: ready}, {wait: '5m'}, ...moves],
    expect: [
      {externals: 'creates', is: count},
      {externals: 'deletes', is: 0},
      {count: {kind}, is: count},
    ],
  };
}

function shop(kind: string, plural: string, wanted: readonly string[], rules: JsonObject, of = instance): JsonObject {
  const spec = {forProvider: {region: 'eu-central-1', engine: 'postgres', instanceClass: 'db.t4g.small'}};
  return composition(kind, plural, wanted, {...of, spec}, rules);
}
