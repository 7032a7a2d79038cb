// The soonest of the times in a table, kept by piece of the table: a step changes few pieces, and asks only those again.
// It leaves out times that depend on more than a value and the setting.

import {memo} from '../memo.ts';
import type {Table} from '../table.ts';

/** Of each piece of a table the least time, and where in the piece it stands first. */
export interface Soonest {
  readonly times: readonly number[];
  readonly indexes: readonly number[];
}

/** Times depend on this beside the values. Once a time is over, it may become another one. */
interface Setting {
  readonly nowMs: number;
}

/** Of times that depend on the values alone. */
export const anyTime: Setting = {nowMs: Number.NEGATIVE_INFINITY};

interface Known<S> {
  pieces: readonly unknown[];
  setting: S | undefined;
  readonly times: number[];
  readonly indexes: number[];
}

/**
 * The soonest of each piece by a time of its values. Before every step of a run it is asked of tables with thousands of values, each
 * of which followed from the last one by a change of one piece. So what was found is kept for all that follow from one another, and
 * pieces that are the same are not looked through again, unless times are over or `keeps` answers that the setting changes them. The
 * answer is true until the next one is asked for.
 */
export function soonestBy<V, S extends Setting>(
  timeOf: (value: V, setting: S) => number,
  keeps: (before: S, setting: S) => boolean = () => true,
): (table: Table<V>, setting: S) => Soonest {
  const memory = memo<object, Known<S>>();
  const small = nothingKnown<S>();
  return ({pieces, places}, setting) => {
    let known = small;
    if (pieces.length > 1) {
      const {family} = places;
      known = memory.get(family) ?? nothingKnown();
      memory.set(family, known);
    }
    let isKept: boolean | undefined;
    // Where the piece stood before: what is removed moves all pieces after it.
    let was = 0;
    for (let at = 0; at < pieces.length; at++, was++) {
      const piece = pieces[at] as readonly V[];
      if (known.pieces[was] !== piece && known.pieces[was + 1] === piece) was++;
      if (known.pieces[was] === piece && (known.times[was] as number) >= setting.nowMs) {
        isKept ??= keeps(known.setting as S, setting);
        if (isKept) {
          known.times[at] = known.times[was] as number;
          known.indexes[at] = known.indexes[was] as number;
          continue;
        }
      }
      let [first, least] = [-1, Number.POSITIVE_INFINITY];
      for (let index = 0; index < piece.length; index++) {
        const time = timeOf(piece[index] as V, setting);
        if (time >= least) continue;
        first = index;
        least = time;
      }
      known.indexes[at] = first;
      known.times[at] = least;
    }
    known.times.length = pieces.length;
    known.indexes.length = pieces.length;
    known.pieces = pieces;
    known.setting = setting;
    return known;
  };
}

function nothingKnown<S>(): Known<S> {
  return {pieces: [], setting: undefined, times: [], indexes: []};
}

/** The first index of the least time that counts; -1 where no such time is finite. */
export function firstOf(times: readonly number[], counts?: (index: number) => boolean): number {
  let [first, least] = [-1, Number.POSITIVE_INFINITY];
  for (let index = 0; index < times.length; index++) {
    const time = times[index] as number;
    if (time >= least || counts?.(index) === false) continue;
    first = index;
    least = time;
  }
  return first;
}
