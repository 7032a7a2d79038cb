// The soonest of the times in a table, kept by piece of the table: a step changes few pieces, and asks only those again.
// It leaves out times that depend on more than a value and the setting.

import {memo} from '../memo.ts';
import type {Table} from '../table.ts';

/** Of each piece of a table the least time, and where in the piece it stands first. */
export interface Soonest {
  readonly times: readonly number[];
  readonly indexes: readonly number[];
  /** The first piece with the least of the times; -1 where no time is finite. */
  readonly first: number;
}

/** Times depend on this beside the values. Once a time is over, it may become another one. */
interface Setting {
  readonly nowMs: number;
}

/** Of times that depend on the values alone. */
export const anyTime: Setting = {nowMs: Number.NEGATIVE_INFINITY};

interface Known<V, S> {
  pieces: readonly (readonly V[])[];
  setting: S | undefined;
  readonly times: number[];
  readonly indexes: number[];
  /** The times of all values, by piece: values lie far apart in memory, their times side by side. */
  readonly each: number[][];
  first: number;
}

/**
 * The soonest of each piece by a time of its values. Before every step of a run it is asked of tables with thousands of values, each
 * of which followed from the last one by a change of one piece. So what was found is kept for all that follow from one another, and
 * neither pieces nor values that are the same are looked at again, unless times are over or `keeps` answers that the setting changes
 * them. The answer is true until the next one is asked for.
 */
export function soonestBy<V, S extends Setting>(
  timeOf: (value: V, setting: S) => number,
  keeps: (before: S, setting: S) => boolean = () => true,
): (table: Table<V>, setting: S) => Soonest {
  const memory = memo<object, Known<V, S>>();
  const empty = nothingKnown<V, S>();
  const small = {...nothingKnown<V, S>(), times: [Number.POSITIVE_INFINITY], indexes: [-1]};
  return ({pieces, places}, setting) => {
    const only = pieces[0];
    if (only === undefined) return empty;
    if (pieces.length === 1) return soonestOfOne(small, only, timeOf, setting);
    const {family} = places;
    const known = memory.get(family) ?? nothingKnown<V, S>();
    memory.set(family, known);
    const isKept = known.setting !== undefined && keeps(known.setting, setting);
    known.setting = setting;
    const {times, indexes, each, pieces: before} = known;
    const {nowMs} = setting;
    if (isKept && before === pieces && leastOf(known) >= nowMs) return known;
    let [first, least] = [-1, Number.POSITIVE_INFINITY];
    // Where the piece stood before: what is removed moves all pieces after it.
    let was = 0;
    for (let at = 0; at < pieces.length; at++, was++) {
      const piece = pieces[at] as readonly V[];
      const time = times[at] as number;
      // So it is with nearly all of hundreds of pieces, before every step.
      if (isKept && was === at && before[at] === piece && time >= nowMs) {
        if (time >= least) continue;
        first = at;
        least = time;
        continue;
      }
      if (before[was] !== piece && before[was + 1] === piece) was++;
      if (was !== at) {
        each[at] = each[was] ?? [];
        times[at] = times[was] as number;
        indexes[at] = indexes[was] as number;
      }
      if (!isKept || before[was] !== piece || (times[at] as number) < nowMs) {
        const timesOfPiece = each[at] ?? [];
        update(timesOfPiece, piece, (isKept ? before[was] : undefined) ?? nothing, timeOf, setting);
        const index = firstOf(timesOfPiece);
        each[at] = timesOfPiece;
        indexes[at] = index;
        times[at] = timesOfPiece[index] ?? Number.POSITIVE_INFINITY;
      }
      if ((times[at] as number) >= least) continue;
      first = at;
      least = times[at] as number;
    }
    times.length = indexes.length = each.length = pieces.length;
    known.pieces = pieces;
    known.first = first;
    return known;
  };
}

const nothing: readonly never[] = [];

/** Makes `times`, those of the values `before`, the times of `values`. */
function update<V, S extends Setting>(
  times: number[],
  values: readonly V[],
  before: readonly V[],
  timeOf: (value: V, setting: S) => number,
  setting: S,
): void {
  let was = 0;
  for (let index = 0; index < values.length; index++, was++) {
    const value = values[index] as V;
    if (before[was] !== value && before[was + 1] === value) was++;
    const isSame = was < before.length && before[was] === value;
    const time = isSame ? (times[was] as number) : Number.NaN;
    times[index] = time >= setting.nowMs ? time : timeOf(value, setting);
  }
  times.length = values.length;
}

function soonestOfOne<V, S extends Setting>(
  small: Known<V, S>,
  piece: readonly V[],
  timeOf: (value: V, setting: S) => number,
  setting: S,
): Soonest {
  let [first, least] = [-1, Number.POSITIVE_INFINITY];
  for (let index = 0; index < piece.length; index++) {
    const time = timeOf(piece[index] as V, setting);
    if (time >= least) continue;
    first = index;
    least = time;
  }
  small.times[0] = least;
  small.indexes[0] = first;
  small.first = first < 0 ? -1 : 0;
  return small;
}

function leastOf({first, times}: Pick<Soonest, 'first' | 'times'>): number {
  return times[first] ?? Number.POSITIVE_INFINITY;
}

function nothingKnown<V, S>(): Known<V, S> {
  return {pieces: [], setting: undefined, times: [], indexes: [], each: [], first: -1};
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
