// The input's orders, checked against the XR at hand: what a schema cannot know.

import {isUsage} from '../facts/edges.ts';
import type {Input, InvalidInput} from '../input/input.ts';
import {show} from '../input/validate.ts';
import {pairOf} from '../usages/usages.ts';
import type {UnknownName} from '../words/events.ts';
import type {Snapshot} from '../words/snapshot.ts';
import {cycleProblem} from './cycles.ts';
import type {Orders} from './order.ts';

/** The first thing that makes no sense: an order without ends, or a cycle. */
export function orderProblem(input: Input, orders: Orders): InvalidInput | undefined {
  const pairs = input.usages ?? [];
  const declared = pairs.map(({of, by}, index) => ({path: `usages[${index}]`, before: of, after: by}));
  const deletion = orders.deletion.map(({path, of, by}) => ({path, before: of, after: by}));
  return formProblem(input) ?? cycleProblem([...declared, ...deletion]) ?? cycleProblem(orders.creation);
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
 * Names in `usages` that no resource has. An event reports them, and no XR stops: an earlier step may compose the resource later,
 * by the status of another one, or may have left it out. A pair on its way out has none: one end leaves, the other may have left
 * already.
 */
export function unknownEnds(snapshot: Snapshot, {usages = [], resources = []}: Input): readonly UnknownName[] {
  let remembered: ReadonlySet<string> | undefined;
  const isRemembered = (name: string) => {
    remembered ??= new Set([...namesOnUsages(snapshot), ...resources.map((made) => made.name)]);
    return remembered.has(name);
  };
  const isUnknown = (name: string, other: string) => {
    if (snapshot.desired.has(name) || snapshot.observed.has(name) || isRemembered(name)) return false;
    return !snapshot.observed.has(other) || snapshot.desired.has(other);
  };
  return usages.flatMap(({of, by, optional}, index): UnknownName[] => {
    if (optional) return [];
    return [
      ...(isUnknown(of, by) ? [{path: `usages[${index}].of`, name: of}] : []),
      ...(isUnknown(by, of) ? [{path: `usages[${index}].by`, name: by}] : []),
    ];
  });
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
