import {expect, test} from 'vitest';
import {fragmentOf, workspaceIn} from '../../site/playground/share.ts';
import {withText} from '../../site/playground/workspace.ts';
import {restored, stories, workspaceOf} from './stories.ts';

test('a link brings back the whole workspace, in letters that every program leaves alone', async () => {
  const workspace = withText(workspaceOf(restored, '1.19'), 'xr.yaml', 'apiVersion: v1 # ünicode\n');
  const fragment = await fragmentOf(workspace);
  expect(fragment).toMatch(/^1\.[\w-]+$/);
  expect(await workspaceIn(fragment, stories)).toEqual(workspace);
});

test('a text as the story has it is no change, so that the link stays short', async () => {
  const workspace = workspaceOf(restored);
  const same = withText(withText(workspace, 'xr.yaml', 'other'), 'xr.yaml', workspace.story.files['xr.yaml'] ?? '');
  expect(same).toEqual(workspace);
  expect((await fragmentOf(same)).length).toBeLessThan(150);
});

test.each(['', 'nonsense', '1.', '1.AAAA', '2.abc', `1.${'A'.repeat(500)}`])(
  'a fragment that is none is none: %s',
  async (fragment) => {
    expect(await workspaceIn(fragment, stories)).toBeUndefined();
  },
);

test('a link to a story or a version that is not here is none', async () => {
  const workspace = workspaceOf(restored);
  expect(await workspaceIn(await fragmentOf(workspace), [])).toBeUndefined();
  const other = await fragmentOf({...workspace, crossplane: '9.9' as 'main'});
  expect(await workspaceIn(other, stories)).toBeUndefined();
});
