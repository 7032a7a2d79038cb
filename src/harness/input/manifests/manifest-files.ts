// The files of a name: a file, a folder with all that is in it, or a glob. Always in the order of their paths, so that a story
// is the same on every machine. Names that begin with a dot, and node_modules, are passed over, as a shell and a packager do; a
// note lists all else that is passed over.

import {readFileSync, realpathSync, type Stats, statSync} from 'node:fs';
import {basename, dirname, extname, isAbsolute, join, relative} from 'node:path';
import {RE2JS} from '@bufbuild/re2';
import {isList, isObject, type Json} from '../../../cluster/json.ts';
import {fileProblem, namesIn} from '../file-problem.ts';
import {InputError} from '../input-error.ts';
import {parseYaml} from '../yaml.ts';

export interface ManifestFiles {
  /** Paths that can be read from here. */
  readonly files: readonly string[];
  /** Names that are no manifest, and why. */
  readonly skipped: ReadonlyMap<string, WhySkipped>;
  /** The name is that of one file, and all of it must be objects. */
  readonly isOne: boolean;
}

type WhySkipped =
  | 'no YAML'
  | 'no file'
  | 'a link to nothing'
  | 'a link to a folder that it is in'
  | 'an assertion or a patch of a test tool';

/** `README.md (no YAML)`. */
export function skippedText([name, why]: readonly [string, WhySkipped]): string {
  return `${name} (${why})`;
}

const extensions = ['.yaml', '.yml', '.json', '.xpkg'];

/** More than any configuration has: a folder that holds more was named by mistake, and would take long to read. */
const entriesMax = 20_000;

/** Throws InputError where a folder holds no manifest or a glob matches none. A file that is not there is one still. */
export function manifestFiles(name: string, folder: string): ManifestFiles {
  const path = isAbsolute(name) ? name : join(folder, name);
  const found = statOf(path);
  if (found?.isDirectory() === true) return inFolder(name, path);
  if (found === undefined && isGlob(name)) return matching(name, folder);
  return {files: [path], skipped: new Map(), isOne: true};
}

function inFolder(name: string, path: string): ManifestFiles {
  const walk = walkOf(name, undefined);
  walk.into(path, '', [], []);
  if (walk.files.length > 0) return withoutAssertions(walk, path);
  throw new InputError(`folder "${name}" must hold .yaml, .yml or .json files, got none`);
}

function matching(name: string, folder: string): ManifestFiles {
  const glob = parseGlob(name);
  const walk = walkOf(name, glob);
  const root = isAbsolute(glob.base) ? glob.base : join(folder, glob.base);
  if (statOf(root)?.isDirectory() === true) walk.into(root, glob.base, [0], []);
  if (walk.files.length > 0) return withoutAssertions(walk, root);
  const others = walk.skipped.size === 0 ? 'none' : [...walk.skipped].map(skippedText).join(', ');
  throw new InputError(`glob "${name}" must match .yaml, .yml or .json files, got ${others}`);
}

function withoutAssertions({files, skipped}: Walk, root: string): ManifestFiles {
  const assertions = assertionFiles(files);
  return {
    files: files.filter((file) => !assertions.has(file)),
    skipped: new Map([
      ...skipped,
      ...[...assertions].map((file) => [relative(root, file), 'an assertion or a patch of a test tool'] as const),
    ]),
    isOne: false,
  };
}

interface Walk {
  readonly files: string[];
  readonly skipped: Map<string, WhySkipped>;
  /** `places` are those of the glob that the folder stands for. `above` are the real paths of the folders it is in. */
  into(path: string, shownAs: string, places: Places, above: readonly string[]): void;
}

/** All of a folder where there is no glob. */
function walkOf(name: string, glob: Glob | undefined): Walk {
  const files: string[] = [];
  const skipped = new Map<string, WhySkipped>();
  let entries = 0;
  const into: Walk['into'] = (path, shownAs, places, above) => {
    const real = realpathSync(path);
    if (above.includes(real)) {
      skipped.set(shownAs, 'a link to a folder that it is in');
      return;
    }
    for (const entry of namesIn(path)) {
      entries++;
      if (entries > entriesMax) throw new InputError(`"${name}" holds more than ${entriesMax} files: name fewer`);
      const [here, said] = [join(path, entry), shownAs === '' ? entry : `${shownAs}/${entry}`];
      const below = glob === undefined ? [] : placesBelow(glob, places, entry);
      if (glob === undefined ? isPassedOver(entry) : below.length === 0) continue;
      const found = statOf(here);
      if (found === undefined) skipped.set(said, 'a link to nothing');
      else if (found.isDirectory()) {
        if (glob === undefined || leadsOn(glob, below)) into(here, said, below, [...above, real]);
      } else if (!found.isFile()) skipped.set(said, 'no file');
      else if (glob !== undefined && !isWhole(glob, below)) continue;
      else if (!extensions.includes(extname(entry))) skipped.set(said, 'no YAML');
      else files.push(here);
    }
  };
  return {files, skipped, into};
}

/** Undefined if the file is missing. If it exists and cannot be read, throws InputError. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    if (code !== 'EACCES' && code !== 'EPERM') return undefined;
    throw new InputError(`cannot read "${path}": ${fileProblem(error)}`);
  }
}

// Files of test tools that look like objects and were never in a cluster: assertions of Chainsaw and KUTTL, and patches of
// Chainsaw. Both tools take assertions by their names (01-assert.yaml, 01-errors.yaml; kyverno/chainsaw pkg/discovery/step.go,
// kudobuilder/kuttl pkg/test/case.go), and a Test of Chainsaw names further files.

const named = /^\d+-(assert|errors?)(-[^/]*)?\.ya?ml$/;
const group = 'chainsaw.kyverno.io';
/** Operations of a Test whose file is part of an object. */
const partial = ['assert', 'error', 'patch'];
/** A Test is written by hand. */
const testBytesMax = 1_000_000;

/** Those among the files that are assertions or patches. */
function assertionFiles(files: readonly string[]): ReadonlySet<string> {
  const asserted = new Set(files.flatMap(assertedBy));
  return new Set(files.filter((file) => named.test(basename(file)) || asserted.has(file)));
}

/** The files that a Test in this file asserts, or patches with. */
function assertedBy(file: string): readonly string[] {
  if (!/\.ya?ml$/.test(file) || (statSync(file, {throwIfNoEntry: false})?.size ?? 0) > testBytesMax) return [];
  try {
    const text = readFileSync(file, 'utf8');
    if (!text.includes(group)) return [];
    return parseYaml(text, file)
      .flatMap(({value}) => assertionsIn(value))
      .map((name) => join(dirname(file), name));
  } catch (error) {
    // The reader of its objects reports a file that cannot be read.
    if (error instanceof InputError || (error as NodeJS.ErrnoException).code !== undefined) return [];
    throw error;
  }
}

function assertionsIn(value: Json): readonly string[] {
  if (isList(value)) return value.flatMap(assertionsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const file = partial.includes(key) && isObject(inner) ? inner['file'] : undefined;
    return typeof file === 'string' ? [file] : assertionsIn(inner);
  });
}

// Globs as shells and Git know them: `*` and `?` within a name, `[a-z]`, `{a,b}`, and `**` for any number of folders.
// Node has its own from version 24 on; the package runs on 22, too.
//
// The time for a name grows with its length, not with the stars of the glob: RE2 matches names and never goes back. A folder is
// walked once, with every place in the glob that fits it.

function isGlob(name: string): boolean {
  return /[*?[{]/.test(name);
}

interface Glob {
  /** The folder before the first segment with a star; '' for none. */
  readonly base: string;
  readonly segments: readonly Segment[];
}

type Segment = '**' | {readonly source: string; readonly pattern: RE2JS};

/** Segments of the glob that come next, by their number, in a folder or for a name in it. */
type Places = readonly number[];

function parseGlob(glob: string): Glob {
  const parts = glob.split('/');
  const first = parts.findIndex(isGlob);
  const base = parts.slice(0, first).join('/');
  const segments = parts.slice(first).filter((part, index, all) => {
    return part !== '' && part !== '.' && (part !== '**' || all[index - 1] !== '**');
  });
  return {
    base: base === '' && glob.startsWith('/') ? '/' : base,
    segments: segments.map((part) => segmentOf(part, glob)),
  };
}

/** Where `entry` leads from `places`; empty where it does not match. */
function placesBelow({segments}: Glob, places: Places, entry: string): Places {
  const next = new Set<number>();
  for (const place of reached(segments, places)) {
    const segment = segments[place];
    if (segment === undefined) continue;
    if (segment === '**') {
      if (!isPassedOver(entry)) next.add(place);
    } else if (names(segment, entry)) next.add(place + 1);
  }
  return [...next];
}

/** True if the file at the end of these places matches the whole glob. */
function isWhole({segments}: Glob, places: Places): boolean {
  return places.some(
    (place) => place === segments.length || (segments[place] === '**' && place === segments.length - 1),
  );
}

/** True if the glob can match below the folder at the end of these places. */
function leadsOn({segments}: Glob, places: Places): boolean {
  return places.some((place) => place < segments.length);
}

/** Names that stars do not stand for. */
function isPassedOver(entry: string): boolean {
  return entry.startsWith('.') || entry === 'node_modules';
}

/** `**` may stand for no folder, too. */
function reached(segments: readonly Segment[], places: Places): Places {
  return [...new Set(places.flatMap((place) => (segments[place] === '**' ? [place, place + 1] : [place])))];
}

function names({source, pattern}: Exclude<Segment, '**'>, entry: string): boolean {
  const isNamed = entry === 'node_modules' ? source === entry : source.startsWith('.');
  return (isNamed || !isPassedOver(entry)) && pattern.testExact(entry);
}

function segmentOf(part: string, glob: string): Segment {
  if (part === '**') return '**';
  try {
    return {source: part, pattern: RE2JS.compile(patternOf(part))};
  } catch {
    throw new InputError(`glob "${glob}" must be one, got "${part}", which matches nothing`);
  }
}

/** As RE2 writes it. */
function patternOf(part: string): string {
  let pattern = '';
  let depth = 0;
  for (let at = 0; at < part.length; at++) {
    const char = part[at] ?? '';
    const set = char === '[' ? /^\[([!^]?)([^\]]+)\]/.exec(part.slice(at)) : null;
    if (set !== null) {
      const [whole, not = '', chars = ''] = set;
      pattern += `[${not === '' ? '' : '^'}${chars.replaceAll(/[\\[\]^]/g, '\\$&')}]`;
      at += whole.length - 1;
    } else if (char === '*') pattern += part[at + 1] === '*' ? '' : '[^/]*';
    else if (char === '?') pattern += '[^/]';
    else if (char === '{' && part.indexOf('}', at) > 0) {
      pattern += '(?:';
      depth++;
    } else if (char === '}' && depth > 0) {
      pattern += ')';
      depth--;
    } else if (char === ',' && depth > 0) pattern += '|';
    else pattern += char.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
  }
  return pattern + ')'.repeat(depth);
}
