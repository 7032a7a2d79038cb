// Bundles the playground into FOLDER: one page, one style, one script, one worker and the stories. No server, no network.

import {copyFileSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {gzipSync} from 'node:zlib';
import {rolldown} from 'rolldown';
import {readPageAssets} from '../../src/harness/report/html/assets.ts';
import {collectStories} from './collect-stories.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const source = join(root, 'site', 'playground');

/** All of it together, compressed as a server sends it. */
export const bytesMax = 1_000_000;

export interface Built {
  readonly file: string;
  readonly bytes: number;
  readonly compressed: number;
}

export async function buildPlayground(folder: string): Promise<readonly Built[]> {
  mkdirSync(folder, {recursive: true});
  await bundle({playground: 'main.ts', 'explore-worker': 'explore-worker.ts'}, folder);
  const style = readFileSync(join(source, 'playground.css'), 'utf8');
  writeFileSync(join(folder, 'playground.css'), `${readPageAssets().style}\n${style}`);
  writeFileSync(join(folder, 'stories.json'), JSON.stringify(collectStories(join(root, 'examples'))));
  copyFileSync(join(source, 'index.html'), join(folder, 'index.html'));
  const built = ['index.html', 'playground.css', 'playground.js', 'explore-worker.js', 'shared.js', 'stories.json'].map(
    (file) => {
      const content = readFileSync(join(folder, file));
      return {file, bytes: content.length, compressed: gzipSync(content, {level: 9}).length};
    },
  );
  const whole = built.reduce((sum, {compressed}) => sum + compressed, 0);
  if (whole > bytesMax) throw new Error(`the playground has ${whole} bytes compressed, expected ${bytesMax} at most`);
  return built;
}

/** What page and worker both need is one file that both load. */
async function bundle(inputs: {readonly [name: string]: string}, folder: string): Promise<void> {
  const input = Object.fromEntries(Object.entries(inputs).map(([name, file]) => [name, join(source, file)]));
  const build = await rolldown({input, platform: 'browser', cwd: root});
  await build.write({dir: folder, format: 'esm', minify: true, chunkFileNames: 'shared.js'});
  await build.close();
}
