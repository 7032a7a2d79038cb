// One state of an explored story: the world, what the operator did and has in hand, what is held back, and what
// properties must remember because no world shows it any more.

import type {FunctionReply} from '../../cluster/kernel/call.ts';
import type {World} from '../../cluster/kernel/world.ts';
import type {Memory} from '../control-plane/operator/operator.ts';
import type {BrokenFunctions} from '../control-plane/session.ts';

export interface ExploreState {
  readonly world: World;
  /** The moves made, as indices, in their order. */
  readonly made: readonly number[];
  /** A tool of the operator (a restore) between two of its requests. */
  readonly tool: Tool | undefined;
  /** The operator's knowledge from earlier moves. */
  readonly memory: Memory;
  readonly broken: BrokenFunctions;
  /** Activities that wait until nothing else can go on: see schedule.ts. */
  readonly held: readonly string[];
  /** Watches that broke: they are held, and list again when they go on. */
  readonly broke: readonly BrokenWatch[];
  readonly facts: Facts;
}

interface BrokenWatch {
  readonly process: string;
  readonly informer: string;
}

export interface Tool {
  readonly move: number;
  readonly replies: readonly unknown[];
}

export interface Facts {
  /** Pairs a Usage was seen to order, both ends still in the store. */
  readonly pairs: readonly Pair[];
  /** True if a `by` left before its `of`. */
  readonly byLeftFirst: boolean;
  /** The pair whose `of` left before its `by`. */
  readonly brokenPair: Pair | undefined;
  /** True if everything was wiped and nothing restored yet. */
  readonly wiped: boolean;
  /** The last reply of each function by run, where stale replies are a fault that may happen. */
  readonly lastReplies: readonly (readonly [run: string, reply: FunctionReply])[];
}

export interface Pair {
  readonly of: End;
  readonly by: End;
}

export interface End {
  readonly groupKind: string;
  readonly key: string;
  readonly uid: string;
}

export const noFacts: Facts = {
  pairs: [],
  byLeftFirst: false,
  brokenPair: undefined,
  wiped: false,
  lastReplies: [],
};
