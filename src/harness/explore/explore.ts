// One exploration of one scenario on one Crossplane version, from code:
//
//   const opened = openExploration(readScenario(file), 'main', args, {'function-tether': run});
//   const result = explore(opened, args, onProgress);
//   const smallest = smallestFailure(opened, result);

import type {ProfileName} from '../../cluster/crossplane/profiles.ts';
import {Budgets} from '../../explore/budget.ts';
import type {Limits} from '../../explore/options.ts';
import {replay} from '../../explore/path.ts';
import {always, eventually, type Property, sometimes} from '../../explore/property.ts';
import {walkAtRandom} from '../../explore/random-walk.ts';
import type {Cut, Incompleteness, Progress, PropertyReport, SearchResult} from '../../explore/result.ts';
import {search} from '../../explore/search.ts';
import {shrink} from '../../explore/shrink.ts';
import type {InProcessFunction} from '../functions/builtin.ts';
import {InputError} from '../input/input-error.ts';
import type {ExploreSetting, Scenario, StatedProperty} from '../scenario/scenario.ts';
import {bindingsFor, stateCondition} from '../scenario/state-condition.ts';
import {namedState} from './evidence.ts';
import {type BudgetKind, budgetKinds} from './explore-action.ts';
import type {ExploreState} from './explore-state.ts';
import {propertiesOf} from './properties.ts';
import {openStory, type Story} from './story.ts';
import {WorldModel} from './world-model.ts';

export interface Exploration {
  readonly story: Story;
  readonly model: WorldModel;
  readonly properties: readonly Property<ExploreState>[];
  readonly budgets: Readonly<Record<string, number>>;
  /** Of virtual time. */
  readonly minutes: number;
  /** The scenario's settings of its exploration. */
  readonly setting: ExploreSetting;
}

export const defaultMinutes = 60;

export type Functions = {readonly [name: string]: InProcessFunction};

/** The request for an exploration, beside the scenario's own `explore` part. */
export interface OpenArgs {
  readonly variant: string | undefined;
  readonly moves: 'any' | 'in-order' | undefined;
  readonly budgets: Readonly<Partial<Record<BudgetKind, number>>>;
  readonly minutes: number | undefined;
  readonly properties?: readonly string[];
  readonly without?: readonly string[];
}

/** Throws InputError for what cannot be explored. */
export function openExploration(
  scenario: Scenario,
  crossplane: ProfileName,
  args: OpenArgs,
  functions: Functions,
): Exploration {
  const variant = scenario.variants.find(({name}) => args.variant === undefined || name.includes(args.variant));
  if (variant === undefined) throw new InputError(`no variant is named "${args.variant}"`);
  const setting = scenario.explore;
  const placed = scenario.steps.find(({faults, early}) => faults !== undefined || early !== undefined);
  if (placed !== undefined)
    throw new InputError('cannot explore a step with faults or early: they are searched for', {place: placed.place});
  const moveOrder = args.moves ?? setting.moves ?? 'any';
  const minutes = args.minutes ?? setting.minutes ?? defaultMinutes;
  const story = openStory(scenario, {crossplane, variant, moveOrder, functions});
  const budgets = {operator: story.moves.length, ...knownBudgets(scenario), ...args.budgets};
  checkBudgets(budgets);
  const kinds = Object.entries(budgets).flatMap(([kind, units]) => (units > 0 ? [kind as BudgetKind] : []));
  const model = new WorldModel(story, {kinds: new Set(kinds), timeMs: minutes * 60_000});
  const all = [...propertiesOf(story), ...statedProperties(story)];
  const {properties: wanted = []} = args;
  const without = [...setting.without, ...(args.without ?? [])];
  const idle = [...wanted, ...without].find((text) => !all.some(({name}) => name.includes(text)));
  if (idle !== undefined) {
    const names = all.map(({name}) => `"${name}"`).join(', ');
    throw new InputError(`no property of this story is named "${idle}": there are ${names}`);
  }
  const only = wanted.length === 0 ? [''] : wanted;
  const properties = all.filter(
    ({name}) => only.some((text) => name.includes(text)) && !without.some((text) => name.includes(text)),
  );
  if (properties.length === 0)
    throw new InputError(`every property of this story is left out: "${without.join('", "')}"`);
  return {story, model, properties, budgets, minutes, setting};
}

/** The scenario's own budgets. Throws InputError for an unknown kind. */
function knownBudgets({name, explore: {budgets}}: Scenario): Readonly<Partial<Record<BudgetKind, number>>> {
  const unknown = Object.keys(budgets).find((kind) => !budgetKinds.some((known) => known === kind));
  if (unknown === undefined) return budgets;
  throw new InputError(`explore.budgets may have ${budgetKinds.join(', ')}, got "${unknown}"`, {place: name});
}

/** The spent units of every kind are part of a state, so their number is limited. */
function checkBudgets(budgets: Exploration['budgets']): void {
  try {
    new Budgets(budgets);
  } catch (error) {
    throw new InputError((error as Error).message);
  }
}

export type Explored = Pick<SearchResult, 'outcome' | 'properties' | 'depth' | 'transitions'> & {
  readonly states: number;
  readonly quiescentStates: number;
  readonly whole: SearchResult | undefined;
  /** True if the path to each state has the fewest moves, faults and delays: nothing to shrink. */
  readonly leastFirst: boolean;
};

export type OnProgress = (progress: Progress) => 'stop' | undefined;

/** How a search goes on and where it ends. */
export interface SearchArgs {
  readonly order: 'breadth' | 'cheapest' | 'depth';
  readonly depth: number | undefined;
  readonly states: number | undefined;
  readonly memoryBytes: number | undefined;
  readonly all: boolean;
  readonly walks: number | undefined;
  readonly seed: bigint;
  readonly length: number;
  readonly shard: {readonly index: number; readonly count: number} | undefined;
}

/** Searches, or walks at random where walks are asked for. */
export function explore(
  exploration: Pick<Exploration, 'model' | 'properties' | 'budgets'>,
  args: SearchArgs,
  onProgress: OnProgress,
): Explored {
  const {model, properties, budgets} = exploration;
  const until = args.all ? 'exhausted' : 'first-failure';
  if (args.walks !== undefined) {
    const {seed, walks, length} = args;
    const walked = walkAtRandom(model, properties, {seed, walks, length, budgets, until, onProgress});
    const {outcome, transitions, depth} = walked;
    return {
      outcome,
      properties: walked.properties,
      depth,
      transitions,
      states: transitions,
      quiescentStates: 0,
      whole: undefined,
      leastFirst: false,
    };
  }
  const shard = args.shard === undefined ? {} : {shard: {...args.shard, cut: cutOf(budgets)}};
  const result = search(model, properties, {
    order: args.order,
    until,
    budgets,
    onProgress,
    progressEvery: 500,
    mergeForced: true,
    ...shard,
    limits: {
      ...(args.depth === undefined ? {} : {depth: args.depth}),
      ...(args.states === undefined ? {} : {states: args.states}),
      ...memoryLimits(args),
    },
  });
  return exploredBy(result, args.order === 'cheapest' && args.shard === undefined);
}

export function exploredBy(whole: SearchResult, leastFirst = false): Explored {
  return {...whole, states: whole.uniqueStates, whole, leastFirst};
}

/** Shards divide what follows a first fault or delay; where there are none, what follows the operator's second move. */
function cutOf(budgets: Exploration['budgets']): Cut {
  const kinds = Object.keys(budgets).filter((kind) => kind !== 'operator' && (budgets[kind] ?? 0) > 0);
  return kinds.length > 0 ? {kind: 'spending', kinds, units: 1} : {kind: 'spending', kinds: ['operator'], units: 2};
}

/** The memory of a held world that no other shares, about, and the number of held worlds unless memory is short. */
const heldStateBytes = 32_768;
/** A table begins with this much. */
const tableBytesMin = 65_536;
const heldStatesMax = 20_000;
// With fewer, a search would spend its time on taking paths again.
const heldStatesMin = 1000;

/** Half of the memory for the tables of the search, half for the worlds that wait; what is not held is made again. */
function memoryLimits({memoryBytes}: SearchArgs): Limits {
  if (memoryBytes === undefined) return {heldStates: heldStatesMax};
  const half = Math.max(tableBytesMin, Math.floor(memoryBytes / 2));
  const held = Math.floor(half / heldStateBytes);
  return {memoryBytes: half, heldStates: Math.min(heldStatesMax, Math.max(heldStatesMin, held))};
}

export interface Failure {
  readonly report: PropertyReport;
  readonly path: readonly number[];
  readonly keys: readonly string[];
  /** The moves, faults and delays. */
  readonly spendingSteps: number;
  readonly pending: string | undefined;
  /** True if nothing more could be left out. */
  readonly minimal: boolean;
}

const shrinkTries = 400;

/** The failures found, each shrunk to the fewest operator and fault steps. */
export function failuresOf(
  {model, properties}: Pick<Exploration, 'model' | 'properties'>,
  {properties: reports, leastFirst}: Pick<Explored, 'properties' | 'leastFirst'>,
): readonly Failure[] {
  return reports.flatMap((report) => {
    if (report.verdict !== 'fails' || report.discovery === undefined || report.expectation === 'sometimes') return [];
    const property = properties.find(({name}) => name === report.name) as Property<ExploreState>;
    const {path, pending} = report.discovery;
    const options = {tries: shrinkTries, length: path.length * 2 + 200};
    // A run that avoids something is found by its steps, whatever they cost.
    const isLeast = leastFirst && report.expectation !== 'eventually';
    const shrunk = isLeast ? undefined : shrink(model, property, report.discovery, options);
    if (shrunk !== undefined) {
      const {keys, spendingSteps, minimal, discovery} = shrunk;
      return [{report, path: discovery.path, keys, spendingSteps, pending: discovery.pending, minimal}];
    }
    const replayed = replay(model, path);
    const steps = replayed.kind === 'replayed' ? replayed.steps : [];
    const spendingSteps = steps.filter(({cost}) => cost !== undefined).length;
    return [{report, path, keys: steps.map(({key}) => key), spendingSteps, pending, minimal: isLeast}];
  });
}

export function reasonsText(reasons: readonly Incompleteness[]): string {
  return reasons.join(', ');
}

// Properties that the scenario states itself, in CEL. An `eventually` is judged from the last move of the operator on: before
// that every run may still be waiting for a move.

/** Throws InputError for what is not CEL, and where an `eventually` has no last move. */
function statedProperties(story: Story): readonly Property<ExploreState>[] {
  const stated = story.scenario.explore.properties;
  for (const [index, {name, place}] of stated.entries()) {
    const isTaken = stated.slice(0, index).some((other) => other.name === name);
    if (isTaken) throw new InputError(`two properties are named "${name}"`, {place});
  }
  return stated.map((one) => propertyOf(story, one));
}

function propertyOf(story: Story, {expectation, name, place, holds}: StatedProperty): Property<ExploreState> {
  const {condition: evaluate} = stateCondition(holds, place, {self: false});
  const condition = (state: ExploreState): boolean => {
    const result = evaluate(bindingsFor(holds, namedState(story, state)));
    if (typeof result === 'boolean') return result;
    throw new InputError(`cannot evaluate ${JSON.stringify(holds)}: ${result.problem}`, {place});
  };
  switch (expectation) {
    case 'always':
      return always(name, condition);
    case 'sometimes':
      return sometimes(name, condition);
    case 'eventually': {
      if (story.moveOrder === 'any') {
        throw new InputError(`"${name}" cannot be judged on a menu of moves: explore with --moves in-order`, {place});
      }
      return eventually(name, condition, (state) => state.made.length === story.moves.length);
    }
  }
}

/** How far a search is after `tookMs`. */
export function searchText(title: string, {uniqueStates, depth, frontier}: Progress, tookMs: number): string {
  const rate = Math.round((uniqueStates * 1000) / Math.max(1, tookMs));
  return `${title}: ${uniqueStates} states, ${rate} a second, depth ${depth}, ${frontier} waiting`;
}
