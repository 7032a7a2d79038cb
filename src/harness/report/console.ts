import {durationText} from '../scenario/duration.ts';
import type {RunResult} from '../scenario/run-scenario.ts';
import {closingText} from './closing.ts';
import {chaptersOf, timeText} from './condense.ts';
import {objectText, plural} from './words.ts';

// Runs as text for a terminal: the timeline of one run, two runs side by side, and the verdict.

export function runTitle({scenario, crossplane, variant}: RunResult): string {
  return `${scenario} on Crossplane ${crossplane}${variant === '' ? '' : `, ${variant}`}`;
}

/** The timeline of one run, step by step. */
export function timelineText(result: RunResult, width = 140): string {
  const lines = chaptersOf(result.timeline).flatMap((chapter, index) => [
    '',
    `${index + 1}. ${chapter.name} (${timeText(chapter.atMs)})`,
    ...chapter.lines.flatMap(({atMs, text}) => wrapped(`   ${timeText(atMs).padStart(9)}  `, text, width)),
  ]);
  return [runTitle(result), ...lines].join('\n');
}

/** What the run came to, and every failure with its place. */
export function verdictText(result: RunResult): string {
  const {failures, orphans, externals} = result;
  const facts = [
    `${orphans.length} orphan${plural(orphans)}`,
    `${externals.alive} external resources alive (${externals.creates} creates, ${externals.deletes} deletes)`,
    `${result.reconciles} reconciles`,
    `settled after ${durationText(result.settledMs)} of virtual time`,
  ];
  return [
    `${failures.length === 0 ? 'ok' : 'FAILED'}  ${runTitle(result)}: ${facts.join(', ')}`,
    ...orphans.map(({object}) => `    orphan: ${objectText(object)} ${object.kind}/${object.metadata.name}`),
    ...result.stuck.map((sentence) => `    stuck: ${sentence}`),
    ...failures.map(({place, step, message}) => `    ${place}: ${step}: ${message}`),
  ].join('\n');
}

/** What a run came to, in plain words. */
export function closing(result: RunResult, width = 140): string {
  const title = `${result.variant === '' ? runTitle(result) : result.variant}:`;
  return [title, ...closingText(result).flatMap((sentence) => wrapped('  - ', sentence, width))].join('\n');
}

/** Two runs of one scenario, their steps level with each other. */
export function sideBySide(left: RunResult, right: RunResult, width = 160): string {
  const column = Math.floor((width - 3) / 2);
  const rows = (pair: readonly [readonly string[], readonly string[]]): readonly string[] =>
    Array.from({length: Math.max(pair[0].length, pair[1].length)}, (_, index) =>
      `${(pair[0][index] ?? '').padEnd(column)} | ${pair[1][index] ?? ''}`.trimEnd(),
    );
  const titles = [left, right].map((result) => wrapped('', result.variant || runTitle(result), column));
  const leftChapters = chaptersOf(left.timeline);
  const rightChapters = chaptersOf(right.timeline);
  const count = Math.max(leftChapters.length, rightChapters.length);
  const steps = Array.from({length: count}, (_, index) => {
    const [one, other] = [leftChapters[index], rightChapters[index]];
    const cells = [one, other].map((chapter) =>
      (chapter?.lines ?? []).flatMap(({atMs, text}) => wrapped(`${timeText(atMs).padStart(9)}  `, text, column)),
    );
    const title = `${index + 1}. ${one?.name ?? other?.name ?? ''}`;
    return ['', title, ...rows([cells[0] ?? [], cells[1] ?? []])];
  });
  return [
    `${left.scenario} on Crossplane ${left.crossplane}`,
    '',
    ...rows([titles[0] ?? [], titles[1] ?? []]),
    `${'-'.repeat(column)}-+-${'-'.repeat(column)}`,
    ...steps.flat(),
  ].join('\n');
}

/** `text` broken at spaces to `width`, every line after the first set in as far as the first. */
function wrapped(lead: string, text: string, width: number): readonly string[] {
  const room = Math.max(20, width - lead.length);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const pieces = word.match(new RegExp(`.{1,${room}}`, 'g')) ?? [''];
    for (const piece of pieces) {
      if (line === '') line = piece;
      else if (line.length + 1 + piece.length <= room) line = `${line} ${piece}`;
      else {
        lines.push(line);
        line = piece;
      }
    }
  }
  lines.push(line);
  return lines.map((part, index) => `${index === 0 ? lead : ' '.repeat(lead.length)}${part}`);
}
