// The moves of the operator, one at a time. A backup is one step, and so is a disaster: the length of a real one is no choice of
// the search, and the two requests by which a wipe removes an object are an artifact. A restore is a tool whose requests are
// steps of their own, so that the control plane goes on between them.

import type {Call} from '../../cluster/kernel/call.ts';
import {submit} from '../../cluster/kernel/step.ts';
import type {Observer, World} from '../../cluster/kernel/world.ts';
import {type ControlPlane, controlPlaneAt} from '../control-plane/control-plane.ts';
import {restoreSteps} from '../control-plane/operator/backup-tool.ts';
import {Operator, withBackup} from '../control-plane/operator/operator.ts';
import type {Happening} from '../control-plane/session.ts';
import {driveHere} from '../functions/drive.ts';
import {InputError} from '../input/input-error.ts';
import type {ExploreState, Tool} from './explore-state.ts';
import {firstChoice, type Move, type SearchedStory} from './story.ts';

/** True if the move can be made here: it must find something to do, and not undo what was never done. */
export function isPossible(story: SearchedStory, state: ExploreState, index: number): boolean {
  const {memory, facts} = state;
  if (state.tool !== undefined || state.made.includes(index)) return false;
  if (story.moveOrder === 'in-order') return state.made.length === index;
  const {action} = story.moves[index] as Move;
  switch (action.kind) {
    case 'backup':
      return !facts.wiped && state.made.length > 0;
    case 'wipe':
      return memory.saved !== undefined && !facts.wiped;
    case 'restore':
      return facts.wiped && withBackup(memory, action.options.backup) !== undefined;
    case 'process': {
      const stopped = memory.stopped.includes(story.processes[action.process]);
      return action.change === 'start' ? stopped : !stopped;
    }
    case 'delete':
    case 'patch':
      return controlPlaneIn(story, state).catalogue.find(action.target).length > 0;
    case 'apply':
    case 'create':
    case 'upgrade':
    case 'fault':
      return true;
  }
}

/** The state after the operator began the move; a tool's requests follow as steps of their own. */
export function makeMove(story: SearchedStory, before: ExploreState, index: number, observe?: Observer): ExploreState {
  const {action, step} = story.moves[index] as Move;
  const backup = action.kind === 'restore' ? withBackup(before.memory, action.options.backup) : undefined;
  const memory = backup ?? before.memory;
  const state = {...before, memory, made: [...before.made, index], facts: afterMove({...before, memory}, action)};
  if (action.kind === 'restore' && state.memory.saved?.tool !== 'etcd') {
    return stepped(story, {...state, tool: {move: index, replies: []}});
  }
  const controlPlane = controlPlaneIn(story, state, observe);
  const operator = new Operator(controlPlane, {memory: state.memory, toolCallMs: undefined});
  const outcome = driveHere(operator.carryOut(action, step.by));
  if (action.kind === 'upgrade' && outcome.kind === 'failed')
    throw new InputError(outcome.problem, {place: step.place});
  const {session, broken} = controlPlane;
  return {...state, broken, memory: operator.memory, world: session.world};
}

/** Pairs from before a disaster, or from before time was turned back, are no evidence about what comes after it. */
function afterMove({facts, memory}: ExploreState, {kind}: Move['action']): ExploreState['facts'] {
  if (kind === 'wipe') return {...facts, pairs: [], wiped: true};
  if (kind !== 'restore') return facts;
  return {...facts, wiped: false, ...(memory.saved?.tool === 'etcd' ? {pairs: []} : {})};
}

function controlPlaneIn(story: SearchedStory, {world, broken}: ExploreState, observe?: Observer): ControlPlane {
  const observers = observe === undefined ? [] : [({atMs, entry}: Happening) => observe(atMs, entry)];
  return controlPlaneAt(story.parts, story.definition, world, {observers, broken: new Map(broken)});
}

/** Carries out the next request of the tool. */
export function useTool(story: SearchedStory, state: ExploreState, observe?: Observer): ExploreState {
  const {tool, memory} = state;
  if (tool === undefined) throw new Error('no tool is in use');
  const call = pendingCall(story, state, tool);
  if (call === undefined) return {...state, tool: undefined};
  const {world, reply} = answered(story, state.world, memory.saved?.tool ?? 'velero', call, observe);
  return stepped(story, {...state, world, tool: {...tool, replies: [...tool.replies, reply]}});
}

/** The state with the tool put away where it has nothing more to ask. */
function stepped(story: SearchedStory, state: ExploreState): ExploreState {
  if (state.tool === undefined) return state;
  return pendingCall(story, state, state.tool) === undefined ? {...state, tool: undefined} : state;
}

function pendingCall({moves}: SearchedStory, {memory: {saved}}: ExploreState, {move, replies}: Tool): Call | undefined {
  const {action} = moves[move] as Move;
  if (action.kind !== 'restore' || saved === undefined || saved.tool === 'etcd') {
    throw new Error('a tool needs a backup to work with');
  }
  const steps = restoreSteps(saved, action.options);
  let next = steps.next();
  for (const reply of replies) if (next.done !== true) next = steps.next(reply);
  return next.done === true ? undefined : next.value;
}

/** A tool's waits take no time of their own: it asks again when it is its turn. */
function answered(
  {definition}: SearchedStory,
  world: World,
  actor: string,
  call: Call,
  observe: Observer | undefined,
): {readonly world: World; readonly reply: unknown} {
  if (call.to === 'api') {
    const {world: next, response} = submit(definition, world, actor, call.request, {
      chooser: firstChoice,
      ...(observe === undefined ? {} : {observe}),
    });
    return {world: next, reply: response};
  }
  return {world, reply: call.to === 'now' ? world.nowMs : undefined};
}
