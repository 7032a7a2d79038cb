// Whose a finding is. Crossplane forgets, deletes and makes anew with any function; an author wants to know what theirs adds.
// So what fails is searched for once more with every function passing through but function-static, which only desires its
// list: what fails there, too, is Crossplane's own.

import {resourceNameOf} from '../../cluster/vocabulary.ts';
import {sometimes} from '../../explore/property.ts';
import {functionOfVersion} from '../functions/function-source.ts';
import type {Scenario} from '../scenario/scenario.ts';
import {objectsIn} from './evidence.ts';
import {
  type Exploration,
  type Explored,
  explore,
  type Functions,
  type OnProgress,
  openExploration,
  type SearchArgs,
} from './explore.ts';
import type {ExploreState} from './explore-state.ts';

export interface Whose {
  /** The functions that passed through; none if the story has none but function-static. */
  readonly without: readonly string[];
  readonly shows: 'too' | 'not' | 'unknown';
  readonly text: string;
}

/** The second search may be twice as large as the one that found it, within this; beyond it the answer is unknown. */
const [statesMin, statesMax] = [1000, 50_000];

/** `name` is the property that fails; `onProgress` may stop the search. */
export function whoseIs(
  name: string,
  scenario: Scenario,
  {story, budgets, minutes}: Exploration,
  {states}: Pick<Explored, 'states'>,
  functions: Functions,
  onProgress: OnProgress = () => undefined,
): Whose {
  const {variant, crossplane, moveOrder} = story;
  const without = [
    ...new Set(
      Object.entries(scenario.functions)
        .filter(([key, source]) => !isTransparent(key, source, variant.without))
        .map(([key]) => functionOfVersion(key)),
    ),
  ];
  if (without.length === 0) return {without, shows: 'too', text: "Crossplane's own: no function decides anything here"};
  const passing = {...scenario, variants: [{...variant, without: [...variant.without, ...without]}]};
  const opened = openExploration(
    passing,
    crossplane,
    {variant: undefined, moves: moveOrder, budgets: withoutOperator(budgets), minutes, properties: [name]},
    functions,
  );
  const properties = [...opened.properties.filter((one) => one.name === name), sometimes(composing, composes)];
  const found = explore(
    {...opened, properties},
    {...bounds, states: Math.min(statesMax, Math.max(statesMin, 2 * states))},
    onProgress,
  );
  const names = without.join(', ');
  const verdictOf = (wanted: string) => found.properties.find((one) => one.name === wanted)?.verdict;
  if (verdictOf(name) === 'fails')
    return {without, shows: 'too', text: `Crossplane's own: it also shows if ${names} passes everything through`};
  if (verdictOf(composing) !== 'holds')
    return {without, shows: 'unknown', text: `its cause is unknown: without ${names} nothing is composed`};
  if (found.outcome.kind !== 'complete')
    return {without, shows: 'unknown', text: `whose it is is not known: the search without ${names} was not finished`};
  return {without, shows: 'not', text: `of the pipeline: it does not show if ${names} passes everything through`};
}

const bounds: SearchArgs = {
  all: false,
  depth: undefined,
  length: 0,
  memoryBytes: undefined,
  order: 'cheapest',
  seed: 1n,
  shard: undefined,
  states: undefined,
  walks: undefined,
};

const composing = 'something is composed';

function composes({world}: ExploreState): boolean {
  return objectsIn(world).some((object) => resourceNameOf(object) !== undefined);
}

function isTransparent(key: string, source: Scenario['functions'][string], without: readonly string[]): boolean {
  if (without.includes(functionOfVersion(key))) return true;
  return source.kind === 'builtin' && (source.name === 'function-static' || source.name === 'passing');
}

function withoutOperator({operator: _, ...budgets}: Exploration['budgets']): Exploration['budgets'] {
  return budgets;
}
