// The files that the command line needs without npm: those of the npm package, and of the packages it depends on, at the
// versions of the lock file.

import {spawnSync} from 'node:child_process';
import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {compile} from '../build.ts';
import type {TarFile} from '../tar.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The files by name, in the order of their names. */
export function packageFiles(): readonly TarFile[] {
  const scratch = mkdtempSync(join(tmpdir(), 'tether-compiled-'));
  try {
    // Types are for people who build on the package, and were checked before (`npm test`).
    compile(join(scratch, 'dist'), ['--noCheck', '--declaration', 'false']);
    const compiled = filesBelow(scratch, 'dist').map((name) => ({name, file: join(scratch, name)}));
    const others = [...publishedNames(), ...dependencyNames()].map((name) => ({name, file: join(root, name)}));
    const used = [...compiled, ...others].filter(({name}) => isUsed(name));
    return used.sort((a, b) => (a.name < b.name ? -1 : 1)).map(({name, file}) => ({name, bytes: readFileSync(file)}));
  } finally {
    rmSync(scratch, {recursive: true, force: true});
  }
}

/** The files that `npm publish` takes beside those of dist. */
function publishedNames(): readonly string[] {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'];
  const {status, stdout, stderr} = spawnSync('npm', args, {cwd: root, encoding: 'utf8'});
  if (status !== 0) throw new Error(`npm ${args.join(' ')} exited with ${status}: ${stderr}`);
  const [packed] = JSON.parse(stdout) as readonly {readonly files: readonly {readonly path: string}[]}[];
  return (packed?.files ?? []).map(({path}) => path).filter((path) => !path.startsWith('dist/'));
}

interface LockedPackage {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly peer?: boolean;
}

function dependencyNames(): readonly string[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: {readonly [path: string]: LockedPackage};
  };
  const folders = Object.entries(lock.packages).flatMap(([path, {dev, devOptional, optional, peer}]) =>
    path === '' || dev || devOptional || optional || peer ? [] : [path],
  );
  return folders.flatMap((folder) => filesBelow(root, folder));
}

/** Without the packages in it. */
function filesBelow(top: string, folder: string): readonly string[] {
  return readdirSync(join(top, folder), {withFileTypes: true}).flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesBelow(top, name);
    return entry.isFile() ? [name] : [];
  });
}

/** Types, source maps and pages are for people who build on a package. */
function isUsed(name: string): boolean {
  return !/\.(?:[cm]?ts|map)$|^node_modules\/.*\.md$|^node_modules\/@types\//.test(name);
}
