import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {bundleImage} from '../../package/bundle.ts';
import {overGrpc} from '../../src/cli/stories.ts';
import {runStory} from '../../src/harness/scenario/stories/run-story.ts';
import {instructionsOf, readDockerfile} from '../package/dockerfile.ts';
import {registry, storyNamed} from './registry.ts';

// The same stories with function-tether as it is shipped: what the image starts, called over gRPC.

const dockerfile = new URL('../../Dockerfile', import.meta.url);
let folder = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tether-stories-'));
  await bundleImage(folder);
});

afterAll(() => rmSync(folder, {recursive: true, force: true}));

/** The image's entry point, with this machine's Node and the bundle where it was built. */
function entryPoint(): readonly string[] {
  const image = readDockerfile(readFileSync(dockerfile, 'utf8')).find(({name}) => name === 'image');
  const [program = '', ...words] = JSON.parse(instructionsOf(image, 'ENTRYPOINT')[0] ?? '[]') as readonly string[];
  expect(basename(program)).toBe('node');
  return ['node', ...words.map((word) => (word.startsWith('/') ? join(folder, basename(word)) : word))];
}

for (const name of ['restore-orphan-every-version', 'lost-external-name', 'name-across-restore']) {
  test(`${name} with the image's program comes to what it comes to in process`, async () => {
    const story = storyNamed(name);
    const variant = story.variants.find((one) => one.without.length === 0);
    if (variant === undefined) throw new Error('a story has a variant with function-tether');
    const served = overGrpc(story, entryPoint());
    expect(served.functions['function-tether']?.kind).toBe('command');
    for (const crossplane of ['1.16', 'main'] as const) {
      const options = {crossplane, variant, builtins: registry, seeds: 1};
      const here = await runStory(story, options);
      const there = await runStory(served, options);
      expect(there.problems).toEqual([]);
      expect(there.shown.timeline).toEqual(here.shown.timeline);
    }
  });
}

test('stories --grpc serves function-tether by itself', async () => {
  const story = storyNamed('lost-external-name');
  const variant = story.variants.find((one) => one.without.length === 0);
  if (variant === undefined) throw new Error('a story has a variant with function-tether');
  const options = {crossplane: 'main', variant, builtins: registry, seeds: 1} as const;
  expect((await runStory(overGrpc(story), options)).problems).toEqual([]);
});
