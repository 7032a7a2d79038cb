// The reports that a command was asked for: checked before it runs, written after it.

import {accessSync, constants} from 'node:fs';
import {dirname} from 'node:path';
import {fileProblem, isDirectory, writeText} from '../input/file-problem.ts';
import {InputError} from '../input/input-error.ts';
import type {RunResult} from '../scenario/run-result.ts';
import {readPageAssets} from './html/assets.ts';
import {htmlReport} from './html/page.ts';
import {jsonReport} from './json.ts';
import {junitReport} from './junit.ts';
import {markdownReport} from './markdown.ts';

/** File names; `-` for JSON means the terminal. */
export interface ReportFiles {
  readonly json?: string | undefined;
  readonly junit?: string | undefined;
  readonly markdown?: string | undefined;
  readonly html?: string | undefined;
  readonly sarif?: string | undefined;
  readonly policyReports?: string | undefined;
}

export function filesOf({json, ...others}: ReportFiles): readonly string[] {
  const {junit, markdown, html, sarif, policyReports} = others;
  const files = [json === '-' ? undefined : json, junit, markdown, html, sarif, policyReports];
  return files.filter((file) => file !== undefined);
}

/** Throws InputError before anything runs where a report could not be written after it. */
export function checkReportFiles(files: ReportFiles): void {
  for (const file of filesOf(files)) {
    if (file === '-') throw new InputError('only --json goes to the terminal: "-" names no file for another report');
    const problem = isDirectory(file) ? 'is a directory' : (sourceProblem(file, files) ?? folderProblem(dirname(file)));
    if (problem !== undefined) throw new InputError(`cannot write report "${file}": ${problem}`);
  }
  const twice = filesOf(files).find((file, index, all) => all.indexOf(file) !== index);
  if (twice !== undefined) throw new InputError(`cannot write two reports to one file, got "${twice}" twice`);
}

export function writeReports(results: readonly RunResult[], {json, junit, markdown, html}: ReportFiles): void {
  writeReport(json, () => jsonReport(results));
  writeReport(junit, () => junitReport(results));
  writeReport(markdown, () => markdownReport(results));
  writeReport(html, () => htmlReport(results, readPageAssets()));
}

/** Writes a report that was asked for, `-` to the terminal. */
export function writeReport(file: string | undefined, text: () => string): void {
  if (file === '-') process.stdout.write(text());
  else if (file !== undefined) writeText(file, text(), 'report');
}

/** `--json a.yaml b.yaml` has forgotten the name of the report, and would write over a scenario. */
function sourceProblem(file: string, {policyReports}: ReportFiles): string | undefined {
  return file !== policyReports && /\.ya?ml$/i.test(file) ? 'no report but --policy-reports is YAML' : undefined;
}

function folderProblem(folder: string): string | undefined {
  try {
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'no such directory' : fileProblem(error);
  }
}
