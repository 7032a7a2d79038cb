// How soon the judge finds a harmful function: in its own story, and in random ones.

import type {ProfileName} from '../../src/cluster/crossplane/profiles.ts';
import type {FunctionReply} from '../../src/cluster/kernel/call.ts';
import {runFunction} from '../../src/function/run.ts';
import {profileNamed} from '../../src/harness/control-plane/profile-names.ts';
import {answeringOnce} from '../../src/harness/functions/answer-once.ts';
import {builtins, type InProcessFunction} from '../../src/harness/functions/builtin.ts';
import {harnessMemoryKey} from '../../src/harness/functions/memory-key.ts';
import {readScenario} from '../../src/harness/scenario/read-scenario.ts';
import type {Scenario} from '../../src/harness/scenario/scenario.ts';
import {verdictText} from '../../src/harness/twin/grades.ts';
import {storyOf} from '../../src/harness/twin/search-stories.ts';
import {openTwins, type Plays, runTwins, type TwinRun, type Twins} from '../../src/harness/twin/twin.ts';
import {drawGroup, groupSize} from '../../src/harness/worlds/generate.ts';
import {playsWith} from '../harness/twin/opened.ts';
import {changing} from './answer.ts';
import type {Harmful} from './row.ts';

const options = {ttlSeconds: 60, memoryKeys: [harnessMemoryKey]};
export const honest: InProcessFunction = answeringOnce((request) => ({
  ok: true,
  response: runFunction(request, options),
}));

const folder = new URL('stories/', import.meta.url).pathname;
const twin = ['function-tether'];
const judged = {name: 'function-tether', source: {kind: 'builtin', name: 'function-tether'}} as const;

function settingOf(run: InProcessFunction, crossplane: ProfileName) {
  return {crossplane, twin, functions: {...builtins, 'function-tether': run}};
}

/** What is worse in a story with the function, in words. Without it the story runs once for all functions. */
export function worseInStory(one: Pick<Harmful, 'story' | 'steps'>, run: InProcessFunction): readonly string[] {
  const {scenario, twins} = own(one);
  const {violations} = runTwins({...twins, with: playsWith(run, honest, twins.with, scenario)}, scenario);
  return violations.map(verdictText);
}

interface OwnStory {
  readonly scenario: Scenario;
  readonly twins: Twins;
}

const ownStories = new Map<string, OwnStory>();

function own({story, steps}: Pick<Harmful, 'story' | 'steps'>): OwnStory {
  const key = `${story} ${steps ?? ''}`;
  const known = ownStories.get(key);
  if (known !== undefined) return known;
  const whole = readScenario(`${folder}${story}.yaml`, settingOf(honest, 'main').functions);
  const scenario = {...whole, steps: whole.steps.slice(0, steps)};
  const crossplane = profileNamed(scenario.crossplane[0] ?? 'main');
  const read = {scenario, twins: honestTwins(scenario, crossplane)};
  ownStories.set(key, read);
  return read;
}

/** Every function in the place of the honest one is compared with one run without it. */
function honestTwins(scenario: Scenario, crossplane: ProfileName): Twins {
  const twins = openTwins(scenario, settingOf(honest, crossplane));
  return {...twins, without: remembering(twins.without)};
}

/** The same side, which runs a story once under one seed and with the same moments. */
export function remembering(plays: Plays): Plays {
  let last: Scenario | undefined;
  const runs = new Map<string, TwinRun>();
  return {
    platform: plays.platform,
    run: (scenario) => plays.run(scenario),
    alone: (scenario, options) => {
      if (last !== scenario) runs.clear();
      last = scenario;
      const {seed, moments} = options;
      const key = JSON.stringify([seed, moments && [...moments.moments], moments?.happened]);
      const run = runs.get(key) ?? plays.alone(scenario, options);
      runs.set(key, run);
      return run;
    },
  };
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
}

type Wrap = Harmful['wrap'];

/** True if it answers these requests as the honest function: then its story is that of the honest one. */
function isHonestTo(requests: readonly Uint8Array[], wrap: Wrap): boolean {
  const run = wrap(honest);
  return requests.every((request) => {
    const reply = run(request, service);
    return [honest, encodedAnew].some((one) => isSame(one(request, service), reply));
  });
}

const service = 'apiextensions.fn.proto.v1';
const encodedAnew = changing(honest, () => undefined);

function isSame(one: FunctionReply, other: FunctionReply): boolean {
  return one.ok && other.ok && Buffer.from(one.response).equals(Buffer.from(other.response));
}

/**
 * The first story that is worse with each function, and not with the honest one. `onFound` hears of it as soon as it is known. All
 * functions take a story before the next one, for without them it runs once.
 */
export function searchFor(
  wraps: ReadonlyMap<string, Wrap>,
  {crossplane, seed, stories}: Search,
  onFound: (name: string, found: Found) => void,
): void {
  const first = storyOf({crossplane, seed, about: 'everything', judged}, 0);
  const own = honestTwins(first, crossplane);
  const withRun = (run: InProcessFunction) => ({...own, with: playsWith(run, honest, own.with, first)});
  const left = new Map([...wraps].map(([name, wrap]) => [name, withRun(wrap(honest))]));
  const requests: Uint8Array[] = [];
  const heard = withRun((request, of) => {
    requests.push(request);
    return honest(request, of);
  });
  for (let number = 0; number < stories && left.size > 0; number += groupSize) {
    const group = drawGroup(seed, number / groupSize, crossplane).slice(0, stories - number);
    for (const [index, story] of group.entries()) {
      let isHonest: boolean | undefined;
      requests.length = 0;
      heard.with.alone(story, {seed: story.seed});
      for (const [name, twins] of left) {
        if (isHonestTo(requests, wraps.get(name) as Wrap)) continue;
        const {violations} = runTwins(twins, story);
        if (violations.length === 0) continue;
        isHonest ??= runTwins(own, story).violations.length === 0;
        if (!isHonest) break;
        left.delete(name);
        onFound(name, {stories: number + index + 1, worse: violations.map(verdictText)});
      }
    }
  }
  for (const name of left.keys()) onFound(name, {stories: undefined, worse: []});
}
