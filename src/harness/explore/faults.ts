// The faults of one call, as its caller sees them. A call that fails is not carried out. Modelled: a write refused because of
// another writer (a 409; apply by force never meets one); the Usage webhook not answering, which denies the delete of an object
// with the in-use label and of no other; a function that cannot be reached, one that hangs, and one whose answer is the one it
// gave the time before (a response cache, an old replica). Not modelled: a write that was carried out and whose answer was lost.
// A crash right after the call is the same thing for a controller that keeps no memory of its own, and all modelled writes are
// of that kind.

import type {ApiRequest, ApiResponse} from '../../cluster/api/request.ts';
import type {FunctionReply} from '../../cluster/kernel/call.ts';
import {keyOf} from '../../cluster/kernel/process.ts';
import {type Action, taskOf} from '../../cluster/kernel/step.ts';
import {labelOf} from '../../cluster/kernel/task.ts';
import type {Run, World} from '../../cluster/kernel/world.ts';
import {groupKindOf, type KubeObject} from '../../cluster/object.ts';
import {put} from '../../cluster/table.ts';
import {labelInUse} from '../../cluster/vocabulary.ts';
import type {ExploreState} from './explore-state.ts';

/** An answer in place of the true one. */
export interface Answered {
  readonly fault: 'conflict' | 'webhook-down' | 'function-error' | 'function-stale-response';
  readonly answer: ApiResponse | FunctionReply;
}

/** The message of a process that a fault kills. */
export const crashMessage = 'crashed';

type CallAction = Action & {readonly kind: 'call'};

export function callsFunction({world}: ExploreState, action: CallAction): boolean {
  return taskOf(world, action).call.to === 'function';
}

/** Every wrong answer the call may get. */
export function faultOfCall(state: ExploreState, action: CallAction): readonly Answered[] {
  const {call, run} = taskOf(state.world, action);
  switch (call.to) {
    case 'api':
      return faultsOfRequest(state.world, call.request);
    case 'function': {
      const unreachable = {ok: false, message: 'rpc error: code = Unavailable desc = connection refused'} as const;
      const faults: Answered[] = [{fault: 'function-error', answer: unreachable}];
      const last = run.kind === 'reconcile' ? lastReply(state, replyKey(run, call.target)) : undefined;
      if (last !== undefined) faults.push({fault: 'function-stale-response', answer: last});
      return faults;
    }
    default:
      return [];
  }
}

function faultsOfRequest(world: World, request: ApiRequest): readonly Answered[] {
  if (request.verb === 'update') return [{fault: 'conflict', answer: conflict(request.object)}];
  if (request.verb !== 'delete') return [];
  const stored = world.server.objects.get(groupKindOf(request.ref))?.get(keyOf(request.ref));
  const isReviewed = stored?.metadata.labels?.[labelInUse] === 'true';
  return isReviewed ? [{fault: 'webhook-down', answer: webhookDown}] : [];
}

/** Names the replies of one function to the reconciles of one XR: XRs of several kinds have one name. */
export function replyKey(run: Run, target: string): string {
  return replyKeyOf(labelOf(run), target);
}

/** By what a trace calls the run. */
export function replyKeyOf(run: string, target: string): string {
  return `${target} for ${run}`;
}

function lastReply({facts}: ExploreState, key: string): FunctionReply | undefined {
  return facts.lastReplies.find(([known]) => known === key)?.[1];
}

function conflict({kind, metadata}: KubeObject): ApiResponse {
  const message =
    `Operation cannot be fulfilled on ${kind} "${metadata.name}": the object has been modified; ` +
    'please apply your changes to the latest version and try again';
  return {ok: false, code: 409, reason: 'Conflict', message};
}

const webhookDown: ApiResponse = {
  ok: false,
  code: 500,
  reason: 'InternalError',
  message: 'Internal error occurred: failed calling webhook: failed to call webhook: connection refused',
};

/** Where the calls of a function that hangs go: it answers, at the deadline, that there was no answer. */
export const hangingTarget = 'a function that hangs';

export function deadlineExceeded(): FunctionReply {
  return {ok: false, message: 'rpc error: code = DeadlineExceeded desc = context deadline exceeded'};
}

/**
 * A reconcile of an XR has two minutes, and a function has what is left of them (crossplane/crossplane 2d040d2da
 * internal/controller/apiextensions/composite/reconciler.go, `timeout`).
 */
const deadlineMs = 120_000;

/** The world in which the function that is called hangs. */
export function withHangingCall(world: World, action: CallAction): World {
  const process = world.processes.get(action.process);
  const task = taskOf(world, action);
  if (process === undefined || task.call.to !== 'function') return world;
  const hanging = {
    ...task,
    call: {...task.call, target: hangingTarget},
    wait: {kind: 'due' as const, dueMs: Math.max(world.nowMs, task.startedAtMs + deadlineMs)},
  };
  const tasks = put(process.tasks, String(task.id), hanging);
  return {...world, processes: put(world.processes, action.process, {...process, tasks})};
}

/** The runs whose function hangs: in the fingerprint of a world they equal runs whose function is about to answer. */
export function hangingRuns(world: World): string {
  const runs: string[] = [];
  for (const [name, {tasks}] of world.processes) {
    for (const {call, run} of tasks.values()) {
      if (call.to !== 'function' || call.target !== hangingTarget) continue;
      runs.push(`${name} ${run.kind === 'reconcile' ? run.key : run.routine}`);
    }
  }
  return runs.sort().join();
}
