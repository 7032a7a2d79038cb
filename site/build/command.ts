// `npm run site` and `npm run playground`: into dist/site.

import {fileURLToPath} from 'node:url';
import {buildPlayground} from './playground.ts';

const folder = fileURLToPath(new URL('../../dist/site/playground/', import.meta.url));
const built = await buildPlayground(folder);
for (const {file, bytes, compressed} of built) console.log(`${file}: ${bytes} bytes, ${compressed} compressed`);
console.log(
  `the playground: ${built.reduce((sum, {compressed}) => sum + compressed, 0)} bytes compressed, in ${folder}`,
);
