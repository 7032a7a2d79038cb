import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {rolldown} from 'rolldown';
import {expect, test} from 'vitest';

// The control plane, the function and the search run in a browser: nothing that they are made of asks for Node.

const input = ['tell', 'look', 'export'].map((name) =>
  fileURLToPath(new URL(`../../site/playground/${name}.ts`, import.meta.url)),
);

test('what the playground runs needs nothing of Node', async () => {
  const warnings: string[] = [];
  const build = await rolldown({input, platform: 'browser', onLog: (_, {message}) => warnings.push(message)});
  const {output} = await build.generate({format: 'esm'});
  await build.close();
  const chunks = output.filter((one) => one.type === 'chunk');
  const names = new Set(chunks.map(({fileName}) => fileName));
  expect(chunks.flatMap(({imports}) => imports).filter((name) => !names.has(name))).toEqual([]);
  expect(warnings).toEqual([]);
  const own = chunks.flatMap(({moduleIds}) => moduleIds).filter((id) => id.includes('/src/'));
  expect(own.length).toBeGreaterThan(100);
  const asking = own.filter((id) => /\bBuffer\.|\bprocess\.(env|exit|std|cwd)/.test(readFileSync(id, 'utf8')));
  expect(asking).toEqual([]);
});
