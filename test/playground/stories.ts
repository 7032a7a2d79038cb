import {collectStories} from '../../site/build/collect-stories.ts';
import type {Workspace} from '../../site/playground/workspace.ts';

export const stories = collectStories(new URL('../../examples', import.meta.url).pathname);

export function workspaceOf(id: string, crossplane: Workspace['crossplane'] = 'main'): Workspace {
  const story = stories.find((one) => one.id === id);
  if (story === undefined) throw new Error(`no story ${id}`);
  return {story, crossplane, changed: {}};
}

export const restored = 'restore-orphan/every-version/scenario.yaml';
