// The search itself, against a real thing that is a function here: it finds, makes small, goes on, and comes again.

import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {JsonObject} from '../../src/wire/json.ts';
import type {Difference} from './difference.ts';
import {randomKinds} from './recordings.ts';
import {renderOurs} from './render-ours.ts';
import {differenceBetween} from './render-outcome.ts';
import {renderStories} from './render-stories.ts';
import {type Suite, search} from './search.ts';
import {sequencesFor} from './server-sequences.ts';

const options = {seed: 7, runs: 500, findsMax: 5, shrinksMax: 500};

/** Ours cannot count above 100, and takes 13 for a word. */
function wrongFrom(numbers: readonly number[]): Difference | undefined {
  const large = numbers.findIndex((one) => one > 100);
  if (large >= 0) return {where: `list.${large}`, theirs: numbers[large] ?? 0, ours: 100};
  return numbers.includes(13) ? {where: 'word', theirs: 13, ours: 'thirteen'} : undefined;
}

const lists: Suite<readonly number[]> = {
  stories: fc.array(fc.integer({min: 0, max: 120})),
  known: new Set(),
  compare: async (numbers) => wrongFrom(numbers),
};

describe('a search', () => {
  test('finds every cause once, as its smallest story', async () => {
    const {finds, runs} = await search(lists, options);
    expect(finds.map(({story}) => story).sort()).toEqual([[101], [13]]);
    expect(runs).toBe(options.runs);
  });

  test('finds the same again with the same seed', async () => {
    expect(await search(lists, options)).toEqual(await search(lists, options));
  });

  test('leaves known causes alone', async () => {
    const known = new Set(['list.* | number | number']);
    const {finds} = await search({...lists, known}, options);
    expect(finds.map(({story}) => story)).toEqual([[13]]);
  });

  test('ends when a side cannot be asked', async () => {
    const compare = async (): Promise<undefined> => Promise.reject(new Error('the server is gone'));
    await expect(search({...lists, compare}, options)).rejects.toThrow('the server is gone');
  });
});

describe('a random reconcile', () => {
  const stories = fc.sample(renderStories, {seed: 3, numRuns: 300});

  test('is the same told twice', () => {
    for (const story of stories) expect(differenceBetween(renderOurs(story), renderOurs(story))).toBeUndefined();
  });

  test('composes, deletes and fails often enough to compare', () => {
    const outcomes = stories.map(renderOurs);
    expect(outcomes.filter(({error}) => error === undefined).length).toBeGreaterThan(100);
    expect(outcomes.filter(({error}) => error !== undefined).length).toBeGreaterThan(20);
    expect(outcomes.filter(({composed}) => composed.length > 1).length).toBeGreaterThan(30);
    expect(outcomes.filter(({deleted}) => deleted.length > 0).length).toBeGreaterThan(20);
    expect(outcomes.filter(({told}) => told.length > 1).length).toBeGreaterThan(50);
  });
});

test('random sequences write to every kind in every way', () => {
  const kinds = randomKinds();
  const sequences = fc.sample(sequencesFor(kinds as unknown as readonly JsonObject[]), {seed: 3, numRuns: 300});
  const ways = new Set(sequences.flatMap(({kind, ops}) => ops.map(({op}) => `${kind} ${op}`)));
  expect(ways.size).toBe(kinds.length * 8);
});
