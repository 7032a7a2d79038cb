import {expect, test} from 'vitest';
import {runFunction} from '../../../src/function/run.ts';
import {answeringOnce} from '../../../src/harness/functions/answer-once.ts';
import {builtins} from '../../../src/harness/functions/builtin.ts';
import {harnessMemoryKey} from '../../../src/harness/functions/memory-key.ts';
import {type SoFar, searchStories, storyOf} from '../../../src/harness/twin/search-stories.ts';
import {openTwins, runTwins} from '../../../src/harness/twin/twin.ts';
import {isEveryVersion} from '../../stories/versions.ts';

// Some random stories, as `tether never-worse --crossplane main --seed 81` runs them. `npm run stories:versions` runs four times as many,
// `npm run never-worse` thousands.

const options = {memoryKeys: [harnessMemoryKey]};
const tether = answeringOnce((request) => ({ok: true, response: runFunction(request, options)}));

test.each([
  ['main', 81n, 8, 'everything'],
  ['main', 81n, 8, 'moves'],
  ['2.3', 82n, 9, 'everything'],
  ['1.20', 83n, 4, 'everything'],
  ['1.19', 84n, 4, 'everything'],
  // Among those after 16 is one in which two XRs contend without end, for as long as all these take.
  ['1.16', 85n, 4, 'everything'],
] as const)(
  'no story is worse with function-tether in the first stories of a seed, on Crossplane %s, %s of %s stories about %s',
  (crossplane, seed, few, about) => {
    const wanted = isEveryVersion ? 4 * few : few;
    const setting = {
      crossplane,
      twin: ['function-tether'],
      functions: {...builtins, 'function-tether': tether},
    };
    const judged = {name: 'function-tether', source: {kind: 'builtin', name: 'function-tether'}} as const;
    const range = {crossplane, seed, about, stories: wanted, worker: 0, workers: 1, judged};
    const said: SoFar[] = [];
    const {found, stories, tags} = searchStories(range, setting, 5, (soFar) => said.push(soFar));
    expect(said).toHaveLength(Math.ceil(wanted / 8));
    expect(said.at(-1)).toEqual({stories: wanted, worse: []});
    expect(found).toEqual([]);
    expect(stories).toBe(wanted);
    expect(tags.size).toBeGreaterThan(15);
  },
);

test.each([
  [
    'a restore beside Crossplane doubles by chance, in one of six orders without the function',
    70001n,
    'everything',
    5,
    'doubled',
  ],
  ['a rule of give that goes in the middle leaves what it gave with its XR', 711003n, 'moves', 14, 'leaked'],
  ['a giving XR that is deleted at once takes nothing along', 811501n, 'moves', 342, 'stuck'],
] as const)(
  '%s',
  (_, seed, about, number, grade) => {
    const judged = {name: 'function-tether', source: {kind: 'builtin', name: 'function-tether'}} as const;
    const story = storyOf({crossplane: 'main', seed, about, judged}, number);
    const functions = {...builtins, 'function-tether': tether};
    const {worse, violations} = runTwins(
      openTwins(story, {crossplane: 'main', twin: ['function-tether'], functions}),
      story,
    );
    expect(worse.map(({verdict}) => verdict.grade)).toContain(grade);
    expect(violations).toEqual([]);
  },
  60_000,
);
