import {parseExploreArgs} from '../../src/cli/explore-options.ts';
import {type ProfileName, profiles} from '../../src/cluster/crossplane/profiles.ts';
import {markdownHead, markdownRow} from '../../src/command-line/tables.ts';
import {passed} from '../../src/explore/result.ts';
import {runFunction} from '../../src/function/run.ts';
import {
  type Exploration,
  type Explored,
  explore,
  type Failure,
  failuresOf,
  openExploration,
} from '../../src/harness/explore/explore.ts';
import {type BudgetKind, budgetKinds} from '../../src/harness/explore/explore-action.ts';
import {replayCommandLine} from '../../src/harness/explore/path-report.ts';
import {answeringOnce} from '../../src/harness/functions/answer-once.ts';
import {builtins} from '../../src/harness/functions/builtin.ts';
import {readScenario} from '../../src/harness/scenario/read-scenario.ts';
import type {Scenario} from '../../src/harness/scenario/scenario.ts';
import {type Case, idioms, searchedRestore, searchedTools} from '../stories/small-restore.ts';
import {printTwins} from './twin-table.ts';

// Tables of what the explorer finds.
// `npm run explore:table`: seed x Crossplane version, found in how many steps of operator and faults;
// `npm run explore:table peers`: what the stories of other functions break, and the path to it;
// `npm run explore:table parts`: what function-tether can be told to do x kinds of faults, and each `sometimes` seen.
// `npm run explore:table restores WORD ...`: restores that a template spoils x Crossplane version, each with a unit of each fault;
//   the words choose among the versions, idioms and tools of test/stories/small-restore.ts;
// `npm run explore:table twin`: the stories with function-tether, each with it and without it: see twin-table.ts.
// Exit code 1 where a table is not as recorded, or a search was not finished. Seconds are of one core: what else the
// machine does is not counted.

const functions = {
  ...builtins,
  'function-tether': answeringOnce((request) => ({ok: true, response: runFunction(request)})),
};
const versions = Object.keys(profiles) as ProfileName[];
const folder = new URL('../../examples/explore/', import.meta.url).pathname;

interface Row {
  readonly name: string;
  readonly story: string;
  readonly property: string;
  /** The versions whose recordings have it. */
  readonly on: readonly ProfileName[];
}

const everywhere: readonly ProfileName[] = ['1.16', '1.19', '1.20', '2.3', 'main'];
const seeds: readonly Row[] = [
  {name: 'S0 Usage stays', story: 's0-usage-stays', property: 'deletion', on: ['1.16']},
  {name: 'S0 lost order', story: 's0-lost-order', property: 'what is used', on: ['1.19', '1.20', '2.3', 'main']},
  {name: 'S1 orphan', story: 's1-orphan', property: 'orphan', on: ['1.16', 'main']},
  {name: 'S2 never seen', story: 's2-late-app', property: 'syncs', on: ['1.19']},
  {name: 'S3 two externals', story: 's3-twice', property: 'two', on: everywhere},
  {name: 'S4 process dies', story: 's4-definition-stays', property: 'process', on: ['1.19']},
  {name: 'S4 namespaced', story: 's4-namespaced', property: 'deletion', on: ['2.3', 'main']},
];

/** The same for every seed: any order of moves, one thing held back, one other order of a map. */
const bounds = ['--budget', 'reorder=1', '--budget', 'choice=1'];
const anyOrder = ['--moves', 'any'];
const inOrder = ['--moves', 'in-order'];
const secondsMax = 60;
const stepsMax = 8;

const peers: readonly Pick<Row, 'name' | 'story'>[] = [
  {name: 'function-static: restore', story: 's1-orphan'},
  {name: 'function-static: Usage and both its ends dropped', story: 's0-lost-order'},
  {name: 'function-sequencer: restore', story: 'sequencer-restore'},
  {name: 'function-sequencer: all dropped', story: 'sequencer-lost-order'},
  {name: 'function-sequencer: first dropped', story: 'sequencer-dropped-first'},
];

const parts = [
  's0-tethered',
  's1-tethered',
  'tethered-sequence',
  'tethered-templates',
  'tethered-orphan',
  'tethered-confirm',
  'tethered-budget',
  'tethered-protect',
  'tethered-external-names',
  'tethered-lost-refs',
];

/** What no function can change, told and no failure: see docs/contributing/measurements.md. So is an operator who does not wait. */
const beyond: {readonly [story: string]: BudgetKind} = {
  'tethered-lost-refs': 'function-stale-response',
  'tethered-external-names': 'provider-restart',
};

/** A provider that dies while it creates asks a person, with any function: crossplane-runtime's own refusal. */
const withoutPerson = ['--without', 'person'];

switch (process.argv[2]) {
  case undefined:
    printSeeds();
    break;
  case 'peers':
    printPeers();
    break;
  case 'parts':
    printParts(process.argv.slice(3));
    break;
  case 'restores':
    printRestores(process.argv.slice(3));
    break;
  case 'twin': {
    const stories = process.argv.slice(3);
    const all = parts.filter((story) => story.startsWith('tethered-'));
    if (!printTwins(stories.length > 0 ? stories : all)) process.exitCode = 1;
    break;
  }
  default:
    console.error('expected nothing, "peers", "parts", "restores" or "twin"');
    process.exitCode = 2;
}

function printSeeds(): void {
  console.log(markdownHead(['', ...versions]).join('\n'));
  for (const {name, story, property, on} of seeds) {
    const cells = versions.map((version) => {
      const isThere = on.includes(version);
      // What a version does not have is looked for until nothing is left; a menu of moves has no end soon enough.
      const flags = ['--property', property, ...bounds, ...(isThere ? anyOrder : inOrder)];
      return cellOf(searched(story, version, flags), isThere ? 'breaks' : 'holds');
    });
    console.log(markdownRow([name, ...cells]));
  }
}

function printPeers(): void {
  console.log(markdownHead(['', 'breaks', 'path']).join('\n'));
  for (const {name, story} of peers) {
    const search = searched(story, 'main', [...inOrder, ...bounds, '--all', ...withoutPerson]);
    if (search === undefined || search.failures.length === 0) {
      process.exitCode = 1;
      console.log(markdownRow([name, 'nothing', '']));
      continue;
    }
    for (const {report, spendingSteps, pending, path} of search.failures) {
      const command = replayCommandLine(`examples/explore/${story}.yaml`, search.exploration, path);
      const why = pending === undefined ? '' : ` (${pending})`;
      console.log(markdownRow([name, `${report.name}${why}, ${spendingSteps} steps`, `\`${command}\``]));
    }
  }
}

function printParts(stories: readonly string[]): void {
  const kinds = budgetKinds.filter((kind) => kind !== 'operator');
  console.log(markdownHead(['', 'no fault', ...kinds, 'seen']).join('\n'));
  for (const story of stories.length > 0 ? stories : parts) {
    const seen = new Set<string>();
    const cells = [undefined, ...kinds].map((kind) => {
      const flags = kind === undefined ? [] : ['--budget', `${kind}=1`];
      const search = searched(story, 'main', [...inOrder, '--all', ...withoutPerson, ...flags]);
      for (const {expectation, name, verdict} of search?.explored.properties ?? []) {
        if (expectation === 'sometimes' && verdict === 'holds') seen.add(name);
      }
      return cellOf(search, kind === 'early' || beyond[story] === kind ? 'any' : 'holds');
    });
    console.log(markdownRow([story, ...cells, [...seen].join('; ')]));
  }
}

/**
 * The provider is back once Crossplane is at rest, or with the unit of `early` before that. A cell has the states of all its searches,
 * and what does not hold.
 */
function printRestores(words: readonly string[]): void {
  const chosen = <T extends string>(all: readonly T[]) => {
    const some = all.filter((one) => words.includes(one));
    return some.length === 0 ? all : some;
  };
  const columns = chosen(versions);
  console.log(markdownHead(['restore, template', ...columns]).join('\n'));
  for (const tool of chosen(searchedTools)) {
    for (const idiom of chosen(idioms)) {
      const cells = columns.map((crossplane) => restoreCell({tool, idiom, provider: '1m', crossplane}, crossplane));
      console.log(markdownRow([`${tool}, ${idiom}`, ...cells]));
    }
  }
}

function restoreCell(one: Case, crossplane: ProfileName): string {
  const scenario = searchedRestore(one);
  const notHeld: string[] = [];
  let states = 0;
  for (const kind of [
    undefined,
    ...budgetKinds.filter((budget) => budget !== 'operator' && budget !== 'webhook-down'),
  ]) {
    const flags = kind === undefined ? [] : ['--budget', `${kind}=1`];
    const args = ['restore.yaml', ...inOrder, '--all', ...withoutPerson, ...flags];
    const search = searchedIn(scenario, crossplane, args);
    states += search.explored.states;
    if (!passed(search.explored)) notHeld.push(`${kind ?? 'no fault'}: ${cellOf(search, 'holds')}`);
  }
  return [`${states}`, ...notHeld].join('; ');
}

interface Searched {
  readonly exploration: Exploration;
  readonly explored: Explored;
  readonly failures: readonly Failure[];
  readonly seconds: number;
}

/** Undefined where the story cannot be told on the version. */
function searched(story: string, crossplane: ProfileName, flags: readonly string[]): Searched | undefined {
  const args = [`${folder}${story}.yaml`, ...flags];
  const scenario = readScenario(args[0] ?? '', functions);
  return scenario.crossplane.includes(crossplane) ? searchedIn(scenario, crossplane, args) : undefined;
}

function searchedIn(scenario: Scenario, crossplane: ProfileName, said: readonly string[]): Searched {
  const args = parseExploreArgs(said);
  if (args === undefined) throw new Error('no help was asked for');
  const began = process.cpuUsage();
  const exploration = openExploration(scenario, crossplane, args, functions);
  const explored = explore(exploration, args, () => (secondsSince(began) > secondsMax ? 'stop' : undefined));
  const failures = failuresOf(exploration, explored);
  return {exploration, explored, failures, seconds: secondsSince(began)};
}

function secondsSince(began: NodeJS.CpuUsage): number {
  const {user, system} = process.cpuUsage(began);
  return (user + system) / 1_000_000;
}

/** One search, in a few words. A story that the version cannot tell has an empty cell. */
function cellOf(search: Searched | undefined, recorded: 'breaks' | 'holds' | 'any'): string {
  if (search === undefined) return '';
  const {explored, failures, seconds} = search;
  const isFound = failures.length > 0 && failures.every(({spendingSteps}) => spendingSteps <= stepsMax);
  if (recorded === 'breaks' && (!isFound || seconds > secondsMax)) process.exitCode = 1;
  if (recorded === 'holds' && !passed(explored)) process.exitCode = 1;
  const size = `${explored.states} states, ${seconds.toFixed(1)} s`;
  const found = failures.map(({report, spendingSteps}) => `${report.name}: ${spendingSteps} steps`);
  if (found.length > 0) return `**${found.join('; ')}** (${size})`;
  const missed = explored.properties.filter(({verdict}) => verdict !== 'holds').map(({name}) => name);
  if (explored.outcome.kind !== 'complete') return `unfinished (${size})`;
  return missed.length > 0 ? `**never: ${missed.join('; ')}** (${size})` : `holds (${size})`;
}
