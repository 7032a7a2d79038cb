// The progress of a search, on one line of a terminal that is written over and over. In CI, without a reader, nothing.

import type {Progress} from '../../explore/result.ts';

export interface ProgressLine {
  show(progress: Progress): void;
  /** Takes the line away, so that what is printed next begins at the left. */
  end(): void;
}

/** `write` prints the line, undefined without a reader; `nowMs` is any clock. */
export function progressLine(
  write: ((text: string) => void) | undefined,
  crossplane: string,
  nowMs: () => number,
): ProgressLine {
  const beganMs = nowMs();
  let isShown = false;
  return {
    show: ({uniqueStates, depth, frontier}) => {
      isShown = write !== undefined;
      const rate = Math.round((uniqueStates * 1000) / Math.max(1, nowMs() - beganMs));
      write?.(`\r${crossplane}: ${uniqueStates} states, ${rate} a second, depth ${depth}, ${frontier} waiting\x1b[K`);
    },
    end: () => {
      if (isShown) write?.('\r\x1b[K');
    },
  };
}
