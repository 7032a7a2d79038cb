// `npm run harmful-functions`: every harmful function against the judge, in its own story and in random ones, in an innocent
// voice, and in its own story also in the voice of the reason that would excuse it. The honest function reads that voice in its next
// call, so what is worse then may come of the voice. With `--serve NAME` one of them at an address. With `--page` the
// table of this folder is written, a row as soon as it is known: a run that is cut short, or has --only, keeps the other rows.

import {readFileSync, writeFileSync} from 'node:fs';
import {parseArgs} from 'node:util';
import {isMainThread, parentPort, Worker, workerData} from 'node:worker_threads';
import {paddedMarkdown, textRow, textTable} from '../../src/command-line/tables.ts';
import {profileNamed} from '../../src/harness/control-plane/profile-names.ts';
import {type Harmful, withReason} from './row.ts';
import {type Found, honest, type Search, searchFor, worseInStory} from './search.ts';
import {serve} from './serve.ts';
import {harmful} from './table.ts';

const {values} = parseArgs({
  options: {
    stories: {type: 'string', default: '500'},
    seed: {type: 'string', default: '70001'},
    crossplane: {type: 'string', default: 'main'},
    workers: {type: 'string', default: '1'},
    only: {type: 'string'},
    serve: {type: 'string'},
    page: {type: 'boolean', default: false},
    'with-reason': {type: 'boolean', default: false},
    address: {type: 'string', default: 'localhost:9443'},
  },
});

interface Row {
  readonly name: string;
  /** What is worse in its own story, in an innocent voice and with its reason. */
  readonly innocent: readonly string[];
  readonly reasoned: readonly string[];
  readonly random: Found;
}

const search: Search = {
  crossplane: profileNamed(values.crossplane),
  seed: BigInt(values.seed),
  stories: Number(values.stories),
};

function rowOf(one: Harmful, random: Found): Row {
  return {
    name: one.name,
    innocent: worseInStory(one, one.wrap(honest)),
    reasoned: worseInStory(one, withReason(one)(honest)),
    random,
  };
}

function rowText({name, innocent, reasoned, random}: Row): string {
  const curated = innocent.length > 0 && reasoned.length > 0 ? 'found' : 'MISSED';
  const stories = random.stories === undefined ? 'MISSED' : `story ${random.stories}`;
  const [first = ''] = [...random.worse, ...innocent];
  return textRow(columns, [name, curated, stories, first.slice(0, 100)]);
}

const columns = [
  {head: 'harmful function', width: 30},
  {head: 'its story', width: 9},
  {head: `random, seed ${search.seed} on ${search.crossplane}`, width: 12},
  {head: 'what is worse'},
];

const page = new URL('table.md', import.meta.url);

/** The page with these rows, and with its own of the functions that were not run. */
function withRows(rows: readonly Row[]): string {
  const [head = '', table = ''] = readFileSync(page, 'utf8').split('| function');
  const byName = new Map(rows.map((row) => [row.name, row]));
  const former = table.split('\n').map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const cells = harmful.flatMap(({name, breaks, story}) => {
    const row = byName.get(name);
    if (row === undefined) return former.filter(([of]) => of === name);
    const isFound = row.innocent.length > 0 && row.reasoned.length > 0;
    const random = row.random.stories === undefined ? 'not found' : String(row.random.stories);
    return [[name, breaks, `${story}${isFound ? '' : ': not found'}`, random]];
  });
  const heads = ['function', 'what it does', 'found in its story', `stories of seed ${search.seed} until found`];
  return `${head}${paddedMarkdown(heads, cells)}\n`;
}

function isMissed({innocent, reasoned, random}: Row): boolean {
  return innocent.length === 0 || reasoned.length === 0 || random.stories === undefined;
}

const chosen = harmful.filter(({name}) => values.only === undefined || values.only.split(',').includes(name));

async function serveOne(name: string): Promise<void> {
  const one = harmful.find((other) => other.name === name);
  if (one === undefined)
    throw new Error(`no harmful function is called ${name}: ${harmful.map((row) => row.name).join(', ')}`);
  const {address} = await serve((values['with-reason'] ? withReason(one) : one.wrap)(honest), values.address);
  console.log(`${name} listens at ${address}: it ${one.breaks}`);
}

async function runAll(): Promise<void> {
  const workers = Array.from({length: Number(values.workers)}, (_, index) => index);
  const rows: Row[] = [];
  console.log(textTable(columns, []).join('\n'));
  await Promise.all(
    workers.map(
      (index) =>
        new Promise<void>((resolve, reject) => {
          const worker = new Worker(new URL(import.meta.url), {argv: process.argv.slice(2), workerData: {index}});
          worker.on('message', (row: Row) => {
            rows.push(row);
            console.log(rowText(row));
            if (values.page) writeFileSync(page, withRows(rows));
          });
          worker.on('error', reject);
          worker.on('exit', () => resolve());
        }),
    ),
  );
  const missed = rows.filter(isMissed);
  console.log(`\n${rows.length - missed.length} found, ${missed.length} missed`);
  process.exitCode = missed.length === 0 && rows.length === chosen.length && rows.length > 0 ? 0 : 3;
}

if (!isMainThread) {
  const {index} = workerData as {readonly index: number};
  const own = new Map(
    chosen.filter((_, at) => at % Number(values.workers) === index).map((one) => [one.name, one] as const),
  );
  const runs = new Map([...own].map(([name, one]) => [name, one.wrap] as const));
  searchFor(runs, search, (name, found) => parentPort?.postMessage(rowOf(own.get(name) as Harmful, found)));
} else if (values.serve === undefined) await runAll();
else await serveOne(values.serve);
