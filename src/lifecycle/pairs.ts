// The input's pairs, checked against the XR at hand: what a schema cannot know.

import {isUsage} from './edges.ts';
import type {InvalidInput} from './input.ts';
import type {Snapshot} from './snapshot.ts';
import {type Pair, pairOf} from './usages.ts';
import {show} from './validate.ts';

/** The first pair that makes no sense: part of a cycle, or with an end that is no resource of this XR. */
export function pairProblem(snapshot: Snapshot, pairs: readonly Pair[]): InvalidInput | undefined {
  return cycleProblem(pairs) ?? nameProblem(snapshot, pairs);
}

function cycleProblem(pairs: readonly Pair[]): InvalidInput | undefined {
  for (const [index, pair] of pairs.entries()) {
    const way = wayBack(pairs, pair.by, pair.of, [pair.of]);
    if (way === undefined) continue;
    return {
      kind: 'invalid-input',
      path: `usages[${index}]`,
      expected: 'an order without a cycle',
      got: `the cycle ${way.map((name) => show(name)).join(' of ')}`,
    };
  }
  return undefined;
}

/** A way from a resource to another along `by`, including both, undefined if there is none. */
function wayBack(
  pairs: readonly Pair[],
  from: string,
  to: string,
  seen: readonly string[],
): readonly string[] | undefined {
  const way = [...seen, from];
  if (from === to) return way;
  if (seen.includes(from)) return undefined;
  for (const pair of pairs) {
    const rest = pair.of === from ? wayBack(pairs, pair.by, to, way) : undefined;
    if (rest !== undefined) return rest;
  }
  return undefined;
}

/**
 * An unknown name is an error, because a Usage that is silently not there protects nothing. Two cases are none: a pair
 * said to be optional, and a pair that is on its way out (one end leaves, the other may have left already).
 */
function nameProblem(snapshot: Snapshot, pairs: readonly Pair[]): InvalidInput | undefined {
  const remembered = namesOnUsages(snapshot);
  for (const [index, pair] of pairs.entries()) {
    if (pair.optional) continue;
    for (const end of ['of', 'by'] as const) {
      const name = pair[end];
      const other = pair[end === 'of' ? 'by' : 'of'];
      if (isKnown(snapshot, name) || remembered.has(name)) continue;
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

function namesOnUsages(snapshot: Snapshot): ReadonlySet<string> {
  const names = new Set<string>();
  for (const view of snapshot.observed.values()) {
    if (!isUsage(view)) continue;
    const {of, by} = pairOf(view);
    names.add(of).add(by);
  }
  return names;
}
