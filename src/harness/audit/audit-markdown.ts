// An audit as GitHub-flavoured Markdown, for a job summary or a comment: one table, then each class that was found.

import {markdownTable} from '../../command-line/tables.ts';
import {counted, listedLines} from '../input/listed.ts';
import {sourceLines} from '../input/source/source-words.ts';
import {markdownText} from '../report/markdown-text.ts';
import {classes, classNames, type FindingClass, faultText} from './class-words.ts';
import type {Compared} from './compared.ts';
import {addressText, type Finding} from './finding.ts';

/** More of a class are counted: GitHub takes 64 KiB of a comment. */
const shownMax = 30;

const columns = ['class', 'severity', {head: 'findings', isNumber: true}, ''];

export function auditMarkdown({source, fresh, known, gone, notJudged}: Compared): string {
  const byClass = classNames.flatMap((name) => {
    const found = fresh.filter(({fault}) => fault.class === name);
    return found.length === 0 ? [] : [{name, found}];
  });
  const row = (name: FindingClass, count: number) => [
    name,
    classes[name].severity,
    count,
    markdownText(classes[name].title),
  ];
  const rows = byClass.map(({name, found}) => row(name, found.length));
  return [
    `## tether audit: ${fresh.length === 0 ? 'nothing new' : counted(fresh.length, 'finding')}`,
    '',
    ...sourceLines(source).map((line) => `- ${markdownText(line)}`),
    ...notJudged.map(({what, count}) => `- not judged: ${count} ${markdownText(what)}`),
    ...(known.length === 0 ? [] : [`- ${known.length} known from the baseline`]),
    ...gone.map((id) => `- gone since the baseline: ${markdownText(id)}`),
    ...(rows.length === 0 ? [] : ['', ...markdownTable(columns, rows)]),
    ...byClass.flatMap(({name, found}) => classLines(name, found)),
    '',
  ].join('\n');
}

function lineOf({object, fault}: Finding): string {
  return `- **${markdownText(addressText(object))}**: ${markdownText(faultText(fault))}`;
}

/** Errors stand open. */
function classLines(name: FindingClass, found: readonly Finding[]): readonly string[] {
  const {severity, title, why, remedy, references} = classes[name];
  return [
    '',
    `<details${severity === 'error' ? ' open' : ''}><summary>${name}: ${markdownText(title)} (${found.length})</summary>`,
    '',
    ...listedLines(found, shownMax, lineOf, '- and'),
    '',
    `${markdownText(why)}`,
    '',
    `**Do:** ${markdownText(remedy)}`,
    '',
    references.map((reference, index) => `[${index + 1}](${reference})`).join(', '),
    '',
    '</details>',
  ];
}
