// The input's orders, checked against the XR at hand: what a schema cannot know.

import type {Input, InvalidInput} from '../input/input.ts';
import {show} from '../input/validate.ts';
import type {Snapshot} from '../snapshot.ts';
import {isUsage} from '../usages/edges.ts';
import {type Pair, pairOf} from '../usages/usages.ts';
import {cycleProblem} from './cycles.ts';
import type {Orders} from './order.ts';

/** The first thing that makes no sense: an order without ends, a pair with an unknown end, or a cycle. */
export function orderProblem(snapshot: Snapshot, input: Input, orders: Orders): InvalidInput | undefined {
  const pairs = input.usages ?? [];
  const declared = pairs.map(({of, by}, index) => ({path: `usages[${index}]`, before: of, after: by}));
  const deletion = orders.deletion.map(({path, of, by}) => ({path, before: of, after: by}));
  return (
    formProblem(input) ??
    orders.excess ??
    cycleProblem([...declared, ...deletion]) ??
    cycleProblem(orders.creation) ??
    nameProblem(snapshot, input, pairs)
  );
}

function formProblem({order}: Input): InvalidInput | undefined {
  for (const [index, rule] of (order ?? []).entries()) {
    const path = `order[${index}]`;
    const ends = rule.of !== undefined && rule.by !== undefined;
    const neither = rule.of === undefined && rule.by === undefined;
    if (rule.sequence === undefined ? !ends : !neither) {
      return {kind: 'invalid-input', path, expected: 'either `sequence`, or both `of` and `by`', got: show(rule)};
    }
    if (rule.createOnly && rule.deleteOnly) {
      const expected = 'at most one of `createOnly` and `deleteOnly`';
      return {kind: 'invalid-input', path, expected, got: 'both'};
    }
  }
  return undefined;
}

/**
 * An unknown name is an error, because a Usage that is silently not there protects nothing. Two cases are none: a pair
 * said to be optional, and a pair that is on its way out (one end leaves, the other may have left already).
 */
function nameProblem(snapshot: Snapshot, input: Input, pairs: readonly Pair[]): InvalidInput | undefined {
  let remembered: ReadonlySet<string> | undefined;
  for (const [index, pair] of pairs.entries()) {
    if (pair.optional) continue;
    for (const end of ['of', 'by'] as const) {
      const name = pair[end];
      const other = pair[end === 'of' ? 'by' : 'of'];
      if (isKnown(snapshot, name)) continue;
      remembered ??= new Set([...namesOnUsages(snapshot), ...(input.resources ?? []).map((made) => made.name)]);
      if (remembered.has(name)) continue;
      if (snapshot.observed.has(other) && !snapshot.desired.has(other)) continue;
      return {
        kind: 'invalid-input',
        path: `usages[${index}].${end}`,
        expected: 'the name of a desired or observed resource, or `optional: true` beside it',
        got: show(name),
      };
    }
  }
  return undefined;
}

function isKnown(snapshot: Snapshot, resourceName: string): boolean {
  return snapshot.desired.has(resourceName) || snapshot.observed.has(resourceName);
}

function namesOnUsages(snapshot: Snapshot): Set<string> {
  const names = new Set<string>();
  for (const view of snapshot.observed.values()) {
    if (!isUsage(view)) continue;
    const {of, by} = pairOf(view);
    names.add(of).add(by);
  }
  return names;
}
