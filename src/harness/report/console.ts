// Runs as text for a terminal: the timeline of one run, what it came to, and the verdict.

import {durationText} from '../input/duration.ts';
import {chaptersOf, timeText} from '../record/condense.ts';
import {counted, objectText} from '../record/words.ts';
import type {RunResult} from '../scenario/run-result.ts';
import {closingText, notRunSentences} from './closing.ts';
import {plain} from './paint.ts';
import {terminalWidth, wrapped} from './wrap.ts';

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

/** What the run came to, and every failure with its place. */
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
    ...orphans.map(({object}) => `orphan: ${objectText(object)} ${object.kind}/${object.metadata.name}`),
    ...result.stuck.map((sentence) => `stuck: ${sentence}`),
    ...notRunSentences(result),
  ];
  const causes = failures.flatMap(({place, step, message, because = []}) => [
    `${place}: ${step}: ${message}`,
    ...because.map((cause) => `because ${cause}`),
  ]);
  const indented = (list: readonly string[]) => list.flatMap((one) => wrapped('        ', one, width));
  return [
    `${verdictWord(result, paint)}  ${runTitle(result)}`,
    ...indented(hollow.map((sentence) => `shows nothing: ${sentence}`)).map((line) => paint('red', line)),
    ...indented(causes).map((line) => paint('red', line)),
    ...indented(details).map((line) => paint('dim', line)),
  ].join('\n');
}

function verdictWord({failures, hollow = []}: RunResult, paint: typeof plain): string {
  if (failures.length > 0) return paint('red', 'FAILED');
  return hollow.length > 0 ? paint('red', 'ok, but') : paint('green', 'ok    ');
}

/** What a run came to, in plain words. */
export function closing(result: RunResult, width = terminalWidth()): string {
  const title = `${result.variant === '' ? runTitle(result) : result.variant}:`;
  return [title, ...closingText(result).flatMap((sentence) => wrapped('  - ', sentence, width))].join('\n');
}
