import {isTerminal} from '../harness/explore/called-functions.ts';
import {progressAt} from '../harness/report/progress.ts';
import type {RunProgress} from '../harness/scenario/run-progress.ts';

/** How far a command is, on this process's stderr: a line written over and over on a terminal, a line now and then elsewhere. */
export function progressHere(): RunProgress {
  const {columns = 80, isTTY} = process.stderr;
  return progressAt({
    write: (text) => process.stderr.write(text),
    nowMs: () => performance.now(),
    columns: isTTY || isTerminal ? columns : undefined,
  });
}
