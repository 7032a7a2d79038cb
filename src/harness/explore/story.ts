// A scenario made ready for exploring: the world after its fixtures, and what stays the same in every state. Unless the story is
// of a loaded control plane, everything takes no time here, so interleavings do not move the clock and different orders of the
// same steps end in the same state. A wait for a time (polls, back-offs, sleeps) is a timer; explore-action.ts decides when timers fire.

import {reconfigured} from '../../cluster/cloud/cloud-ledger.ts';
import type {ProfileName} from '../../cluster/crossplane/profiles.ts';
import type {Chooser} from '../../cluster/kernel/draft.ts';
import type {Definition, Latency, World} from '../../cluster/kernel/world.ts';
import {
  type ControlPlaneParts,
  definitionFor,
  loadedLatency,
  openControlPlane,
  type ProcessNames,
} from '../control-plane/control-plane.ts';
import type {StepAction} from '../control-plane/operator/action.ts';
import {builtins, type InProcessFunction} from '../functions/builtin.ts';
import {driveHere} from '../functions/drive.ts';
import {isOneOf} from '../functions/function-source.ts';
import {passThrough} from '../functions/passing.ts';
import {InputError} from '../input/input-error.ts';
import {type Beginning, beginningOf} from '../scenario/beginning.ts';
import {requireVersions} from '../scenario/function-moves.ts';
import {prepare} from '../scenario/prepare.ts';
import {requirePackages} from '../scenario/provider-moves.ts';
import type {Expectation, Scenario, Step, Variant, Wait} from '../scenario/scenario.ts';
import {deadlineExceeded, hangingTarget} from './faults.ts';
import {rememberingReplies} from './remembering.ts';

/** The needs of a search, for any caller. */
export interface SearchedStory {
  readonly crossplane: ProfileName;
  readonly parts: ControlPlaneParts;
  readonly definition: Definition;
  readonly processes: ProcessNames;
  /** After the fixtures, before the first step. */
  readonly initial: World;
  /** The operator's possible moves: the steps of the scenario that act. */
  readonly moves: readonly Move[];
  /** `in-order`: each move after the one before it. `any`: a menu, each at most once. */
  readonly moveOrder: 'in-order' | 'any';
}

/** The story of a scenario. */
export interface Story extends SearchedStory {
  readonly scenario: Scenario;
  readonly variant: Variant;
}

export interface Move {
  readonly step: Step;
  readonly action: StepAction;
  /** The waits between the move before it and this one. */
  readonly waits: readonly Wait[];
  /** True if it waits until nothing more will happen by itself. */
  readonly atRest?: true;
}

export interface StoryOptions {
  readonly crossplane: ProfileName;
  readonly variant: Variant;
  readonly moveOrder: 'in-order' | 'any';
  /**
   * False for stories that run once and are not searched: no request comes again to be answered from memory, and no two
   * states have to meet, so polls and identifiers are as everywhere. True where absent.
   */
  readonly searched?: boolean;
  /** Functions that observers watch: see ControlPlaneParts. */
  readonly watched?: ControlPlaneParts['watched'];
  /** Functions that run here, whatever address the scenario gives them. */
  readonly functions: {readonly [name: string]: InProcessFunction};
}

const noLatency: Latency = {apiMs: 0, watchMs: 0, functionMs: 0, startMs: 0, jitter: 0};

/**
 * Nothing takes time, unless the control plane is loaded. Then each call takes the same time, so that different orders of the
 * same steps may still end in the same state. The world's seed draws the late events; they are no choice of the explorer.
 */
export function searchedLatency(seed: number, loaded = false): Latency {
  return loaded ? {...loadedLatency(seed), jitter: 0} : noLatency;
}

/** The seed must not matter: what it would decide is a choice of the explorer, the first alternative unless it branches. */
export const firstChoice: Chooser = () => 0;

/** Throws InputError for what cannot be explored. */
export function openStory(scenario: Scenario, options: StoryOptions): Story {
  const {searched = true} = options;
  const upgrade = searched ? scenario.steps.find(({action}) => action?.kind === 'upgrade') : undefined;
  if (upgrade !== undefined)
    throw new InputError('cannot explore an upgrade: explore one Crossplane version at a time', {place: upgrade.place});
  const {from, ...provided} = promptProvider(scenario, options.crossplane, searched);
  const parts: ControlPlaneParts = {
    crossplane: options.crossplane,
    ...(searched ? {steadyPolls: true as const} : {}),
    ...(options.watched === undefined ? {} : {watched: options.watched}),
    ...(scenario.realtime === undefined ? {} : {realtime: scenario.realtime}),
    ...(scenario.operations === undefined ? {} : {operations: scenario.operations}),
    functions: functionsOf(scenario, options),
    ...provided,
    latency: searchedLatency(scenario.seed, scenario.loaded),
  };
  const controlPlane = openControlPlane({...parts, seed: scenario.seed, ...(from === undefined ? {} : {from})});
  requireVersions(scenario);
  requirePackages(scenario);
  driveHere(prepare(scenario, controlPlane));
  return {
    scenario,
    variant: options.variant,
    crossplane: options.crossplane,
    parts,
    definition: withHanging(controlPlane.definition),
    processes: controlPlane.processes,
    initial: controlPlane.session.world,
    moves: movesOf(scenario),
    moveOrder: options.moveOrder,
  };
}

/** The story with the steps of another scenario of the same platform and functions. */
export function withSteps(story: Story, scenario: Scenario): Story {
  return {...story, scenario, moves: movesOf(scenario)};
}

/** A function that hangs is one that answers late, and the wrong thing. */
export function withHanging(definition: Definition): Definition {
  return {...definition, functions: {...definition.functions, [hangingTarget]: deadlineExceeded}};
}

function functionsOf(
  {functions}: Scenario,
  {variant, functions: here, searched = true}: StoryOptions,
): {readonly [name: string]: InProcessFunction} {
  return Object.fromEntries(
    Object.entries(functions).map(([name, source]) => {
      if (isOneOf(name, variant.without)) return [name, passThrough];
      const known = source.kind === 'builtin' ? (here[source.name] ?? builtins[source.name]) : undefined;
      const found = known ?? here[name];
      if (found === undefined) {
        throw new InputError(`cannot explore with function "${name}": it does not run in this process`);
      }
      return [name, searched ? rememberingReplies(found) : found];
    }),
  );
}

/** The ids of a cloud that counts its resources. */
const countedId = /\bext-\d/;

/**
 * The provider, with a cloud that answers as soon as it is its turn. In a search what it makes is named by whom it is for,
 * so that creates in another order end in the same state; a scenario that names an identifier itself keeps those that count.
 */
function promptProvider(scenario: Scenario, crossplane: ProfileName, searched: boolean): Beginning {
  const prompt = {...scenario, provider: {...scenario.provider, readyAfterMs: 0, deleteAfterMs: 0}};
  const {cloud, ...parts} = beginningOf(prompt, crossplane);
  if (cloud === undefined) return parts;
  const byOwner =
    searched &&
    !countedId.test(
      JSON.stringify([scenario.from ?? [], scenario.fixtures, scenario.steps, scenario.explore, scenario.variants]),
    );
  const change = {latencyMs: 0, ...(byOwner ? {idStyle: 'owner' as const} : {})};
  return {...parts, cloud: {...cloud, initial: reconfigured(cloud.initial, change)}};
}

function movesOf({steps}: Scenario): readonly Move[] {
  const moves: Move[] = [];
  let waits: Wait[] = [];
  for (const step of steps) {
    const {action, wait} = step;
    if (action !== undefined) {
      moves.push({step, action, waits});
      waits = [];
    }
    if (wait !== undefined) waits.push(wait);
  }
  return moves;
}

/** The expectations to wait for before the move. */
export function awaitedBy({waits}: Move): readonly Expectation[] {
  return waits.flatMap((wait) => (wait.kind === 'until' ? [wait.expect] : []));
}

/** The story as it goes on after its Crossplane was upgraded. */
export function upgraded(story: Story, crossplane: ProfileName): Story {
  const parts = {...story.parts, crossplane};
  return {...story, crossplane, parts, definition: withHanging(definitionFor(parts))};
}
