import {describe, expect, test} from 'vitest';
import {passThrough} from '../../src/harness/functions/passing.ts';
import {runStory} from '../../src/harness/scenario/stories/run-story.ts';
import {registry, stories, storyNamed} from './registry.ts';
import {isEveryVersion, versionsInTurn} from './versions.ts';

// Every story of the examples: its bug happens where the world has it and nowhere else. `npm run stories` tells each on every
// Crossplane version and prints the table.

/** In every order is many runs: the versions whose engines differ most stand for all here, without function-tether. */
const versionsInAnyOrder = ['1.16', 'main'] as const;

describe('known bugs happen where they happened in the world, and not with function-tether', () => {
  for (const [index, story] of stories.entries()) {
    const inTurn = versionsInTurn(story.crossplane, index);
    for (const crossplane of story.anyOrder.length > 0 ? versionsInAnyOrder : inTurn) {
      const variants = story.anyOrder.length > 0 ? story.variants.slice(0, 1) : story.variants;
      for (const variant of variants) {
        test(`${story.name} on Crossplane ${crossplane}, ${variant.name}`, async () => {
          const {problems} = await runStory(story, {crossplane, variant, builtins: registry, seeds: 1});
          expect(problems).toEqual([]);
        });
      }
    }
  }

  test('every story tells both sides', () => {
    for (const {name, variants} of stories) {
      expect(
        variants.map((variant) => variant.happens === undefined),
        name,
      ).toEqual([false, false]);
      // A bug that happens nowhere proves nothing about function-tether.
      const {always = [], sometimes = []} = variants[0]?.happens ?? {};
      expect([...always, ...sometimes], name).not.toEqual([]);
    }
  });
});

describe('the stories can fail', () => {
  const idle = {...registry, 'function-tether': passThrough};
  const helped = ['usage-left-behind', 'restore-orphan-every-version', 'lost-refs', 'lost-external-name'];
  for (const story of helped.map(storyNamed)) {
    test(`${story.name}: a function-tether that does nothing is found out`, async () => {
      const variant = story.variants.find(({without}) => without.length === 0);
      if (variant === undefined) throw new Error('a story has a variant with function-tether');
      const options = {crossplane: '1.16', variant, seeds: 1} as const;
      const {problems} = await runStory(story, {...options, builtins: idle});
      expect(problems[0]).toBe('the bug must not happen, and did with 1 of 1 seed');
    });
  }

  test('a bug that does not appear where it should is found out', async () => {
    const story = storyNamed('restore-orphan-every-version');
    const [without] = story.variants;
    if (without === undefined) throw new Error('a story has variants');
    const variant = {...without, happens: {always: ['1.19'], sometimes: []}};
    const {problems} = await runStory(story, {crossplane: '1.19', variant, builtins: registry, seeds: 1});
    expect(problems[0]).toBe('the bug must happen, and did with 0 of 1 seed');
  });
});

describe('timing and the order of maps change no verdict', () => {
  const varied = ['restore-orphan-every-version', 'usage-dropped-together', 'lost-external-name', 'dead-watch'];
  for (const story of varied.map(storyNamed)) {
    const seeds = isEveryVersion ? 8 : 3;
    test(`${story.name} with ${seeds} seeds`, async () => {
      for (const variant of story.variants) {
        const {problems, differing} = await runStory(story, {
          crossplane: 'main',
          variant,
          builtins: registry,
          seeds,
        });
        expect(problems).toEqual([]);
        const isChance = variant.happens?.sometimes.includes('main') === true;
        if (!isChance) expect(differing).toEqual([]);
      }
    });
  }
});

describe('what never moves again is told with its minute and a way out', () => {
  test('the dead watch of Crossplane 1.19', async () => {
    const {shown} = await runIt('dead-watch', '1.19');
    expect(shown.stuck).toHaveLength(1);
    expect(shown.stuck[0]).toMatch(
      /^XNetwork\/payments was never reconciled for 5 min 0 s: its watch died 1 min 0 s into/,
    );
    expect(shown.stuck[0]).toContain('upgrade to 1.20 or later');
  });

  test('the process that dies while it stops a controller', async () => {
    const {shown} = await runIt('xrd-right-after-crds', '1.19');
    expect(shown.stuck).toHaveLength(1);
    expect(shown.stuck[0]).toContain('crossplane died 4 min');
    expect(shown.stuck[0]).toContain('fatal error: sync: Unlock of unlocked RWMutex');
  });

  test('the definition whose namespaced XRs nobody deletes', async () => {
    const {shown} = await runIt('xrd-with-namespaced-xrs', 'main');
    expect(shown.stuck[0]).toContain('1 of its XRs still exists. Delete them one by one');
  });

  test('nothing, where all is well', async () => {
    const {shown} = await runIt('dead-watch', 'main');
    expect(shown.stuck).toEqual([]);
  });

  function runIt(name: string, crossplane: '1.19' | 'main') {
    const story = storyNamed(name);
    const [variant] = story.variants;
    if (variant === undefined) throw new Error('a story has variants');
    return runStory(story, {crossplane, variant, builtins: registry, seeds: 1});
  }
});
