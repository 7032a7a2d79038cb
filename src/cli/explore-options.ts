// The command lines of `tether explore` and `tether replay`. A path depends on some of the options of the search that found
// it: those both commands have.

import {type CommandLine, on, one, text, texts} from '../command-line/option-table.ts';
import type {OpenArgs} from '../harness/explore/explore.ts';
import {type BudgetKind, budgetKinds} from '../harness/explore/explore-action.ts';
import {InputError} from '../harness/input/input-error.ts';
import {checkBeside, checkNeeds, count, crossplane, oneOf, optionsOf, positive, threads} from './options.ts';
import {loaded, placeOptions} from './place-functions.ts';
import {shardOptions} from './shards.ts';

/** How far a search goes, and what it may spend; `tether rehearse --explore` searches within the same. */
export const searchOptions = {
  budget: texts('KIND=N', `units of a kind: ${budgetKinds.join(', ')}`),
  minutes: one('N', 'of virtual time', positive),
  depth: one('N', 'at most so many steps', positive),
  states: one('N', 'at most so many states', positive),
  seconds: one('N', 'at most so long', positive),
  memory: one('MB', 'for the states known and those that wait', positive),
};
const {budget, minutes, ...bounds} = searchOptions;

/** The options that take a path again. */
export const pathOptions = {
  path: text('0/3/1', 'which action is taken in each state'),
  steps: on('every step, not only what an operator would see'),
};

const shared = {
  crossplane,
  variant: text('NAME', 'the first variant whose name contains NAME'),
  moves: one(
    'any|in-order',
    'the steps are a menu (default), or come in their order, each after what it waits for',
    oneOf('any', 'in-order'),
  ),
  budget,
  minutes,
  loaded,
  ...placeOptions,
};

export const exploreLine = {
  name: 'explore',
  takes: 'FILE',
  does: "searches what a scenario's steps, faults and interleavings can lead to.",
  options: {
    ...shared,
    property: texts('TEXT', 'only properties whose name contains TEXT; may be given more than once'),
    without: texts('TEXT', 'leave properties out whose name contains TEXT; may be given more than once'),
    order: one('ORDER', 'cheapest (default), breadth or depth', oneOf('cheapest', 'breadth', 'depth')),
    ...bounds,
    all: on('go on after the first failure'),
    twin: text(
      'NAME',
      'hold every run against those whose pipelines have no step of the functions named: one unit of each kind of fault and of each actor to its end (nothing, person, editor, tenant, controller), or of those of --budget KIND=1',
    ),
    walks: one('N', 'random walks instead of a search', positive),
    seed: one('N', 'of random walks (1)', count),
    length: one('N', 'steps of a random walk (2000)', positive),
    workers: one('N|all', 'threads, each with its share of the states (1)', threads),
    ...shardOptions,
    save: text('FILE', 'write the smallest failure as a scenario'),
    json: text('FILE', 'write everything as JSON ("-" for the terminal)'),
  },
  more: "The scenario's own `explore` part sets moves, budgets, minutes and without; an option overrides it.",
  example: 'tether explore examples/explore/s1-orphan.yaml --crossplane main --save smallest.yaml',
  exitCodes:
    '0 all properties hold and everything within the bounds was seen, 1 unfinished or the tool failed, 2 bad input, 3 a property does not hold.',
} satisfies CommandLine;

export const replayLine = {
  name: 'replay',
  takes: 'FILE',
  does: 'takes one path of an exploration again, step by step. A failed exploration prints the command, with every option that its path depends on.',
  options: {
    ...pathOptions,
    ...shared,
  },
  example: 'tether replay examples/explore/s1-orphan.yaml --crossplane main --path 0/3/1',
  exitCodes: '0 the path was taken, 1 it leads elsewhere now or the tool failed, 2 bad input.',
} satisfies CommandLine;

/** Options without a meaning for a random walk. */
const ofSearch = ['order', 'depth', 'states', 'memory', 'workers', ...Object.keys(shardOptions)];

/** Undefined where help was asked for. Throws InputError with one sentence. */
export function parseExploreArgs(argv: readonly string[]) {
  const given = optionsOf(exploreLine, argv);
  if (given === undefined) return undefined;
  const {values, files, named} = given;
  // A search with a twin is always the whole of one unit, in order and in one thread.
  checkBeside(named, 'twin', ['crossplane', 'budget', 'save', 'loaded', 'function', 'run-functions']);
  const idle = values.walks === undefined ? undefined : ofSearch.find((name) => named.includes(name));
  if (idle !== undefined) throw new InputError(`--${idle} is for a search, which --walks is instead of`);
  for (const name of ['seed', 'length']) checkNeeds(named, name, 'walks');
  const budgets: OpenArgs['budgets'] =
    values.twin === undefined ? budgetsOf(values.budget) : Object.fromEntries(values.budget.map(unitOf));
  return {
    ...values,
    budgets,
    file: files[0] ?? '',
    properties: values.property,
    order: values.order ?? 'cheapest',
    memoryBytes: bytesOf(values.memory),
    seed: BigInt(values.seed ?? 1),
    length: values.length ?? 2000,
    workers: values.workers ?? 1,
    places: values,
  };
}

export type ExploreArgs = NonNullable<ReturnType<typeof parseExploreArgs>>;

export function bytesOf(megabytes: number | undefined): number | undefined {
  return megabytes === undefined ? undefined : megabytes * 1_048_576;
}

export function budgetsOf(texts: readonly string[]): OpenArgs['budgets'] {
  const known = oneOf<BudgetKind>(...budgetKinds);
  return Object.fromEntries(texts.map(unitOf).map(([kind, units]) => [known(kind, '--budget'), units]));
}

/** With --twin, actors have units, too; the twin lists them. */
function unitOf(text: string): readonly [string, number] {
  const [kind = '', units = ''] = text.split('=');
  return [kind, count(units, `--budget ${kind}`)];
}
