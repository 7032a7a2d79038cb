// Many stories, run twice each, in this thread or in several.

import type {ProfileName} from '../../cluster/crossplane/profiles.ts';
import {memo} from '../../cluster/memo.ts';
import {inThread, ownTask, postProgress, postResult} from '../explore/threads.ts';
import type {FunctionSource} from '../functions/function-source.ts';
import type {Scenario, Step} from '../scenario/scenario.ts';
import {tagsOf} from '../worlds/coverage.ts';
import {drawGroup, drawStory, groupSize, type Topic} from '../worlds/generate.ts';
import type {Verdict} from './grades.ts';
import {openTwins, runTwins, type TwinSetting} from './twin.ts';

export interface Range {
  readonly crossplane: ProfileName;
  readonly seed: bigint;
  readonly about: Topic;
  /** The first so many of the seed. */
  readonly stories: number;
  /** Every `workers`-th group of them, from group `worker` on. */
  readonly worker: number;
  readonly workers: number;
  readonly judged: JudgedFunction;
  /** See the field of a scenario. */
  readonly loaded?: boolean;
}

/** The judged function: its name in pipelines, and its place. */
export interface JudgedFunction {
  readonly name: string;
  readonly source: FunctionSource;
}

/** The name by which drawn stories call it. */
export const drawnFunction = 'function-tether';

/** The story of that number. */
export function storyOf({seed, about, crossplane, ...asked}: Drawn, number: number): Scenario {
  return judging(drawStory(seed, number, crossplane, about), asked);
}

export type Drawn = Pick<Range, 'crossplane' | 'judged' | 'loaded' | 'seed' | 'about'>;

/** The story with another function in its place; equal steps stay the same values, so that they run once. */
function judging(drawn: Scenario, {judged: {name, source}, loaded}: Pick<Range, 'judged' | 'loaded'>): Scenario {
  const story = loaded === true ? {...drawn, loaded} : drawn;
  const {[drawnFunction]: _, ...others} = story.functions;
  const functions = {...others, [name]: source};
  return name === drawnFunction
    ? {...story, functions}
    : {...story, functions, steps: story.steps.map((step) => calling(name, step))};
}

const renamed = memo<Step, ReadonlyMap<string, Step>>();

function calling(name: string, step: Step): Step {
  const known = renamed.get(step)?.get(name);
  if (known !== undefined) return known;
  const text = JSON.stringify(step).replaceAll(`{"name":"${drawnFunction}"}`, JSON.stringify({name}));
  const made = JSON.parse(text) as Step;
  renamed.set(step, new Map([...(renamed.get(step) ?? []), [name, made]]));
  return made;
}

export interface Found {
  readonly number: number;
  readonly violations: readonly Verdict[];
}

export interface Searched {
  readonly stories: number;
  readonly found: readonly Found[];
  /** How many stories had what. */
  readonly tags: ReadonlyMap<string, number>;
  /** Stories in which something was worse and the input permits it. */
  readonly permitted: number;
  readonly cpuMs: number;
}

/** How far a search is: so many stories ran, and these numbers of them are worse. */
export interface SoFar {
  readonly stories: number;
  readonly worse: readonly number[];
}

/** Runs the stories of the range; stops after `foundMax` violations. Reports after each group how far it is. */
export function searchStories(
  range: Range,
  setting: TwinSetting,
  foundMax: number,
  onGroup: (soFar: SoFar) => void = () => undefined,
): Searched {
  const {crossplane, seed, about, worker, workers} = range;
  const began = process.threadCpuUsage();
  const twins = openTwins(storyOf(range, 0), setting);
  const tags = new Map<string, number>();
  const found: Found[] = [];
  let stories = 0;
  let permitted = 0;
  for (let group = worker; group * groupSize < range.stories && found.length < foundMax; group += workers) {
    for (const [index, drawn] of drawGroup(seed, group, crossplane, about).entries()) {
      const story = judging(drawn, range);
      const number = group * groupSize + index;
      if (number >= range.stories || found.length >= foundMax) break;
      const result = runTwins(twins, story);
      stories++;
      const happened = result.with.happened.map(({fault}) => fault);
      for (const tag of tagsOf(story, happened)) tags.set(tag, (tags.get(tag) ?? 0) + 1);
      if (result.violations.length > 0) found.push({number, violations: result.violations});
      else if (result.worse.length > 0) permitted++;
    }
    onGroup({stories, worse: found.map(({number}) => number)});
  }
  const {user, system} = process.threadCpuUsage(began);
  return {stories, found, tags, permitted, cpuMs: (user + system) / 1000};
}

interface Task {
  readonly kind: 'never-worse';
  readonly range: Range;
  readonly foundMax: number;
}

/** True if this thread was started for a range: searches it, and sends its progress and its result to the first thread. */
export function searchAsTold(settingOf: (range: Range) => TwinSetting): boolean {
  const task = ownTask<Task>('never-worse');
  if (task === undefined) return false;
  postResult(searchStories(task.range, settingOf(task.range), task.foundMax, postProgress));
  return true;
}

/** The range in so many threads of the command `entry`. */
export async function searchInThreads(
  entry: string,
  range: Range,
  threads: number,
  foundMax: number,
  onGroup: (soFar: SoFar) => void,
): Promise<Searched> {
  const {worker, workers} = range;
  const parts: SoFar[] = Array.from({length: threads}, () => ({stories: 0, worse: []}));
  const inPart = (thread: number) => {
    const own = {...range, worker: worker + workers * thread, workers: workers * threads};
    const task: Task = {kind: 'never-worse', range: own, foundMax};
    return inThread<SoFar, Searched>(entry, ['never-worse'], task, (soFar) => {
      parts[thread] = soFar;
      onGroup(parts.reduce(together));
    });
  };
  const all = await Promise.all(parts.map((_, thread) => inPart(thread)));
  return all.reduce(merged);
}

function together(one: SoFar, other: SoFar): SoFar {
  return {stories: one.stories + other.stories, worse: [...one.worse, ...other.worse].sort((a, b) => a - b)};
}

/** The results of two parts of the stories as one. */
export function merged(one: Searched, other: Searched): Searched {
  const tags = new Map(one.tags);
  for (const [tag, count] of other.tags) tags.set(tag, (tags.get(tag) ?? 0) + count);
  return {
    stories: one.stories + other.stories,
    found: [...one.found, ...other.found].sort((left, right) => left.number - right.number),
    tags,
    permitted: one.permitted + other.permitted,
    cpuMs: one.cpuMs + other.cpuMs,
  };
}
