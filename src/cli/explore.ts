// `tether explore FILE`: one exploration for each Crossplane version. Prints a table, and for each failure the timeline and the
// command that replays it.

import type {ProfileName} from '../cluster/crossplane/profiles.ts';
import {NotModelled} from '../cluster/not-modelled.ts';
import {textTable} from '../command-line/tables.ts';
import {ModelFailure} from '../explore/model-failure.ts';
import type {Progress, SearchResult} from '../explore/result.ts';
import {mergeShards} from '../explore/shard.ts';
import {profileNamed} from '../harness/control-plane/profile-names.ts';
import {calledFunctions, mustBeCalled, runCalling} from '../harness/explore/called-functions.ts';
import {
  type Exploration,
  type Explored,
  explore,
  exploredBy,
  type Failure,
  failuresOf,
  openExploration,
  reasonsText,
  searchText,
} from '../harness/explore/explore.ts';
import {replayCommandLine, reportPath, shortPath} from '../harness/explore/path-report.ts';
import {scenarioText} from '../harness/explore/save-scenario.ts';
import {isShardWorker, searchInShards} from '../harness/explore/shard-workers.ts';
import {postProgress, postResult} from '../harness/explore/threads.ts';
import {type Whose, whoseIs} from '../harness/explore/whose.ts';
import {writeText} from '../harness/input/file-problem.ts';
import {InputError} from '../harness/input/input-error.ts';
import {counted} from '../harness/input/listed.ts';
import {checkReportFiles, writeReport} from '../harness/report/write-reports.ts';
import {readScenario} from '../harness/scenario/read-scenario.ts';
import type {Scenario} from '../harness/scenario/scenario.ts';
import type {CommandContext} from './command.ts';
import {complain} from './complain.ts';
import {type ExploreArgs, parseExploreArgs} from './explore-options.ts';
import {exploreTwinsCommand} from './explore-twins.ts';
import {placedScenario, placeFlags, sayNotes} from './place-functions.ts';
import {print} from './print.ts';
import {progressHere} from './progress-here.ts';
import {checkShards, searchShared, type Work} from './shards.ts';

interface Outcome {
  readonly exploration: Exploration;
  readonly explored: Explored;
  readonly failures: readonly (Failure & {readonly whose: Whose})[];
  readonly ms: number;
}

/** Answers the exit code. */
export async function exploreCommand(argv: readonly string[], context: CommandContext): Promise<number> {
  try {
    const args = parseExploreArgs(argv);
    return args === undefined ? 0 : await run(args, argv, context);
  } catch (error) {
    // A worker's mistake is reported once, by the thread that waits for it.
    if (isShardWorker()) throw error;
    // A property that cannot be evaluated is a mistake in the scenario, found on the way.
    const isOfInput =
      error instanceof ModelFailure && (error.cause instanceof InputError || error.cause instanceof NotModelled);
    return complain('explore', isOfInput ? error.cause : error);
  }
}

async function run(args: ExploreArgs, argv: readonly string[], context: CommandContext): Promise<number> {
  if (!isShardWorker())
    checkShards(
      Object.keys(args).filter((name) => args[name as keyof typeof args] !== undefined),
      ofWhole,
    );
  checkReportFiles({json: args.json});
  const scenario = await placedScenario(readScenario(args.file, context.functions), args.places, context.functions);
  sayNotes(scenario);
  const here = args.twin === undefined ? context.functions : {};
  if (mustBeCalled(scenario, here)) return runCalling(context.entry, ['explore', ...argv], scenario, here);
  if (args.twin !== undefined) return exploreTwinsCommand(scenario, args, args.twin, context);
  const versions = args.crossplane.length > 0 ? args.crossplane : scenario.crossplane.map(profileNamed);
  const opened = (crossplane: ProfileName) =>
    openExploration(scenario, crossplane, args, {...calledFunctions(), ...context.functions});
  const searchVersion = (crossplane: ProfileName) => searchOne(opened(crossplane), args, argv, context);
  if (isShardWorker()) {
    for (const crossplane of versions) postWhole(await searchVersion(crossplane));
    return 0;
  }
  const all = await searchShared<readonly Searched[], readonly PartOfVersion[]>(
    args,
    workOf(scenario, versions, args, context),
    {
      search: async () => {
        const searched: Searched[] = [];
        for (const crossplane of versions) searched.push(await searchVersion(crossplane));
        return searched;
      },
      written: (searched) => searched.map(({explored, ms}) => ({whole: explored.whole, ms})),
      together: (parts) => versions.map((_, index) => inOneRun(parts.flatMap((one) => one[index] ?? []))),
    },
  );
  if (all === undefined) return 0;
  const outcomes = versions.map((crossplane, index) =>
    outcomeOf(scenario, opened(crossplane), all[index] as Searched, args, context),
  );
  if (args.json !== '-') print(tableText(outcomes));
  for (const outcome of outcomes) if (args.json !== '-') printFailures(outcome, args);
  if (args.json !== undefined) writeJson(args.json, outcomes);
  if (outcomes.some(({explored}) => hasFailed(explored))) return 3;
  return outcomes.every(({explored}) => explored.outcome.kind === 'complete') ? 0 : 1;
}

/** The result of a search, and how long it took. */
interface Searched {
  readonly explored: Explored;
  readonly ms: number;
}

interface PartOfVersion {
  readonly whole: SearchResult | undefined;
  readonly ms: number;
}

/** The report of a search is of the whole. */
const ofWhole = ['save', 'json'];

function workOf(
  scenario: Scenario,
  versions: readonly ProfileName[],
  args: ExploreArgs,
  {entry}: CommandContext,
): Work {
  const {workers: _, shard: __, parts: ___, merge: ____, save: _____, json: ______, places: _______, ...others} = args;
  return {command: 'explore', of: [versions, others, {...scenario, folder: ''}], entry};
}

function postWhole({explored}: Searched): void {
  if (explored.whole !== undefined) postResult(explored.whole);
}

/** The time of all machines is that of one that had done everything. */
function inOneRun(parts: readonly PartOfVersion[]): Searched {
  const whole = mergeShards(parts.flatMap((part) => part.whole ?? []));
  return {explored: exploredBy(whole), ms: parts.reduce((sum, {ms}) => sum + ms, 0)};
}

async function searchOne(
  exploration: Exploration,
  args: ExploreArgs,
  argv: readonly string[],
  {entry}: CommandContext,
): Promise<Searched> {
  const {crossplane} = exploration.story;
  const beganMs = performance.now();
  const untilMs = args.seconds === undefined ? Number.POSITIVE_INFINITY : beganMs + args.seconds * 1000;
  const isWorker = isShardWorker();
  const line = progressHere();
  const show = (progress: Progress) => line.story(searchText(crossplane, progress, performance.now() - beganMs));
  const onProgress = (progress: Progress): 'stop' | undefined => {
    if (isWorker) postProgress(progress);
    else show(progress);
    return performance.now() >= untilMs ? 'stop' : undefined;
  };
  let explored: Explored;
  if (args.workers > 1 && !isWorker && args.walks === undefined) {
    const share = {...(args.shard ?? {index: 0, count: 1}), threads: args.workers};
    const whole = await searchInShards(entry, ['explore', ...argv, '--crossplane', crossplane], share, show);
    explored = exploredBy(whole);
  } else {
    explored = explore(exploration, isWorker ? withShareOf(args) : args, onProgress);
  }
  line.end();
  return {explored, ms: performance.now() - beganMs};
}

function outcomeOf(
  scenario: Scenario,
  exploration: Exploration,
  {explored, ms}: Searched,
  args: ExploreArgs,
  {functions}: CommandContext,
): Outcome {
  const known = {...calledFunctions(), ...functions};
  // As long again as the search itself may take.
  const endMs = args.seconds === undefined ? Number.POSITIVE_INFINITY : performance.now() + args.seconds * 1000;
  const onTime = () => (performance.now() >= endMs ? ('stop' as const) : undefined);
  const failures = failuresOf(exploration, explored).map((failure) => ({
    ...failure,
    whose: whoseIs(failure.report.name, scenario, exploration, explored, known, onTime),
  }));
  return {exploration, explored, failures, ms};
}

/** The threads of one search share its memory. */
function withShareOf(args: ExploreArgs): ExploreArgs {
  const {memoryBytes, shard} = args;
  return memoryBytes === undefined ? args : {...args, memoryBytes: Math.ceil(memoryBytes / (shard?.count ?? 1))};
}

function hasFailed({properties, outcome}: Explored): boolean {
  // In an unfinished search a `sometimes` that was not seen is unknown, so whatever fails here is certain.
  return (
    properties.some(({verdict}) => verdict === 'fails') ||
    (outcome.kind === 'complete' && properties.some(({verdict}) => verdict !== 'holds'))
  );
}

function tableText(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({exploration, explored, failures, ms}) => {
    const unwitnessed = explored.properties.filter(
      ({expectation, verdict}) => expectation === 'sometimes' && verdict !== 'holds',
    );
    const found = failures.map(({report, spendingSteps}) => `${report.name} (${counted(spendingSteps, 'step')})`);
    const missing = unwitnessed.map(({name, verdict}) => `${verdict === 'fails' ? 'never' : 'not yet'}: ${name}`);
    return [
      exploration.story.crossplane,
      verdictText(explored),
      explored.states,
      Math.round((explored.states * 1000) / ms),
      explored.depth,
      [...found, ...(failures.length > 0 ? [] : missing)].join('; '),
    ];
  });
  const title = outcomes[0]?.exploration.story.scenario.name ?? '';
  const budgets = Object.entries(outcomes[0]?.exploration.budgets ?? {}).map(([kind, units]) => `${kind}=${units}`);
  const lines = textTable(['crossplane', 'result', 'states', 'states/s', 'depth', 'found'], rows);
  return [`${title} (bounds: ${budgets.join(', ')})`, ...lines].join('\n');
}

function verdictText(explored: Explored): string {
  if (hasFailed(explored)) return 'FAILS';
  return explored.outcome.kind === 'complete' ? 'holds' : `unfinished (${reasonsText(explored.outcome.reasons)})`;
}

function printFailures({exploration, failures}: Outcome, args: ExploreArgs): void {
  for (const [index, failure] of failures.entries()) {
    const {report, path, pending, minimal, whose} = failure;
    const taken = reportPath(exploration, path, {name: report.name, pending});
    const command = `${replayCommandLine(args.file, exploration, path)}${placeFlags(args.places)}`;
    const size = minimal ? 'smallest' : 'small';
    print(`\nCrossplane ${exploration.story.crossplane}: ${report.name} does not hold (${size} path found)`);
    print(taken.lines.join('\n'));
    print(`     => ${taken.verdict ?? 'does not hold here'}\n        ${whose.text}\n${command}`);
    if (args.save !== undefined && index === 0) writeText(args.save, scenarioText(exploration, failure, command));
  }
}

function writeJson(file: string, outcomes: readonly Outcome[]): void {
  const report = outcomes.map(({exploration, explored, failures, ms}) => ({
    scenario: exploration.story.scenario.name,
    crossplane: exploration.story.crossplane,
    budgets: exploration.budgets,
    outcome: explored.outcome,
    states: explored.states,
    transitions: explored.transitions,
    quiescentStates: explored.quiescentStates,
    depth: explored.depth,
    seconds: Math.round(ms) / 1000,
    properties: explored.properties.map(({name, expectation, verdict, statesChecked, discovery}) => ({
      name,
      expectation,
      verdict,
      statesChecked,
      ...(discovery === undefined ? {} : {path: shortPath(discovery.path)}),
    })),
    failures: failures.map(({report, path, spendingSteps, pending, minimal, whose: {without, shows}}) => ({
      property: report.name,
      path: shortPath(path),
      spendingSteps,
      pending,
      minimal,
      without: {functions: without, shows},
    })),
  }));
  writeReport(file, () => `${JSON.stringify(report, undefined, 2)}\n`);
}
