import type {RunResult} from '../scenario/run-result.ts';
import {closingText} from './closing.ts';
import {runTitle} from './console.ts';

/** Runs as GitHub-flavoured Markdown, for a job summary: one table, then what each run came to. */
export function markdownReport(results: readonly RunResult[]): string {
  const failed = results.filter(({failures}) => failures.length > 0).length;
  const rows = results.map(({scenario, crossplane, variant, failures, orphans, externals}) => {
    const verdict = failures.length === 0 ? 'as expected' : '**failed**';
    const {alive, creates, deletes} = externals;
    const cells = [scenario, crossplane, variant].map(plain);
    return `| ${[...cells, verdict, orphans.length, alive, creates, deletes].join(' | ')} |`;
  });
  return [
    `## tether test: ${results.length - failed} passed, ${failed} failed`,
    '',
    '| scenario | Crossplane | variant | verdict | orphans | alive in the cloud | creates | deletes |',
    '| --- | --- | --- | --- | --: | --: | --: | --: |',
    ...rows,
    ...results.flatMap(runLines),
    '',
  ].join('\n');
}

/** Failed runs stand open. */
function runLines(run: RunResult): readonly string[] {
  const failures = run.failures.map(
    ({place, step, message}) => `- **${plain(message)}** (${plain(step)}, ${plain(place)})`,
  );
  return [
    '',
    `<details${failures.length > 0 ? ' open' : ''}><summary>${plain(runTitle(run))}</summary>`,
    '',
    ...failures,
    ...[...closingText(run), ...run.stuck].map((sentence) => `- ${plain(sentence)}`),
    '',
    '</details>',
  ];
}

/** Text that Markdown and HTML leave alone. */
function plain(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[&<>|`*_~[\]\\#@!]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
