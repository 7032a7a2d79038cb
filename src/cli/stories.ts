// `tether stories`: the known bugs, each on every Crossplane version, without function-tether and with it, as a table. Rows
// come in the order of the table however many workers run them, and each is printed as soon as those before it are.

import {extname} from 'node:path';
import {isSea} from 'node:sea';
import {fileURLToPath} from 'node:url';
import {type CommandLine, on, one, text} from '../command-line/option-table.ts';
import {harnessMemoryKeyFile} from '../harness/functions/memory-key-file.ts';
import {InputError} from '../harness/input/input-error.ts';
import {runTitle, timelineText} from '../harness/report/console.ts';
import type {RunProgress} from '../harness/scenario/run-progress.ts';
import {findStories, type Row, rowsOf, type Story} from '../harness/scenario/stories/find-stories.ts';
import {runStory, type StoryResult} from '../harness/scenario/stories/run-story.ts';
import {agreementText, orderLines, resultText, storyHead, stuckLines} from '../harness/scenario/stories/table.ts';
import {type CommandContext, command} from './command.ts';
import {crossplane, positive} from './options.ts';
import {progressHere} from './progress-here.ts';
import {inWorkers, isRowWorker, workOnDemand} from './row-workers.ts';

const ownExamples = fileURLToPath(new URL('../../examples', import.meta.url));

export const storiesLine = {
  name: 'stories',
  takes: '',
  does: 'runs every known bug on every Crossplane version, without and with function-tether.',
  options: {
    examples: text('FOLDER', 'where the stories are (those of function-tether)'),
    story: text('TEXT', 'only stories whose name or path contains TEXT'),
    crossplane,
    seeds: one('NUMBER', 'run each so often, map order and timing varied (1)', positive),
    from: one('SEED', "the first of these seeds; the story's own where left out", positive),
    workers: one('NUMBER', 'run so many rows at once (1)', positive),
    grpc: on('call function-tether over gRPC, served by tether serve'),
    timeline: on('print the timeline of every run that is not as expected'),
  },
  example: 'tether stories --story restore --crossplane main',
  exitCodes:
    '0 every bug happened where it should and nowhere else, 1 the tool itself failed, 2 bad input, 3 not as expected.',
} satisfies CommandLine;

/** Runs the stories and prints the table. */
export const storiesCommand = command(storiesLine, async ({values, argv}, {functions, entry}: CommandContext) => {
  const {seeds = 1, workers = 1} = values;
  const from = values.from === undefined ? {} : {from: values.from};
  const found = chosen(findStories(values.examples ?? ownExamples, functions), values.story);
  const stories = values.grpc ? found.map((story) => overGrpc(story)) : found;
  const rows = rowsOf(stories, values.crossplane.length > 0 ? values.crossplane : undefined);
  const run = ({story, crossplane, variant}: Row, progress?: RunProgress): Promise<StoryResult> => {
    const shown = progress === undefined ? {} : {progress};
    return runStory(story, {crossplane, variant, builtins: functions, seeds, ...from, ...shown});
  };
  if (isRowWorker()) {
    return workOnDemand((index) => {
      const row = rows[index];
      if (row === undefined) throw new Error(`a worker must be asked for a row below ${rows.length}, got ${index}`);
      return run(row);
    });
  }
  const startedMs = Date.now();
  const progress = progressHere();
  const printer = printRows(rows, values.timeline, progress);
  try {
    if (workers > 1) {
      const work = {rows: rows.length, what: 'rows', count: workers, progress, onDone: printer.done} as const;
      await inWorkers<StoryResult>(entry, ['stories', ...argv], work);
    } else
      for (const [index, row] of rows.entries()) {
        progress.story(rowTitle(row, index, rows.length));
        printer.done(index, await run(row, progress));
      }
  } finally {
    progress.end();
  }
  const results = printer.all();
  const wrong = results.filter(({problems}) => problems.length > 0).length;
  if (seeds > 1) console.log(agreementText(results));
  const runs = results.reduce((sum, result) => sum + result.runs, 0);
  const seconds = ((Date.now() - startedMs) / 1000).toFixed(1);
  console.log(`${results.length - wrong} as expected, ${wrong} not; ${runs} runs in ${seconds} s`);
  return wrong === 0 ? 0 : 3;
});

function rowTitle({story, crossplane, variant}: Row, index: number, count: number): string {
  return `row ${index + 1} of ${count}: ${runTitle({scenario: story.name, crossplane, variant: variant.name})}`;
}

/** Prints the rows in their order. */
function printRows(rows: readonly Row[], timeline: boolean, progress: RunProgress) {
  const done: StoryResult[] = [];
  const print = (result: StoryResult, index: number): void => {
    const isOfStory = (row: Row | undefined): boolean => row?.story === rows[index]?.story;
    if (!isOfStory(rows[index - 1])) console.log(storyHead(result));
    console.log(resultText(result));
    if (timeline && result.problems.length > 0) console.log(timelineText(result.shown));
    if (isOfStory(rows[index + 1])) return;
    const results = done.filter((_, other) => isOfStory(rows[other]));
    const tookMs = results.reduce((sum, one) => sum + one.tookMs, 0);
    for (const line of [...orderLines(results), ...stuckLines(results)]) console.log(line);
    console.log(`  (${(tookMs / 1000).toFixed(1)} s)\n`);
  };
  return {
    done: (index: number, result: StoryResult): undefined => {
      done.push(result);
      progress.end();
      print(result, index);
    },
    all: (): readonly StoryResult[] => done,
  };
}

// The extension is that of this module: the published package holds JavaScript.
const ownMain = fileURLToPath(new URL(`../main${extname(import.meta.url)}`, import.meta.url));
/** The command that serves function-tether, without the arguments of `tether serve`. */
const ownServer = isSea() ? [process.execPath, 'serve'] : ['node', ownMain, 'serve'];

/** The story with function-tether called over gRPC, served by `server`. */
export function overGrpc(story: Story, server: readonly string[] = ownServer): Story {
  const address = '127.0.0.1:{port}';
  const command = [...server, '--insecure', '--address', address, '--memory-key-file', harnessMemoryKeyFile()];
  const served = {kind: 'command', command, address} as const;
  return {
    ...story,
    functions: Object.fromEntries(
      Object.entries(story.functions).map(([name, source]) => [name, name === 'function-tether' ? served : source]),
    ),
  };
}

function chosen(stories: readonly Story[], text: string | undefined): readonly Story[] {
  const found = stories.filter(({name, path}) => text === undefined || name.includes(text) || path.includes(text));
  if (found.length > 0) return found;
  const known = stories.map(({name}) => name).join(', ');
  throw new InputError(`no story is named "${text}": known are ${known}`);
}
