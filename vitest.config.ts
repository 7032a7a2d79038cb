// Node itself runs what is under test, types stripped, as every command does: no transform stands between a story and the
// engine, and the files that one thread takes share their modules. That is a third of the processor time of a run in which
// each file has a world of its own. It asks of a test that it leaves behind what it found.

import {availableParallelism} from 'node:os';
import {fileURLToPath} from 'node:url';
import {defineConfig} from 'vitest/config';
import {BaseSequencer, type TestSpecification} from 'vitest/node';

/** The examples import the package by its name; here it is its own sources. The same names are in tsconfig.json. */
const sources = (name: string): string => fileURLToPath(new URL(`src/harness/library/${name}`, import.meta.url));

/**
 * Without the times of an earlier run Vitest begins with the largest files. Files that tell whole stories or build packages are small,
 * and would run at the end, one beside an idle core.
 */
class StoriesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const takesLong = /^(?!.*\/test\/)|\/test\/(?:stories|package|harmful-functions|harness\/(?:explore|twin))\//;
    const sorted = await super.sort(files);
    return [true, false].flatMap((isFirst) => sorted.filter(({moduleId}) => takesLong.test(moduleId) === isFirst));
  }
}

export default defineConfig({
  test: {
    sequence: {sequencer: StoriesFirst},
    // A busy machine takes a minute for a command that a quiet one runs in two seconds.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    pool: 'threads',
    // Some tests wait for a process or a socket: one more thread than cores has the cores busy meanwhile.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        extends: true,
        test: {
          name: 'tests',
          include: ['test/**/*.test.ts'],
          isolate: false,
          experimental: {viteModuleRunner: false},
        },
      },
      {
        extends: true,
        // What only a transform can do: the package's own name.
        resolve: {
          alias: [
            {find: 'function-tether/harness/vitest', replacement: sources('vitest.ts')},
            {find: 'function-tether/harness', replacement: sources('harness.ts')},
            {find: 'function-tether/sdk', replacement: fileURLToPath(new URL('src/function/sdk.ts', import.meta.url))},
          ],
        },
        test: {name: 'examples', include: ['examples/**/*.test.ts']},
      },
    ],
  },
});
