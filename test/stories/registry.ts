import {fileURLToPath} from 'node:url';
import {runFunction} from '../../src/function/run.ts';
import {answeringOnce} from '../../src/harness/functions/answer-once.ts';
import {type Builtins, builtins} from '../../src/harness/functions/builtin.ts';
import {harnessMemoryKey} from '../../src/harness/functions/memory-key.ts';
import {findStories, type Story} from '../../src/harness/scenario/stories/find-stories.ts';

const options = {memoryKeys: [harnessMemoryKey]};

/** As the `tether` command hands it in. */
export const registry: Builtins = {
  ...builtins,
  'function-tether': answeringOnce((request) => ({ok: true, response: runFunction(request, options)})),
};

export const stories = findStories(fileURLToPath(new URL('../../examples', import.meta.url)), registry);

export function storyNamed(name: string): Story {
  const found = stories.find((story) => story.name === name);
  if (found === undefined) throw new Error(`no story is named "${name}"`);
  return found;
}
