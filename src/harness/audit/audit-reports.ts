// The reports of an audit: for a terminal, as GitHub-flavoured Markdown, as one JSON document, as JUnit XML and as SARIF.

import {groupKindOf} from '../../cluster/object.ts';
import {markdownTable} from '../../command-line/tables.ts';
import {wrapped} from '../../command-line/wrap.ts';
import {counted, listedLines} from '../input/listed.ts';
import type {Tally} from '../input/source/source.ts';
import {sourceLines} from '../input/source/source-words.ts';
import {classLines, type Severity, sarifText} from '../report/class-findings.ts';
import {junitText} from '../report/junit-xml.ts';
import type {Paint} from '../report/paint.ts';
import {detailsLines, jsonText, markdownText} from '../report/visible.ts';
import type {AuditReport} from './audit-form.ts';
import {classes, classNames, type FindingClass, faultText} from './class-words.ts';
import type {Compared} from './compared.ts';
import {addressText, type Finding, faultLine} from './finding.ts';

/** Counts of the objects read, the findings by class with reason and remedy once, and the totals. */
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

/** More of a class are counted: GitHub takes 64 KiB of a comment. */
const shownMax = 30;

const columns = ['class', 'severity', {head: 'findings', isNumber: true}, ''];

/** For a job summary or a comment: one table, then each class that was found. */
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
    ...byClass.flatMap(({name, found}) => classDetails(name, found)),
    '',
  ].join('\n');
}

/** Errors stand open. */
function classDetails(name: FindingClass, found: readonly Finding[]): readonly string[] {
  const {severity, title, why, remedy, references} = classes[name];
  return detailsLines(severity === 'error', `${name}: ${markdownText(title)} (${found.length})`, [
    ...listedLines(found, shownMax, markdownLine, '- and'),
    '',
    `${markdownText(why)}`,
    '',
    `**Do:** ${markdownText(remedy)}`,
    '',
    references.map((reference, index) => `[${index + 1}](${reference})`).join(', '),
  ]);
}

function markdownLine({object, fault}: Finding): string {
  return `- **${markdownText(addressText(object))}**: ${markdownText(faultText(fault))}`;
}

/** The version of the report's fields; raised if one of them changes or goes. */
const reportVersion = 1;

/** For tools, and as the baseline of a later audit. */
export function auditJson({source, findings, known, gone, notJudged}: Compared): string {
  const {origin, objects, asOfMs, notes} = source;
  const tally = ({why, count}: Tally) => ({what: why, count});
  const inBaseline = new Set(known);
  const report: AuditReport = {
    version: reportVersion,
    source: {
      kind: origin.kind,
      name: origin.name,
      objects: objects.length,
      kinds: new Set(objects.map(groupKindOf)).size,
      ...(asOfMs === 0 ? {} : {asOf: new Date(asOfMs).toISOString()}),
      skipped: notes.skipped.map(tally),
      notUnderstood: notes.notUnderstood.map(tally),
    },
    counts: Object.fromEntries(
      classNames.map((name) => [name, findings.filter(({fault}) => fault.class === name).length]),
    ),
    findings: findings.map((finding) => ({
      ...findingJson(finding),
      baseline: inBaseline.has(finding) ? 'unchanged' : 'new',
    })),
    gone,
    notJudged,
  };
  return jsonText(report);
}

function findingJson({id, severity, object, fault}: Finding) {
  const {why, remedy, references} = classes[fault.class];
  return {id, class: fault.class, severity, object, what: faultText(fault), why, remedy, references};
}

/** One suite, a test case per new finding, and one for each class of which there is none. The timestamp is the source's newest moment. */
export function auditJunit({source, fresh}: Compared): string {
  const clean = classNames.filter((name) => !fresh.some(({fault}) => fault.class === name));
  const time = '0.000';
  const found = fresh.map(({object, severity, fault}) => {
    const {why, remedy} = classes[fault.class];
    const failure = {type: severity, message: faultText(fault), text: `${why}\n${remedy}`};
    return {classname: `audit.${fault.class}`, name: addressText(object), time, failure};
  });
  const suite = {
    name: `audit of ${source.origin.name}`,
    package: 'tether.audit',
    timestamp: new Date(source.asOfMs).toISOString().slice(0, 19),
    time,
    properties: {objects: source.objects.length},
    cases: [...found, ...clean.map((name) => ({classname: `audit.${name}`, name: 'none', time}))],
    out: sourceLines(source),
    err: [],
  };
  return junitText([suite]);
}

/**
 * An object has no line of a file that a person wrote: its address is the logical location, and the source as it was named the
 * physical.
 */
export function auditSarif({source, findings, fresh}: Compared): string {
  const isNew = new Set(fresh);
  const physicalLocation = {artifactLocation: {uri: encodeURI(source.origin.name)}, region: {startLine: 1}};
  const results = findings.map((finding) => {
    const {id, object} = finding;
    const logicalLocations = [{name: object.name, fullyQualifiedName: addressText(object), kind: 'resource'}];
    const baselineState = isNew.has(finding) ? ('new' as const) : ('unchanged' as const);
    return {...faultLine(finding), id, locations: [{physicalLocation, logicalLocations}], baselineState};
  });
  return sarifText('tether audit', classes, results);
}
