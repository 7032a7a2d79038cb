// Remembers which pairs of resources a Usage ordered, and how they left. Judged from stored objects alone.

import {at} from '../../cluster/json.ts';
import {keyOf} from '../../cluster/kernel/process.ts';
import type {World} from '../../cluster/kernel/world.ts';
import {groupKindOf, type KubeObject} from '../../cluster/object.ts';
import type {End, Facts, Pair} from './explore-state.ts';

/** The facts after a step. `before`: the world the step began from. */
export function factsAfter(facts: Facts, before: World, after: World): Facts {
  if (before.server.objects === after.server.objects) return facts;
  const seen = facts.wiped ? [] : pairsIn(after);
  const known = [...facts.pairs, ...seen.filter((pair) => !facts.pairs.some((other) => samePair(pair, other)))];
  let {byLeftFirst, brokenPair} = facts;
  const pairs: Pair[] = [];
  for (const pair of known) {
    const of = isThere(after, pair.of);
    const by = isThere(after, pair.by);
    if (of && by) pairs.push(pair);
    else if (of) byLeftFirst = true;
    else if (by) brokenPair = pair;
  }
  const same =
    pairs.length === facts.pairs.length &&
    byLeftFirst === facts.byLeftFirst &&
    brokenPair === facts.brokenPair &&
    pairs.every((pair, index) => pair === facts.pairs[index]);
  return same ? facts : {...facts, pairs, byLeftFirst, brokenPair};
}

export function pairText({of, by}: Pair): string {
  return `${of.groupKind.split('.')[0]} ${of.key} is gone while ${by.groupKind.split('.')[0]} ${by.key}, which uses it, is not`;
}

const usageKinds = [
  'Usage.protection.crossplane.io',
  'ClusterUsage.protection.crossplane.io',
  'Usage.apiextensions.crossplane.io',
];

function pairsIn(world: World): readonly Pair[] {
  return usageKinds.flatMap((kind) =>
    [...(world.server.objects.get(kind)?.values() ?? [])].flatMap((usage) => {
      const of = endOf(world, usage, 'of');
      const by = endOf(world, usage, 'by');
      return of === undefined || by === undefined ? [] : [{of, by}];
    }),
  );
}

function endOf(world: World, usage: KubeObject, which: 'of' | 'by'): End | undefined {
  const end = usage.spec?.[which];
  const apiVersion = at(end, ['apiVersion']);
  const kind = at(end, ['kind']);
  const name = at(end, ['resourceRef', 'name']);
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || typeof name !== 'string') return undefined;
  const groupKind = groupKindOf({apiVersion, kind});
  const objects = world.server.objects.get(groupKind);
  const {namespace} = usage.metadata;
  for (const key of namespace === undefined ? [name] : [keyOf({namespace, name}), name]) {
    const uid = objects?.get(key)?.metadata.uid;
    if (uid !== undefined) return {groupKind, key, uid};
  }
  return undefined;
}

function isThere(world: World, {groupKind, key, uid}: End): boolean {
  return world.server.objects.get(groupKind)?.get(key)?.metadata.uid === uid;
}

function samePair(left: Pair, right: Pair): boolean {
  return left.of.uid === right.of.uid && left.by.uid === right.by.uid;
}
