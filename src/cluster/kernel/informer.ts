// Informers: each process keeps a cache for each version of a kind that it reads, filled by one list and kept up by watch events
// that arrive late.
// Source: kubernetes/client-go tools/cache (reflector, shared_informer); controller-runtime pkg/cache.
// Modelled: a list that fails while the kind does not exist is retried with back-off, so the informer never syncs; a cache that is
// behind the store; ADDED for every object when a handler joins.
// Modelled, too: the watches of a kind end when its definition changes. If no object of the kind was written in the second before,
// the reflector lists again 0.8 to 1.6 s later. The cache stands still until then. Then every handler receives every object once
// more, which wakes keys that wait in back-off.
// Not modelled: other broken watches, and resyncs, but for events that a watch circuit dropped (crossplane/watches.ts): no other
// modelled controller relies on one within its first hour. A missed event is a fault, not the default.

import {lacksRight} from '../api/authorization.ts';
import type {LabelSelector, WatchEvent} from '../api/request.ts';
import {serve} from '../api/server.ts';
import {allOf} from '../api/store.ts';
import {Fifo} from '../fifo.ts';
import {remembering} from '../memo.ts';
import {type GroupVersionKind, groupKindOf, type KubeObject, type ResourceRef} from '../object.ts';
import {drop, emptyTable, put, type Table, tableOf} from '../table.ts';
import type {CacheRead, CacheReply} from './call.ts';
import {type Draft, lasting, setProcess} from './draft.ts';
import {type CacheView, informerKey, keyOf, type Process, type Watch} from './process.ts';
import {addAfter, emptyQueueOf} from './queue.ts';
import type {Informer, PendingEvent, ProcessState, Running} from './world.ts';

const listRetry = {baseMs: 800, maxMs: 30_000};

export function definitionOf(draft: Draft, name: string): Process<unknown> {
  const found = draft.definition.processes.find((process) => process.name === name);
  if (found === undefined) throw new Error(`no process is named ${name}`);
  return found as unknown as Process<unknown>;
}

/** The process after its memory changed: what it runs follows from its memory. */
export function withMemory(draft: Draft, name: string, memory: unknown): void {
  const before = draft.world.processes.get(name);
  if (before === undefined || before.memory === memory) return;
  const running = runningBy(definitionOf(draft, name), memory);
  if (isSame(running, before.running)) setProcess(draft, name, {...before, memory});
  else settle(draft, name, {...before, memory, running});
}

export function runningBy(definition: Process<unknown>, memory: unknown): Running {
  return {
    controllers: definition.controllers(memory),
    watches: definition.watches(memory),
    informers: definition.informers?.(memory) ?? none,
  };
}

const none: readonly GroupVersionKind[] = [];

function isSame(left: Running, right: Running): boolean {
  return left.controllers === right.controllers && left.watches === right.watches && left.informers === right.informers;
}

/** Starts the informers the process now needs, stops the others, and lets joined handlers see every cached object. */
export function settle(draft: Draft, name: string, process: ProcessState): void {
  const {watches, informers: read} = process.running;
  const needed = new Map<string, GroupVersionKind>();
  for (const kind of [...watches, ...read, ...process.startedByReads]) needed.set(informerKey(kind), kind);
  const informers: [string, Informer][] = [];
  for (const [key, {apiVersion, kind}] of needed) {
    const joined = process.informers.get(key) ?? newInformer(draft, name, {apiVersion, kind});
    informers.push([key, withHandlers(joined, handlersOf(watches, key), draft.world.nowMs)]);
  }
  const controllers = new Set(process.running.controllers.map((controller) => controller.name));
  let {queues, tasks} = process;
  for (const controller of queues.keys()) if (!controllers.has(controller)) queues = drop(queues, controller);
  const {workQueue = 'delaying'} = definitionOf(draft, name);
  for (const controller of controllers) {
    if (!queues.has(controller)) queues = put(queues, controller, emptyQueueOf(workQueue));
  }
  for (const [id, task] of tasks) {
    if (task.run.kind === 'reconcile' && !controllers.has(task.run.controller.name)) tasks = drop(tasks, id);
  }
  setProcess(draft, name, {...process, informers: tableOf(informers), queues, tasks});
}

interface Handler {
  readonly name: string;
  readonly watch: Watch<unknown>;
}

/** The handlers of one kind. Grouped once for each list of watches: every delivered event asks. */
function handlersOf(watches: readonly Watch<unknown>[], key: string): readonly Handler[] {
  return handlersByKind(watches).get(key) ?? [];
}

const handlersByKind = remembering((watches: readonly Watch<unknown>[]) => {
  const handlers = watches.map((watch): Handler => ({name: `${watch.controller} ${watch.id}`, watch}));
  return Map.groupBy(handlers, ({watch}) => informerKey(watch));
});

function newInformer(draft: Draft, name: string, kind: GroupVersionKind): Informer {
  const isQuiet = definitionOf(draft, name).isQuiet?.(kind) === true;
  const isEmpty = isQuiet && allOf(draft.world.server, groupKindOf(kind)).length === 0;
  if (isEmpty && mayInform(draft, name, kind)) return emptyInformer(kind);
  const listAtMs = draft.world.nowMs + lasting(draft, draft.definition.latency.startMs);
  return {kind, synced: false, listAtMs, attempts: 0, objects: emptyTable(), pending: new Fifo([]), handlers: []};
}

function mayInform({world: {forbidden}}: Draft, name: string, {kind}: GroupVersionKind): boolean {
  return !(['list', 'watch'] as const).some((verb) => lacksRight(forbidden, name, verb, kind));
}

/** An informer that is synced at once: without objects, the list would be a step that changes nothing. */
function emptyInformer(kind: GroupVersionKind): Informer {
  return {kind, synced: true, listAtMs: 0, attempts: 0, objects: emptyTable(), pending: new Fifo([]), handlers: []};
}

function withHandlers(informer: Informer, running: readonly Handler[], nowMs: number): Informer {
  const handlers = running.map(({name}) => name);
  const joined = handlers.filter((handler) => !informer.handlers.includes(handler));
  if (joined.length === 0 && handlers.length === informer.handlers.length) return informer;
  const replay = joined.flatMap((only) =>
    informer.objects.values().map((object): PendingEvent => ({event: added(object), dueMs: nowMs, only})),
  );
  return {
    ...informer,
    handlers,
    pending: informer.synced ? new Fifo([...replay, ...informer.pending]) : informer.pending,
  };
}

function added(object: KubeObject): WatchEvent {
  return {type: 'ADDED', object, revision: Number(object.metadata.resourceVersion ?? 0)};
}

/** Lists the kind. Where it does not exist the informer stays unsynced and tries again later. */
export function listNow(draft: Draft, name: string, key: string): void {
  const process = processOf(draft, name);
  const informer = informerOf(process, key);
  const {server, nowMs} = draft.world;
  const {response} = serve(server, {verb: 'list', ...informer.kind}, {nowMs});
  const list = informer.synced ? relisted : synced;
  const mayList = mayInform(draft, name, informer.kind);
  const next = mayList && response.ok ? list(informer, response.items ?? [], nowMs) : retried(informer, draft);
  setProcess(draft, name, {...process, informers: put(process.informers, key, next)});
}

function synced(informer: Informer, items: readonly KubeObject[], nowMs: number): Informer {
  // The cache itself fills as the ADDED events are delivered; a sync has happened once the list answered.
  const pending = items.map((object): PendingEvent => ({event: added(object), dueMs: nowMs}));
  const objects = tableOf(items.map((object) => [keyOf(object.metadata), object] as const));
  return {...informer, synced: true, objects, pending: new Fifo(pending)};
}

// Every object is sent again, as a change if it is known. Handlers receive it like any change: client-go filters equal
// resourceVersions only for handlers without a resync period, and every handler of a manager has one.
function relisted(informer: Informer, items: readonly KubeObject[], nowMs: number): Informer {
  const {brokenFromMs: _, ...whole} = informer;
  const there = new Set(items.map(({metadata}) => keyOf(metadata)));
  const gone = [...informer.objects.values()].filter(({metadata}) => !there.has(keyOf(metadata)));
  const heard = [
    ...items.map((object): WatchEvent => {
      const known = informer.objects.has(keyOf(object.metadata));
      return {...added(object), type: known ? 'MODIFIED' : 'ADDED'};
    }),
    ...gone.map((object): WatchEvent => ({...added(object), type: 'DELETED'})),
  ];
  // The replay for a handler that joined comes from the cache, not from the watch.
  const replays = [...informer.pending].filter(({only}) => only !== undefined);
  return {...whole, attempts: 0, pending: new Fifo([...replays, ...heard.map((event) => ({event, dueMs: nowMs}))])};
}

function retried(informer: Informer, draft: Draft): Informer {
  const afterMs = Math.min(listRetry.baseMs * 2 ** informer.attempts, listRetry.maxMs);
  return {...informer, attempts: informer.attempts + 1, listAtMs: draft.world.nowMs + afterMs};
}

/** Delivers the oldest pending event: to the cache, then to every handler of the kind, which fill the queues. */
export function deliverNext(draft: Draft, name: string, key: string): void {
  const process = processOf(draft, name);
  const informer = informerOf(process, key);
  const next = informer.pending.first;
  if (next === undefined) throw new Error(`${name} has no event of ${key} to deliver`);
  const pending = informer.pending.withoutFirst();
  const id = keyOf(next.event.object.metadata);
  const before = informer.objects.get(id);
  const objects = next.only === undefined ? applied(informer.objects, id, next.event, before) : informer.objects;
  setProcess(draft, name, {...process, informers: put(process.informers, key, {...informer, objects, pending})});
  // An ADDED for an object the list already showed is the list's own event, not a second creation.
  const known = next.event.type === 'ADDED' ? undefined : before;
  for (const handler of handlersOf(process.running.watches, key)) {
    if (next.only !== undefined && handler.name !== next.only) continue;
    if (informer.handlers.includes(handler.name)) handle(draft, name, handler.watch, next.event, known);
  }
}

function applied(
  objects: Table<KubeObject>,
  id: string,
  event: WatchEvent,
  before: KubeObject | undefined,
): Table<KubeObject> {
  if (event.type === 'DELETED') return drop(objects, id);
  // The list may be ahead of an ADDED event that is still on its way.
  if (before !== undefined && Number(before.metadata.resourceVersion) > event.revision) return objects;
  return put(objects, id, event.object);
}

function handle(
  draft: Draft,
  name: string,
  watch: Watch<unknown>,
  event: WatchEvent,
  before: KubeObject | undefined,
): void {
  const process = draft.world.processes.get(name);
  if (process === undefined) return;
  const cache = viewOf(process);
  const {keys, memory} = watch.handle(event, {before, cache, memory: process.memory, nowMs: draft.world.nowMs});
  if (memory !== undefined) withMemory(draft, name, memory);
  for (const {key, afterMs} of keys) enqueueIn(draft, name, watch.controller, key, afterMs ?? 0);
}

export function enqueueIn(draft: Draft, name: string, controller: string, key: string, afterMs: number): void {
  const process = draft.world.processes.get(name);
  const queue = process?.queues.get(controller);
  // A stopped controller's queue is shut down: adds are dropped, as client-go does.
  if (process === undefined || queue === undefined) return;
  const queues = put(process.queues, controller, addAfter(queue, key, afterMs, draft.world.nowMs));
  setProcess(draft, name, {...process, queues});
}

function viewOf(process: ProcessState): CacheView {
  return {
    get: (ref) => process.informers.get(informerKey(ref))?.objects.get(keyOf(ref)),
    list: (kind) => process.informers.get(informerKey(kind))?.objects.values() ?? [],
  };
}

/** The kind a cached read is about. */
export function kindRead(read: CacheRead): GroupVersionKind {
  return read.verb === 'get' ? read.ref : read;
}

/** True if a cached read can be answered now. A read of a kind without an informer starts one. */
export function isSynced(draft: Draft, name: string, read: CacheRead): boolean {
  const {apiVersion, kind} = kindRead(read);
  const key = informerKey({apiVersion, kind});
  if (!processOf(draft, name).informers.has(key)) startInformer(draft, name, {apiVersion, kind});
  return processOf(draft, name).informers.get(key)?.synced === true;
}

/** Answers a cached read, or undefined where its informer is not synced. */
export function readCache(draft: Draft, name: string, read: CacheRead): CacheReply | undefined {
  const informer = processOf(draft, name).informers.get(informerKey(kindRead(read)));
  if (informer === undefined || !informer.synced) return undefined;
  if (read.verb === 'get') return {ok: true, object: cachedObject(informer, read.ref), items: []};
  const items = informer.objects.values().filter((object) => inScope(object, read.namespace, read.selector));
  return {ok: true, object: undefined, items};
}

/** The namespace counts for nothing where the kind is cluster-scoped: controller-runtime v0.23.1 pkg/cache/internal/cache_reader.go Get. */
function cachedObject({objects}: Informer, ref: ResourceRef): KubeObject | undefined {
  const {namespace: _, ...clusterScoped} = ref;
  return objects.get(keyOf(ref)) ?? objects.get(keyOf(clusterScoped));
}

function startInformer(draft: Draft, name: string, kind: GroupVersionKind): void {
  const process = processOf(draft, name);
  const remember = definitionOf(draft, name).informerStarted;
  if (remember !== undefined) withMemory(draft, name, remember(process.memory, kind));
  else settle(draft, name, {...process, startedByReads: [...process.startedByReads, kind]});
}

function inScope({metadata}: KubeObject, namespace: string | undefined, selector: LabelSelector | undefined): boolean {
  if (namespace !== undefined && metadata.namespace !== namespace) return false;
  return Object.entries(selector?.matchLabels ?? {}).every(([key, value]) => metadata.labels?.[key] === value);
}

export function processOf(draft: Draft, name: string): ProcessState {
  const process = draft.world.processes.get(name);
  if (process === undefined) throw new Error(`process ${name} is down`);
  return process;
}

function informerOf(process: ProcessState, key: string): Informer {
  const informer = process.informers.get(key);
  if (informer === undefined) throw new Error(`no informer of ${key} runs`);
  return informer;
}
