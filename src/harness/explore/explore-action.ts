// The actions of a state: the next step of the free schedule, that step held back or gone wrong, time passing, and the
// operator's next move.

import {restFingerprint} from '../../cluster/kernel/fingerprint.ts';
import {type Action, next, nextNow, perform} from '../../cluster/kernel/step.ts';
import type {Definition, World} from '../../cluster/kernel/world.ts';
import {memo} from '../../cluster/memo.ts';
import {faultKinds} from '../scenario/step-form.ts';
import {firstUnmet} from './evidence.ts';
import type {ExploreState} from './explore-state.ts';
import {type Answered, callsFunction, faultOfCall} from './faults.ts';
import {isPossible} from './moves.ts';
import {activityOf, runnableActions, toolActivity} from './schedule.ts';
import {awaitedBy, firstChoice, type SearchedStory} from './story.ts';

export type ExploreAction =
  | {readonly kind: 'step'; readonly action: Action; readonly choices: readonly number[]}
  | {readonly kind: 'tool'}
  | {readonly kind: 'hold'; readonly activity: string; readonly cost: 'reorder' | 'stale-cache'}
  | {readonly kind: 'time'; readonly world: World}
  /** `early`: before the world has come to rest, or without what the scenario waits for. */
  | {readonly kind: 'move'; readonly move: number; readonly early: boolean}
  | ({readonly kind: 'answer'; readonly action: Action} & Answered)
  /** The function answers nothing until its caller's deadline. */
  | {readonly kind: 'no-answer'; readonly action: Action & {readonly kind: 'call'}}
  | {readonly kind: 'miss'; readonly activity: string; readonly action: Action & {readonly kind: 'deliver'}}
  | {readonly kind: 'restart'; readonly process: string; readonly cost: 'crash' | 'provider-restart'};

const [reorder, ...otherFaults] = faultKinds;
/** The budgets of a search: the faults of a scenario's steps, and the choices that only a search has. */
export const budgetKinds = ['operator', 'early', reorder, 'choice', ...otherFaults] as const;
export type BudgetKind = (typeof budgetKinds)[number];

/** Every action of the state, the free one first. `kinds`: the budgets that have units, so that no other is made. */
export function actionsOf(
  story: SearchedStory,
  state: ExploreState,
  kinds: ReadonlySet<BudgetKind>,
  choicesOf: (action: Action) => readonly number[],
): readonly ExploreAction[] {
  const actions: ExploreAction[] = [];
  const next = runnableActions(state.world, state.held);
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
    actions.push(...faultsOf(state, first, activity, kinds));
  } else {
    const after = afterWaiting(story.definition, state.world);
    if (after !== undefined) actions.push({kind: 'time', world: after});
  }
  actions.push(...restarts(story, state, first, kinds));
  if (isIdle || kinds.has('early')) {
    for (const move of story.moves.keys()) {
      if (!isPossible(story, state, move)) continue;
      const early = !isIdle || !isDue(story, state, move);
      if (kinds.has(early ? 'early' : 'operator')) actions.push({kind: 'move', move, early});
    }
  }
  return actions;
}

/** True if the event that the move waits for has come; a menu of moves waits for nothing. */
function isDue(story: SearchedStory, state: ExploreState, move: number): boolean {
  if (story.moveOrder === 'any') return true;
  const next = story.moves[move];
  if (next?.atRest === true && afterWaiting(story.definition, state.world) !== undefined) return false;
  return next === undefined || firstUnmet(story, state, awaitedBy(next)) === undefined;
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

function faultsOf(
  state: ExploreState,
  action: Action,
  activity: string,
  kinds: ReadonlySet<BudgetKind>,
): readonly ExploreAction[] {
  if (action.kind === 'deliver') return kinds.has('missed-event') ? [{kind: 'miss', activity, action}] : [];
  if (action.kind !== 'call') return [];
  const answers = faultOfCall(state, action).filter(({fault}) => kinds.has(fault));
  const faults: ExploreAction[] = answers.map((answered) => ({kind: 'answer', action, ...answered}));
  if (callsFunction(state, action) && kinds.has('function-timeout')) faults.push({kind: 'no-answer', action});
  return faults;
}

/** A process may die after any of its calls, that is before its next one, and while everything rests. */
function restarts(
  {processes}: SearchedStory,
  {world}: ExploreState,
  first: Action | undefined,
  kinds: ReadonlySet<BudgetKind>,
): readonly ExploreAction[] {
  const active = first === undefined ? undefined : first.kind === 'call' ? first.process : '';
  return [processes.crossplane, processes['owner-gc'], processes.provider].flatMap(
    (process): readonly ExploreAction[] => {
      const cost = process === processes.provider ? 'provider-restart' : 'crash';
      if (!kinds.has(cost) || !world.processes.has(process)) return [];
      return active === undefined || active === process ? [{kind: 'restart', process, cost}] : [];
    },
  );
}

// Time. While anything can go on without waiting, nothing that waits for a time happens: a timer is long against the
// steps between two timers, on a real control plane too (milliseconds against a second and more). This leaves out interleavings
// in which a step takes longer than the shortest timer under way. Holding a step back until the others are at rest (schedule.ts)
// brings back those that matter.
//
// Timers never end: polls come every minute for ever. A timer whose work ends where it began is skipped, so what is left
// is the first timer that changes something. If none does within the horizon, the world is at rest for good.

/**
 * Longer than every period of the modelled controllers but the resync of an hour, and than a cached read waits for its informer
 * (120 s).
 */
const horizonMs = 135_000;
const stepsMax = 50_000;

/** The world in the moment the next timer that matters has fired; undefined where none will. */
function afterWaiting(definition: Definition, world: World): World | undefined {
  const known = remembered.get(world);
  if (known !== undefined) return known.after;
  const after = wait(definition, world);
  remembered.set(world, {after});
  return after;
}

const remembered = memo<World, {readonly after: World | undefined}>();

function wait(definition: Definition, world: World): World | undefined {
  const own = restFingerprint(world);
  const untilMs = world.nowMs + horizonMs;
  let idle = world;
  for (;;) {
    const timer = next(idle);
    if (timer === undefined || timer.atMs > untilMs) return undefined;
    const fired = perform(definition, idle, timer, {chooser: firstChoice});
    idle = settled(definition, fired);
    if (restFingerprint(idle) !== own) return fired;
  }
}

function settled(definition: Definition, world: World): World {
  let present = world;
  for (let steps = 0; steps < stepsMax; steps++) {
    const action = nextNow(present);
    if (action === undefined) return present;
    present = perform(definition, present, action, {chooser: firstChoice});
  }
  throw new Error(`the world made ${stepsMax} steps at one moment and has not come to rest`);
}
