import {groupKindOf} from '../../cluster/object.ts';
import type {Tally} from '../input/source/source.ts';
import {visible} from '../report/visible.ts';
import type {AuditReport} from './audit-form.ts';
import {classes, classNames, faultText} from './class-words.ts';
import type {Compared} from './compared.ts';
import type {Finding} from './finding.ts';

/** The version of the report's fields; raised if one of them changes or goes. */
const reportVersion = 1;

/** An audit as one JSON document: for tools, and as the baseline of a later one. */
export function auditJson(compared: Compared): string {
  const {source, findings, known, gone, notJudged} = compared;
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
    counts: countsOf(findings),
    findings: findings.map((finding) => ({
      ...findingJson(finding),
      baseline: inBaseline.has(finding) ? 'unchanged' : 'new',
    })),
    gone,
    notJudged,
  };
  return visible(`${JSON.stringify(report, undefined, 2)}\n`);
}

function countsOf(findings: readonly Finding[]): {readonly [name: string]: number} {
  return Object.fromEntries(
    classNames.map((name) => [name, findings.filter(({fault}) => fault.class === name).length]),
  );
}

function findingJson({id, severity, object, fault}: Finding) {
  const {why, remedy, references} = classes[fault.class];
  return {id, class: fault.class, severity, object, what: faultText(fault), why, remedy, references};
}
