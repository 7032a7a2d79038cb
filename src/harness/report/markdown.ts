import {type Column, markdownTable} from '../../command-line/tables.ts';
import type {RunResult} from '../scenario/run-result.ts';
import {closingText} from './closing.ts';
import {runTitle} from './console.ts';
import {differenceText} from './object-diff.ts';
import {detailsLines, markdownText, visible} from './visible.ts';

const counts = ['orphans', 'alive in the cloud', 'creates', 'deletes'];
const columns = [
  ...['scenario', 'Crossplane', 'variant', 'verdict'],
  ...counts.map((head): Column => ({head, isNumber: true})),
];

/** Runs as GitHub-flavoured Markdown, for a job summary: one table, then what each run came to. */
export function markdownReport(results: readonly RunResult[]): string {
  const failed = results.filter(({failures}) => failures.length > 0).length;
  const rows = results.map(({scenario, crossplane, variant, failures, hollow, orphans, externals}) => {
    const passed = hollow === undefined ? 'as expected' : 'as expected, but see below';
    const verdict = failures.length === 0 ? passed : '**failed**';
    const {alive, creates, deletes} = externals;
    const cells = [scenario, crossplane, variant].map(markdownText);
    return [...cells, verdict, orphans.length, alive, creates, deletes];
  });
  return [
    `## tether test: ${results.length - failed} passed, ${failed} failed`,
    '',
    ...markdownTable(columns, rows),
    ...results.flatMap(runLines),
    '',
  ].join('\n');
}

/** Failed runs stand open. */
function runLines(run: RunResult): readonly string[] {
  const failures = run.failures.flatMap(({place, step, message, difference}) => [
    `- **${markdownText(message)}** (${markdownText(step)}, ${markdownText(place)})`,
    ...fenced(differenceText(difference)),
  ]);
  const sentences = [...closingText(run), ...run.stuck].map((sentence) => `- ${markdownText(sentence)}`);
  return detailsLines(failures.length > 0, markdownText(runTitle(run)), [...failures, ...sentences]);
}

/** Under the item of a list. No line of a diff is a fence: each begins with its sign. */
function fenced(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', ...['```diff', ...lines.map(visible), '```'].map((line) => `  ${line}`), ''];
}
