// Many stories, run twice each, in this thread or in several.

import {isMainThread, parentPort, Worker, workerData} from 'node:worker_threads';
import type {ProfileName} from '../../cluster/crossplane/profiles.ts';
import {tagsOf} from '../worlds/coverage.ts';
import {drawGroup, drawStory, groupSize} from '../worlds/generate.ts';
import type {Harm} from './harm.ts';
import {openTwins, runTwins, type TwinSetting} from './twin.ts';

export interface Range {
  readonly crossplane: ProfileName;
  readonly seed: bigint;
  /** The first so many of the seed. */
  readonly stories: number;
  /** Every `workers`-th group of them, from group `worker` on. */
  readonly worker: number;
  readonly workers: number;
}

export interface Found {
  readonly number: number;
  readonly violations: readonly Harm[];
}

export interface Searched {
  readonly stories: number;
  readonly found: readonly Found[];
  /** How many stories had what. */
  readonly tags: ReadonlyMap<string, number>;
  /** Stories in which something was worse and the input had asked for it. */
  readonly explained: number;
  readonly cpuMs: number;
}

/** Runs the stories of the range; stops after `foundMax` violations. */
export function searchStories(range: Range, setting: TwinSetting, foundMax: number): Searched {
  const {crossplane, seed, worker, workers} = range;
  const began = process.threadCpuUsage();
  const twins = openTwins(drawStory(seed, 0, crossplane), setting);
  const tags = new Map<string, number>();
  const found: Found[] = [];
  let stories = 0;
  let explained = 0;
  for (let group = worker; group * groupSize < range.stories && found.length < foundMax; group += workers) {
    for (const [index, story] of drawGroup(seed, group, crossplane).entries()) {
      const number = group * groupSize + index;
      if (number >= range.stories || found.length >= foundMax) break;
      const result = runTwins(twins, story, setting);
      stories++;
      const happened = result.with.run.happened.map(({fault}) => fault);
      for (const tag of tagsOf(story, happened)) tags.set(tag, (tags.get(tag) ?? 0) + 1);
      if (result.violations.length > 0) found.push({number, violations: result.violations});
      else if (result.harms.length > 0) explained++;
    }
  }
  const {user, system} = process.threadCpuUsage(began);
  return {stories, found, tags, explained, cpuMs: (user + system) / 1000};
}

interface Task {
  readonly kind: 'never-worse';
  readonly range: Range;
  readonly foundMax: number;
}

/** The range a thread was started for; undefined in the first thread. */
export function ownTask(): Task | undefined {
  const task = isMainThread ? undefined : (workerData as Task | undefined);
  return task?.kind === 'never-worse' ? task : undefined;
}

export function postSearched(searched: Searched): void {
  parentPort?.postMessage(searched);
}

/** The range in as many threads of the command `entry` as it has workers. */
export async function searchInThreads(entry: string, range: Range, foundMax: number): Promise<Searched> {
  const parts = Array.from({length: range.workers}, (_, worker) => ({...range, worker}));
  const all = await Promise.all(parts.map((part) => inThread(entry, {kind: 'never-worse', range: part, foundMax})));
  return all.reduce(merged);
}

function inThread(entry: string, task: Task): Promise<Searched> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(entry), {argv: ['never-worse'], workerData: task});
    worker.on('message', resolve);
    worker.on('error', reject);
    worker.on('exit', (code) => reject(new Error(`a worker ended with exit code ${code} and no result`)));
  });
}

function merged(one: Searched, other: Searched): Searched {
  const tags = new Map(one.tags);
  for (const [tag, count] of other.tags) tags.set(tag, (tags.get(tag) ?? 0) + count);
  return {
    stories: one.stories + other.stories,
    found: [...one.found, ...other.found].sort((left, right) => left.number - right.number),
    tags,
    explained: one.explained + other.explained,
    cpuMs: one.cpuMs + other.cpuMs,
  };
}
