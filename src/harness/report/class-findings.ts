// Findings of classes, as audit and lint have them: a class has a severity and words that all its findings share. A terminal,
// SARIF and --fail-on take the findings of both in one form.

import {wrapped} from '../../command-line/wrap.ts';
import {listedLines} from '../input/listed.ts';
import type {Paint} from './paint.ts';
import {jsonText} from './visible.ts';

export const severities = ['error', 'warning', 'note'] as const;
export type Severity = (typeof severities)[number];

export interface ClassWords {
  readonly severity: Severity;
  readonly title: string;
  readonly why: string;
  readonly remedy: string;
  readonly references?: readonly string[];
}

/** The worst classes first. An error loses, doubles or stops something. */
export interface Classes {
  readonly [name: string]: ClassWords;
}

export interface ClassFinding {
  readonly class: string;
  /** The place or object, and its fault. */
  readonly text: string;
}

/** More of a class are counted: the reports have them all. */
const shownMax = 20;

/** The findings for a terminal: by class, with why and what to do once. */
export function classLines(
  classes: Classes,
  findings: readonly ClassFinding[],
  width: number,
  paint: Paint,
): readonly string[] {
  return Object.entries(classes).flatMap(([name, {severity, title, why, remedy, references = []}]) => {
    const found = findings.filter((finding) => finding.class === name);
    if (found.length === 0) return [];
    const head = `${severity} ${name}: ${title} (${found.length})`;
    return [
      '',
      severity === 'error' ? paint('red', head) : head,
      ...listedLines(found, shownMax, ({text}) => wrapped('  ', text, width), '  and'),
      ...wrapped('  why: ', why, width),
      ...wrapped('  do:  ', remedy, width),
      ...references.map((reference) => paint('dim', `  see  ${reference}`)),
    ];
  });
}

/** How many findings `on` names: by their class, or by a severity that is theirs or a lesser one. */
export function countOf(
  classes: Classes,
  findings: readonly {readonly class: string}[],
  on: readonly string[],
): number {
  const worst = severities.findLastIndex((severity) => on.includes(severity));
  const rank = (name: string): number => severities.indexOf(classes[name]?.severity ?? 'note');
  return findings.filter((finding) => on.includes(finding.class) || rank(finding.class) <= worst).length;
}

export interface SarifFinding extends ClassFinding {
  readonly locations: readonly object[];
  /** The same for the same finding in every run. */
  readonly id: string;
  readonly baselineState?: 'new' | 'unchanged';
}

/** SARIF 2.1.0 (OASIS, sarif-v2.1.0-os), for code scanning: a rule per class, a result per finding. */
export function sarifText(tool: string, classes: Classes, findings: readonly SarifFinding[]): string {
  const rules = Object.entries(classes).map(([id, {severity, title, why, remedy, references}]) => ({
    id,
    shortDescription: {text: title},
    fullDescription: {text: why},
    help: {text: remedy},
    helpUri: references?.[0],
    defaultConfiguration: {level: severity},
  }));
  const results = findings.map(({class: ruleId, text, id, locations, baselineState}) => ({
    ruleId,
    ruleIndex: Object.keys(classes).indexOf(ruleId),
    level: classes[ruleId]?.severity,
    message: {text},
    locations,
    partialFingerprints: {'finding/v1': id},
    baselineState,
  }));
  const informationUri = 'https://github.com/crossplane-contrib/function-tether';
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{tool: {driver: {name: tool, informationUri, rules}}, results}],
  };
  return jsonText(log);
}
