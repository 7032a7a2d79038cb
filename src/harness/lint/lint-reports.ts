// The findings for a terminal, as JSON and as SARIF.

import {wrapped} from '../../command-line/wrap.ts';
import {counted} from '../input/listed.ts';
import {type ClassFinding, classLines, sarifText, severities} from '../report/class-findings.ts';
import type {Paint} from '../report/paint.ts';
import {jsonText} from '../report/visible.ts';
import {classes, type Finding} from './finding.ts';
import type {Linted} from './lint.ts';

export function lintText({findings, called, notJudged}: Linted, width: number, paint: Paint): string {
  const lines = findings.map((one): ClassFinding => ({class: one.class, text: `${one.place}: ${messageOf(one)}`}));
  const sentence = called.length === 0 ? 'no pipeline was called' : `called the pipelines of ${called.join(', ')}`;
  const notes = notJudged.flatMap((one) => wrapped('', `not judged: ${one}`, width));
  const found = classLines(classes, lines, width, paint);
  return [...wrapped('', sentence, width), ...found, '', ...notes, closing(findings, notJudged.length)].join('\n');
}

function closing(findings: readonly Finding[], notJudged: number): string {
  const counts = severities.flatMap((severity) => {
    const {length} = findings.filter((one) => classes[one.class].severity === severity);
    return length === 0 ? [] : [counted(length, severity)];
  });
  const found = counts.length === 0 ? ['nothing found'] : counts;
  return [...found, ...(notJudged === 0 ? [] : [`${notJudged} not judged`])].join(', ');
}

export function lintJson({paths, findings, called, notJudged}: Linted): string {
  const rows = findings.map((finding) => ({...finding, severity: classes[finding.class].severity}));
  return jsonText({paths, called, notJudged, findings: rows});
}

export function lintSarif({findings}: Linted): string {
  const found = findings.map((finding) => {
    const [, uri = finding.place, line = '1', column = '1'] = /^(.*):(\d+):(\d+)$/.exec(finding.place) ?? [];
    const region = {startLine: Number(line), startColumn: Number(column)};
    const locations = [{physicalLocation: {artifactLocation: {uri: encodeURI(uri)}, region}}];
    const id = `${finding.class} ${finding.object} ${finding.sentence}`;
    return {class: finding.class, text: messageOf(finding), locations, id};
  });
  return sarifText('tether lint', classes, found);
}

function messageOf({object, sentence}: Finding): string {
  return `${object}: ${sentence}`;
}
