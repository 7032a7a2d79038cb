// Builds what is shipped: `npm run build`.
//   dist/          JavaScript and types of src, for the npm package: Node strips no types below node_modules
//   dist/image/    what the image holds

import {spawnSync} from 'node:child_process';
import {cpSync, rmSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {bundleImage} from './bundle.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The compiler: TypeScript 7, without a JavaScript API. */
export const tsc = join(root, 'node_modules/@typescript/native/bin/tsc');

/** Writes the JavaScript of src into `folder`, with the files that modules read from beside themselves. */
export function compile(folder: string, flags: readonly string[] = []): void {
  const args = [tsc, '--project', join(root, 'tsconfig.build.json'), '--outDir', folder, ...flags];
  const {status} = spawnSync(process.execPath, args, {stdio: 'inherit'});
  if (status !== 0) throw new Error(`tsc exited with ${status}`);
  const filter = (source: string): boolean => statSync(source).isDirectory() || !source.endsWith('.ts');
  cpSync(join(root, 'src'), folder, {recursive: true, filter});
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const dist = join(root, 'dist');
  rmSync(dist, {recursive: true, force: true});
  compile(dist);
  const {bytes, packages} = await bundleImage(join(dist, 'image'));
  console.log(`dist: JavaScript and types of src`);
  console.log(`dist/image/function.mjs: ${Math.round(bytes / 1024)} KiB, with ${packages.length} packages in it`);
}
