// A search on several machines. `--shard K/N --parts FOLDER` does one share of it and writes a part; `--merge FOLDER`, beside the
// same options, puts the parts together and reports them as one run reports itself. The shares need no word from one another.
// A part is written whole or not at all, under the name of its shard: a shard that died is run again, and one that ran
// twice counts once. The parts of other options or files are refused, and those of another build: by a digest of its code, as
// builds of one version may search differently.

import {createHash} from 'node:crypto';
import {readFileSync, renameSync} from 'node:fs';
import {dirname, extname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {one, text} from '../command-line/option-table.ts';
import {makeFolder, namesIn, writeText} from '../harness/input/file-problem.ts';
import {InputError} from '../harness/input/input-error.ts';
import {checkNeeds} from './options.ts';
import {print} from './print.ts';

export interface Share {
  /** From 0 to count - 1. */
  readonly index: number;
  readonly count: number;
}

export const shardOptions = {
  shard: one('K/N', 'search share K of N, from 0 to N-1, and write its results to --parts', shareNamed),
  parts: text('FOLDER', 'of --shard: where the parts are put'),
  merge: text('FOLDER', 'search nothing: put the parts of all shares together, and report them'),
};

interface ShardValues {
  readonly shard?: Share | undefined;
  readonly parts?: string | undefined;
  readonly merge?: string | undefined;
}

/** The work of a command, of which every machine must have the same. */
export interface Work {
  readonly command: string;
  /** The options with a part in it, and everything that was read. */
  readonly of: unknown;
  /** The URL of the command. */
  readonly entry: string;
}

/** Throws InputError for options that do not go together. `ofWhole` are options of the report. */
export function checkShards(named: readonly string[], ofWhole: readonly string[]): void {
  checkNeeds(named, 'parts', 'shard');
  checkNeeds(named, 'shard', 'parts');
  if (named.includes('shard') && named.includes('merge')) {
    throw new InputError('--shard searches a share, and --merge puts shares together: give one');
  }
  const early = named.includes('shard') ? ofWhole.find((name) => named.includes(name)) : undefined;
  if (early !== undefined) throw new InputError(`--${early} is of the whole: give it beside --merge`);
}

interface Part {
  readonly build: string;
  readonly work: string;
  readonly share: Share;
  readonly found: unknown;
}

/** A part as it is in its file: a copy that lost or changed something does not have the digest of what it holds. */
interface Sealed extends Part {
  readonly digest: string;
}

/** A search whose result can be written as a part, and put together from the parts of all shares. */
interface Shared<Found, Written> {
  readonly search: (share?: Share) => Promise<Found>;
  readonly written: (found: Found) => Written;
  readonly together: (parts: readonly Written[]) => Found;
}

/** The whole result: searched here, or with --merge put together. Undefined after --shard, which writes a part and prints where. */
export async function searchShared<Found, Written>(
  values: ShardValues,
  work: Work,
  {search, written, together}: Shared<Found, Written>,
): Promise<Found | undefined> {
  const {shard, parts} = values;
  if (shard !== undefined && parts !== undefined) {
    makeFolder(parts);
    writePart(parts, {build: buildOf(work), work: digestOf(work), share: shard, found: written(await search(shard))});
    return undefined;
  }
  const merged = mergedParts<Written>(values, work);
  return merged === undefined ? await search() : together(merged);
}

function writePart(folder: string, part: Part): void {
  const {index, count} = part.share;
  const file = join(folder, `part-${index}-of-${count}.json`);
  // A machine that dies while it writes leaves no part.
  const unfinished = `${file}.${process.pid}`;
  writeText(unfinished, JSON.stringify(sealed(part)), 'part');
  renameSync(unfinished, file);
  print(`share ${index} of ${count} is done: ${file}`);
}

function sealed({build, work, share, found}: Part): Sealed {
  const part = {build, work, share, found};
  const digest = createHash('sha256').update(JSON.stringify(part)).digest('hex');
  return {...part, digest};
}

/** The results of the shares, in their order; undefined without --merge. Throws InputError unless every part is there. */
function mergedParts<T>({merge}: ShardValues, work: Work): readonly T[] | undefined {
  if (merge === undefined) return undefined;
  const files = namesIn(merge, {what: 'the parts in'}).filter((file) => /^part-\d+-of-\d+\.json$/.test(file));
  const parts = files.map((file) => ({file, part: partIn(join(merge, file))}));
  const [first] = parts;
  if (first === undefined) throw new InputError(`no part is in "${merge}": run --shard K/N --parts ${merge} first`);
  const {count} = first.part.share;
  const [here, wanted] = [buildOf(work), digestOf(work)];
  for (const {file, part} of parts) {
    if (part.build !== here)
      throw new InputError(`"${file}" is of another build of tether, ${part.build}: this is ${here}`);
    if (part.work !== wanted) throw new InputError(`"${file}" is of other options or other files`);
    if (part.share.count !== count)
      throw new InputError(`"${file}" is one of ${part.share.count} shares, and "${first.file}" one of ${count}`);
  }
  const found = new Map(parts.map(({part}) => [part.share.index, part.found as T]));
  return Array.from({length: count}, (_, index) => {
    const one = found.get(index);
    if (one !== undefined) return one;
    throw new InputError(`share ${index} of ${count} is not in "${merge}": run --shard ${index}/${count} again`);
  });
}

/** The version, and a digest of the manifest and of all code beside the entry. */
function buildOf({entry}: Work): string {
  const main = fileURLToPath(entry);
  const folder = dirname(main);
  const isCode = (name: string) => name.endsWith(extname(main)) && !name.endsWith('.d.ts');
  const code = namesIn(folder, {recursive: true}).filter(isCode);
  const manifest = readFileSync(join(folder, '../package.json'), 'utf8');
  const hash = createHash('sha256').update(manifest);
  for (const name of code) hash.update(`${name}\n`).update(readFileSync(join(folder, name)));
  return `${JSON.parse(manifest).version}-${hash.digest('hex').slice(0, 12)}`;
}

function digestOf({command, of}: Work): string {
  const replaced = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
  return createHash('sha256')
    .update(JSON.stringify([command, of], replaced))
    .digest('hex');
}

function partIn(file: string): Part {
  try {
    const part = JSON.parse(readFileSync(file, 'utf8')) as Sealed;
    if (part.digest === sealed(part).digest) return part;
  } catch {
    // The sentence below is for both.
  }
  throw new InputError(`"${file}" is no part that --shard wrote`);
}

function shareNamed(given: string, flag: string): Share {
  const match = /^(\d+)\/(\d+)$/.exec(given);
  const [index, count] = [Number(match?.[1]), Number(match?.[2])];
  if (match !== null && index < count) return {index, count};
  throw new InputError(`${flag} must be K/N with K from 0 to N-1, got "${given}"`);
}
