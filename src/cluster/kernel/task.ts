// Drives reconciles and routines: from one interleaving point to the next.
//
// A task is (run, replies so far). Its generator is only a cache. If the explorer forked the state and steps the task a second
// time, the generator has moved on, and a new one is built by replaying the replies. This is sound because reconcilers are
// functions of key and replies (call.ts).

import type {ApiResponse} from '../api/request.ts';
import {memo} from '../memo.ts';
import {drop, put} from '../table.ts';
import type {Call, FunctionReply, Outcome} from './call.ts';
import {refusalIn, scopeIn} from './client-calls.ts';
import {chooseIn, type Draft, lasting, nextSequence, serveIn, setProcess, trace} from './draft.ts';
import {definitionOf, enqueueIn, isSynced, kindRead, processOf, readCache, withMemory} from './informer.ts';
import {informerKey} from './process.ts';
import {addAfter, addRateLimited, finish, forget, take} from './queue.ts';
import type {Live, Replies, Run, Task, Wait} from './world.ts';

const noDeadlineMs = Number.POSITIVE_INFINITY;

export function startReconcile(draft: Draft, name: string, controller: string, key: string): void {
  const process = processOf(draft, name);
  const definition = process.running.controllers.find((each) => each.name === controller);
  const queue = process.queues.get(controller);
  if (definition === undefined || queue === undefined) throw new Error(`${name} runs no controller ${controller}`);
  setProcess(draft, name, {...process, queues: put(process.queues, controller, take(queue, key, draft.world.nowMs))});
  begin(draft, name, {kind: 'reconcile', controller: definition, key});
}

export function begin(draft: Draft, name: string, run: Run): void {
  if (run.kind === 'reconcile') trace(draft, {kind: 'reconcile', actor: name, run: labelOf(run), phase: 'start'});
  const live: Live = {generator: generatorOf(draft, name, run), at: 0};
  const id = nextSequence(draft);
  advance(draft, name, {id, run, startedAtMs: draft.world.nowMs, replies: undefined, count: 0, live}, undefined);
}

/** Gives the task the reply of its pending call and runs it to its next interleaving point, or to its end. */
function resume(draft: Draft, name: string, task: Task, reply: unknown): void {
  const replies: Replies = {reply, before: task.replies};
  const live = task.live.at === task.count ? task.live : replayed(draft, name, task);
  live.at = task.count + 1;
  advance(draft, name, {...task, replies, count: task.count + 1, live}, reply);
}

/** A task between two calls. */
type Running = Omit<Task, 'call' | 'wait'>;

function advance(draft: Draft, name: string, task: Running, firstReply: unknown): void {
  const {live} = task;
  let {replies, count} = task;
  let reply = firstReply;
  for (;;) {
    const result = live.generator.next(reply);
    if (result.done === true) return end(draft, name, task, result.value ?? undefined);
    const call = result.value;
    const refused = refusalIn(draft, name, call);
    const wait = refused === undefined ? waitOf(draft, name, task, call) : undefined;
    if (wait !== undefined) return suspend(draft, name, {...task, replies, count, call, wait});
    const local = refused ?? answerLocally(draft, name, task, call);
    // The call may have ended the process, and the task with it.
    if (local === gone || !draft.world.processes.has(name)) return;
    reply = local;
    replies = {reply, before: replies};
    count++;
    live.at = count;
  }
}

function suspend(draft: Draft, name: string, task: Task): void {
  const process = processOf(draft, name);
  if (isOrphaned(draft, name, task)) return;
  setProcess(draft, name, {...process, tasks: put(process.tasks, String(task.id), task)});
}

/** A reconcile whose controller was stopped meanwhile, possibly by itself, has lost its context. */
function isOrphaned(draft: Draft, name: string, {run}: Running): boolean {
  return run.kind === 'reconcile' && !processOf(draft, name).queues.has(run.controller.name);
}

function generatorOf(draft: Draft, name: string, run: Run): Live['generator'] {
  if (run.kind === 'reconcile') return run.controller.reconcile(run.key);
  const routine = definitionOf(draft, name).routines?.[run.routine];
  if (routine === undefined) throw new Error(`${name} has no routine ${run.routine}`);
  return routine(run.input);
}

function replayed(draft: Draft, name: string, task: Task): Live {
  const generator = generatorOf(draft, name, task.run);
  const replies: unknown[] = [];
  for (let link = task.replies; link !== undefined; link = link.before) replies.push(link.reply);
  generator.next();
  // The newest reply is the last given; the generator then stands at the task's pending call.
  for (const reply of replies.reverse()) {
    if (generator.next(reply).done === true)
      throw new Error(`${labelOf(task.run)} ended early when replayed: it reads something that is not a reply`);
  }
  return {generator, at: task.count};
}

/** How the task waits for this call; undefined for a call that is answered at once. */
function waitOf(draft: Draft, name: string, task: Running, call: Call): Wait | undefined {
  const {nowMs} = draft.world;
  const {latency} = draft.definition;
  switch (call.to) {
    case 'api':
    case 'cloud':
      return {kind: 'due', dueMs: nowMs + lasting(draft, latency.apiMs)};
    case 'function':
      return {kind: 'due', dueMs: nowMs + lasting(draft, latency.functionMs)};
    case 'sleep':
      return {kind: 'due', dueMs: nowMs + call.forMs};
    case 'cache': {
      if (isSynced(draft, name, call.read)) return undefined;
      const informer = informerKey(kindRead(call.read));
      const timeoutMs = task.run.kind === 'reconcile' ? task.run.controller.timeoutMs : noDeadlineMs;
      return {kind: 'informer', informer, sinceMs: nowMs, deadlineMs: task.startedAtMs + timeoutMs};
    }
    default:
      return undefined;
  }
}

const gone = Symbol('the process died');

function answerLocally(draft: Draft, name: string, task: Running, call: Call): unknown {
  switch (call.to) {
    case 'cache':
      return readCache(draft, name, call.read);
    case 'memory': {
      const changed = call.change(processOf(draft, name).memory);
      withMemory(draft, name, changed);
      return changed;
    }
    case 'scope':
      return scopeIn(draft, name, call.kind);
    case 'now':
      return draft.world.nowMs;
    case 'choose':
      return chooseIn(draft, call.bound, call.why);
    case 'enqueue':
      enqueueIn(draft, name, call.controller, call.key, call.afterMs);
      return undefined;
    case 'spawn':
      begin(draft, name, {kind: 'routine', routine: call.routine, input: call.input});
      return undefined;
    case 'die':
      die(draft, name, call.message);
      return gone;
    case 'desire':
      trace(draft, {kind: 'desire', actor: name, run: labelOf(task.run), desire: call.desire});
      return undefined;
    case 'note':
      trace(draft, {kind: 'note', actor: name, run: labelOf(task.run), note: call.note});
      if (!isArmed(draft, name, call.note.reason, call.note.message)) return undefined;
      die(draft, name, `killed at ${call.note.message}`);
      return gone;
    default:
      throw new Error(`a call to ${call.to} is not local`);
  }
}

/** A note with this reason names a place where a crash may be asked for. */
export const crashPointReason = 'crash-point';

function isArmed(draft: Draft, name: string, reason: string, point: string): boolean {
  return (
    reason === crashPointReason && draft.world.armed.some((armed) => armed.process === name && armed.point === point)
  );
}

export function die(draft: Draft, name: string, message: string): void {
  const armed = draft.world.armed.filter((point) => point.process !== name);
  draft.world = {...draft.world, processes: drop(draft.world.processes, name), armed};
  trace(draft, {kind: 'process', actor: name, change: 'died', message});
}

function end(draft: Draft, name: string, task: Running, outcome: Outcome | undefined): void {
  const process = processOf(draft, name);
  const tasks = drop(process.tasks, String(task.id));
  if (task.run.kind === 'routine') return setProcess(draft, name, {...process, tasks});
  trace(draft, {kind: 'reconcile', actor: name, run: labelOf(task.run), phase: 'end', outcome});
  const {controller, key} = task.run;
  const queue = process.queues.get(controller.name);
  if (queue === undefined) return setProcess(draft, name, {...process, tasks});
  const freed = finish(requeued(queue, controller.backoff, key, outcome, draft.world.nowMs), key, draft.world.nowMs);
  setProcess(draft, name, {...process, tasks, queues: put(process.queues, controller.name, freed)});
}

function requeued(
  queue: Parameters<typeof forget>[0],
  backoff: Parameters<typeof addRateLimited>[2],
  key: string,
  outcome: Outcome | undefined,
  nowMs: number,
): ReturnType<typeof forget> {
  switch (outcome?.kind) {
    case 'requeue-after':
      // The key is still busy: only a delayed add may be noted for it now.
      return addAfter(forget(queue, key), key, Math.max(outcome.afterMs, 1), nowMs);
    case 'retry':
      return addRateLimited(queue, key, backoff, nowMs);
    default:
      return forget(queue, key);
  }
}

/** Carries out the pending call that is due. Undefined where the reply comes later (the cloud) or the process died. */
export function carryOut(draft: Draft, name: string, task: Task, answer: unknown | undefined): void {
  const {call} = task;
  const run = labelOf(task.run);
  if (answer !== undefined) {
    if (call.to === 'function') {
      const {target, request} = call;
      trace(draft, {kind: 'function', actor: name, run, target, request, reply: answer as FunctionReply});
    }
    return resume(draft, name, task, answer);
  }
  switch (call.to) {
    case 'api': {
      const response: ApiResponse = serveIn(draft, name, run, call.request);
      return resume(draft, name, task, response);
    }
    case 'function': {
      const local = draft.definition.functions[call.target];
      if (local === undefined) throw new Error(`function ${call.target} must be answered from outside`);
      const reply: FunctionReply = local(call.request, call.service);
      trace(draft, {kind: 'function', actor: name, run, target: call.target, request: call.request, reply});
      return resume(draft, name, task, reply);
    }
    case 'sleep':
      return resume(draft, name, task, undefined);
    case 'cloud':
      return askCloud(draft, name, task);
    default:
      throw new Error(`a call to ${call.to} is never due`);
  }
}

function askCloud(draft: Draft, name: string, task: Task): void {
  const {cloud} = draft.definition;
  if (cloud === undefined || task.call.to !== 'cloud') throw new Error('this world has no cloud');
  const number = freeTicket(draft.world.cloudRequests);
  const ticket = String(number);
  const {nowMs} = draft.world;
  const {request} = task.call;
  const {state, answerAfterMs} = cloud.begin(draft.world.cloud ?? cloud.initial, request, ticket, nowMs);
  const waiting = {process: name, task: task.id, request, answerAtMs: nowMs + answerAfterMs};
  const cloudRequests = knowingFree(put(draft.world.cloudRequests, ticket, waiting), number + 1);
  draft.world = {...draft.world, cloud: state, cloudRequests};
  trace(draft, {kind: 'cloud', actor: name, request, phase: 'begin'});
  const process = processOf(draft, name);
  setProcess(draft, name, {
    ...process,
    tasks: put(process.tasks, String(task.id), {...task, wait: {kind: 'cloud', ticket}}),
  });
}

type Requests = Draft['world']['cloudRequests'];

/** The lowest free number, so that a ticket does not depend on the number of tickets before it. */
function freeTicket(requests: Requests): number {
  let number = freeFrom.get(requests) ?? 1;
  while (requests.has(String(number))) number++;
  return number;
}

/** Below this number every ticket is in use; looked for from here, because thousands may be. */
const freeFrom = memo<Requests, number>();

function knowingFree(requests: Requests, from: number): Requests {
  freeFrom.set(requests, from);
  return requests;
}

/** The cloud answers. The answer is lost where the caller is gone; what the cloud did is not. */
export function answerFromCloud(draft: Draft, ticket: string): void {
  const {cloud} = draft.definition;
  const waiting = draft.world.cloudRequests.get(ticket);
  if (cloud === undefined || waiting === undefined) throw new Error(`the cloud has no request ${ticket}`);
  const {state, reply} = cloud.finish(draft.world.cloud ?? cloud.initial, ticket, draft.world.nowMs);
  const {cloudRequests: before} = draft.world;
  const cloudRequests = knowingFree(drop(before, ticket), Math.min(Number(ticket), freeFrom.get(before) ?? 1));
  draft.world = {...draft.world, cloud: state, cloudRequests};
  trace(draft, {kind: 'cloud', actor: waiting.process, request: waiting.request, phase: 'answer', reply});
  const task = draft.world.processes.get(waiting.process)?.tasks.get(String(waiting.task));
  if (task?.wait.kind === 'cloud' && task.wait.ticket === ticket) resume(draft, waiting.process, task, reply);
}

/** A cached read whose informer synced, or that waited too long. */
export function endCacheWait(draft: Draft, name: string, task: Task): void {
  if (task.call.to !== 'cache') throw new Error('the task does not wait for a cache');
  const reply = readCache(draft, name, task.call.read);
  const message = 'Timeout: failed waiting for *unstructured.Unstructured Informer to sync';
  resume(draft, name, task, reply ?? {ok: false, reason: 'Timeout', message});
}

export function labelOf(run: Run): string {
  return run.kind === 'reconcile' ? `${run.controller.name} ${run.key}` : run.routine;
}
