import {fileURLToPath} from 'node:url';
import {defineConfig} from 'vitest/config';

/** The examples import the package by its name; here it is its own sources. The same names are in tsconfig.json. */
const sources = (name: string): string => fileURLToPath(new URL(`src/harness/library/${name}`, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      {find: 'function-tether/harness/vitest', replacement: sources('vitest.ts')},
      {find: 'function-tether/harness', replacement: sources('harness.ts')},
    ],
  },
  test: {
    include: ['test/**/*.test.ts', 'examples/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'threads',
    // Every core: the whole run has to fit into a quarter of an hour on two.
    maxWorkers: '100%',
  },
});
