// An audit for a terminal: counts of the objects read, the findings by class with reason and remedy once, and the totals.

import {counted} from '../input/listed.ts';
import {sourceLines} from '../input/source/source-words.ts';
import {classLines, type Severity} from '../report/class-findings.ts';
import type {Paint} from '../report/paint.ts';
import {wrapped} from '../report/wrap.ts';
import {classes} from './class-words.ts';
import type {Compared} from './compared.ts';
import {faultLine} from './finding.ts';

export function auditText(compared: Compared, width: number, paint: Paint): string {
  const {source, fresh, notJudged} = compared;
  return [
    ...sourceLines(source).flatMap((line) => wrapped('', line, width)),
    ...classLines(classes, fresh.map(faultLine), width, paint),
    '',
    ...notJudged.flatMap(({what, count}) => wrapped('', `not judged: ${count} ${what}`, width)),
    ...closing(compared),
  ].join('\n');
}

/** The totals, in the last line. */
function closing({findings, fresh, known, gone}: Compared): readonly string[] {
  const count = (severity: Severity): number => fresh.filter((finding) => finding.severity === severity).length;
  const parts = [counted(count('error'), 'error'), counted(count('warning'), 'warning')];
  const kept = known.length === 0 ? '' : `, ${known.length} known from the baseline`;
  const left = gone.map((id) => `gone since the baseline: ${id}`);
  return [...left, findings.length === 0 ? 'nothing found' : `${parts.join(', ')}${kept}`];
}
