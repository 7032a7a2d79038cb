import {writeText} from '../input/file-problem.ts';
import type {ReportFiles} from '../report/write-reports.ts';
import {auditJson} from './audit-json.ts';
import {auditJunit} from './audit-junit.ts';
import {auditMarkdown} from './audit-markdown.ts';
import {auditSarif} from './audit-sarif.ts';
import type {Compared} from './compared.ts';

/** Writes the reports that were asked for. `-` for JSON means the terminal. */
export function writeAudit(compared: Compared, {json, junit, markdown, sarif}: Omit<ReportFiles, 'html'>): void {
  if (json === '-') process.stdout.write(auditJson(compared));
  else if (json !== undefined) writeText(json, auditJson(compared), 'report');
  if (junit !== undefined) writeText(junit, auditJunit(compared), 'report');
  if (markdown !== undefined) writeText(markdown, auditMarkdown(compared), 'report');
  if (sarif !== undefined) writeText(sarif, auditSarif(compared), 'report');
}
