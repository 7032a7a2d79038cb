import {expect, test} from 'vitest';
import {look, type Said} from '../../site/playground/look.ts';
import {tell} from '../../site/playground/tell.ts';
import {withText} from '../../site/playground/workspace.ts';
import {restored, workspaceOf} from './stories.ts';

test('finds the smallest bad story, and it can be run', () => {
  const workspace = workspaceOf(restored);
  const heard: Said[] = [];
  const said = look({workspace, variant: 'without'}, (one) => heard.push(one));
  if (said.kind !== 'found') throw new Error(`expected a story, got ${said.kind}`);
  expect(said.lines.at(-1)).toMatch(/^=> replica \(Instance\) is an orphan/);
  const [without, withTether] = tell(withText(workspace, workspace.story.scenario, said.scenario));
  expect([without?.orphans.length, withTether?.orphans.length]).toEqual([1, 0]);
});
