// How large the messages become that a question or an order makes: `npm run bench:sizes`, with `-- --update` into
// docs/contributing/measurements.md. Each row is a story in the simulated world on the newest Crossplane, with the real policy; its
// size grows until the function makes or asks no more, and one step beyond. Bytes are those of the requests that function-tether was
// sent and of its answers, as the simulated Crossplane takes them: at most 4 MB.
// Exit code 1 if a message is larger, or an XR does not go on.

import {copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {withPart} from '../../package/operations-page.ts';
import type {JsonObject} from '../../src/cluster/json.ts';
import {markdownHead, markdownRow, paddedMarkdown} from '../../src/command-line/tables.ts';
import type {RunResult} from '../../src/harness/scenario/run-result.ts';
import {composite, composition, functions, instance, order, provider, runFile} from './shop-story.ts';

export const messageBytesMax = 4 * 1024 * 1024;

export interface Row {
  readonly what: string;
  /** What the counts are of. */
  readonly unit: string;
  /** Ascending, the last one step beyond what is made or asked for. */
  readonly counts: readonly number[];
  readonly steps: (count: number) => readonly JsonObject[];
}

export interface Measured {
  readonly request: number;
  readonly response: number;
  /** Statuses of the XR's conditions at the end, and what `Tethered` says. */
  readonly synced: string;
  readonly tethered: string;
  readonly said: string;
}

const usage = {apiVersion: 'protection.crossplane.io/v1beta1', kind: 'ClusterUsage'};
const numbers = (count: number) => Array.from({length: count}, (_, index) => index);
export const names = (prefix: string, count: number) => numbers(count).map((index) => `${prefix}-${index}`);

export const rows: readonly Row[] = [
  {
    what: 'Usages of `usages` and `order`, between two halves of an XR',
    unit: 'pairs',
    counts: [100, 400, 900],
    steps: (count) => {
      const side = Math.round(Math.sqrt(count));
      const [ofs, bys] = [names('of', side), names('by', side)];
      const usages = ofs.flatMap((of) => bys.map((by) => ({of, by})));
      return [shop([...ofs, ...bys], {usages}), xr('Shop'), {wait: '10m'}];
    },
  },
  {
    what: 'Usages of `protect.resources`',
    unit: 'resources',
    counts: [50, 450, 600],
    steps: (count) => {
      const protect = {resources: [{match: {pattern: 'db-.*'}}]};
      return [shop(names('db', count), {protect}), xr('Shop'), {wait: '10m'}];
    },
  },
  {
    what: 'Usages of `protect.required`, of objects that the pipeline requires',
    unit: 'objects',
    counts: [50, 600, 900],
    steps: (count) => {
      const labels = {team: 'payments'};
      const spec = {forProvider: {region: 'eu-central-1'}};
      const shared = names('shared', count).map((name) => ({...instance, metadata: {name, labels}, spec}));
      const required = {requirementName: 'shared', ...instance, matchLabels: labels};
      const input = {protect: {required: [{match: {resources: ['shared']}}]}};
      return [{apply: shared}, requiring(required, shop(['db'], input)), xr('Shop'), {wait: '10m'}];
    },
  },
  {
    what: 'schemas of 500 KB that `restore.kinds` asks for, to see which kinds are served',
    unit: 'kinds',
    counts: [2, 8],
    steps: (count) => {
      const kinds = numbers(count).map((index) => ({apiVersion: 'large.example.org/v1', kind: `Large${index}`}));
      const restore = {lookup: true, kinds};
      return [{apply: kinds.map(({kind}) => largeKind(kind))}, shop(['db'], {restore}), xr('Shop'), {wait: '10m'}];
    },
  },
  {
    what: '4 MB of Usages of others, while an XR deletes in an order',
    unit: 'Usages',
    counts: [50, 1000],
    steps: (count) => {
      const lonely = {...instance, metadata: {name: 'lonely'}, spec: {forProvider: {region: 'eu-central-1'}}};
      const foreign = names('foreign', count).map((name) => {
        const of = {...instance, resourceRef: {name: 'lonely'}};
        return {
          ...usage,
          metadata: {name, annotations: {note: 'x'.repeat(3_300_000 / count)}},
          spec: {of, reason: 'theirs'},
        };
      });
      const input = {usages: [{of: 'of', by: 'by'}]};
      return [
        {apply: [lonely, ...foreign]},
        shop(['of', 'by', 'other'], input),
        xr('Shop'),
        {wait: '3m'},
        shop(['other'], input),
        {wait: '10m'},
      ];
    },
  },
  {
    what: 'the lookup of lost resources (`restore.lookup`)',
    unit: 'resources',
    counts: [50, 400, 900, 1300],
    steps: (count) => [
      shop(names('db', count), {restore: {lookup: true, kinds: [instance]}}),
      xr('Shop'),
      {wait: '5m'},
      shop(names('db', count + 1), {restore: {lookup: true, kinds: [instance]}}),
      {wait: '5m'},
    ],
  },
  {
    what: 'the other side of an exchange between XRs, of one resource',
    unit: 'resources of each XR',
    counts: [10, 600],
    steps: (count) => {
      const taken = [{name: 'db-0'}];
      const give = [{to: {...composite('Database'), name: 'orders'}, resources: taken}];
      const take = [{from: {...composite('Shop'), name: 'orders'}, resources: taken}];
      return [
        shop(names('db', count), {}),
        xr('Shop'),
        {wait: '5m'},
        {apply: [databases('Shop', 'shops', names('db', count).slice(1), {give})]},
        {apply: [databases('Database', 'databases', names('db', count), {take})]},
        xr('Database'),
        {wait: '20m'},
      ];
    },
  },
];

/** Runs the row's story with so many; the largest messages, and how the XR is at the end. */
export function measured(row: Row, count: number): Measured {
  return inFolder(row.steps(count), run);
}

/** What `use` makes of the scenario of these steps, as a file. */
export function inFolder<T>(
  steps: readonly JsonObject[],
  use: (file: string) => T,
  write: (scenario: JsonObject) => string = JSON.stringify,
): T {
  const folder = mkdtempSync(join(tmpdir(), 'tether-sizes-'));
  try {
    copyFileSync(new URL('../../examples/split-xr/platform.yaml', import.meta.url), join(folder, 'platform.yaml'));
    const file = join(folder, 'scenario.yaml');
    writeFileSync(file, write(scenario(steps)));
    return use(file);
  } finally {
    rmSync(folder, {recursive: true});
  }
}

/** One run of a scenario in which nothing fails. */
export function resultOf(file: string, seen?: Parameters<typeof runFile>[1]): RunResult {
  const result = runFile(file, seen);
  if (result.failures[0] !== undefined) throw new Error(result.failures[0].message);
  return result;
}

function run(file: string): Measured {
  const largest = {request: 0, response: 0};
  const {objects} = resultOf(file, (request, answer) => {
    largest.request = Math.max(largest.request, request.length);
    if (answer.ok) largest.response = Math.max(largest.response, answer.response.length);
  });
  const shopXr = objects.find(({kind}) => kind === 'Shop');
  const conditions = (shopXr?.status?.['conditions'] ?? []) as readonly {readonly [key: string]: string}[];
  const of = (type: string) => conditions.find((one) => one['type'] === type);
  return {
    ...largest,
    synced: of('Synced')?.['status'] ?? '',
    tethered: of('Tethered')?.['status'] ?? '',
    said: of('Tethered')?.['message'] ?? '',
  };
}

function scenario(steps: readonly JsonObject[]): JsonObject {
  return {
    name: 'sizes',
    crossplane: 'main',
    fixtures: ['platform.yaml'],
    functions,
    provider,
    steps: steps.map((step, index) => ({name: `step ${index + 1}`, ...step})),
  };
}

export function xr(kind: string): JsonObject {
  return {apply: [order(kind)]};
}

export function shop(wanted: readonly string[], rules: JsonObject): JsonObject {
  return {apply: [databases('Shop', 'shops', wanted, rules)]};
}

export const database = {...instance, spec: {forProvider: {region: 'eu-central-1', engine: 'postgres'}}};

export function databases(
  kind: string,
  plural: string,
  wanted: readonly string[],
  rules: JsonObject,
  base: JsonObject = database,
): JsonObject {
  return composition(kind, plural, wanted, base, rules);
}

/** The apply of a Composition whose last step requires objects. */
function requiring(required: JsonObject, {apply}: JsonObject): JsonObject {
  const compositions = (apply as readonly {readonly spec: {readonly pipeline: readonly JsonObject[]}}[]).map((one) => {
    const [last] = one.spec.pipeline.slice(-1);
    const step = {...last, requirements: {requiredResources: [required]}};
    return {...one, spec: {...one.spec, pipeline: [...one.spec.pipeline.slice(0, -1), step]}} as JsonObject;
  });
  return {apply: compositions};
}

/** A definition with 500 KB of descriptions in its schema, as those of prometheus-operator have. */
function largeKind(kind: string): JsonObject {
  const plural = `${kind.toLowerCase()}s`;
  const field = {type: 'string', description: 'x'.repeat(5000)};
  const properties = Object.fromEntries(names('field', 100).map((name) => [name, field]));
  const schema = {openAPIV3Schema: {type: 'object', properties: {spec: {type: 'object', properties}}}};
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `${plural}.large.example.org`},
    spec: {
      group: 'large.example.org',
      scope: 'Cluster',
      names: {kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase()},
      versions: [{name: 'v1', served: true, storage: true, schema}],
    },
  };
}

export function line({unit}: Row, count: number, {request, response, synced, tethered, said}: Measured): string {
  const size = (bytes: number) => `${(bytes / 2 ** 20).toFixed(2)} MiB`;
  const words = tethered === 'True' ? 'True' : `${tethered}: ${said.length > 160 ? `${said.slice(0, 160)}…` : said}`;
  return markdownRow([`${count} ${unit}`, size(request), size(response), synced, words.replaceAll('|', '\\|')]);
}

/** A cell of the page: how many, the largest message, and the beginning of what `Tethered` says. */
function cell({unit}: Row, count: number, {request, response, tethered, said}: Measured): string {
  const size = (Math.max(request, response) / 2 ** 20).toFixed(2);
  return `${count} ${unit}, ${size} MiB${tethered === 'True' ? '' : `: ${(said.split(/[:;(]/)[0] ?? '').trim()}`}`;
}

/** Measures the rows and prints each line. Answers the rows of the page: the largest two counts of each. */
function printRows(chosen: readonly Row[]): readonly (readonly string[])[] {
  return chosen.map((row) => {
    const head = markdownHead(['', 'largest request', 'largest answer', 'Synced', 'Tethered']).join('\n');
    process.stdout.write(`\n${row.what}\n\n${head}\n`);
    const cells = row.counts.map((count) => {
      const result = measured(row, count);
      process.stdout.write(`${line(row, count, result)}\n`);
      const isTooLarge = Math.max(result.request, result.response) > messageBytesMax;
      if (isTooLarge || result.synced !== 'True') process.exitCode = 1;
      return cell(row, count, result);
    });
    return [row.what, ...cells.slice(-2)];
  });
}

if (import.meta.main) {
  const [only = ''] = process.argv.slice(2);
  const isUpdate = only === '--update';
  const measuredRows = printRows(isUpdate ? rows : rows.filter(({what}) => what.includes(only)));
  if (isUpdate && process.exitCode === undefined) {
    const page = new URL('../../docs/contributing/measurements.md', import.meta.url);
    const table = paddedMarkdown(
      ['what is made or asked', 'before the last step', 'at the last step'],
      measuredRows.map(([what = '', first = '', last = '']) => [what, first, last]),
    );
    writeFileSync(page, withPart(readFileSync(page, 'utf8'), 'sizes', table, 'npm run bench:sizes -- --update'));
  }
}
