// Two runs of one scenario in a terminal, their steps level with each other. Equal lines stand across both columns after a `=`,
// once; the columns keep the difference.

import {wrapped} from '../../command-line/wrap.ts';
import {type Chapter, chaptersOf, type Line, timeText} from '../control-plane/record/condense.ts';
import type {RunResult} from '../scenario/run-result.ts';
import {type Aligned, align} from './align.ts';
import {terminalWidth} from './terminal-width.ts';

export function sideBySide(left: RunResult, right: RunResult, width = terminalWidth()): string {
  const [one, other] = [left, right].map(({timeline}) => chaptersOf(timeline));
  const count = Math.max(one?.length ?? 0, other?.length ?? 0);
  const chapters = Array.from({length: count}, (_, index) => chapterRows(index, one?.[index], other?.[index], width));
  const titles: readonly [readonly string[], readonly string[]] = [titleLines(left, width), titleLines(right, width)];
  const column = columnOf(width);
  return [
    `${left.scenario} on Crossplane ${left.crossplane}`,
    '',
    ...joinedColumns(titles, width),
    `${'-'.repeat(column)}-+-${'-'.repeat(column)}`,
    'A line that begins with = is the same in both.',
    ...chapters.flat(),
  ].join('\n');
}

function titleLines({variant, crossplane}: RunResult, width: number): readonly string[] {
  return wrapped('', variant === '' ? `Crossplane ${crossplane}` : variant, columnOf(width));
}

function columnOf(width: number): number {
  return Math.floor((width - 3) / 2);
}

function chapterRows(
  index: number,
  left: Chapter | undefined,
  right: Chapter | undefined,
  width: number,
): readonly string[] {
  const chapter = left ?? right;
  const aligned = align(left?.lines ?? [], right?.lines ?? [], (one, other) => one.text === other.text);
  const time = chapter === undefined ? '' : ` (${timeText(chapter.atMs)})`;
  return ['', ...wrapped('', `${index + 1}. ${chapter?.name ?? ''}${time}`, width), ...rowsOf(aligned, width)];
}

function rowsOf(aligned: readonly Aligned<Line>[], width: number): readonly string[] {
  const rows: string[] = [];
  const open: {left: string[]; right: string[]} = {left: [], right: []};
  const flush = (): void => {
    rows.push(...joinedColumns([open.left, open.right], width));
    open.left = [];
    open.right = [];
  };
  for (const row of aligned) {
    if (row.kind === 'both') {
      flush();
      rows.push(...wrapped(`=${timeText(row.left.atMs).padStart(8)}  `, row.left.text, width));
    } else if (row.kind === 'left') open.left.push(...cell(row.left, width));
    else open.right.push(...cell(row.right, width));
  }
  flush();
  return rows;
}

function cell({atMs, text}: Line, width: number): readonly string[] {
  return wrapped(`${timeText(atMs).padStart(7)}  `, text, columnOf(width));
}

function joinedColumns(
  [left, right]: readonly [readonly string[], readonly string[]],
  width: number,
): readonly string[] {
  const column = columnOf(width);
  return Array.from({length: Math.max(left.length, right.length)}, (_, index) =>
    `${(left[index] ?? '').padEnd(column)} | ${right[index] ?? ''}`.trimEnd(),
  );
}
