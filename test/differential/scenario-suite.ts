// Every reconcile of scenarios, as Crossplane itself would have ended it: what it keeps, lists and deletes.

import {at} from '../../src/cluster/json.ts';
import type {JsonObject} from '../../src/wire/json.ts';
import {differenceText} from './difference.ts';
import {writeRecording} from './recordings.ts';
import {renderOurs} from './render-ours.ts';
import type {RenderOutcome} from './render-outcome.ts';
import {renderSuite} from './render-suite.ts';
import type {CrossplaneRender} from './render-theirs.ts';
import {reconcilesOf, type ScenarioReconcile} from './scenario-reconciles.ts';

/** How many reconciles differ. With `save` one of each phase that does not is kept as a recording. */
export async function compareScenarios(
  theirs: CrossplaneRender,
  files: readonly string[],
  save: boolean,
): Promise<number> {
  let differing = 0;
  let compared = 0;
  for (const file of files) {
    const {scenario, reconciles} = reconcilesOf(file);
    compared += reconciles.length;
    for (const [phase, stories] of Map.groupBy(reconciles, (one) => one.phase)) {
      const found = await differencesAmong(theirs, stories);
      differing += found.length;
      console.log(`${file}: ${phase}: ${sumOf(stories)}, ${found.length} differ`);
      for (const sentence of found) console.log(`  ${sentence}`);
      const story = stories.at(-1)?.story;
      if (!save || found.length > 0 || story === undefined) continue;
      const name = `${scenario} ${phase}`.replaceAll(/[^a-z]+/g, '-');
      console.log(`  written: ${writeRecording('render', name, {story, outcome: await theirs.render(story)})}`);
    }
  }
  console.log(`scenarios: ${compared} reconciles of ${files.length}, ${differing} differ`);
  return differing;
}

async function differencesAmong(theirs: CrossplaneRender, reconciles: readonly ScenarioReconcile[]) {
  const {compare} = renderSuite(theirs);
  const found: string[] = [];
  for (const {story} of reconciles) {
    const difference = await compare(story);
    if (difference !== undefined) found.push(differenceText(difference));
  }
  return found;
}

function sumOf(reconciles: readonly ScenarioReconcile[]): string {
  const outcomes = reconciles.map(({story}) => renderOurs(story));
  const sum = (count: (outcome: RenderOutcome) => number) => outcomes.reduce((total, one) => total + count(one), 0);
  const kept = sum(({composed}) => composed.length);
  const listed = sum(({xr}) => refsOf(xr).length);
  const deleted = sum(({deleted: gone}) => gone.length);
  const failed = outcomes.filter(({error}) => error !== undefined).length;
  const end = failed === 0 ? '' : `, ${failed} fail`;
  return `${reconciles.length} reconciles keep ${kept}, list ${listed} and delete ${deleted} objects${end}`;
}

function refsOf(xr: JsonObject | undefined): readonly unknown[] {
  const paths = [
    ['spec', 'crossplane', 'resourceRefs'],
    ['spec', 'resourceRefs'],
  ];
  return paths.map((path) => at(xr as never, path)).find(Array.isArray) ?? [];
}
