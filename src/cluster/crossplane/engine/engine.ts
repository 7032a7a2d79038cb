// The engine that starts and stops the controllers of XRs, claims and WatchOperations, and their watches.
// crossplane/crossplane 2d040d2da internal/engine/engine.go; v1.19.1 the same file and source.go for the hazards of
// that generation. In v1.16 every XR controller had a cache of its own; one cache for all serves the same reads.

import {die, memory, note, type Step, shuffled, spawn} from '../../kernel/call.ts';
import type {GroupVersionKind} from '../../object.ts';
import {listCached} from '../client.ts';
import {failed, type Result, success, wrapped} from '../failure.ts';
import type {Profile} from '../profile.ts';
import {
  controllerStarted,
  controllerStopped,
  isSame,
  isWatching,
  type Memory,
  type RunningWatch,
  type WatchFor,
  type Work,
  watchesStopped,
  watchStarted,
} from './engine-state.ts';

/** The routine that collects a controller's watches, run by the process. */
export const collectorRoutine = 'collect-watches';

export function* currentMemory(): Step<Memory> {
  return yield* memory<Memory>((state) => state);
}

export function* isRunning(name: string): Step<boolean> {
  return (yield* currentMemory()).controllers[name] !== undefined;
}

/** Starts the controller unless it runs, and with realtime compositions the collector of its watches. */
export function* start(name: string, work: Work, collectsWatches: boolean): Step<void> {
  if (yield* isRunning(name)) return;
  const state = yield* memory<Memory>((before) => controllerStarted(before, name, work));
  const instance = state.controllers[name]?.instance ?? 0;
  if (collectsWatches) yield* spawn(collectorRoutine, {controller: name, instance});
}

/**
 * Starts the watches that are not started or whose informer is gone. Waits until the informer of each has synced, which
 * it never does where the kind is gone: then the reconcile's time runs out.
 */
export function* startWatches(name: string, watches: readonly WatchFor[]): Step<Result<void>> {
  if (!(yield* isRunning(name))) return failed(`controller "${name}" is not running`);
  for (const watch of watches) {
    if (isWatching(yield* currentMemory(), name, watch)) continue;
    const synced = yield* waitForInformer(watch);
    if (!synced.ok) return wrapped(`cannot get informer for "${kindText(watch)}"`, synced);
    const wanted = watches.filter((other) => isSame(other, watch)).length;
    yield* memory<Memory>((state) => watchStarted(state, name, watch, wanted));
  }
  return success(undefined);
}

export function* stopWatches(name: string, stop: (watch: RunningWatch) => boolean): Step<void> {
  yield* memory<Memory>((state) => watchesStopped(state, name, stop));
}

/** Stops the controller with its watches; nothing where it does not run. */
export function* stop(name: string, profile: Profile): Step<void> {
  const controller = (yield* currentMemory()).controllers[name];
  if (controller === undefined) return;
  if (profile.engine === 'collects-all') yield* stopSources(name, controller.watches);
  yield* memory<Memory>((state) => controllerStopped(state, name));
}

// v1.17 to v1.19: stopping a source asks for its informer, which starts one where it was removed with its CRD. If that
// never syncs, the error path unlocks the controller's mutex twice, which ends the process.
function* stopSources(name: string, watches: readonly RunningWatch[]): Step<void> {
  for (const watch of yield* shuffled(watches, 'order of stopping watches')) {
    const synced = yield* waitForInformer(watch);
    if (!synced.ok) yield* die('fatal error: sync: Unlock of unlocked RWMutex');
    yield* memory<Memory>((state) => watchesStopped(state, name, (other) => other === watch));
    const message = `Stopped watching GVK ${kindText(watch)} of controller ${name}`;
    yield* note({type: 'Log', reason: 'StopWatches', message});
  }
}

function* waitForInformer({apiVersion, kind}: GroupVersionKind): Step<Result<void>> {
  const listed = yield* listCached({apiVersion, kind});
  return listed.ok ? success(undefined) : listed;
}

function kindText({apiVersion, kind}: GroupVersionKind): string {
  return `${apiVersion}, Kind=${kind}`;
}
