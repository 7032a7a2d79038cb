// The result of a search or a random walk. An unfinished search is not a pass: `passed` asks for a complete outcome and for every
// property to hold.

import type {Property} from './property.ts';

export type Expectation = Property<unknown>['expectation'];

/** Why not everything within the bounds was seen. */
export type Incompleteness =
  /** A failing property was found and the search was asked to stop at the first. */
  | 'failure-found'
  /** The bound on unique states, transitions, path length or table memory was met. */
  | 'states'
  | 'transitions'
  | 'depth'
  | 'memory'
  /** The progress callback asked to stop. */
  | 'stopped'
  /** This is one shard of several; `mergeShards` puts them together. */
  | 'shard'
  /** Random walks never see everything. */
  | 'random';

export type Outcome =
  | {readonly kind: 'complete'}
  | {readonly kind: 'incomplete'; readonly reasons: readonly Incompleteness[]};

/** Where a property showed: the failure of an always, eventually or converges, the witness of a sometimes. */
export interface Discovery {
  /** Action indices from the initial state; path.ts writes, reads and replays them. */
  readonly path: readonly number[];
  /** For an endless run: the action indices that repeat for ever after the path. */
  readonly cycle?: readonly number[];
  /** For a state that does not converge: what it still waits for. */
  readonly pending?: string;
}

/** `holds`: shown (a sometimes was witnessed, the others never failed in all states); `unknown`: not all was seen. */
export type Verdict = 'holds' | 'fails' | 'unknown';

export interface PropertyReport {
  readonly name: string;
  readonly expectation: Expectation;
  readonly verdict: Verdict;
  readonly discovery?: Discovery;
  /** In how many states the property was evaluated; it is not evaluated again after its discovery. */
  readonly statesChecked: number;
}

export interface Shard {
  /** From 0 to count - 1. */
  readonly index: number;
  readonly count: number;
  readonly cut: Cut;
}

/**
 * The part that all shards explore. Each then goes on only from the states behind the cut whose fingerprints fall to it. The cut is
 * a number of steps, or a number of units that actions of these kinds spend together.
 */
export type Cut =
  | {readonly kind: 'depth'; readonly depth: number}
  | {readonly kind: 'spending'; readonly kinds: readonly string[]; readonly units: number};

export interface SearchResult {
  readonly outcome: Outcome;
  readonly properties: readonly PropertyReport[];
  /** Different states; a state counts once for each set of amounts spent that no smaller one covers. */
  readonly uniqueStates: number;
  /** Steps taken, including those to states that were known. */
  readonly transitions: number;
  readonly quiescentStates: number;
  /** Steps that led outside the boundary and were not followed. */
  readonly beyondBoundary: number;
  /** The most steps from the initial state at which a state was found. */
  readonly depth: number;
  /** Nodes that still waited when the search ended; 0 if it is complete. */
  readonly frontier: number;
  /** Which part this is, if the search was sharded, and how many of its states lie before the cut: all shards see them. */
  readonly shard?: Shard & {readonly sharedStates: number};
}

export type Progress = Pick<SearchResult, 'uniqueStates' | 'transitions' | 'depth' | 'frontier'>;

/** Returning `'stop'` ends the search as incomplete. Time limits belong to the caller: there is no clock here. */
export type ProgressListener = (progress: Progress) => 'stop' | undefined;

export function passed(result: {readonly outcome: Outcome; readonly properties: readonly PropertyReport[]}): boolean {
  return result.outcome.kind === 'complete' && result.properties.every((property) => property.verdict === 'holds');
}

export function outcomeOf(reasons: Iterable<Incompleteness>): Outcome {
  const sorted = [...new Set(reasons)].sort();
  return sorted.length === 0 ? {kind: 'complete'} : {kind: 'incomplete', reasons: sorted};
}

/** The verdict on a property: of a whole search, and of its shards put together. */
export function verdictOf(
  expectation: Expectation,
  seen: {readonly discovered: boolean; readonly statesChecked: number; readonly complete: boolean},
): Verdict {
  if (seen.discovered) return expectation === 'sometimes' ? 'holds' : 'fails';
  if (!seen.complete) return 'unknown';
  // A system that is never quiescent does not converge: the property must not pass by never being asked.
  const neverAsked = expectation === 'converges' && seen.statesChecked === 0;
  return expectation === 'sometimes' || neverAsked ? 'fails' : 'holds';
}
