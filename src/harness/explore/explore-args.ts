// The request for an exploration.

import type {ProfileName} from '../../cluster/crossplane/profiles.ts';
import type {BudgetKind} from './explore-action.ts';

export interface ExploreArgs {
  readonly file: string;
  readonly crossplane: readonly ProfileName[];
  readonly variant: string | undefined;
  readonly moves: 'any' | 'in-order' | undefined;
  readonly properties: readonly string[];
  readonly without: readonly string[];
  readonly budgets: Readonly<Partial<Record<BudgetKind, number>>>;
  readonly order: 'breadth' | 'cheapest' | 'depth';
  readonly depth: number | undefined;
  readonly states: number | undefined;
  readonly memoryBytes: number | undefined;
  readonly seconds: number | undefined;
  readonly minutes: number | undefined;
  readonly all: boolean;
  readonly twin: string | undefined;
  readonly walks: number | undefined;
  readonly seed: bigint;
  readonly length: number;
  readonly workers: number;
  readonly shard: {readonly index: number; readonly count: number} | undefined;
  readonly save: string | undefined;
  readonly json: string | undefined;
}
