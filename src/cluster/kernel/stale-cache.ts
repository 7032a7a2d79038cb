import {Fifo} from '../fifo.ts';
import {put} from '../table.ts';
import type {Informer, World} from './world.ts';

/**
 * The world in which the watches of a process deliver nothing before `untilMs`: its caches stay as they are, whatever is written
 * meanwhile. A list in between is up to date, and a process that starts again begins anew.
 */
export function withStaleCache(
  world: World,
  process: string,
  untilMs: number,
  isStale: (kind: string) => boolean,
): World {
  const state = world.processes.get(process);
  if (state === undefined) return world;
  let {informers} = state;
  state.informers.forEach((informer, key) => {
    if (informer.synced && isStale(informer.kind.kind)) informers = put(informers, key, late(informer, untilMs));
  });
  return {...world, processes: put(world.processes, process, {...state, informers})};
}

function late(informer: Informer, untilMs: number): Informer {
  const pending = new Fifo([...informer.pending].map((one) => ({...one, dueMs: Math.max(one.dueMs, untilMs)})));
  return {...informer, pending, lateUntilMs: Math.max(informer.lateUntilMs ?? 0, untilMs)};
}
