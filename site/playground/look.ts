// Looks for the smallest bad story of a workspace: it says how far it is, and at the end what it found.

import {explore, failuresOf, openExploration} from '../../src/harness/explore/explore.ts';
import type {BudgetKind} from '../../src/harness/explore/explore-action.ts';
import {reportPath} from '../../src/harness/explore/path-report.ts';
import {scenarioText} from '../../src/harness/explore/save-scenario.ts';
import {functions, scenarioOf, type Workspace} from './workspace.ts';

export interface Wanted {
  readonly workspace: Workspace;
  readonly variant: string;
}

export type Said =
  | {readonly kind: 'progress'; readonly states: number}
  | {readonly kind: 'found'; readonly property: string; readonly lines: readonly string[]; readonly scenario: string}
  /** `whole`: every state within the bounds was seen. */
  | {readonly kind: 'none'; readonly states: number; readonly whole: boolean}
  | {readonly kind: 'refused'; readonly sentence: string};

/** What may go wrong besides, in turn: a story that is bad without any fault is smaller than one with a fault. */
const rounds: readonly Partial<Record<BudgetKind, number>>[] = [{}, {crash: 1}, {reorder: 1}];
const statesMax = 200_000;
const memoryBytes = 256 * 1_048_576;

/** Throws InputError for what cannot be explored. */
export function look(wanted: Wanted, say: (said: Said) => void): Said {
  let seen = 0;
  let whole = true;
  for (const budgets of rounds) {
    const {said, states, isWhole} = lookWithin(wanted, budgets, (more) => say({kind: 'progress', states: seen + more}));
    if (said !== undefined) return said;
    seen += states;
    whole &&= isWhole;
  }
  return {kind: 'none', states: seen, whole};
}

function lookWithin(
  {workspace, variant}: Wanted,
  budgets: Partial<Record<BudgetKind, number>>,
  progress: (states: number) => void,
): {readonly said: Said | undefined; readonly states: number; readonly isWhole: boolean} {
  const {crossplane} = workspace;
  const args = {...nothingElse, crossplane: [crossplane], variant, budgets};
  const exploration = openExploration(scenarioOf(workspace), crossplane, args, functions);
  const explored = explore(exploration, args, ({uniqueStates}) => {
    progress(uniqueStates);
    return undefined;
  });
  const [failure] = failuresOf(exploration, explored);
  const isWhole = explored.outcome.kind === 'complete';
  if (failure === undefined) return {said: undefined, states: explored.states, isWhole};
  const {report, path, pending} = failure;
  const told = reportPath(exploration, path, {name: report.name, pending});
  const verdict = told.verdict === undefined ? [] : [`=> ${told.verdict}`];
  const scenario = scenarioText(exploration, failure, 'found in the playground');
  const said: Said = {kind: 'found', property: report.name, lines: [...told.lines, ...verdict], scenario};
  return {said, states: explored.states, isWhole};
}

const nothingElse = {
  file: '',
  moves: 'in-order' as const,
  properties: [],
  without: [],
  order: 'cheapest' as const,
  depth: undefined,
  states: statesMax,
  memoryBytes,
  seconds: undefined,
  minutes: undefined,
  all: false,
  twin: undefined,
  walks: undefined,
  seed: 1n,
  length: 0,
  workers: 1,
  shard: undefined,
  save: undefined,
  json: undefined,
};
