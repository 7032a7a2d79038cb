// The bounds and switches of a search, checked once: a wrong combination would make the verdict unsound.

import {NodeTable} from './node-table.ts';
import type {Property} from './property.ts';
import type {ProgressListener, Shard} from './result.ts';

export interface Limits {
  readonly states?: number;
  readonly transitions?: number;
  /** The longest path, in steps. */
  readonly depth?: number;
  /** The memory of the tables; about 30 bytes a state, and 10 a transition if there are `eventually` properties. */
  readonly memoryBytes?: number;
  /** How many states of the model are kept in the frontier; the others are rebuilt from their paths, which is slower. */
  readonly heldStates?: number;
}

export interface SearchOptions {
  /**
   * `breadth` finds shortest paths; `cheapest` finds paths that spend least, and among those the shortest; `depth` goes
   * deep soon. Default `breadth`.
   */
  readonly order?: 'breadth' | 'cheapest' | 'depth';
  /** Stop at the first failing property (default), or go on for all of them. */
  readonly until?: 'first-failure' | 'exhausted';
  /** Units per kind that the actions of one path may spend together. Kinds that are not listed never happen. */
  readonly budgets?: Readonly<Record<string, number>>;
  /**
   * Keeps a state only where the budgets leave a choice, and of the others now and then one (search.ts). Every
   * state is entered and checked all the same. Without effect for `eventually` properties, which need every step.
   */
  readonly mergeForced?: boolean;
  readonly limits?: Limits;
  readonly shard?: Shard;
  readonly onProgress?: ProgressListener;
  /** Transitions between two progress reports; default 10,000. */
  readonly progressEvery?: number;
}

export interface CheckedOptions
  extends Required<Pick<SearchOptions, 'order' | 'budgets' | 'mergeForced' | 'progressEvery'>> {
  readonly stopAtFailure: boolean;
  readonly limits: Required<Limits>;
  readonly shard: Shard | undefined;
  readonly onProgress: ProgressListener | undefined;
}

const eventuallyMax = 31;

/** Fills the defaults in. Throws with one sentence for a value or combination that cannot be searched. */
export function checkOptions<S>(properties: readonly Property<S>[], options: SearchOptions): CheckedOptions {
  const checked: CheckedOptions = {
    order: options.order ?? 'breadth',
    stopAtFailure: (options.until ?? 'first-failure') === 'first-failure',
    budgets: options.budgets ?? {},
    mergeForced: options.mergeForced ?? false,
    limits: checkLimits(options.limits ?? {}),
    shard: options.shard,
    onProgress: options.onProgress,
    progressEvery: checkAtLeast('progressEvery', options.progressEvery ?? 10_000, 1),
  };
  checkProperties(properties);
  checkShard(checked);
  return checked;
}

function checkLimits(limits: Limits): Required<Limits> {
  return {
    states: checkAtLeast('limits.states', limits.states ?? Number.POSITIVE_INFINITY, 1),
    transitions: checkAtLeast('limits.transitions', limits.transitions ?? Number.POSITIVE_INFINITY, 1),
    depth: checkAtLeast('limits.depth', limits.depth ?? Number.POSITIVE_INFINITY, 0),
    memoryBytes: checkAtLeast('limits.memoryBytes', limits.memoryBytes ?? Number.POSITIVE_INFINITY, NodeTable.bytesMin),
    heldStates: checkAtLeast('limits.heldStates', limits.heldStates ?? Number.POSITIVE_INFINITY, 0),
  };
}

function checkAtLeast(name: string, value: number, least: number): number {
  if (value >= least && (Number.isInteger(value) || value === Number.POSITIVE_INFINITY)) return value;
  throw new Error(`cannot use option ${name}: expected a whole number of at least ${least}, got ${value}`);
}

function checkProperties<S>(properties: readonly Property<S>[]): void {
  const names = new Set<string>();
  for (const {name} of properties) {
    if (names.has(name)) throw new Error(`cannot check two properties with the name "${name}"`);
    names.add(name);
  }
  const eventually = properties.filter((property) => property.expectation === 'eventually');
  if (eventually.length > eventuallyMax) {
    throw new Error(`cannot check ${eventually.length} eventually properties: at most ${eventuallyMax} fit`);
  }
}

function checkShard({shard, mergeForced, limits}: CheckedOptions): void {
  if (shard === undefined) return;
  checkAtLeast('shard.count', shard.count, 1);
  checkAtLeast('shard.index', shard.index, 0);
  if (shard.index >= shard.count) {
    throw new Error(`cannot search shard ${shard.index} of ${shard.count}: expected an index from 0`);
  }
  const {cut} = shard;
  if (cut.kind === 'spending') checkAtLeast('shard.cut.units', cut.units, 1);
  else checkAtLeast('shard.cut.depth', cut.depth, 1);
  if (cut.kind === 'depth' && cut.depth >= limits.depth) {
    throw new Error(`cannot split at depth ${cut.depth}: expected less than limits.depth, which is ${limits.depth}`);
  }
  if (mergeForced && cut.kind === 'depth') {
    throw new Error('cannot split at a depth a search that merges forced steps: split by what is spent');
  }
}
