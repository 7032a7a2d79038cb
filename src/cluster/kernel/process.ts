// A process of the simulated world: Crossplane, the owner GC, a provider. It is static; what changes is its memory,
// from which the controllers and watches it runs follow. Start gives it the initial memory, a crash takes everything:
// memory, queues, informers, reconciles and routines in flight.

import type {WatchEvent} from '../api/request.ts';
import type {JsonObject} from '../json.ts';
import {type GroupVersionKind, type KubeObject, namingKinds, type ResourceRef} from '../object.ts';
import type {Reconcile, Step} from './call.ts';
import type {QueueKind} from './queue.ts';

export interface Controller {
  readonly name: string;
  /** `key` is what the watch handlers enqueued: by custom `namespace/name` or `name`. */
  readonly reconcile: (key: string) => Reconcile;
  /** Per-key exponential back-off of `retry`. */
  readonly backoff: {readonly baseMs: number; readonly maxMs: number};
  /** How long a reconcile may wait for a cache to sync. */
  readonly timeoutMs: number;
}

/** Reads other objects of the process's caches while an event is turned into keys. Unsynced kinds answer nothing. */
export interface CacheView {
  get(ref: ResourceRef): KubeObject | undefined;
  list(kind: GroupVersionKind): readonly KubeObject[];
}

export interface Enqueue {
  readonly key: string;
  /** 0 for an ordinary Add; more for AddAfter. */
  readonly afterMs?: number;
}

export interface EventContext<M> {
  /** The object as the cache had it before; undefined for an ADDED event. */
  readonly before: KubeObject | undefined;
  readonly cache: CacheView;
  readonly memory: M;
  readonly nowMs: number;
}

export interface EventOutcome<M> {
  readonly keys: readonly Enqueue[];
  /** Present where the handler keeps state of its own, such as a circuit breaker. */
  readonly memory?: M;
}

export interface Watch<M> extends GroupVersionKind {
  /** Which controller's queue the keys go to. */
  readonly controller: string;
  /** Distinguishes several watches of one kind by one controller. */
  readonly id: string;
  /** The keys that an event wakes. A fresh informer sends ADDED for every object that exists. */
  readonly handle: (event: WatchEvent, context: EventContext<M>) => EventOutcome<M>;
}

export interface Process<M = unknown> {
  readonly name: string;
  readonly start: (nowMs: number) => M;
  readonly controllers: (memory: M) => readonly Controller[];
  readonly watches: (memory: M) => readonly Watch<M>[];
  /** Kinds the process caches without watching them: a cached read starts the informer, as controller-runtime does. */
  readonly informers?: (memory: M) => readonly GroupVersionKind[];
  /** Kinds whose first list takes no step while there is nothing of them: many are watched, and few are used. */
  readonly isQuiet?: (kind: GroupVersionKind) => boolean;
  /** A cached read of a kind with no informer starts one and this remembers it in memory. */
  readonly informerStarted?: (memory: M, kind: GroupVersionKind) => M;
  /** Its requests go through a Go client with a REST mapper (cluster/client). */
  readonly hasClient?: true;
  /** The kind of work queue all its controllers have; client-go's where absent. */
  readonly workQueue?: QueueKind;
  /** Bodies of `spawn`, by name. */
  readonly routines?: {readonly [name: string]: (input: JsonObject) => Step<void>};
  /** Routines that run from the start of the process: tickers, resyncs. */
  readonly background?: readonly string[];
}

/** Keys as controller-runtime prints a NamespacedName. */
export function keyOf(meta: {readonly namespace?: string; readonly name: string}): string {
  return meta.namespace === undefined ? meta.name : `${meta.namespace}/${meta.name}`;
}

/** The informer of a kind: a process has one for each version that it reads the kind in. */
export const informerKey = namingKinds((apiVersion, kind) => `${kind}.${apiVersion}`);

export function parseKey(key: string): {readonly namespace?: string; readonly name: string} {
  const slash = key.indexOf('/');
  return slash < 0 ? {name: key} : {namespace: key.slice(0, slash), name: key.slice(slash + 1)};
}
