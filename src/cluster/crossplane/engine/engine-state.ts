// The memory of a running Crossplane process: the controllers that its engine started, their watches, the informers behind those
// and behind cached reads, and the indexes of realtime compositions. All of it is lost in a restart.
//
// crossplane/crossplane 2d040d2da internal/engine/{engine,cache}.go, cmd/crossplane/core/core.go. An informer that is removed takes
// its listeners along, though the engine still counts their watches as started. The engine knows only the informers it started
// itself; cached reads start more of them past it. Hence `tracked` and the instance numbers. Not modelled: the locks of the engine,
// which make one controller wait while another's watch starts; that of several listeners of a watch, StopWatches removes only the last.

import {informerKey} from '../../kernel/process.ts';
import type {GroupVersionKind} from '../../object.ts';
import type {Xrd} from '../xrd.ts';
import {type Breaker, emptyBreaker} from './breaker.ts';
import {emptyTracker, type Tracker} from './tracker.ts';

export interface Memory {
  /** Informers started by watches of the engine or by cached reads, by kind and version. */
  readonly informers: {readonly [kind: string]: RunningInformer};
  readonly controllers: {readonly [name: string]: RunningController};
  /** Numbers informers and controllers, so that a namesake is not taken for the one that is gone. */
  readonly instances: number;
  readonly trackers: {readonly [controller: string]: Tracker};
  readonly breakers: {readonly [controller: string]: Breaker};
}

interface RunningInformer extends GroupVersionKind {
  readonly instance: number;
  /** True if the engine started the informer; false if a cached read did. */
  readonly tracked: boolean;
}

interface Running {
  readonly name: string;
  readonly instance: number;
  readonly watches: readonly RunningWatch[];
}

interface XrWork {
  readonly type: 'composite' | 'claim';
  /** The XRD as it was when the controller was started; later changes are not seen. */
  readonly xrd: Xrd;
}

interface WatchedWork {
  readonly type: 'watched';
  readonly objects: WatchedObjects;
}

/** The objects that a WatchOperation watches, as configured when the controller was started; '' is every namespace. */
export interface WatchedObjects extends GroupVersionKind {
  readonly operation: string;
  readonly namespace: string;
  readonly labels: {readonly [key: string]: string};
}

/** The task of a controller. */
export type Work = XrWork | WatchedWork;

/** A controller of XRs or claims. */
export type XrController = Running & XrWork;

export type RunningController = XrController | (Running & WatchedWork);

type WatchType = 'CompositeResource' | 'CompositionRevision' | 'Composed' | 'Claim' | 'WatchOperation';

export interface WatchFor extends GroupVersionKind {
  readonly type: WatchType;
}

export interface RunningWatch extends WatchFor {
  /** The informer instance its listeners hang on. */
  readonly informer: number;
  /** Each gets every event, so the circuit breaker counts an event as often. */
  readonly listeners: number;
}

export const emptyMemory: Memory = {informers: {}, controllers: {}, instances: 0, trackers: {}, breakers: {}};

export function informerStarted(memory: Memory, kind: GroupVersionKind): Memory {
  const key = informerKey(kind);
  if (memory.informers[key] !== undefined) return memory;
  const instances = memory.instances + 1;
  const {apiVersion, kind: name} = kind;
  return {
    ...memory,
    instances,
    informers: {...memory.informers, [key]: {apiVersion, kind: name, instance: instances, tracked: false}},
  };
}

function informerTracked(memory: Memory, kind: GroupVersionKind): Memory {
  const key = informerKey(kind);
  const informer = memory.informers[key];
  if (informer === undefined || informer.tracked) return memory;
  return {...memory, informers: {...memory.informers, [key]: {...informer, tracked: true}}};
}

export function informerRemoved(memory: Memory, kind: GroupVersionKind): Memory {
  const key = informerKey(kind);
  if (memory.informers[key] === undefined) return memory;
  const {[key]: _, ...informers} = memory.informers;
  return {...memory, informers};
}

export function controllerStarted(memory: Memory, name: string, work: Work): Memory {
  if (memory.controllers[name] !== undefined) return memory;
  const instance = memory.instances + 1;
  const controller: RunningController = {name, instance, ...work, watches: []};
  return {...memory, instances: instance, controllers: {...memory.controllers, [name]: controller}};
}

export function controllerStopped(memory: Memory, name: string): Memory {
  if (memory.controllers[name] === undefined) return memory;
  const {[name]: _, ...controllers} = memory.controllers;
  const {[name]: __, ...trackers} = memory.trackers;
  const {[name]: ___, ...breakers} = memory.breakers;
  return {...memory, controllers, trackers, breakers};
}

/** True if the watch was started and the engine believes its informer active: then StartWatches leaves it as it is. */
export function isWatching(memory: Memory, name: string, watch: WatchFor): boolean {
  const watches = memory.controllers[name]?.watches ?? [];
  return watches.some((other) => isSame(other, watch)) && memory.informers[informerKey(watch)]?.tracked === true;
}

/**
 * `wanted` is how often one call of StartWatches names the watch. v1.17 to v2.3 read which informers are active before they start
 * any, so a watch without one gets a listener each time.
 */
export function watchStarted(memory: Memory, name: string, watch: WatchFor, wanted: number): Memory {
  const {type, apiVersion, kind} = watch;
  const listeners = memory.informers[informerKey(watch)]?.tracked === true ? 1 : wanted;
  const informed = informerTracked(informerStarted(memory, watch), watch);
  const informer = informed.informers[informerKey(watch)]?.instance ?? 0;
  return withWatches(informed, name, (watches) => [
    ...watches.filter((other) => !isSame(other, watch)),
    {type, apiVersion, kind, informer, listeners},
  ]);
}

export function watchesStopped(memory: Memory, name: string, stop: (watch: RunningWatch) => boolean): Memory {
  return withWatches(memory, name, (watches) =>
    watches.some(stop) ? watches.filter((watch) => !stop(watch)) : watches,
  );
}

/** True if events still reach the watch's handler. */
export function isLive(memory: Memory, watch: RunningWatch): boolean {
  return memory.informers[informerKey(watch)]?.instance === watch.informer;
}

export function trackerOf(memory: Memory, controller: string): Tracker {
  return memory.trackers[controller] ?? emptyTracker;
}

export function breakerOf(memory: Memory, controller: string): Breaker {
  return memory.breakers[controller] ?? emptyBreaker;
}

export function withTracker(memory: Memory, controller: string, tracker: Tracker): Memory {
  return {...memory, trackers: {...memory.trackers, [controller]: tracker}};
}

export function withBreaker(memory: Memory, controller: string, breaker: Breaker): Memory {
  return {...memory, breakers: {...memory.breakers, [controller]: breaker}};
}

function withWatches(
  memory: Memory,
  name: string,
  change: (watches: readonly RunningWatch[]) => readonly RunningWatch[],
): Memory {
  const controller = memory.controllers[name];
  if (controller === undefined) return memory;
  const watches = change(controller.watches);
  if (watches === controller.watches) return memory;
  return {...memory, controllers: {...memory.controllers, [name]: {...controller, watches}}};
}

export function isSame(left: WatchFor, right: WatchFor): boolean {
  return left.type === right.type && informerKey(left) === informerKey(right);
}
