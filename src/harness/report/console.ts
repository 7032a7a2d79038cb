// Runs as text for a terminal: the timeline of one run, what it came to, and the verdict.

import {shortName} from '../../cluster/object.ts';
import {wrapped} from '../../command-line/wrap.ts';
import {chaptersOf, timeText} from '../control-plane/record/condense.ts';
import {objectText} from '../control-plane/record/words.ts';
import {durationText} from '../input/duration.ts';
import {counted} from '../input/listed.ts';
import type {RunResult} from '../scenario/run-result.ts';
import {closingText, notRunSentences} from './closing.ts';
import {differenceText} from './object-diff.ts';
import {plain} from './paint.ts';
import {terminalWidth} from './terminal-width.ts';

export function runTitle({
  scenario,
  crossplane,
  variant,
}: Pick<RunResult, 'scenario' | 'crossplane' | 'variant'>): string {
  return `${scenario} on Crossplane ${crossplane}${variant === '' ? '' : `, ${variant}`}`;
}

/** The timeline of one run, step by step. */
export function timelineText(result: RunResult, width = terminalWidth()): string {
  const lines = chaptersOf(result.timeline).flatMap((chapter, index) => [
    '',
    ...wrapped('', `${index + 1}. ${chapter.name} (${timeText(chapter.atMs)})`, width),
    ...chapter.lines.flatMap(({atMs, text}) => wrapped(`${timeText(atMs).padStart(10)}  `, text, width)),
  ]);
  return [runTitle(result), ...lines].join('\n');
}

/** The result of the run, and every failure with its place. */
export function verdictText(result: RunResult, width = terminalWidth(), paint = plain): string {
  const {failures, orphans, externals, hollow = []} = result;
  const facts = [
    counted(orphans.length, 'orphan'),
    `${counted(externals.alive, 'external resource')} alive (${counted(externals.creates, 'create')}, ${counted(externals.deletes, 'delete')})`,
    counted(result.reconciles, 'reconcile'),
    `settled after ${durationText(result.settledMs)} of virtual time`,
  ];
  const details = [
    facts.join(', '),
    ...orphans.map(({object}) => `orphan: ${objectText(object)} ${shortName(object)}`),
    ...result.stuck.map((sentence) => `stuck: ${sentence}`),
    ...notRunSentences(result),
  ];
  const indented = (list: readonly string[]) => list.flatMap((one) => wrapped('        ', one, width));
  const failed = failures.flatMap(({place, step, message, difference, because = []}) => [
    ...indented([`${place}: ${step}: ${message}`]).map((line) => paint('red', line)),
    ...painted(differenceText(difference), paint),
    ...indented(because.map((cause) => `because ${cause}`)).map((line) => paint('red', line)),
  ]);
  return [
    `${verdictWord(result, paint)}  ${runTitle(result)}`,
    ...indented(hollow).map((line) => paint('red', line)),
    ...failed,
    ...indented(details).map((line) => paint('dim', line)),
  ].join('\n');
}

const colours: {readonly [mark: string]: 'red' | 'green'} = {'-': 'red', '+': 'green'};

function painted(lines: readonly string[], paint: typeof plain): readonly string[] {
  return lines.map((line) => {
    const [colour, text] = [colours[line.charAt(0)], `            ${line}`];
    return colour === undefined ? text : paint(colour, text);
  });
}

function verdictWord({failures, hollow = []}: RunResult, paint: typeof plain): string {
  if (failures.length > 0) return paint('red', 'FAILED');
  return hollow.length > 0 ? paint('red', 'ok, but') : paint('green', 'ok    ');
}

/** The result of a test of one render, every failure with its place. */
export function renderVerdict({scenario, crossplane, failures, timeline, orphans}: RunResult): string {
  const kept = `${timeline.length - failures.length} of ${timeline.length} checks hold`;
  return [
    `${failures.length === 0 ? 'ok' : 'FAILED'}  ${scenario} on Crossplane ${crossplane}: ${kept}`,
    ...orphans.map(({resourceName}) => `    orphan: "${resourceName}" is left behind, and nothing ever deletes it`),
    ...failures.flatMap(({place, step, message, difference}) => [
      `    ${place}: ${step}: ${message}`,
      ...differenceText(difference).map((line) => `        ${line}`),
    ]),
  ].join('\n');
}

/** The result of a run, in plain words. */
export function closing(result: RunResult): string {
  const title = `${result.variant === '' ? runTitle(result) : result.variant}:`;
  return [title, ...closingText(result).flatMap((sentence) => wrapped('  - ', sentence, terminalWidth()))].join('\n');
}
