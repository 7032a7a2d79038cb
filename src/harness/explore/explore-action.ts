import type {ApiResponse} from '../../cluster/api/request.ts';
import type {FunctionReply} from '../../cluster/kernel/call.ts';
import {type Action, taskOf} from '../../cluster/kernel/step.ts';
import type {World} from '../../cluster/kernel/world.ts';
import type {ExploreState} from './explore-state.ts';
import {isPossible} from './moves.ts';
import {afterWaiting} from './rest.ts';
import {activityOf, runnable, toolActivity} from './schedule.ts';
import type {Story} from './story.ts';

// What may happen in a state: the next step of the free schedule, that step held back or gone wrong, time passing, and
// the operator's next move.

export type ExploreAction =
  | {readonly kind: 'step'; readonly action: Action; readonly choices: readonly number[]}
  | {readonly kind: 'tool'}
  | {readonly kind: 'hold'; readonly activity: string; readonly cost: 'reorder' | 'stale-cache'}
  | {readonly kind: 'time'; readonly world: World}
  /** `early`: before the world has come to rest. */
  | {readonly kind: 'move'; readonly move: number; readonly early: boolean}
  | {
      readonly kind: 'answer';
      readonly action: Action;
      readonly fault: AnswerFault;
      readonly answer: ApiResponse | FunctionReply;
    }
  | {readonly kind: 'miss'; readonly action: Action & {readonly kind: 'deliver'}}
  | {readonly kind: 'restart'; readonly process: string; readonly cost: 'crash' | 'provider-restart'};

export type AnswerFault = 'conflict' | 'webhook-down' | 'function-error' | 'function-stale-response';

export const budgetKinds = [
  'operator',
  'early',
  'reorder',
  'choice',
  'crash',
  'provider-restart',
  'stale-cache',
  'missed-event',
  'conflict',
  'webhook-down',
  'function-error',
  'function-stale-response',
] as const;
export type BudgetKind = (typeof budgetKinds)[number];

/** Every action of the state, the free one first. `kinds`: the budgets that have units, so that no other is made. */
export function actionsOf(
  story: Story,
  state: ExploreState,
  kinds: ReadonlySet<BudgetKind>,
  choicesOf: (action: Action) => readonly number[],
): readonly ExploreAction[] {
  const actions: ExploreAction[] = [];
  const next = runnable(state.world, state.held);
  const toolRuns = state.tool !== undefined && !state.held.includes(toolActivity);
  const isIdle = next.length === 0 && !toolRuns;
  const first = next[0];
  if (toolRuns) {
    actions.push({kind: 'tool'});
    if (next.length > 0 && kinds.has('reorder')) actions.push({kind: 'hold', activity: toolActivity, cost: 'reorder'});
  } else if (first !== undefined) {
    actions.push({kind: 'step', action: first, choices: []});
    if (kinds.has('choice')) actions.push(...otherChoices(first, choicesOf(first)));
    const activity = activityOf(state.world, first);
    const cost = first.kind === 'deliver' ? 'stale-cache' : 'reorder';
    const others = next.some((other) => activityOf(state.world, other) !== activity);
    if (others && kinds.has(cost)) actions.push({kind: 'hold', activity, cost});
    actions.push(...faultsOf(state, first, kinds));
  } else {
    const after = afterWaiting(story.definition, state.world);
    if (after !== undefined) actions.push({kind: 'time', world: after});
  }
  actions.push(...restarts(story, state, first, kinds));
  if (kinds.has(isIdle ? 'operator' : 'early')) {
    for (const move of story.moves.keys()) {
      if (isPossible(story, state, move)) actions.push({kind: 'move', move, early: !isIdle});
    }
  }
  return actions;
}

/** One other alternative at each of the step's choices, the rest as they come. */
function otherChoices(action: Action, bounds: readonly number[]): readonly ExploreAction[] {
  return bounds.flatMap((bound, index) =>
    Array.from({length: bound - 1}, (_, other): ExploreAction => {
      const choices = [...Array.from({length: index}, () => 0), other + 1];
      return {kind: 'step', action, choices};
    }),
  );
}

function faultsOf(state: ExploreState, action: Action, kinds: ReadonlySet<BudgetKind>): readonly ExploreAction[] {
  if (action.kind === 'deliver') return kinds.has('missed-event') ? [{kind: 'miss', action}] : [];
  if (action.kind !== 'call') return [];
  const {call, run} = taskOf(state.world, action);
  const faults: ExploreAction[] = [];
  if (call.to === 'api' && call.request.verb === 'update' && kinds.has('conflict')) {
    faults.push({kind: 'answer', action, fault: 'conflict', answer: conflict});
  }
  if (call.to === 'api' && call.request.verb === 'delete' && kinds.has('webhook-down')) {
    faults.push({kind: 'answer', action, fault: 'webhook-down', answer: webhookDown});
  }
  if (call.to !== 'function') return faults;
  if (kinds.has('function-error')) {
    const answer: FunctionReply = {ok: false, message: 'rpc error: code = Unavailable desc = connection refused'};
    faults.push({kind: 'answer', action, fault: 'function-error', answer});
  }
  if (!kinds.has('function-stale-response') || run.kind !== 'reconcile') return faults;
  const key = replyKey(run.key, call.target);
  const last = state.facts.lastReplies.find(([known]) => known === key)?.[1];
  if (last !== undefined) faults.push({kind: 'answer', action, fault: 'function-stale-response', answer: last});
  return faults;
}

export function replyKey(key: string, target: string): string {
  return `${target} for ${key}`;
}

const conflict: ApiResponse = {
  ok: false,
  code: 409,
  reason: 'Conflict',
  message: 'the object has been modified; please apply your changes to the latest version and try again',
};

const webhookDown: ApiResponse = {
  ok: false,
  code: 500,
  reason: 'InternalError',
  message: 'failed calling webhook: connection refused',
};

/** A process may die after any of its calls, that is before its next one, and while everything rests. */
function restarts(
  {processes}: Story,
  {world}: ExploreState,
  first: Action | undefined,
  kinds: ReadonlySet<BudgetKind>,
): readonly ExploreAction[] {
  const active = first === undefined ? undefined : first.kind === 'call' ? first.process : '';
  return [processes.crossplane, processes.ownerGc, processes.provider].flatMap((process): readonly ExploreAction[] => {
    const cost = process === processes.provider ? 'provider-restart' : 'crash';
    if (!kinds.has(cost) || !world.processes.has(process)) return [];
    return active === undefined || active === process ? [{kind: 'restart', process, cost}] : [];
  });
}
