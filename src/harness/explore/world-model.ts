// A story as a model for the search (src/explore): the actions of a state, the next state of each, and the equality of states.
// The choices are in explore-action.ts, and the properties of states in properties.ts. A search keeps no record; a caller that
// needs one passes an observer.

import type {FunctionReply} from '../../cluster/kernel/call.ts';
import type {Chooser} from '../../cluster/kernel/draft.ts';
import {fingerprint, fingerprintOf} from '../../cluster/kernel/fingerprint.ts';
import {type Action, killProcess, nextNow, perform, startProcess, taskOf} from '../../cluster/kernel/step.ts';
import type {Observer, World} from '../../cluster/kernel/world.ts';
import {memo, remembering} from '../../cluster/memo.ts';
import type {Model} from '../../explore/model.ts';
import {objectsOf, type Saved} from '../control-plane/operator/backup-tool.ts';
import {noMemory} from '../control-plane/operator/operator.ts';
import {brokenReply} from '../control-plane/session.ts';
import {actionsOf, type BudgetKind, type ExploreAction} from './explore-action.ts';
import {type ExploreState, type Facts, noFacts} from './explore-state.ts';
import {describeAction, keyOfAction} from './explore-words.ts';
import {factsAfter} from './facts.ts';
import {crashMessage, hangingRuns, replyKey, withHangingCall} from './faults.ts';
import {makeMove, useTool} from './moves.ts';
import {hashOf} from './remembering.ts';
import {withCallsGoingOn, withHeldReleased} from './schedule.ts';
import {firstChoice, type SearchedStory} from './story.ts';

export interface WorldModelOptions {
  /** The budgets that have units: other actions are not even made. */
  readonly kinds: ReadonlySet<BudgetKind>;
  /** Virtual time after the fixtures that is explored; states beyond are outside the boundary. */
  readonly timeMs: number;
  /** Choices of Go are drawn from the world's own seed instead of being the first alternative. */
  readonly seeded?: boolean;
}

/** A story as the explorer sees it. */
export class WorldModel implements Model<ExploreState, ExploreAction> {
  readonly #story: SearchedStory;
  readonly #options: WorldModelOptions;
  readonly #untilMs: number;
  /** The result of taking the free step of a state: needed for its choices, and again for its successor. */
  #taken: {state: ExploreState; action: Action; world: World; bounds: readonly number[]} | undefined;
  #listed: {state: ExploreState; actions: readonly ExploreAction[]} | undefined;

  constructor(story: SearchedStory, options: WorldModelOptions) {
    this.#story = story;
    this.#options = options;
    this.#untilMs = story.initial.nowMs + options.timeMs;
  }

  initial(): ExploreState {
    const {initial} = this.#story;
    return {
      world: initial,
      made: [],
      tool: undefined,
      memory: noMemory,
      broken: new Map(),
      held: [],
      broke: [],
      facts: noFacts,
    };
  }

  actions(state: ExploreState): readonly ExploreAction[] {
    if (this.#listed?.state !== state) {
      const actions = actionsOf(this.#story, state, this.#options.kinds, (action) => this.#take(state, action).bounds);
      this.#listed = {state, actions};
    }
    return this.#listed.actions;
  }

  next(state: ExploreState, action: ExploreAction): ExploreState {
    return this.go(state, action);
  }

  /** As next, telling `observe` what happens. */
  go(state: ExploreState, action: ExploreAction, observe?: Observer): ExploreState {
    const made = this.#carryOut(state, action, observe);
    const facts = factsAfter(made.facts, state.world, made.world);
    const world = withCallsGoingOn(made.world, made.held, this.#story.definition.latency);
    const isSame = facts === made.facts && world === made.world;
    return withHeldReleased(isSame ? made : {...made, facts, world});
  }

  fingerprint(state: ExploreState): string {
    const {world, made, tool, memory, broken, held, broke, facts} = state;
    const order = this.#story.moveOrder === 'any' ? [...made].sort((left, right) => left - right) : [made.length];
    const pairs = facts.pairs.length === 0 ? '' : facts.pairs.map(({of, by}) => `${of.key} ${by.key}`).join();
    return [
      fingerprint(world),
      order.join(),
      tool === undefined ? '' : `${tool.move} ${tool.replies.length}`,
      memory.saved === undefined ? '' : savedKey(memory.saved, world.nowMs),
      [...memory.named]
        .map(([name, saved]) => `${name} ${savedKey(saved, world.nowMs)}`)
        .sort()
        .join(),
      memory.stopped.join(),
      [...broken.keys()].join(),
      held.length > 1 ? [...held].sort().join() : (held[0] ?? ''),
      `${facts.byLeftFirst} ${facts.brokenPair === undefined} ${facts.wiped}`,
      pairs,
      broke.length === 0 ? '' : broke.map(({process, informer}) => `${process} ${informer}`).join(),
      this.#options.kinds.has('function-timeout') ? hangingRuns(world) : '',
      facts.lastReplies.length === 0 ? '' : repliesKey(facts),
    ].join('|');
  }

  key(action: ExploreAction): string {
    return keyOfAction(this.#listed?.state.world, this.#story, action);
  }

  describe(action: ExploreAction, state: ExploreState): string {
    return describeAction(state.world, this.#story, action);
  }

  cost(action: ExploreAction): BudgetKind | undefined {
    switch (action.kind) {
      case 'step':
        return action.choices.length === 0 ? undefined : 'choice';
      case 'tool':
      case 'time':
        return undefined;
      case 'move':
        return action.early ? 'early' : 'operator';
      case 'hold':
      case 'restart':
        return action.cost;
      case 'answer':
        return action.fault;
      case 'no-answer':
        return 'function-timeout';
      case 'miss':
        return 'missed-event';
    }
  }

  /** At rest: many interleavings end there, and to find out what time brings takes as many steps as the polls of a minute. */
  joins({world, tool, held}: ExploreState): boolean {
    return tool === undefined && held.length === 0 && nextNow(world) === undefined;
  }

  withinBoundary(state: ExploreState): boolean {
    return state.world.nowMs <= this.#untilMs;
  }

  #carryOut(state: ExploreState, action: ExploreAction, observe: Observer | undefined): ExploreState {
    const {definition} = this.#story;
    const watching = observe === undefined ? {} : {observe};
    switch (action.kind) {
      case 'step':
        return this.#step(state, action, observe);
      case 'tool':
        return useTool(this.#story, state, observe);
      case 'hold':
        return {...state, held: [...state.held, action.activity]};
      case 'time':
        return {...state, world: action.world};
      case 'move':
        return makeMove(this.#story, state, action.move, observe);
      case 'answer': {
        const outside = {...watching, ...this.#chooser, answer: action.answer};
        return {...state, world: perform(definition, state.world, action.action, outside)};
      }
      case 'no-answer':
        return {...state, world: withHangingCall(state.world, action.action)};
      case 'miss': {
        const {process, informer} = action.action;
        return {...state, held: [...state.held, action.activity], broke: [...state.broke, {process, informer}]};
      }
      case 'restart': {
        const down = killProcess(definition, state.world, action.process, crashMessage, watching);
        return {...state, world: startProcess(definition, down, action.process, {...watching, ...this.#chooser})};
      }
    }
  }

  #step(
    state: ExploreState,
    {action, choices}: ExploreAction & {readonly kind: 'step'},
    observe: Observer | undefined,
  ): ExploreState {
    const broken = brokenReply(state.world, action, state.broken);
    const isTaken = this.#options.seeded !== true && observe === undefined;
    if (broken === undefined && choices.length === 0 && isTaken) {
      return this.#remembering(state, action, this.#take(state, action).world);
    }
    const answer = broken === undefined ? {} : {answer: broken};
    const watching = observe === undefined ? {} : {observe};
    const choice = choices.length === 0 ? this.#chooser : {chooser: chosen(choices)};
    const world = perform(this.#story.definition, state.world, action, {...watching, ...answer, ...choice});
    return this.#remembering(state, action, world);
  }

  get #chooser(): {readonly chooser?: Chooser} {
    return this.#options.seeded === true ? {} : {chooser: firstChoice};
  }

  #take(state: ExploreState, action: Action): {readonly world: World; readonly bounds: readonly number[]} {
    if (this.#taken?.state === state && this.#taken.action === action) return this.#taken;
    const bounds: number[] = [];
    const chooser: Chooser = (bound) => {
      bounds.push(bound);
      return 0;
    };
    const answer = brokenReply(state.world, action, state.broken);
    const world = perform(this.#story.definition, state.world, action, {
      chooser,
      ...(answer === undefined ? {} : {answer}),
    });
    this.#taken = {state, action, world, bounds};
    return this.#taken;
  }

  /** With stale replies among the faults, the state keeps what each function answered last. */
  #remembering(state: ExploreState, action: Action, world: World): ExploreState {
    const next = {...state, world};
    if (!this.#options.kinds.has('function-stale-response') || action.kind !== 'call') return next;
    const {call, run} = taskOf(state.world, action);
    if (call.to !== 'function' || run.kind !== 'reconcile') return next;
    const reply = this.#story.definition.functions[call.target]?.(call.request, call.service);
    if (reply === undefined) return next;
    return {...next, facts: withReply(state.facts, replyKey(run, call.target), reply)};
  }
}

function withReply(facts: Facts, key: string, reply: FunctionReply): Facts {
  const others = facts.lastReplies.filter(([known]) => known !== key);
  return {...facts, lastReplies: [...others, [key, reply]]};
}

function chosen(choices: readonly number[]): Chooser {
  let index = 0;
  return (bound) => Math.min(choices[index++] ?? 0, bound - 1);
}

/** Replies of functions by content: what a stale reply would bring back is part of what may still happen. */
function repliesKey({lastReplies}: Facts): string {
  return lastReplies
    .map(([key, reply]) => `${key} ${replyHash(reply)}`)
    .sort()
    .join();
}

const replyHash = remembering((reply: FunctionReply) => (reply.ok ? hashOf(reply.response) : 0));

const savedKeys = memo<Saved, {readonly nowMs: number; readonly key: number}>();

function savedKey(saved: Saved, nowMs: number): number {
  const known = savedKeys.get(saved);
  if (known?.nowMs === nowMs) return known.key;
  const key = fingerprintOf(kept(saved), nowMs);
  savedKeys.set(saved, {nowMs, key});
  return key;
}

const kept = remembering((saved: Saved): readonly object[] =>
  objectsOf(saved).map(({kind, metadata: {name, labels, annotations}, spec}) => {
    return {kind, name, labels, annotations, spec};
  }),
);
