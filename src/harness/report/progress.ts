// The progress of a story: on a terminal one line that is written over and over, elsewhere a line now and then, so that no run
// is silent for long. All of it goes to stderr; nothing of it is a result.

import {durationText} from '../input/duration.ts';
import type {RunProgress} from '../scenario/run-progress.ts';
import {visible} from './visible.ts';

export interface ProgressPlace {
  readonly write: (text: string) => void;
  /** The columns of a terminal; undefined where none is. */
  readonly columns: number | undefined;
  /** Any clock of real time. */
  readonly nowMs: () => number;
}

/** A quick story needs no line; on a terminal a line changes at most so often; elsewhere lines come so seldom. */
const quickMs = 500;
const terminalEveryMs = 100;
const firstLineMs = 5000;
const linesEveryMs = 10_000;

/** The beginning of each line where no terminal is, by which a reader can leave progress out. */
export const lineMark = '… ';

export function progressAt({write, columns, nowMs}: ProgressPlace): RunProgress {
  const isTerminal = columns !== undefined;
  let title = '';
  let step = '';
  let timeMs = 0;
  let waiting: {readonly what: string; readonly sinceMs: number} | undefined;
  let nextMs = nowMs() + (isTerminal ? quickMs : firstLineMs);
  let isShown = false;
  let timer: NodeJS.Timeout | undefined;

  const text = (): string => {
    const at = [title, step === '' ? '' : `${step}, +${durationText(timeMs)}`].filter(Boolean).join(': ');
    const waits = waiting && `waiting ${durationText(nowMs() - waiting.sinceMs)} for ${waiting.what}`;
    return visible([at, waits].filter(Boolean).join(', '));
  };
  const look = (): void => {
    if (nowMs() < nextMs) return;
    nextMs = nowMs() + (isTerminal ? terminalEveryMs : linesEveryMs);
    isShown = true;
    write(isTerminal ? `\r${text().slice(0, columns - 1)}\x1b[K` : `${lineMark}${text()}\n`);
  };
  return {
    story: (name) => {
      title = name;
      step = '';
      timeMs = 0;
      look();
    },
    step: (number, count, name) => {
      step = `step ${number} of ${count} "${name}"`;
      look();
    },
    time: (ms) => {
      timeMs = ms;
      look();
    },
    waitsFor: (what) => {
      waiting = what === undefined ? undefined : {what, sinceMs: nowMs()};
      // While a call is out, nothing else calls this.
      if (waiting !== undefined && timer === undefined) timer = setInterval(look, terminalEveryMs).unref();
      look();
    },
    end: () => {
      clearInterval(timer);
      timer = undefined;
      if (isShown && isTerminal) write('\r\x1b[K');
      isShown = false;
      nextMs = nowMs() + (isTerminal ? quickMs : firstLineMs);
    },
  };
}
