// A rehearsal as a story for the search (explore/world-model.ts): the same control plane at rest, the same steps in their
// order, each once nothing more happens by itself. Left out is what a search has no use for: nothing takes time, and what
// the cloud makes is named by whom it is for. One version of Crossplane is searched, so an upgrade cannot be.

import {reconfigured} from '../../cluster/cloud/cloud-ledger.ts';
import {type ControlPlaneParts, openControlPlane} from '../control-plane/control-plane.ts';
import {type RehearsedSource, sourceWorld} from '../control-plane/standing/source-world.ts';
import type {ExploreState} from '../explore/explore-state.ts';
import {rememberingReplies} from '../explore/remembering.ts';
import {type Move, type SearchedStory, searchedLatency, withHanging} from '../explore/story.ts';
import type {WorldModel} from '../explore/world-model.ts';
import {driveHere} from '../functions/drive.ts';
import {InputError} from '../input/input-error.ts';
import type {Step} from '../scenario/scenario.ts';
import {type Moment, momentOf} from './consequences.ts';
import {stepsOf} from './rehearsal-steps.ts';
import {type RehearseOptions, settle, withEarlierObjectsLost} from './rehearse.ts';
import type {RehearsedFunctions} from './rehearsed-functions.ts';

export interface RehearsalStory {
  readonly story: SearchedStory;
  /** At rest, before the first step. */
  readonly before: Moment;
}

type SearchedOptions = Pick<RehearseOptions, 'crossplane' | 'changes' | 'loaded' | 'restore' | 'runtime' | 'seed'>;

/** Throws InputError for what cannot be searched. */
export function rehearsalStory(
  source: RehearsedSource,
  functions: RehearsedFunctions,
  {crossplane, changes, restore, runtime = '2.3', seed = 1, loaded = false}: SearchedOptions,
): RehearsalStory {
  const world = sourceWorld(source, {crossplane, runtime, functions: functions.called});
  const prompt = {latencyMs: 0, createDelayMs: 0, deleteDelayMs: 0, idStyle: 'owner'} as const;
  const {cloud} = world;
  const parts: ControlPlaneParts = {
    crossplane,
    steadyPolls: true,
    functions: functionsHere(functions),
    provider: world.provider,
    ...(cloud === undefined ? {} : {cloud: {...cloud, initial: reconfigured(cloud.initial, prompt)}}),
    latency: searchedLatency(seed, loaded),
  };
  const controlPlane = openControlPlane({...parts, seed, from: world.from});
  const {session, catalogue} = controlPlane;
  driveHere(settle(controlPlane));
  const before = momentOf(catalogue.all(), session.world);
  const steps = stepsOf(changes, withEarlierObjectsLost(restore, before.objects));
  const story: SearchedStory = {
    crossplane,
    parts,
    definition: withHanging(controlPlane.definition),
    processes: controlPlane.processes,
    initial: session.world,
    moves: steps.flatMap(movesOfStep),
    moveOrder: 'in-order',
  };
  return {story, before};
}

/** The state in which the steps end where nothing goes wrong; undefined where they never do in the time of the model. */
export function endOf({moves}: SearchedStory, model: WorldModel): ExploreState | undefined {
  let state = model.initial();
  while (model.withinBoundary(state)) {
    const actions = model.actions(state);
    const next =
      actions.find((action) => model.cost(action) === undefined) ??
      actions.find((action) => model.cost(action) === 'operator');
    if (next === undefined) return isStoryOver(moves, state) ? state : undefined;
    state = model.next(state, next);
  }
  return undefined;
}

/** True if every step was taken to its end. */
export function isStoryOver(moves: readonly Move[], {made, tool}: ExploreState): boolean {
  return made.length === moves.length && tool === undefined;
}

function functionsHere({parts}: RehearsedFunctions): ControlPlaneParts['functions'] {
  return Object.fromEntries(
    Object.entries(parts).map(([name, run]) => {
      if (run === 'remote') throw new Error(`function "${name}" must be called for the thread that searches`);
      return [name, rememberingReplies(run)];
    }),
  );
}

function movesOfStep(step: Step): readonly Move[] {
  const {action} = step;
  if (action === undefined) return [];
  if (action.kind === 'upgrade') {
    throw new InputError('cannot search the faults around an upgrade: one version of Crossplane is searched at a time');
  }
  return [{step, action, waits: [], atRest: true}];
}
