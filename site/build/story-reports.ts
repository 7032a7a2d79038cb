// The report of every story on all its versions, a page each, and what they came to in one table.

import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {markdownTable} from '../../src/command-line/tables.ts';
import {readPageAssets} from '../../src/harness/report/html/assets.ts';
import {htmlReport} from '../../src/harness/report/html/page.ts';
import type {RecordedRun} from '../../src/harness/report/lanes/chart.ts';
import {tell} from '../playground/tell.ts';
import type {StoryTexts} from '../playground/workspace.ts';

export interface StoryReport {
  readonly story: StoryTexts;
  /** Below the folder of the reports. */
  readonly file: string;
  readonly runs: readonly RecordedRun[];
}

export function writeStoryReports(stories: readonly StoryTexts[], folder: string): readonly StoryReport[] {
  mkdirSync(folder, {recursive: true});
  const assets = readPageAssets();
  return stories.map((story) => {
    const runs = story.crossplane.flatMap((crossplane) => tell({story, crossplane, changed: {}}));
    const file = `${story.id.replace(/(\/scenario)?\.yaml$/, '').replaceAll('/', '-')}.html`;
    writeFileSync(join(folder, file), htmlReport(runs, assets));
    return {story, file, runs};
  });
}

/** The table as Markdown. `reports` is the folder as seen from the page. */
export function storyTable(all: readonly StoryReport[], reports: string, playground: string): string {
  const rows = all.flatMap(({story, file, runs}) => {
    const counts = (crossplane: string): string =>
      runs
        .filter((run) => run.crossplane === crossplane)
        .map(({orphans, stuck, externals}) => `${orphans.length} / ${stuck.length} / ${externals.alive}`)
        .join(' → ');
    return story.crossplane.map((crossplane, index) => [
      index === 0 ? `[${story.description || story.name}](${reports}${file})` : '',
      crossplane,
      counts(crossplane),
    ]);
  });
  return [
    '# Stories',
    '',
    `Every known bug and hazard on every version that is modelled, without function-tether → with it. Each story can be run and changed in the [playground](${playground}).`,
    '',
    ...markdownTable(['story', 'Crossplane', 'orphans / stuck / alive in the cloud'], rows),
    '',
  ].join('\n');
}
