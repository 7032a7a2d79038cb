// Builds what is shipped: `npm run build`.
//   dist/          JavaScript and types of src, for the npm package: Node strips no types below node_modules
//   dist/image/    what the image holds

import {spawnSync} from 'node:child_process';
import {cpSync, rmSync, statSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {bundleImage} from './bundle.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

rmSync(dist, {recursive: true, force: true});
compile();
copyAssets();
const {bytes, packages} = await bundleImage(join(dist, 'image'));
console.log(`dist: JavaScript and types of src`);
console.log(`dist/image/function.mjs: ${Math.round(bytes / 1024)} KiB, with ${packages.length} packages in it`);

function compile(): void {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const {status} = spawnSync(process.execPath, [tsc, '--project', join(root, 'tsconfig.build.json')], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
}

/** What modules read from beside themselves at run time. */
function copyAssets(): void {
  const filter = (source: string): boolean => statSync(source).isDirectory() || !source.endsWith('.ts');
  cpSync(join(root, 'src'), dist, {recursive: true, filter});
}
