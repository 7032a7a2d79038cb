import {memo} from '../memo.ts';
import type {Table} from '../table.ts';

/** Of each piece of a table the least time, and where in the piece it stands first. */
export interface Soonest {
  readonly times: readonly number[];
  readonly indexes: readonly number[];
}

interface Known {
  pieces: readonly unknown[];
  readonly times: number[];
  readonly indexes: number[];
}

/**
 * The soonest of each piece by a time of its values. Before every step of a run it is asked of tables with thousands of values, each
 * of which followed from the last one by a change of one piece. So what was found is kept for all that follow from one another, and
 * pieces that are the same are not looked through again. The answer is true until the next one is asked for.
 */
export function soonestBy<V>(timeOf: (value: V) => number): (table: Table<V>) => Soonest {
  const memory = memo<object, Known>();
  const small: Known = {pieces: [], times: [], indexes: []};
  return ({pieces, places}) => {
    let known: Known | undefined = small;
    if (pieces.length > 1) {
      const {family} = places;
      known = memory.get(family);
      if (known === undefined) {
        known = {pieces: [], times: [], indexes: []};
        memory.set(family, known);
      }
    }
    if (known.pieces === pieces) return known;
    for (let at = 0; at < pieces.length; at++) {
      const piece = pieces[at] as readonly V[];
      if (known.pieces[at] !== piece) lookThrough(piece, timeOf, known, at);
    }
    known.times.length = pieces.length;
    known.indexes.length = pieces.length;
    known.pieces = pieces;
    return known;
  };
}

function lookThrough<V>(piece: readonly V[], timeOf: (value: V) => number, {times, indexes}: Known, at: number): void {
  let first = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let index = 0; index < piece.length; index++) {
    const time = timeOf(piece[index] as V);
    if (time >= least) continue;
    first = index;
    least = time;
  }
  times[at] = least;
  indexes[at] = first;
}
