import type {ApiRequest, ApiResponse} from '../api/request.ts';
import {type Memo, memo} from '../memo.ts';
import {type Chooser, type Draft, serveIn, setProcess, trace} from './draft.ts';
import {definitionOf, deliverNext, listNow, runningBy, settle} from './informer.ts';
import {startableAtMs, type WorkQueue} from './queue.ts';
import {drop, emptyTable} from './table.ts';
import {answerFromCloud, begin, carryOut, die, endCacheWait, labelOf, startReconcile} from './task.ts';
import type {CrashPoint, Definition, Observer, ProcessState, Task, World} from './world.ts';

// What can happen next in a world, and making it happen. Everything here is a function of the world: the default run
// takes the action that is due first; the explorer may take any.

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
export function enabled(world: World): readonly Action[] {
  const all = new Everything();
  visitCloud(world, all);
  world.processes.forEach((process, name) => {
    all.actions.push(...actionsOf(name, process, world.nowMs));
  });
  return all.actions;
}

/** The action that is due first; among equals the canonically first. Undefined where nothing will ever happen. */
export function next(world: World): Action | undefined {
  const earliest = new Earliest();
  visitCloud(world, earliest);
  world.processes.forEach((process, name) => {
    const its = firstOf(name, process, world.nowMs);
    if (its !== undefined && earliest.wants(its.atMs)) earliest.take(its);
  });
  return earliest.action;
}

/** Who looks through the actions says which are worth making. */
interface Visitor {
  readonly wants: (atMs: number) => boolean;
  readonly take: (action: Action) => void;
}

class Everything implements Visitor {
  readonly actions: Action[] = [];

  wants(): boolean {
    return true;
  }

  take(action: Action): void {
    this.actions.push(action);
  }
}

class Earliest implements Visitor {
  action: Action | undefined;

  wants(atMs: number): boolean {
    return this.action === undefined || atMs < this.action.atMs;
  }

  take(action: Action): void {
    this.action = action;
  }
}

/** What was worked out of a process. A step changes few of them, so most is known. */
interface Known<T> {
  readonly value: T;
  /** The one moment it holds for; undefined where it holds whenever it is. */
  readonly onlyAtMs: number | undefined;
}

const actions = memo<ProcessState, Known<readonly Action[]>>();
const firsts = memo<ProcessState, Known<Action | undefined>>();

function actionsOf(name: string, process: ProcessState, nowMs: number): readonly Action[] {
  return remembered(actions, process, nowMs, () => {
    const all = new Everything();
    visitProcess(name, process, nowMs, all);
    return all.actions;
  });
}

function firstOf(name: string, process: ProcessState, nowMs: number): Action | undefined {
  return remembered(firsts, process, nowMs, () => {
    const earliest = new Earliest();
    visitProcess(name, process, nowMs, earliest);
    return earliest.action;
  });
}

function remembered<T>(memory: Memo<ProcessState, Known<T>>, process: ProcessState, nowMs: number, make: () => T): T {
  const known = memory.get(process);
  if (known !== undefined && (known.onlyAtMs ?? nowMs) === nowMs) return known.value;
  const value = make();
  // A cached read whose informer synced is due now, whenever that is.
  const isMomentary = process.tasks.values().some(({wait}) => wait.kind === 'informer');
  memory.set(process, {value, onlyAtMs: isMomentary ? nowMs : undefined});
  return value;
}

function visitCloud({cloudRequests}: World, visitor: Visitor): void {
  cloudRequests.forEach(({answerAtMs}, ticket) => {
    if (visitor.wants(answerAtMs)) visitor.take({kind: 'cloud', ticket, atMs: answerAtMs});
  });
}

function visitProcess(name: string, process: ProcessState, nowMs: number, visitor: Visitor): void {
  visitInformers(name, process, visitor);
  for (const task of process.tasks.values()) visitTask(name, process, task, nowMs, visitor);
  visitStarts(name, process, visitor);
}

function visitInformers(process: string, {informers}: ProcessState, visitor: Visitor): void {
  informers.forEach(({synced, listAtMs, pending}, informer) => {
    if (!synced && visitor.wants(listAtMs)) visitor.take({kind: 'list', process, informer, atMs: listAtMs});
    const oldest = pending[0];
    if (oldest === undefined || !visitor.wants(oldest.dueMs)) return;
    visitor.take({kind: 'deliver', process, informer, atMs: oldest.dueMs});
  });
}

function visitTask(name: string, {informers}: ProcessState, task: Task, nowMs: number, visitor: Visitor): void {
  const {wait, id} = task;
  if (wait.kind === 'due' && visitor.wants(wait.dueMs)) {
    visitor.take({kind: 'call', process: name, task: id, atMs: wait.dueMs});
  }
  if (wait.kind !== 'informer') return;
  const synced = informers.get(wait.informer)?.synced === true;
  const atMs = synced ? nowMs : wait.deadlineMs;
  if (Number.isFinite(atMs) && visitor.wants(atMs)) visitor.take({kind: 'cached', process: name, task: id, atMs});
}

function visitStarts(process: string, {queues}: ProcessState, visitor: Visitor): void {
  queues.forEach((queue, controller) => {
    for (const key of queue.ready.keys()) visitStart(process, controller, queue, key, visitor);
    for (const key of queue.delayed.keys()) {
      if (!queue.ready.has(key)) visitStart(process, controller, queue, key, visitor);
    }
  });
}

function visitStart(process: string, controller: string, queue: WorkQueue, key: string, visitor: Visitor): void {
  const atMs = startableAtMs(queue, key);
  if (atMs !== undefined && visitor.wants(atMs)) visitor.take({kind: 'start', process, controller, key, atMs});
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
export function remoteCall(
  definition: Definition,
  world: World,
  action: Action,
): {readonly target: string; readonly request: Uint8Array; readonly run: string} | undefined {
  if (action.kind !== 'call') return undefined;
  const task = taskOf(world, action);
  if (task.call.to !== 'function' || Object.hasOwn(definition.functions, task.call.target)) return undefined;
  return {target: task.call.target, request: task.call.request, run: labelOf(task.run)};
}

/** Carries out a request now, by somebody outside every process: a user, a backup tool. */
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

/** Lets nothing happen until `toMs`, as far as the clock is concerned. The caller performs what is due before. */
export function advanceClock(world: World, toMs: number): World {
  return toMs > world.nowMs ? {...world, nowMs: toMs} : world;
}
