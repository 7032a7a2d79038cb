// The first module that the single executable runs. The executable carries the npm package with its dependencies as an
// archive. The launcher unpacks the archive into the cache of the user, once, and runs the command line from there: modules
// on disk find their assets and start their workers as they do in a clone.

import {existsSync, mkdirSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {homedir} from 'node:os';
import {dirname, join} from 'node:path';
import {getAsset} from 'node:sea';
import {pathToFileURL} from 'node:url';
import {constants, Script} from 'node:vm';
import {gunzipSync} from 'node:zlib';
import {readTar} from '../tar.ts';

const caches = process.platform === 'darwin' ? join(homedir(), 'Library', 'Caches') : join(homedir(), '.cache');
const folder = join(process.env['XDG_CACHE_HOME'] || caches, 'function-tether', getAsset('name', 'utf8'));

try {
  if (!existsSync(folder)) unpack();
  await load(pathToFileURL(join(folder, 'dist/main.js')).href);
} catch (error) {
  if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
  const advice = 'name a folder that can be written in XDG_CACHE_HOME';
  console.error(`tether: cannot unpack into ${folder}: ${(error as Error).message}: ${advice}`);
  process.exitCode = 1;
}

/** Another process that unpacks at the same time sees no half of it: the folder gets its name at the end. */
function unpack(): void {
  const half = `${folder}.${process.pid}`;
  for (const [name, bytes] of readTar(gunzipSync(Buffer.from(getAsset('package.tar.gz'))))) {
    const file = join(half, name);
    mkdirSync(dirname(file), {recursive: true, mode: 0o700});
    writeFileSync(file, bytes);
  }
  try {
    renameSync(half, folder);
  } catch (error) {
    rmSync(half, {recursive: true, force: true});
    if (!existsSync(folder)) throw error;
  }
}

/** The main module of a single executable may import built-in modules alone; a script may use Node's own loader. */
function load(module: string): Promise<unknown> {
  const script = new Script('(module) => import(module)', {
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  return (script.runInThisContext() as (module: string) => Promise<unknown>)(module);
}
