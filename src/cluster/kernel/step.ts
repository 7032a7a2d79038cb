// The next possible actions in a world, and their execution. Everything here is a function of the world: the default run takes the
// action that is due first; the explorer may take any.

import type {Forbidden} from '../api/authorization.ts';
import type {ApiRequest, ApiResponse} from '../api/request.ts';
import {discovered} from '../client/rest-mapper.ts';
import {memo} from '../memo.ts';
import {drop, emptyTable, type Table} from '../table.ts';
import type {RemoteCall} from './call.ts';
import {type Chooser, type Draft, serveIn, setProcess, trace} from './draft.ts';
import {dueMs, firstAnswer, firstTask} from './due.ts';
import {definitionOf, deliverNext, listNow, runningBy, settle} from './informer.ts';
import {firstKeyOf, startableAtMs, type WorkQueue} from './queue.ts';
import {answerFromCloud, begin, carryOut, die, endCacheWait, labelOf, startReconcile} from './task.ts';
import type {CrashPoint, Definition, Informer, Observer, ProcessState, Task, World} from './world.ts';

export type Action =
  /** An informer's list answers. */
  | {readonly kind: 'list'; readonly process: string; readonly informer: string; readonly atMs: number}
  /** The oldest event under way reaches an informer and its handlers. */
  | {readonly kind: 'deliver'; readonly process: string; readonly informer: string; readonly atMs: number}
  /** A worker takes a key off a queue. */
  | {
      readonly kind: 'start';
      readonly process: string;
      readonly controller: string;
      readonly key: string;
      readonly atMs: number;
    }
  /** A reconcile's or routine's pending call is carried out. */
  | {readonly kind: 'call'; readonly process: string; readonly task: number; readonly atMs: number}
  /** A cached read ends: its informer synced, or its time is over. */
  | {readonly kind: 'cached'; readonly process: string; readonly task: number; readonly atMs: number}
  | {readonly kind: 'cloud'; readonly ticket: string; readonly atMs: number};

export interface Outside {
  readonly observe?: Observer;
  readonly chooser?: Chooser;
  /** The reply to the action's call, where it must not or cannot be carried out inside: a remote function, a fault. */
  readonly answer?: unknown;
}

/** Every action the world allows, each with the time it is due, in a canonical order. */
export function enabled({cloudRequests, processes, nowMs}: World): readonly Action[] {
  const actions: Action[] = [];
  cloudRequests.forEach(({answerAtMs}, ticket) => {
    actions.push({kind: 'cloud', ticket, atMs: answerAtMs});
  });
  processes.forEach((process, name) => {
    actions.push(...deliveries(name, process.informers));
    process.tasks.forEach((task) => {
      const atMs = dueMs(process.informers, task, nowMs);
      if (atMs !== undefined) actions.push(ofTask(name, task, atMs));
    });
    actions.push(...starts(name, process.queues));
  });
  return actions;
}

/**
 * The action that is due first; among equals the canonically first. Undefined where nothing will ever happen. Asked before
 * every step of a run, of worlds with thousands of tasks and keys: so it goes by index, looks at times alone, and what is
 * first in a table that nothing changed is found once.
 */
export function next({cloudRequests, processes, nowMs}: World): Action | undefined {
  const ticket = firstAnswer(cloudRequests);
  const answerAtMs = ticket === undefined ? undefined : cloudRequests.get(ticket)?.answerAtMs;
  let first: Action | undefined;
  if (ticket !== undefined && answerAtMs !== undefined) first = {kind: 'cloud', ticket, atMs: answerAtMs};
  const names = processes.keys();
  const states = processes.values();
  for (let place = 0; place < names.length; place++) {
    first = sooner(first, firstIn(names[place] as string, states[place] as ProcessState, nowMs));
  }
  return first;
}

/** The next action if it waits for no time; undefined where the world is at rest. */
export function nextNow(world: World): Action | undefined {
  const action = next(world);
  return action === undefined || action.atMs > world.nowMs ? undefined : action;
}

interface FirstKnown {
  readonly process: string;
  readonly nowMs: number;
  readonly action: Action | undefined;
}

const firstsKnown = memo<ProcessState, FirstKnown>();

/** The action of a process that is due first. Found once: a step changes one process or two. */
function firstIn(name: string, process: ProcessState, nowMs: number): Action | undefined {
  const known = firstsKnown.get(process);
  if (known !== undefined && known.process === name && nowMs >= known.nowMs && !isOver(known.action, nowMs)) {
    return known.action;
  }
  let first = firstDelivery(name, process.informers);
  const due = firstTask(process, nowMs);
  if (due !== undefined && (first === undefined || due.atMs < first.atMs)) first = ofTask(name, due.task, due.atMs);
  first = sooner(first, firstStart(name, process.queues));
  firstsKnown.set(process, {process: name, nowMs, action: first});
  return first;
}

/** A task that waits for an informer looks again later if its time goes by; all other times stay. */
function isOver(action: Action | undefined, nowMs: number): boolean {
  return action?.kind === 'cached' && action.atMs < nowMs;
}

/** Of equals the first. */
function sooner(first: Action | undefined, other: Action | undefined): Action | undefined {
  return other === undefined || (first !== undefined && first.atMs <= other.atMs) ? first : other;
}

const deliveries = ofTable((process, informers: Table<Informer>): readonly Action[] => {
  const actions: Action[] = [];
  const names = informers.keys();
  const all = informers.values();
  for (let place = 0; place < names.length; place++) {
    const {synced, listAtMs, pending, brokenFromMs} = all[place] as Informer;
    const lists = !synced || brokenFromMs !== undefined;
    if (!lists && pending.length === 0) continue;
    const informer = names[place] as string;
    if (lists) actions.push({kind: 'list', process, informer, atMs: listAtMs});
    const oldest = pending.first;
    if (oldest !== undefined) actions.push({kind: 'deliver', process, informer, atMs: oldest.dueMs});
  }
  return actions;
});

const firstDelivery = ofTable((process, informers: Table<Informer>) =>
  deliveries(process, informers).reduce<Action | undefined>(sooner, undefined),
);

const starts = ofTable((process, queues: Table<WorkQueue>): readonly Action[] => {
  const actions: Action[] = [];
  queues.forEach((queue, controller) => {
    const {ready, delayed} = queue;
    for (const key of [...ready.keys(), ...delayed.keys().filter((one) => !ready.has(one))]) {
      const atMs = startableAtMs(queue, key);
      if (atMs !== undefined) actions.push({kind: 'start', process, controller, key, atMs});
    }
  });
  return actions;
});

/** Of what the queues would start first. */
const firstStart = ofTable((process, queues: Table<WorkQueue>) => {
  let first: Action | undefined;
  queues.forEach((queue, controller) => {
    const key = firstKeyOf(queue);
    const atMs = key === undefined ? undefined : startableAtMs(queue, key);
    if (key === undefined || atMs === undefined) return;
    if (first === undefined || atMs < first.atMs) first = {kind: 'start', process, controller, key, atMs};
  });
  return first as Action | undefined;
});

/** The result of `find` for a table of a process, computed once: a step changes few tables. */
function ofTable<V, F>(find: (process: string, table: Table<V>) => F): (process: string, table: Table<V>) => F {
  const memory = memo<Table<V>, {readonly process: string; readonly found: F}>();
  return (process, table) => {
    const known = memory.get(table);
    if (known?.process === process) return known.found;
    const found = find(process, table);
    memory.set(table, {process, found});
    return found;
  };
}

function ofTask(process: string, {id, wait}: Task, atMs: number): Action {
  return {kind: wait.kind === 'due' ? 'call' : 'cached', process, task: id, atMs};
}

/** The world after the action. The clock moves to the action's time where that is later. */
export function perform(definition: Definition, world: World, action: Action, outside: Outside = {}): World {
  const draft = draftOf(definition, {...world, nowMs: Math.max(world.nowMs, action.atMs)}, outside);
  act(draft, action, outside.answer);
  return draft.world;
}

function draftOf(definition: Definition, world: World, {observe, chooser}: Outside): Draft {
  return {world, definition, observe, chooser};
}

function act(draft: Draft, action: Action, answer: unknown): void {
  switch (action.kind) {
    case 'list':
      return listNow(draft, action.process, action.informer);
    case 'deliver':
      return deliverNext(draft, action.process, action.informer);
    case 'start':
      return startReconcile(draft, action.process, action.controller, action.key);
    case 'call':
      return carryOut(draft, action.process, taskOf(draft.world, action), answer);
    case 'cached':
      return endCacheWait(draft, action.process, taskOf(draft.world, action));
    case 'cloud':
      return answerFromCloud(draft, action.ticket);
  }
}

/** The task an action is about. */
export function taskOf(world: World, {process, task}: {readonly process: string; readonly task: number}): Task {
  const found = world.processes.get(process)?.tasks.get(String(task));
  if (found === undefined) throw new Error(`process ${process} has no task ${task}`);
  return found;
}

/** The remote function call this action would make; it must be answered through `Outside.answer`. */
export function remoteCall(definition: Definition, world: World, action: Action): RemoteCall | undefined {
  if (action.kind !== 'call') return undefined;
  const task = taskOf(world, action);
  if (task.call.to !== 'function' || Object.hasOwn(definition.functions, task.call.target)) return undefined;
  const {target, service, request} = task.call;
  return {target, service, request, run: labelOf(task.run)};
}

/** Carries out a request now, for a client outside every process: a user, a backup tool. */
export function submit(
  definition: Definition,
  world: World,
  actor: string,
  request: ApiRequest,
  outside: Outside = {},
): {readonly world: World; readonly response: ApiResponse} {
  const draft = draftOf(definition, world, outside);
  const response = serveIn(draft, actor, actor, request);
  return {world: draft.world, response};
}

export function startProcess(definition: Definition, world: World, name: string, outside: Outside = {}): World {
  if (world.processes.has(name)) return world;
  const draft = draftOf(definition, world, outside);
  const process = definitionOf(draft, name);
  trace(draft, {kind: 'process', actor: name, change: 'started'});
  const memory = process.start(world.nowMs);
  const empty: ProcessState = {
    memory,
    running: runningBy(process, memory),
    informers: emptyTable(),
    mapper: process.hasClient === true ? discovered(world.server) : undefined,
    startedByReads: [],
    queues: emptyTable(),
    tasks: emptyTable(),
  };
  setProcess(draft, name, empty);
  settle(draft, name, empty);
  for (const routine of process.background ?? []) begin(draft, name, {kind: 'routine', routine, input: {}});
  return draft.world;
}

/** Stops the process at once: reconciles in flight end where they are, memory and caches are lost. */
export function stopProcess(definition: Definition, world: World, name: string, outside: Outside = {}): World {
  if (!world.processes.has(name)) return world;
  const draft = draftOf(definition, world, outside);
  trace(draft, {kind: 'process', actor: name, change: 'stopped'});
  return {...draft.world, processes: drop(draft.world.processes, name)};
}

export function killProcess(
  definition: Definition,
  world: World,
  name: string,
  message: string,
  outside: Outside = {},
): World {
  if (!world.processes.has(name)) return world;
  const draft = draftOf(definition, world, outside);
  die(draft, name, message);
  return draft.world;
}

/** The process dies when it next reaches the crash point. */
export function armCrash(world: World, point: CrashPoint): World {
  return {...world, armed: [...world.armed, point]};
}

/** The process may not do this any more. */
export function forbid(world: World, rule: Forbidden): World {
  return {...world, forbidden: [...world.forbidden, rule]};
}

/** Every process may do everything again. */
export function allowAll(world: World): World {
  return {...world, forbidden: []};
}

/** Lets nothing happen until `toMs`, as far as the clock is concerned. The caller performs what is due before. */
export function advanceClock(world: World, toMs: number): World {
  return toMs > world.nowMs ? {...world, nowMs: toMs} : world;
}
