// Measures of the structure of src: rooms, arrows between them, floors, outcomes of the policy, the longest chain of imports, the walk
// of a request, lines.
//
// A room is a folder, or a file beside folders. An arrow leads from a room to one that it imports. Floors are the rooms on
// the longest way along arrows. Types count as imports do: a reader follows both.

import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {cruise} from 'dependency-cruiser';
import {obstacles} from '../../src/lifecycle/words/obstacles.ts';
import {plain, reasons} from '../../src/lifecycle/words/reasons.ts';
import {walkOfRequest} from './walk.ts';

const root = new URL('../../', import.meta.url).pathname;

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

interface Imports {
  readonly files: Graph;
  /** Imports that the rules of .dependency-cruiser.cjs forbid. */
  readonly broken: readonly string[];
}

/** By name of the measure. */
export type Measures = {readonly [name: string]: number};

export async function structure(): Promise<Measures> {
  const {files} = await importsOf();
  const lifecycle = roomsIn('src/lifecycle', files);
  const harness = roomsIn('src/harness', files);
  const walk = walkOfRequest();
  return {
    'lifecycle: arrows between rooms': arrows(lifecycle),
    'lifecycle: floors': longestWay(lifecycle),
    'lifecycle: outcomes': [plain, reasons, obstacles].flatMap((rows) => Object.keys(rows)).length,
    'harness: arrows between rooms': arrows(harness),
    'harness: floors': longestWay(harness),
    'src: longest chain of imports': longestWay(files),
    "a request's walk: files": new Set(walk).size,
    "a request's walk: returns": walk.length - new Set(walk).size,
    ...lines([...files.keys()]),
  };
}

let found: Promise<Imports> | undefined;

/** The files that each file of src imports, by path: read once, with the rules that they break. */
export function importsOf(): Promise<Imports> {
  found ??= readImports('src');
  return found;
}

async function readImports(folder: string): Promise<Imports> {
  const {options, ...ruleSet} = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as {options: object};
  const {output} = await cruise([folder], {...options, validate: true, ruleSet, baseDir: root} as never);
  if (typeof output === 'string') throw new Error('expected a result of dependency-cruiser, got text');
  const own = output.modules.filter(({source}) => source.startsWith('src/') && source.endsWith('.ts'));
  const names = new Set(own.map(({source}) => source));
  const importedBy = own.map(({source, dependencies}) => {
    const paths = dependencies.map(({resolved}) => resolved).filter((path) => names.has(path));
    return [source, new Set(paths)] as const;
  });
  const broken = output.summary.violations.map(({rule, from, to}) => `${rule.name}: ${from} imports ${to}`);
  return {files: new Map(importedBy), broken};
}

function roomsIn(folder: string, files: Graph): Graph {
  const roomOf = (path: string) => path.slice(folder.length + 1).split('/')[0] ?? '';
  const rooms = new Map<string, Set<string>>();
  for (const [from, imported] of files) {
    if (!from.startsWith(`${folder}/`)) continue;
    const own = rooms.get(roomOf(from)) ?? new Set();
    rooms.set(roomOf(from), own);
    for (const to of imported) {
      if (to.startsWith(`${folder}/`) && roomOf(to) !== roomOf(from)) own.add(roomOf(to));
    }
  }
  return rooms;
}

function arrows(graph: Graph): number {
  return [...graph.values()].reduce((sum, targets) => sum + targets.size, 0);
}

/** How many nodes are on the longest way. The import rules forbid cycles. */
function longestWay(graph: Graph): number {
  const known = new Map<string, number>();
  const from = (node: string): number => {
    const length = known.get(node);
    if (length !== undefined) return length;
    const longest = 1 + Math.max(0, ...[...(graph.get(node) ?? [])].map(from));
    known.set(node, longest);
    return longest;
  };
  return Math.max(...[...graph.keys()].map(from));
}

function lines(paths: readonly string[]): Measures {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const [, folder = ''] = path.split('/');
    const keys = folder.endsWith('.ts') ? ['lines of src'] : [`lines of src/${folder}`, 'lines of src'];
    const own = readFileSync(join(root, path), 'utf8').split('\n').length - 1;
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + own);
    if (path.startsWith('src/harness/twin/')) {
      counts.set('lines of src/harness/twin', (counts.get('lines of src/harness/twin') ?? 0) + own);
    }
  }
  return Object.fromEntries([...counts].sort(([left], [right]) => (left < right ? -1 : 1)));
}
