// Which files a name means: a file, a folder with all that is in it, or a glob. Always in the order of their paths, so
// that a story is the same on every machine. Names that begin with a dot, and node_modules, are passed over, as a shell
// and a packager do; whatever else is passed over is said.

import {readdirSync, realpathSync, type Stats, statSync} from 'node:fs';
import {extname, isAbsolute, join} from 'node:path';
import {fileProblem} from '../input/file-problem.ts';
import {InputError} from '../input/input-error.ts';
import {isGlob, segmentsOf} from './glob.ts';

export interface ManifestFiles {
  /** Paths that can be read from here. */
  readonly files: readonly string[];
  /** What else is there and is no manifest: its name, and why. */
  readonly skipped: readonly string[];
  /** The name is that of one file, and all of it must be objects. */
  readonly isOne: boolean;
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
  return {files: [path], skipped: [], isOne: true};
}

function inFolder(name: string, path: string): ManifestFiles {
  const walk = walkOf(name);
  walk.into(path, '', undefined, []);
  if (walk.files.length > 0) return {files: walk.files, skipped: walk.skipped, isOne: false};
  throw new InputError('', `folder "${name}" must hold .yaml, .yml or .json files, got none`);
}

function matching(name: string, folder: string): ManifestFiles {
  const walk = walkOf(name);
  const {base, segments} = segmentsOf(name);
  const root = isAbsolute(base) ? base : join(folder, base);
  if (statOf(root)?.isDirectory() === true) walk.into(root, base, segments, []);
  if (walk.files.length > 0) return {files: walk.files, skipped: walk.skipped, isOne: false};
  const others = walk.skipped.length === 0 ? 'none' : walk.skipped.join(', ');
  throw new InputError('', `glob "${name}" must match .yaml, .yml or .json files, got ${others}`);
}

/** Matchers of the path's segments that are left to match; '**' is any number of folders. */
type Segments = readonly (RegExp | '**')[];

interface Walk {
  readonly files: string[];
  readonly skipped: string[];
  /** All of a folder where `segments` is left out. `above` are the real paths of the folders it is in. */
  into(path: string, shownAs: string, segments: Segments | undefined, above: readonly string[]): void;
}

function walkOf(name: string): Walk {
  const files: string[] = [];
  const skipped: string[] = [];
  let entries = 0;
  const skip = (said: string): void => {
    if (!skipped.includes(said)) skipped.push(said);
  };
  const into: Walk['into'] = (path, shownAs, segments, above) => {
    const real = realpathSync(path);
    if (above.includes(real)) return skip(`${shownAs} (a link to a folder that it is in)`);
    for (const entry of namesIn(path)) {
      entries++;
      if (entries > entriesMax) throw new InputError('', `"${name}" holds more than ${entriesMax} files: name fewer`);
      const [here, said] = [join(path, entry), shownAs === '' ? entry : `${shownAs}/${entry}`];
      const rest = restOf(entry, segments);
      if (rest === undefined || isPassedOver(entry, segments)) continue;
      const found = statOf(here);
      if (found === undefined) skip(`${said} (a link to nothing)`);
      else if (found.isDirectory()) {
        for (const next of rest) if (next === undefined || next.length > 0) into(here, said, next, [...above, real]);
      } else if (!found.isFile()) skip(`${said} (no file)`);
      else if (rest.every((next) => next !== undefined && next.length > 0)) continue;
      else if (!extensions.includes(extname(entry))) skip(`${said} (no YAML)`);
      else if (!files.includes(here)) files.push(here);
    }
  };
  return {files, skipped, into};
}

/** What is left to match below `entry`, in every way it can match; undefined where it does not. */
function restOf(entry: string, segments: Segments | undefined): readonly (Segments | undefined)[] | undefined {
  if (segments === undefined) return [undefined];
  const [first, ...rest] = segments;
  if (first === undefined) return undefined;
  if (first === '**') return rest.length === 0 ? [undefined] : [segments, ...(restOf(entry, rest) ?? [])];
  return first.test(entry) ? [rest] : undefined;
}

function isPassedOver(entry: string, segments: Segments | undefined): boolean {
  if (entry === 'node_modules') return segments === undefined || segments[0] === '**';
  const [first] = segments ?? [];
  return entry.startsWith('.') && (first === undefined || first === '**' || !first.source.startsWith('^\\.'));
}

function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path).sort();
  } catch (error) {
    throw new InputError('', `cannot read folder "${path}": ${fileProblem(error)}`);
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
