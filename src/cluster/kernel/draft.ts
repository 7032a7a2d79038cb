// One step in the making. The draft points at the latest world; every change replaces that world by a new value, so the
// world the step began from stays as it was. A draft lives for one step only.

import {refusal} from '../api/authorization.ts';
import type {ApiRequest, ApiResponse, WatchEvent} from '../api/request.ts';
import {emptyServer, serve} from '../api/server.ts';
import type {ServerState} from '../api/store.ts';
import {equal, type JsonObject} from '../json.ts';
import {memo} from '../memo.ts';
import {groupKindOf} from '../object.ts';
import {emptyTable, put, type Table} from '../table.ts';
import type {Definition, Informer, Observer, ProcessState, TraceEntry, World} from './world.ts';

export interface Draft {
  world: World;
  readonly definition: Definition;
  readonly observe: Observer | undefined;
  /** Decides the calls `choose`; the world's own seed where absent. */
  readonly chooser: Chooser | undefined;
}

/** Answers a number in [0, bound), or undefined to leave it to the seed. */
export type Chooser = (bound: number, why: string) => number | undefined;

export function initialWorld(definition: Definition, seed: number): World {
  return {
    nowMs: 0,
    // The first seed has the uids that a server without a seed gives out.
    server: {...emptyServer(), salt: Math.max(0, seed - 1)},
    cloud: definition.cloud?.initial,
    processes: emptyTable(),
    cloudRequests: emptyTable(),
    random: seed >>> 0,
    sequence: 0,
    armed: [],
    forbidden: [],
  };
}

export function trace(draft: Draft, entry: TraceEntry): void {
  draft.observe?.(draft.world.nowMs, entry);
}

export function setProcess(draft: Draft, name: string, state: ProcessState): void {
  draft.world = {...draft.world, processes: put(draft.world.processes, name, state)};
}

export function nextSequence(draft: Draft): number {
  const sequence = draft.world.sequence + 1;
  draft.world = {...draft.world, sequence};
  return sequence;
}

export function chooseIn(draft: Draft, bound: number, why: string): number {
  const chosen = draft.chooser?.(bound, why);
  return chosen ?? drawIn(draft, bound);
}

function drawIn(draft: Draft, bound: number): number {
  const {random, value} = draw(draft.world.random, bound);
  draft.world = {...draft.world, random};
  return value;
}

/** `ms` with the definition's jitter drawn from the seed. */
export function lasting(draft: Draft, ms: number): number {
  const {jitter} = draft.definition.latency;
  return jitter === 0 || ms === 0 ? ms : ms * (1 + (jitter * drawIn(draft, 1000)) / 1000);
}

/** Serves a request at the present moment and sends its change to every informer of its kind. */
export function serveIn(draft: Draft, actor: string, run: string, request: ApiRequest): ApiResponse {
  const admission = draft.definition.admission?.(draft.world);
  const {nowMs, forbidden, server: before} = draft.world;
  const refused = refusal(before, forbidden, actor, request);
  const {server, response, events} =
    refused === undefined
      ? serve(before, request, admission === undefined ? {nowMs} : {nowMs, admission})
      : {server: before, response: refused, events: []};
  draft.world = {...draft.world, server};
  for (const event of events) tellInformers(draft, event);
  if (before.kinds !== server.kinds) breakWatches(draft, before.kinds);
  if (draft.observe !== undefined) trace(draft, {kind: 'api', actor, run, request, response, events});
  return response;
}

function tellInformers(draft: Draft, event: WatchEvent): void {
  const groupKind = groupKindOf(event.object);
  draft.world.processes.forEach((process, name) => {
    let {informers} = process;
    for (const key of informersOf(groupKind, informers)) {
      const informer = informers.get(key) as Informer;
      // An informer that has not listed yet will see the change in its list.
      if (!informer.synced || isDeaf(informer, draft.world.nowMs)) continue;
      informers = put(informers, key, withEvent(draft, informer, event));
    }
    if (informers !== process.informers) setProcess(draft, name, {...process, informers});
  });
}

/** The informers of a kind in every version: each receives a change in its own. */
function informersOf(groupKind: string, informers: Table<Informer>): readonly string[] {
  const keys = informers.keys();
  let byKind = informersByKind.get(keys);
  if (byKind === undefined) {
    byKind = Map.groupBy(keys, (key) => groupKindOf((informers.get(key) as Informer).kind));
    informersByKind.set(keys, byKind);
  }
  return byKind.get(groupKind) ?? none;
}

const none: readonly string[] = [];
/** Of which kinds they are follows from their keys, which change more seldom than what is in them. */
const informersByKind = memo<readonly string[], ReadonlyMap<string, readonly string[]>>();

function withEvent(draft: Draft, informer: Informer, event: WatchEvent): Informer {
  const dueMs = draft.world.nowMs + (isLate(draft) ? lasting(draft, draft.definition.latency.watchMs) : 0);
  // A watch is ordered: jitter must not let a later event overtake.
  const orderedMs = Math.max(dueMs, informer.pending.last?.dueMs ?? 0, informer.lateUntilMs ?? 0);
  const pending = informer.pending.and({event: inVersion(event, informer), dueMs: orderedMs});
  if (informer.brokenFromMs === undefined) return {...informer, pending};
  // Events of the old watch are recent enough for the new one to begin after them.
  const {brokenFromMs: _, ...whole} = informer;
  return {...whole, pending};
}

function isDeaf({brokenFromMs = Number.POSITIVE_INFINITY}: Informer, nowMs: number): boolean {
  return nowMs >= brokenFromMs;
}

// A kind whose definition changed is served by a new storage, and the watches of the old one end a second later. They
// begin again where they were, and what they ask for is older than anything the new storage has: 410, back-off, a list.
function breakWatches(draft: Draft, kindsBefore: ServerState['kinds']): void {
  const {processes, nowMs, server} = draft.world;
  processes.forEach((process, name) => {
    let {informers} = process;
    process.informers.forEach((informer, key) => {
      const groupKind = groupKindOf(informer.kind);
      const before = kindsBefore.get(groupKind);
      const after = server.kinds.get(groupKind);
      if (!informer.synced || isDeaf(informer, nowMs) || before === undefined || after === undefined) return;
      if (before === after || isSame(before.definition, after.definition)) return;
      const brokenFromMs = nowMs + teardownMs;
      const backOffMs = relistBackOffMs * (1 + drawIn(draft, 1000) / 1000);
      informers = put(informers, key, {...informer, brokenFromMs, listAtMs: brokenFromMs + backOffMs});
    });
    if (informers !== process.informers) setProcess(draft, name, {...process, informers});
  });
}

function isSame(left: object, right: object): boolean {
  return equal(left as JsonObject, right as JsonObject);
}

/** kubernetes/apiextensions-apiserver v0.34.4 pkg/apiserver/customresource_handler.go tearDown. */
const teardownMs = 1000;
/** kubernetes/client-go v0.35.3 tools/cache/reflector.go NewReflectorWithOptions: the first step, with up to as much jitter. */
const relistBackOffMs = 800;

// An event and the answer to the write race each other to the client; a real cache is behind now and then, not always.
function isLate(draft: Draft): boolean {
  const {watchMs, latePercent = 100} = draft.definition.latency;
  return watchMs > 0 && (latePercent >= 100 || drawIn(draft, 100) < latePercent);
}

function inVersion(event: WatchEvent, {kind: {apiVersion}}: Informer): WatchEvent {
  return event.object.apiVersion === apiVersion ? event : {...event, object: {...event.object, apiVersion}};
}

// The world's seeded randomness: mulberry32 (public domain, Tommy Ettinger 2017), one 32-bit word of state. It need not
// be strong, only repeatable, small enough to live in every state, and well spread for small bounds.

interface Drawn {
  readonly random: number;
  readonly value: number;
}

/** A number in [0, bound) and the next state. */
export function draw(random: number, bound: number): Drawn {
  const next = (random + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(next ^ (next >>> 15), next | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  const unit = ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  return {random: next, value: Math.floor(unit * bound)};
}
