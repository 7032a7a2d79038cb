// A watch that broke. Its informer gets no events until it lists again, and then sees only the current state. Of an object that
// was written several times it sees the last state. It never sees an object that came and went. As client-go's reflector does
// (kubernetes/client-go tools/cache/reflector.go, ListAndWatch and Replace); an event is never lost for good.

import {Fifo} from '../../cluster/fifo.ts';
import {keyOf} from '../../cluster/kernel/process.ts';
import type {Informer, PendingEvent, World} from '../../cluster/kernel/world.ts';
import {put} from '../../cluster/table.ts';

/** The world after the informer listed again: of the events under way to it, the last of each object. */
export function withRelist(world: World, process: string, informer: string): World {
  const state = world.processes.get(process);
  const known = state?.informers.get(informer);
  if (state === undefined || known === undefined) return world;
  const informers = put(state.informers, informer, {...known, pending: coalesced(known)});
  return {...world, processes: put(world.processes, process, {...state, informers})};
}

function coalesced({pending, objects}: Informer): Fifo<PendingEvent> {
  // The replay for a handler that joined comes from the cache, not from the watch.
  const replays = [...pending].filter(({only}) => only !== undefined);
  const last = new Map<string, PendingEvent>();
  const unheard = new Set<string>();
  for (const event of pending) {
    if (event.only !== undefined) continue;
    const key = keyOf(event.event.object.metadata);
    if (event.event.type === 'ADDED' && !last.has(key)) unheard.add(key);
    last.delete(key);
    last.set(key, event);
  }
  const events = [...last].flatMap(([key, pendingEvent]) => {
    // The first list fills the cache before its events reach a handler (kernel/informer.ts synced).
    const isKnown = objects.has(key) && !unheard.has(key);
    const {event} = pendingEvent;
    if (event.type === 'DELETED') return isKnown ? [pendingEvent] : [];
    const type = isKnown ? ('MODIFIED' as const) : ('ADDED' as const);
    return [{...pendingEvent, event: {...event, type}}];
  });
  return new Fifo([...replays, ...events]);
}
