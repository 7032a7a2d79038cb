import {expect, test} from 'vitest';
import {explain} from '../../../src/function/explain.ts';
import {runFunction} from '../../../src/function/run.ts';
import {builtins, type InProcessFunction} from '../../../src/harness/functions/builtin.ts';
import {harnessMemoryKey} from '../../../src/harness/functions/memory-key.ts';
import type {Named} from '../../../src/harness/twin/asked-for.ts';
import {searchStories} from '../../../src/harness/twin/search-stories.ts';

// A few random stories of `tether never-worse --crossplane main --seed 81`; the command runs many more.

const options = {ttlSeconds: 60, memoryKeys: [harnessMemoryKey]};
const tether: InProcessFunction = (request) => ({ok: true, response: runFunction(request, options)});

/** As the command has it: an input that is none is the decision about everything. */
function decisions(request: Uint8Array): readonly Named[] {
  const {refused, resources} = explain(request, options);
  if (refused?.startsWith('cannot use input') !== true) return resources;
  return [{resourceName: '', decision: 'refuse', reason: 'invalid-input'}];
}

test('nobody is worse off with function-tether in the first stories of a seed', () => {
  const setting = {
    crossplane: 'main' as const,
    twin: ['function-tether'],
    functions: {...builtins, 'function-tether': tether},
    explain: decisions,
  };
  const range = {crossplane: 'main' as const, seed: 81n, stories: 80, worker: 0, workers: 1};
  const {found, stories, tags} = searchStories(range, setting, 5);
  expect(found).toEqual([]);
  expect(stories).toBe(80);
  expect(tags.size).toBeGreaterThan(20);
}, 120_000);
