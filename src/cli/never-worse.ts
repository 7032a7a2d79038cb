// `tether never-worse`: random stories, each run with function-tether and with pipelines that have no step of it.

import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {type ProfileName, profiles} from '../cluster/crossplane/profiles.ts';
import {type CommandLine, one, text, type Values} from '../command-line/option-table.ts';
import {alignedRows} from '../command-line/tables.ts';
import {profileNamed} from '../harness/control-plane/profile-names.ts';
import {Timeline} from '../harness/control-plane/record/timeline.ts';
import {entryText} from '../harness/control-plane/record/words.ts';
import {calledFunctions, mustBeCalled, runCalling} from '../harness/explore/called-functions.ts';
import {readPlaces} from '../harness/functions/said-places.ts';
import {InputError} from '../harness/input/input-error.ts';
import type {Scenario} from '../harness/scenario/scenario.ts';
import {type Verdict, verdictText} from '../harness/twin/grades.ts';
import {
  type Drawn,
  drawnFunction,
  type Found,
  type JudgedFunction,
  merged,
  type Range,
  type Searched,
  type SoFar,
  searchAsTold,
  searchInThreads,
  searchStories,
  storyOf,
} from '../harness/twin/search-stories.ts';
import {storyText} from '../harness/twin/story-file.ts';
import {openTwins, runTwins, type Side, type TwinSetting, type Twins} from '../harness/twin/twin.ts';
import {wantedTags} from '../harness/worlds/coverage.ts';
import {topics} from '../harness/worlds/generate.ts';
import {isModern} from '../harness/worlds/platform.ts';
import {shrinkStory} from '../harness/worlds/shrink-story.ts';
import {type Command, type CommandContext, command} from './command.ts';
import {checkBeside, count, crossplane, oneOf, positive, threads} from './options.ts';
import {loaded, placeOptions} from './place-functions.ts';
import {print} from './print.ts';
import {progressHere} from './progress-here.ts';
import {checkShards, type Share, searchShared, shardOptions} from './shards.ts';

export const neverWorseLine = {
  name: 'never-worse',
  takes: '',
  does: 'runs random stories twice, with function-tether and without it, and compares how they end: none may end worse with it, except as the input asks by name.',
  options: {
    stories: one('N', 'so many on each version; 20000 unless set, on 2.3 and main five times as many', positive),
    crossplane,
    seed: one('N', '1 unless set: story 7 of a seed is the same everywhere', count),
    about: one(
      'TOPIC',
      `${topics.join(' or ')}; everything unless set: moves are disturbed in the middle`,
      oneOf(...topics),
    ),
    loaded,
    twin: text('NAME', 'the function that is judged, which pipelines call in the place of function-tether'),
    function: placeOptions.function,
    story: one('N', 'only this one, with its timelines, with function-tether and without', count),
    workers: one('N|all', 'threads; 1 unless set', threads),
    found: one('N', 'stop a thread after so many violations; 20 unless set', positive),
    ...shardOptions,
    save: text('FOLDER', 'write the smallest story of each kind of violation, for tether test --twin'),
  },
  example: 'tether never-worse --crossplane main --stories 1000 --workers all',
  exitCodes:
    '0 no story is worse, 1 the tool failed or a story never had something that matters, 2 bad input, 3 a violation.',
} satisfies CommandLine;

const storiesDefault = 20_000;
/** Below this many a part that never happened is chance. */
const manyStories = 5_000;

export const neverWorseCommand: Command = async (argv, context) => {
  return searchAsTold((range) => settingOf(range, context)) ? 0 : run(argv, context);
};

function settingOf({crossplane, judged}: Drawn, {functions}: CommandContext): TwinSetting {
  return {crossplane, twin: [judged.name], functions: {...functions, ...calledFunctions()}};
}

/** The judged function, if the command line gives its place. */
function judgedFunction(name: string, places: readonly string[], {functions}: CommandContext): JudgedFunction {
  const builtins = Object.keys(functions);
  const source = readPlaces(places, {called: [name], builtins})[name];
  if (source !== undefined) return {name, source};
  if (builtins.includes(name)) return {name, source: {kind: 'builtin', name}};
  throw new InputError(`--twin names "${name}", which does not run in this process: give --function ${name}=PLACE`);
}

const run = command(neverWorseLine, async ({values, named, argv}, context: CommandContext) => {
  checkBeside(named, 'story', ['crossplane', 'seed', 'about', 'loaded', 'twin', 'function']);
  const judged = judgedFunction(values.twin ?? drawnFunction, values.function, context);
  const placed = {functions: {[judged.name]: judged.source}, folder: '.'};
  if (mustBeCalled(placed, {})) return runCalling(context.entry, ['never-worse', ...argv], placed, {});
  const seed = BigInt(values.seed ?? 1);
  const {about = 'everything', loaded} = values;
  const tested = values.crossplane.length > 0 ? values.crossplane : Object.keys(profiles).map(profileNamed);
  if (values.story !== undefined) return runNumber({seed, about, judged, loaded}, values.story, tested, context);
  const {workers: threads = 1, found: foundMax = 20} = values;
  const ranges = tested.map((crossplane): Range => {
    const stories = values.stories ?? (isModern(crossplane) ? storiesDefault * 5 : storiesDefault);
    return {crossplane, seed, about, stories, worker: 0, workers: 1, judged, loaded};
  });
  const search = async (share: Share = {index: 0, count: 1}) => {
    const all: Searched[] = [];
    for (const range of ranges) {
      const own = {...range, worker: share.index, workers: share.count};
      all.push(await searchRange(own, settingOf(range, context), {threads, foundMax, entry: context.entry}));
    }
    return all;
  };
  checkShards(named, ['save']);
  const work = {command: 'never-worse', of: [ranges, foundMax], entry: context.entry};
  const whole = await searchShared(values, work, {
    search,
    written: (all) => all.map(written),
    together: (parts) =>
      ranges.map((_, index) =>
        parts
          .flatMap((part) => part[index] ?? [])
          .map(read)
          .reduce(merged),
      ),
  });
  return whole === undefined ? 0 : report(ranges, whole, values, context);
});

/** Tables and stories, for the terminal. Answers the exit code. */
function report(
  ranges: readonly Range[],
  all: readonly Searched[],
  values: Values<typeof neverWorseLine.options>,
  context: CommandContext,
): number {
  let exitCode = 0;
  for (const [index, searched] of all.entries()) {
    const range = ranges[index] as Range;
    const {crossplane, seed, about} = range;
    const setting = settingOf(range, context);
    print(tableText(crossplane, seed, searched));
    if (searched.found.length > 0) {
      exitCode = 3;
      printFound(searched.found, range, setting, values.save);
    }
    const missing = wantedTags(crossplane, about).filter((tag) => (searched.tags.get(tag) ?? 0) === 0);
    if (searched.stories >= manyStories && missing.length > 0) {
      print(`never happened: ${missing.join(', ')}`);
      exitCode ||= 1;
    }
  }
  return exitCode;
}

/** As a part has it, for JSON knows no Map. */
type WrittenSearch = Omit<Searched, 'tags'> & {readonly tags: readonly (readonly [string, number])[]};

function written({tags, ...others}: Searched): WrittenSearch {
  return {...others, tags: [...tags]};
}

function read({tags, ...others}: WrittenSearch): Searched {
  return {...others, tags: new Map(tags)};
}

interface How {
  readonly threads: number;
  readonly foundMax: number;
  readonly entry: string;
}

/** Prints the progress on stderr: a search of so many stories takes hours. */
async function searchRange(range: Range, setting: TwinSetting, {threads, foundMax, entry}: How): Promise<Searched> {
  const progress = progressHere();
  const onGroup = (soFar: SoFar) => progress.story(soFarText(range, soFar));
  try {
    if (threads > 1) return await searchInThreads(entry, range, threads, foundMax, onGroup);
    return searchStories(range, setting, foundMax, onGroup);
  } finally {
    progress.end();
  }
}

export function soFarText({crossplane, seed, stories: all}: Range, {stories, worse}: SoFar): string {
  const found = worse.length === 0 ? 'none worse' : `${worse.length} worse (${worse.join(', ')})`;
  return `Crossplane ${crossplane}, seed ${seed}: ${stories} of ${all} stories, ${found}`;
}

function tableText(crossplane: ProfileName, seed: bigint, {stories, found, permitted, tags, cpuMs}: Searched): string {
  const rate = (stories * 1000) / cpuMs;
  const verdict = found.length === 0 ? 'none is worse' : `${found.length} are worse`;
  const seconds = (cpuMs / 1000).toFixed(0);
  const head = `Crossplane ${crossplane}, seed ${seed}: ${stories} stories, ${verdict}; in ${permitted} the input permits what is worse; ${seconds} s of one core, ${rate.toFixed(1)} stories/s`;
  const rows = [...tags].sort(([one], [other]) => (one < other ? -1 : 1)).map(([tag, times]) => [times, tag]);
  return [head, ...alignedRows(rows, [{head: 'times', width: 9, isNumber: true}])].join('\n');
}

/** One small story for each kind of violation. */
function printFound(found: readonly Found[], range: Range, setting: TwinSetting, folder: string | undefined): void {
  const kinds = new Map<string, readonly number[]>();
  for (const {number, violations} of found) {
    for (const kind of new Set(violations.map(({grade}) => grade)))
      kinds.set(kind, [...(kinds.get(kind) ?? []), number]);
  }
  const twins = openTwins(storyOf(range, 0), setting);
  const shown = new Set<number>();
  for (const [kind, numbers] of kinds) {
    print(`\n${kind}: ${numbers.length} stories (${numbers.slice(0, 20).join(', ')})`);
    const number = numbers[0] as number;
    if (shown.has(number)) continue;
    shown.add(number);
    const story = storyOf(range, number);
    const small = shrinkStory(story, (one) => {
      const {violations, steps} = runTwins(twins, one);
      return {isBad: violations.some(({grade}) => grade === kind), steps};
    });
    print(storyReport(small, twins, setting, runTwins(twins, small).violations));
    if (folder === undefined) continue;
    mkdirSync(folder, {recursive: true});
    const file = join(folder, `${kind}-${setting.crossplane}-${number}.yaml`);
    writeFileSync(file, storyText(small, runTwins(twins, small).violations, setting.twin));
    print(`  saved: tether test --twin ${setting.twin.join(',')} ${file}`);
  }
}

/** Steps, what is worse, and what happened with the function. */
function storyReport(story: Scenario, twins: Twins, {crossplane}: TwinSetting, violations: readonly Verdict[]): string {
  return [
    `${story.name} on Crossplane ${crossplane}`,
    ...violations.map((one) => `  ${verdictText(one)}`),
    ...timelineOf(story, twins),
  ].join('\n');
}

export function timelineOf(story: Scenario, twins: Twins, side: Side = 'with'): readonly string[] {
  const timeline = new Timeline();
  const startMs = twins[side].platform.initial.nowMs;
  twins[side].alone(story, {
    seed: story.seed,
    observe: (atMs, entry) => timeline.observe({atMs, entry}),
    onStep: (atMs, name) => timeline.step(atMs, name),
  });
  return timeline.entries.map(
    (entry) => `  ${((entry.atMs - startMs) / 1000).toFixed(1).padStart(7)} s  ${entryText(entry)}`,
  );
}

function runNumber(
  drawn: Omit<Drawn, 'crossplane'>,
  number: number,
  versions: readonly ProfileName[],
  context: CommandContext,
): number {
  let exitCode = 0;
  for (const crossplane of versions) {
    const range = {...drawn, crossplane};
    const setting = settingOf(range, context);
    const story = storyOf(range, number);
    // As the search opened them: the first story determines the uids.
    const twins = openTwins(storyOf(range, 0), setting);
    const {violations} = runTwins(twins, story);
    print(storyReport(story, twins, setting, violations));
    print([`  without ${drawn.judged.name}`, ...timelineOf(story, twins, 'without')].join('\n'));
    if (violations.length > 0) exitCode = 3;
  }
  return exitCode;
}
