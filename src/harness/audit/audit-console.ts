// An audit for a terminal: counts of the objects read, the findings by class with reason and remedy once, and the totals.

import {counted, listedLines} from '../input/listed.ts';
import {sourceLines} from '../input/source/source-words.ts';
import type {Paint} from '../report/paint.ts';
import {wrapped} from '../report/wrap.ts';
import {classWords} from './class-words.ts';
import type {Compared} from './compared.ts';
import {addressText, classNames, type Finding} from './finding.ts';
import {faultText} from './finding-words.ts';

/** More of a class are counted: the reports have them all. */
const shownMax = 20;

export function auditText(compared: Compared, width: number, paint: Paint): string {
  const {source, fresh, notJudged} = compared;
  const classes = classNames.flatMap((name) => {
    const found = fresh.filter(({fault}) => fault.class === name);
    return found.length === 0 ? [] : ['', ...classLines(found, width, paint)];
  });
  return [
    ...sourceLines(source).flatMap((line) => wrapped('', line, width)),
    ...classes,
    '',
    ...notJudged.flatMap(({what, count}) => wrapped('', `not judged: ${count} ${what}`, width)),
    ...closing(compared),
  ].join('\n');
}

function classLines(found: readonly Finding[], width: number, paint: Paint): readonly string[] {
  const [first] = found;
  if (first === undefined) return [];
  const name = first.fault.class;
  const {title, why, remedy, references} = classWords[name];
  const lines = ({object, fault}: Finding) => wrapped('  ', `${addressText(object)}: ${faultText(fault)}`, width);
  const head = `${first.severity} ${name}: ${title} (${found.length})`;
  return [
    first.severity === 'error' ? paint('red', head) : head,
    ...listedLines(found, shownMax, lines, '  and'),
    ...wrapped('  why: ', why, width),
    ...wrapped('  do:  ', remedy, width),
    ...references.map((reference) => paint('dim', `  see  ${reference}`)),
  ];
}

/** The totals, in the last line. */
function closing({findings, fresh, known, gone}: Compared): readonly string[] {
  const count = (severity: Finding['severity']): number =>
    fresh.filter((finding) => finding.severity === severity).length;
  const parts = [counted(count('error'), 'error'), counted(count('warning'), 'warning')];
  const kept = known.length === 0 ? '' : `, ${known.length} known from the baseline`;
  const left = gone.map((id) => `gone since the baseline: ${id}`);
  return [...left, findings.length === 0 ? 'nothing found' : `${parts.join(', ')}${kept}`];
}
