// An audit held against what was known before.

import {InputError} from '../input/input-error.ts';
import {readYamlFile} from '../input/yaml-file.ts';
import type {Audit} from './audit.ts';
import {auditReport} from './audit-form.ts';
import type {Finding} from './finding.ts';

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

/** The ids of an earlier audit's JSON report. Throws InputError where the file is none. */
export function readBaseline(file: string): readonly string[] {
  const [cursor, other] = readYamlFile(file);
  if (cursor === undefined || other !== undefined) {
    throw new InputError(`cannot read baseline "${file}": expected the JSON report of an audit, got something else`);
  }
  return auditReport.read(cursor).findings.map(({id}) => id);
}
