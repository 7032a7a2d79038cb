import {type CommandLine, on, one, text, type Values} from '../command-line/option-table.ts';
import {parseDuration} from '../harness/input/duration.ts';
import {count, crossplane, threads} from './options.ts';
import {loaded, placeOptions} from './place-functions.ts';

export const testLine = {
  name: 'test',
  takes: 'FILE...',
  does: 'runs scenarios on a simulated control plane. It also takes test files of xprin and CompositionTest files of `up test`: each test is one render, and what of it has no meaning here is said on stderr.',
  options: {
    crossplane,
    only: text('NAME', 'only the scenarios and tests whose name contains NAME'),
    variant: text('NAME', 'only the variants whose name contains NAME'),
    'fail-fast': on('end after the first run that fails'),
    strict: on('fail a run that is "ok, but": exit code 3'),
    workers: one('NUMBER', 'run so many files at once, or `all` that there is room for, printed in order (1)', threads),
    'keep-going': on('go on with a scenario after a step that failed, instead of ending it there'),
    'call-timeout': one('TIME', 'how long a function may take to answer, unless it says so itself (10s)', duration),
    seed: one('NUMBER', "instead of the scenario's seed", count),
    loaded,
    twin: text(
      'NAME',
      'run each scenario twice, with the functions named (NAME,NAME) and with pipelines that have no step of them, and fail where anything is worse with them; with --crossplane, --seed, --loaded, --timeline, --function and --run-functions only',
    ),
    update: on('write golden files that say something else, or are not there yet'),
    watch: on('run again whenever a file in the folders of the FILEs changes'),
    ...placeOptions,
    functions: text('PATH', 'the Functions of CompositionTest files, as for tether render; else they run in process'),
    timeline: on('print the timeline of every run, not only of those that failed'),
    'side-by-side': on('print the first two variants beside each other'),
    json: text('FILE', 'write everything as JSON ("-" for the terminal)'),
    junit: text('FILE', 'write JUnit XML'),
    markdown: text('FILE', 'write a summary in Markdown, as $GITHUB_STEP_SUMMARY takes it'),
    html: text('FILE', 'write one page with everything on it: lanes over virtual time, decisions, diffs'),
  },
  example: 'tether test examples/restore-orphan/scenario.yaml --side-by-side',
  exitCodes: '0 everything came true, 1 the tool itself failed, 2 bad input, 3 an expectation failed.',
} satisfies CommandLine;

function duration(text: string, flag: string): number {
  return parseDuration(flag, text);
}

export type TestValues = Values<(typeof testLine)['options']>;
