// Runs something again when files change (`tether test --watch`). Whole folders are watched, because a scenario reads other
// files beside its own; changes that come close together count as one.

import {type FSWatcher, fstatSync, type Stats, statSync, watch} from 'node:fs';
import {dirname, join, relative, resolve, sep} from 'node:path';
import {fileProblem} from '../harness/input/file-problem.ts';
import {InputError} from '../harness/input/input-error.ts';

const settleMs = 100;
const ignored = ['node_modules', '.git'];

/**
 * Calls `act` now and after every change below the folders of `files`, one at a time, for as long as the process lives.
 * Changes during a call are one more call after it. Files that the call writes do not count: `outputs`, and the file that
 * the process prints to.
 */
export async function whenFilesChange(
  files: readonly string[],
  outputs: readonly string[],
  act: (changed: string | undefined) => Promise<unknown>,
): Promise<never> {
  const own = new Set(outputs.map((file) => resolve(file)));
  const isOwn = (path: string): boolean => own.has(resolve(path)) || isPrintedTo(path);
  const changes = watchFolders([...new Set(files.map((file) => dirname(file)))], isOwn);
  await act(undefined);
  for (;;) await act(await changes());
}

/** Answers the next change: a path. One that came since the last answer counts. */
function watchFolders(folders: readonly string[], isOwn: (path: string) => boolean): () => Promise<string> {
  let changed: string | undefined;
  let wake: (() => void) | undefined;
  for (const folder of folders) {
    watcherOf(folder).on('change', (_, name) => {
      const path = join(folder, String(name));
      if (path.split(sep).some((part) => ignored.includes(part)) || isOwn(path)) return;
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

/** True if stdout or stderr goes to this file, as in `tether test ... > out.txt`. */
function isPrintedTo(path: string): boolean {
  const file = statSync(path, {throwIfNoEntry: false});
  return file !== undefined && [1, 2].some((descriptor) => isSameFile(file, descriptor));
}

function isSameFile({dev, ino}: Stats, descriptor: number): boolean {
  try {
    const printedTo = fstatSync(descriptor);
    return printedTo.dev === dev && printedTo.ino === ino;
  } catch {
    return false;
  }
}

function watcherOf(folder: string): FSWatcher {
  try {
    return watch(folder, {recursive: true});
  } catch (error) {
    throw new InputError(`cannot watch folder "${folder}": ${fileProblem(error)}`);
  }
}
