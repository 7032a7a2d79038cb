import type {ReadProgress} from '../harness/input/source/source.ts';
import {visible} from '../harness/report/visible.ts';

const everyMs = 200;

/** How far reading is, on this process's stderr: a line written over and over on a terminal, nothing elsewhere. */
export function readingHere(): {readonly progress: (progress: ReadProgress) => void; readonly end: () => void} {
  const {columns, isTTY} = process.stderr;
  let nextMs = performance.now() + everyMs;
  let isShown = false;
  return {
    progress: ({objects, now}) => {
      if (!isTTY || performance.now() < nextMs) return;
      nextMs = performance.now() + everyMs;
      isShown = true;
      process.stderr.write(`\r${visible(`reading: ${objects} objects, ${now}`).slice(0, columns - 1)}\x1b[K`);
    },
    end: () => {
      if (isShown) process.stderr.write('\r\x1b[K');
    },
  };
}
