// `tether rehearse SOURCE ... --explore`: what is searched, and the line that takes a path again.

import type {GivenOption} from '../command-line/option-table.ts';
import {explainDivergence, parsePath} from '../explore/path.ts';
import {defaultMinutes, type OnProgress, searchText} from '../harness/explore/explore.ts';
import {expandPath} from '../harness/explore/path-report.ts';
import {InputError} from '../harness/input/input-error.ts';
import {type FaultSearches, replayFaults, searchFaults, type Units} from '../harness/rehearse/fault-search.ts';
import {faultSearchText, replayedText, unitsText} from '../harness/rehearse/fault-search-text.ts';
import type {Finding} from '../harness/rehearse/findings.ts';
import type {RehearsalStory} from '../harness/rehearse/rehearsal-story.ts';
import {terminalWidth} from '../harness/report/terminal-width.ts';
import {faultKinds} from '../harness/scenario/step-form.ts';
import {budgetsOf, bytesOf, pathOptions, searchOptions} from './explore-options.ts';
import {checkNeeds} from './options.ts';
import {paintHere, print, printAside} from './print.ts';
import {progressHere} from './progress-here.ts';
import type {RehearseValues} from './rehearse-options.ts';
import {checkShards, type Share, shardOptions} from './shards.ts';

/** The default limit of a search of one kind of fault. */
const secondsDefault = 60;

/** Throws InputError for options that go together in no way. */
export function checkExplored(values: RehearseValues, named: readonly string[]): void {
  for (const name of Object.keys({...searchOptions, ...shardOptions, ...pathOptions}))
    checkNeeds(named, name, 'explore');
  checkShards(named, ['json', 'html', 'timeline']);
  checkNeeds(named, 'steps', 'path');
  if (!values.explore) return;
  if (values.plan !== undefined) {
    throw new InputError('--explore searches the restore as it is asked for, and --plan looks for another: give one');
  }
  const idle = values.path === undefined ? undefined : ofSearch.find((name) => named.includes(name));
  if (idle !== undefined) throw new InputError(`--${idle} is for a search, and --path takes one path of it`);
  const none = Object.values(budgetsOf(values.budget)).every((count) => count === 0);
  if (values.budget.length > 0 && none) throw new InputError('--explore with no unit of any kind searches nothing');
  if (named.includes('budget') && budgetsOf(values.budget).operator !== undefined) {
    throw new InputError('--budget operator: a rehearsal takes every step once');
  }
}

const ofSearch = ['depth', 'states', 'seconds', 'memory', 'json', 'html', 'timeline', ...Object.keys(shardOptions)];

export function searchedFaults(
  story: RehearsalStory,
  values: RehearseValues,
  known: readonly Finding[],
  share: Share = {index: 0, count: 1},
): FaultSearches {
  const all = unitsOf(values);
  if (share.count > all.length) {
    const searches = all.length === 1 ? 'one search' : `${all.length} searches`;
    throw new InputError(`--shard divides the searches, and there are ${searches}: N is at most ${all.length}`);
  }
  const units = all.filter((_, index) => index % share.count === share.index);
  const {minutes = defaultMinutes, seconds = secondsDefault, depth, states, memory} = values;
  const line = progressHere();
  const onSearch = (of: Units): OnProgress => {
    const beganMs = performance.now();
    return (progress) => {
      const tookMs = performance.now() - beganMs;
      line.story(searchText(unitsText(of), progress, tookMs));
      return tookMs >= seconds * 1000 ? 'stop' : undefined;
    };
  };
  const args = {
    depth,
    states,
    memoryBytes: bytesOf(memory),
    all: true,
    order: 'cheapest',
    walks: undefined,
    seed: 1n,
    length: 0,
    shard: undefined,
  } as const;
  const found = searchFaults(story, {units, minutes, args, known, onSearch});
  line.end();
  return found;
}

/** The units of each search. */
function unitsOf({budget}: RehearseValues): readonly Units[] {
  return budget.length > 0 ? [budgetsOf(budget)] : faultKinds.map((kind): Units => ({[kind]: 1}));
}

/** The searches of all shares, in the order of one run. */
export function inOneRun(parts: readonly FaultSearches[]): FaultSearches {
  const [first] = parts;
  if (first === undefined) throw new Error('cannot put no parts together');
  const count = Math.max(...parts.map(({searches}) => searches.length));
  const rounds = Array.from({length: count}, (_, round) => parts.flatMap(({searches}) => searches[round] ?? []));
  return {...first, searches: rounds.flat()};
}

export function printFaults(
  faults: FaultSearches,
  file: string,
  order: readonly GivenOption[],
  values: RehearseValues,
): void {
  const commandOf = (units: Units, path: string): string => replayLine(file, order, values, units, path);
  const paint = paintHere();
  print(`\n${faultSearchText(faults, commandOf, terminalWidth(), paint)}`);
}

/** Takes the path of `--path` again. Answers the exit code. */
export function replayPath(story: RehearsalStory, given: string, values: RehearseValues): number {
  const parsed = parsePath(expandPath(given));
  if (parsed.kind === 'invalid') throw new InputError(parsed.message);
  const {minutes = defaultMinutes, steps: every, budget} = values;
  const replayed = replayFaults(story, parsed.path, {units: budgetsOf(budget), minutes, every});
  if (replayed.kind === 'diverged') {
    printAside(explainDivergence(replayed.divergence));
    return 1;
  }
  print(replayedText(replayed.way, replayed.findings, terminalWidth()));
  return 0;
}

export function wasCutOff({searches}: FaultSearches): boolean {
  return searches.some(({extent}) => extent.kind === 'bounded');
}

/** Options that no path depends on. */
const besides = [
  'budget',
  'depth',
  'states',
  'seconds',
  'memory',
  'json',
  'html',
  'fail-on',
  'minutes',
  ...Object.keys(shardOptions),
];

function replayLine(
  file: string,
  order: readonly GivenOption[],
  values: RehearseValues,
  units: Units,
  path: string,
): string {
  const given = order.filter(({name}) => !besides.includes(name)).map(({name, value}) => `--${name} ${quoted(value)}`);
  const budgets = Object.entries(units).map(([kind, count]) => `--budget ${kind}=${count}`);
  const asked = (['loaded', 'run-functions'] as const).filter((name) => values[name]).map((name) => `--${name}`);
  const words = ['tether rehearse', quoted(file), ...given, ...asked];
  return [...words, '--explore', ...budgets, `--path ${path}`].join(' ');
}

function quoted(text: string): string {
  return /^[\w./:=@,+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
