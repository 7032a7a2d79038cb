import {lineMark} from '../../src/harness/report/progress.ts';

/** What a command printed, without how far a slow run is: no test depends on how fast the machine is. */
export function withoutProgress(printed: string): string {
  return printed.replaceAll(new RegExp(`^${lineMark}.*\n`, 'gm'), '');
}
