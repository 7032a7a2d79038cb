// How soon the judge finds a harmful function: in its own story, and in random ones.

import type {ProfileName} from '../../src/cluster/crossplane/profiles.ts';
import {runFunction} from '../../src/function/run.ts';
import {profileNamed} from '../../src/harness/control-plane/profile-names.ts';
import {builtins, type InProcessFunction} from '../../src/harness/functions/builtin.ts';
import {harnessMemoryKey} from '../../src/harness/functions/memory-key.ts';
import {readScenario} from '../../src/harness/scenario/read-scenario.ts';
import {verdictText} from '../../src/harness/twin/grades.ts';
import {searchStories, storyOf} from '../../src/harness/twin/search-stories.ts';
import {openTwins, runTwins} from '../../src/harness/twin/twin.ts';

const options = {ttlSeconds: 60, memoryKeys: [harnessMemoryKey]};
export const honest: InProcessFunction = (request) => ({ok: true, response: runFunction(request, options)});

const folder = new URL('stories/', import.meta.url).pathname;
const twin = ['function-tether'];
const judged = {name: 'function-tether', source: {kind: 'builtin', name: 'function-tether'}} as const;

function settingOf(run: InProcessFunction, crossplane: ProfileName) {
  return {crossplane, twin, functions: {...builtins, 'function-tether': run}};
}

/** What is worse in a story with the function, in words. */
export function worseInStory(story: string, run: InProcessFunction): readonly string[] {
  const {functions} = settingOf(run, 'main');
  const scenario = readScenario(`${folder}${story}.yaml`, functions);
  const setting = settingOf(run, profileNamed(scenario.crossplane[0] ?? 'main'));
  return runTwins(openTwins(scenario, setting), scenario).violations.map(verdictText);
}

export interface Search {
  readonly crossplane: ProfileName;
  readonly seed: bigint;
  readonly stories: number;
}

export interface Found {
  /** So many random stories until one was worse; undefined: none was. */
  readonly stories: number | undefined;
  readonly worse: readonly string[];
  readonly seconds: number;
}

/** The first story that is worse with the function, and not with the honest one. */
export function searchFor(run: InProcessFunction, {crossplane, ...range}: Search, tries = 1): Found {
  const all = {...range, crossplane, about: 'everything' as const, worker: 0, workers: 1, judged};
  const {found, cpuMs} = searchStories(all, settingOf(run, crossplane), tries);
  const last = found[tries - 1];
  const seconds = cpuMs / 1000;
  if (last === undefined) return {stories: undefined, worse: [], seconds};
  const setting = settingOf(honest, crossplane);
  const twins = openTwins(storyOf(all, 0), setting);
  if (runTwins(twins, storyOf(all, last.number)).violations.length > 0)
    return searchFor(run, {crossplane, ...range}, tries + 1);
  return {stories: last.number + 1, worse: last.violations.map(verdictText), seconds};
}
