// An audit held against what was known before, and what of it makes a command fail.

import type {Audit} from './audit.ts';
import {type Finding, type Severity, severities} from './finding.ts';

export interface Compared extends Audit {
  /** Findings that the baseline does not have: all of them without one. */
  readonly fresh: readonly Finding[];
  /** Findings that the baseline has, too. */
  readonly known: readonly Finding[];
  /** Ids of the baseline that are not found any more. */
  readonly gone: readonly string[];
}

export function comparedToBaseline(audit: Audit, baseline: readonly string[] = []): Compared {
  const before = new Set(baseline);
  const now = new Set(audit.findings.map(({id}) => id));
  return {
    ...audit,
    fresh: audit.findings.filter(({id}) => !before.has(id)),
    known: audit.findings.filter(({id}) => before.has(id)),
    gone: baseline.filter((id) => !now.has(id)),
  };
}

/** `on`: classes, and severities, of which one means itself and what is worse. */
export function failingFindings({fresh}: Compared, on: readonly string[]): readonly Finding[] {
  return fresh.filter(({fault, severity}) =>
    on.some(
      (one) => one === fault.class || (isSeverity(one) && severities.indexOf(severity) <= severities.indexOf(one)),
    ),
  );
}

function isSeverity(word: string): word is Severity {
  return severities.some((severity) => severity === word);
}
