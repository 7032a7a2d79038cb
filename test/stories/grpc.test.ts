import {expect, test} from 'vitest';
import {overGrpc} from '../../src/harness/stories/command.ts';
import {tellStory} from '../../src/harness/stories/tell-story.ts';
import {registry, storyNamed} from './registry.ts';

// The same stories with function-tether as it is shipped: the image's entry point, called over gRPC.

for (const name of ['restore-orphan-every-version', 'lost-external-name', 'name-across-restore']) {
  test(`${name} over gRPC comes to what it comes to in process`, async () => {
    const story = storyNamed(name);
    const variant = story.variants.find((one) => one.without.length === 0);
    if (variant === undefined) throw new Error('a story has a variant with function-tether');
    const served = overGrpc(story);
    expect(served.functions['function-tether']?.kind).toBe('command');
    for (const crossplane of ['1.16', 'main'] as const) {
      const options = {crossplane, variant, builtins: registry, seeds: 1};
      const here = await tellStory(story, options);
      const there = await tellStory(served, options);
      expect(there.problems).toEqual([]);
      expect(there.shown.timeline).toEqual(here.shown.timeline);
    }
  });
}
