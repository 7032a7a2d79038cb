// `npm run site` writes the whole site into dist/site, `npm run playground` the playground alone.

import {fileURLToPath} from 'node:url';
import {buildPlayground} from './playground.ts';

const folder = fileURLToPath(new URL('../../dist/site/', import.meta.url));
if (process.argv[2] === 'playground') {
  const built = await buildPlayground(`${folder}playground`);
  for (const {file, bytes, compressed} of built) console.log(`${file}: ${bytes} bytes, ${compressed} compressed`);
  const whole = built.reduce((sum, {compressed}) => sum + compressed, 0);
  console.log(`the playground: ${whole} bytes compressed, in ${folder}playground`);
} else {
  const {buildSite} = await import('./site.ts');
  const count = await buildSite(folder);
  console.log(`the site: ${count} pages in ${folder}`);
}
