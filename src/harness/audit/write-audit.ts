import {type ReportFiles, writeReport} from '../report/write-reports.ts';
import {auditJson} from './audit-json.ts';
import {auditJunit} from './audit-junit.ts';
import {auditMarkdown} from './audit-markdown.ts';
import {auditSarif} from './audit-sarif.ts';
import type {Compared} from './compared.ts';

/** Writes the reports that were asked for. `-` for JSON means the terminal. */
export function writeAudit(compared: Compared, {json, junit, markdown, sarif}: Omit<ReportFiles, 'html'>): void {
  writeReport(json, () => auditJson(compared));
  writeReport(junit, () => auditJunit(compared));
  writeReport(markdown, () => auditMarkdown(compared));
  writeReport(sarif, () => auditSarif(compared));
}
