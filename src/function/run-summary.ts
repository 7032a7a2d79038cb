// The summary of a run for logs and metrics: names and counts, never content. It is plain data, because another thread may have made
// it.

import type {Plan} from '../lifecycle/plan/plan.ts';
import {reasonOf} from '../lifecycle/words/decision.ts';
import type {RunReport} from './run.ts';

export interface RunSummary {
  readonly tag: string;
  readonly xr: RunReport['xr'];
  readonly outcome:
    | {
        readonly kind: 'planned';
        readonly condition: Pick<Plan['condition'], 'status' | 'reason'>;
        readonly transitions: Plan['transitions'];
        readonly decisions: readonly DecisionCount[];
      }
    | Extract<RunReport['outcome'], {kind: 'refused'}>;
}

/** How many composed resources were decided upon like this. */
interface DecisionCount {
  readonly decision: string;
  /** '' for a decision that has none. */
  readonly reason: string;
  count: number;
}

export function summaryOf({tag, xr, outcome}: RunReport): RunSummary {
  if (outcome.kind === 'refused') return {tag, xr, outcome};
  const {condition, transitions, decisions} = outcome.plan;
  const {status, reason} = condition;
  const counted = {kind: 'planned', condition: {status, reason}, transitions, decisions: countsOf(decisions)} as const;
  return {tag, xr, outcome: counted};
}

// A list, because there are a handful of them however many resources there are.
function countsOf(decisions: Plan['decisions']): readonly DecisionCount[] {
  const counts: DecisionCount[] = [];
  for (const decision of decisions.values()) {
    const reason = reasonOf(decision);
    const same = counts.find((each) => each.decision === decision.kind && each.reason === reason);
    if (same === undefined) counts.push({decision: decision.kind, reason, count: 1});
    else same.count++;
  }
  return counts;
}
