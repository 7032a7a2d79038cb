// The files of a name: a file, a folder with all that is in it, or a glob. Always in the order of their paths, so that a story
// is the same on every machine. Names that begin with a dot, and node_modules, are passed over, as a shell and a packager do; a
// note lists all else that is passed over.

import {readdirSync, realpathSync, type Stats, statSync} from 'node:fs';
import {extname, isAbsolute, join, relative} from 'node:path';
import {fileProblem} from '../file-problem.ts';
import {InputError} from '../input-error.ts';
import {assertionFiles} from './assertion-files.ts';
import {type Glob, isGlob, isPassedOver, isWhole, leadsOn, type Places, parseGlob, placesBelow} from './glob.ts';

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

function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path).sort();
  } catch (error) {
    throw new InputError(`cannot read folder "${path}": ${fileProblem(error)}`);
  }
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
