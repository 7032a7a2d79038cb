import {type FSWatcher, watch} from 'node:fs';
import {dirname, join, relative, sep} from 'node:path';
import {InputError} from './input/input-error.ts';

const settleMs = 100;
const ignored = ['node_modules', '.git'];

/**
 * Calls `act` now and after every change below the folders of `files`, one at a time, for as long as the process lives.
 * Changes during a call are one more call after it.
 */
export async function whenFilesChange(
  files: readonly string[],
  act: (changed: string | undefined) => Promise<unknown>,
): Promise<never> {
  const changes = watchFolders([...new Set(files.map((file) => dirname(file)))]);
  await act(undefined);
  for (;;) await act(await changes());
}

/** Answers the next change: a path. One that came since the last answer counts. */
function watchFolders(folders: readonly string[]): () => Promise<string> {
  let changed: string | undefined;
  let wake: (() => void) | undefined;
  for (const folder of folders) {
    watcherOf(folder).on('change', (_, name) => {
      const path = join(folder, String(name));
      if (path.split(sep).some((part) => ignored.includes(part))) return;
      changed = path;
      wake?.();
    });
  }
  return async () => {
    if (changed === undefined) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    // An editor writes a file in several steps; what it means is there when it is done.
    await new Promise((resolve) => setTimeout(resolve, settleMs));
    const path = relative('.', changed ?? '');
    changed = undefined;
    wake = undefined;
    return path;
  };
}

function watcherOf(folder: string): FSWatcher {
  try {
    return watch(folder, {recursive: true});
  } catch (error) {
    throw new InputError('', `cannot watch folder "${folder}": ${(error as Error).message}`);
  }
}
