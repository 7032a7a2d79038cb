// The order in which things happen. One schedule is free: of what can go on now, the canonically first does. A step may
// be held back instead, which costs a unit of budget: it then waits until nothing else can go on. With n units every
// schedule is tried that holds back up to n times, in all places. This is delay bounding (M. Emmi, S. Qadeer,
// Z. Rakamarić, "Delay-Bounded Scheduling", POPL 2011): most races need one or two delays, whatever the number of steps.
// A broken watch is held back in the same way, and hears less when it goes on (below).
//
// A watch that is late may keep others busy for ever: Crossplane 2.3 repeats the deletion that its old cache shows it, and hears of
// the object, but not of its XR. No time passes meanwhile, and each round leaves one event more on the way, so no state comes
// again. The event waits for that watch, or for one whose turn never comes. So all watches go on once `lateEventsMax` events wait for
// one of them; later ones are not searched.

import {Fifo} from '../../cluster/fifo.ts';
import {keyOf} from '../../cluster/kernel/process.ts';
import {type Action, enabled, taskOf} from '../../cluster/kernel/step.ts';
import {labelOf} from '../../cluster/kernel/task.ts';
import type {Informer, Latency, PendingEvent, World} from '../../cluster/kernel/world.ts';
import {put} from '../../cluster/table.ts';
import type {ExploreState} from './explore-state.ts';

/** The steps that can go on now and are not held back, first first. */
export function runnableActions(world: World, held: readonly string[]): readonly Action[] {
  const {nowMs} = world;
  const now = enabled(world).filter((action) => action.atMs <= nowMs);
  return held.length === 0 ? now : now.filter((action) => !held.includes(activityOf(world, action)));
}

/**
 * The world with its clock at the end of the next call, if nothing can go on now. On a loaded plane calls and watch events take time:
 * a world that waits for them alone is not at rest.
 */
export function withCallsGoingOn(world: World, held: readonly string[], latency: Latency): World {
  const callMs = longestMs(latency);
  if (callMs === 0 || runnableActions(world, held).length > 0) return world;
  const due = enabled(world).filter((action) => !held.includes(activityOf(world, action)));
  const nowMs = Math.min(...due.map(({atMs}) => atMs));
  return nowMs <= world.nowMs + callMs ? {...world, nowMs} : world;
}

function longestMs({apiMs, watchMs, functionMs, startMs, jitter}: Latency): number {
  return Math.max(apiMs, watchMs, functionMs, startMs) * (1 + jitter);
}

/** The key under which the tool of the operator is held back. */
export const toolActivity = 'operator';

/** More than come while a small world finds its rest. */
const lateEventsMax = 40;

/** The state with nothing held back that could not go on otherwise, or while too many events wait. */
export function withHeldReleased(state: ExploreState): ExploreState {
  if (state.held.length === 0) return state;
  const toolRuns = state.tool !== undefined && !state.held.includes(toolActivity);
  const goesOn = toolRuns || runnableActions(state.world, state.held).length > 0;
  return goesOn && !isTooLate(state) ? state : withNothingHeld(state);
}

function isTooLate({world, held}: ExploreState): boolean {
  if (!held.some((activity) => activity.startsWith('watch '))) return false;
  return world.processes
    .values()
    .some(({informers}) => informers.values().some(({pending}) => pending.length > lateEventsMax));
}

/** The state with nothing held back. */
export function withNothingHeld(state: ExploreState): ExploreState {
  const world = state.broke.reduce((next, {process, informer}) => withRelist(next, process, informer), state.world);
  return {...state, world, held: [], broke: []};
}

/** Names what the action goes on with: the same for every step of one reconcile, of one informer's deliveries. */
export function activityOf(world: World, action: Action): string {
  switch (action.kind) {
    case 'list':
    case 'deliver':
      return `watch ${action.process} ${action.informer}`;
    case 'start':
      return `start ${action.process} ${action.controller} ${action.key}`;
    case 'call':
    case 'cached': {
      const {run} = taskOf(world, action);
      const input = run.kind === 'routine' ? ` ${JSON.stringify(run.input)}` : '';
      return `run ${action.process} ${labelOf(run)}${input}`;
    }
    case 'cloud':
      return `cloud ${JSON.stringify(world.cloudRequests.get(action.ticket)?.request)}`;
  }
}

// A watch that broke. Its informer gets no events until it lists again, and then sees only the current state. Of an object that
// was written several times it sees the last state. It never sees an object that came and went. As client-go's reflector does
// (kubernetes/client-go tools/cache/reflector.go, ListAndWatch and Replace); an event is never lost for good.

/** The world after the informer listed again: of the events under way to it, the last of each object. */
function withRelist(world: World, process: string, informer: string): World {
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
