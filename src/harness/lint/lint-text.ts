// The findings for a terminal: by class, with why and what to do once.

import {counted, listedLines} from '../input/listed.ts';
import type {Paint} from '../report/paint.ts';
import {wrapped} from '../report/wrap.ts';
import {classes, classNames, type Finding, type FindingClass, severities, severityOf} from './finding.ts';
import type {Linted} from './lint.ts';

const shownMax = 20;

export function lintText({findings, called, notJudged}: Linted, width: number, paint: Paint): string {
  const found = classNames.flatMap((name) => {
    const own = findings.filter((finding) => finding.class === name);
    return own.length === 0 ? [] : ['', ...classLines(name, own, width, paint)];
  });
  const sentence = called.length === 0 ? 'no pipeline was called' : `called the pipelines of ${called.join(', ')}`;
  const notes = notJudged.flatMap((one) => wrapped('', `not judged: ${one}`, width));
  return [...wrapped('', sentence, width), ...found, '', ...notes, closing(findings, notJudged.length)].join('\n');
}

function classLines(name: FindingClass, found: readonly Finding[], width: number, paint: Paint): readonly string[] {
  const {severity, title, why, remedy} = classes[name];
  const head = `${severity} ${name}: ${title} (${found.length})`;
  const lines = ({place, object, sentence}: Finding) => wrapped('  ', `${place}: ${object}: ${sentence}`, width);
  return [
    severity === 'error' ? paint('red', head) : head,
    ...listedLines(found, shownMax, lines, '  and'),
    ...wrapped('  why: ', why, width),
    ...wrapped('  do:  ', remedy, width),
  ];
}

function closing(findings: readonly Finding[], notJudged: number): string {
  const counts = severities.map(
    (severity) => [severity, findings.filter((one) => severityOf(one) === severity)] as const,
  );
  const some = counts
    .filter(([, found]) => found.length > 0)
    .map(([severity, found]) => counted(found.length, severity));
  const found = some.length === 0 ? ['nothing found'] : some;
  return [...found, ...(notJudged === 0 ? [] : [`${notJudged} not judged`])].join(', ');
}
