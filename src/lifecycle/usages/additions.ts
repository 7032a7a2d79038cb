// The Usages that one plan adds to what the earlier steps desire: for the pairs of the input, and for what it protects.

import {endIn} from '../facts/identity.ts';
import type {Scene} from '../input/scene.ts';
import type {RefusedPair} from '../words/edit.ts';
import type {JsonObject} from '../words/json.ts';
import type {ResourceView, Snapshot} from '../words/snapshot.ts';
import {type Moving, protectedRequired, protections} from './protect.ts';
import {
  annotationUsed,
  annotationUser,
  type DeclaredUsage,
  type DeclaredUsages,
  inexpressibleReason,
  type Making,
  type PlacedPair,
  type Refused,
  usageBody,
} from './usages.ts';

/** The deletion order that the input asks for. */
export interface Ordered {
  /** All pairs that deletion keeps in order, also those that have no Usage yet. Of orders: the steps next to each other. */
  readonly pairs: readonly PlacedPair[];
  /** Left out of these: with Usages that earlier steps desire each end would wait for the other. */
  readonly circular: readonly PlacedPair[];
  /** Steps with too many pairs to spell out. */
  readonly unspelled: readonly Layer[];
  readonly follows: Follows;
}

/** True if a sequence has `by`, with its object, in a later step than `of`, however many steps are between them. */
export type Follows = (by: string, view: ResourceView | undefined, of: string) => boolean;

/** Steps of an order with more pairs than are spelled out: every `of` goes after every `by`. */
export interface Layer {
  readonly path: string;
  readonly of: readonly string[];
  readonly by: readonly string[];
  /** How many of these pairs have a Usage, and keep it. */
  readonly made: number;
}

export interface Additions extends Omit<Ordered, 'circular'> {
  readonly declared: DeclaredUsages;
  /** Resource names that the input protects, to the resource name of the Usage that does it. */
  readonly protecting: ReadonlyMap<string, string | undefined>;
  /** By resource name. */
  readonly bodies: ReadonlyMap<string, JsonObject>;
  readonly refused: readonly Refused[];
  /** Resource names of Usages that only find out about a label: what they name is not kept by them. */
  readonly checking: ReadonlySet<string>;
}

/** `checks`: the Usages that check labels, also of what has been replaced. */
export function additionsTo(
  scene: Scene,
  orders: Ordered,
  making: Making,
  moving: Moving,
  checks: ReadonlyMap<string, JsonObject>,
): Additions {
  const {snapshot, input} = scene;
  const protection = protections(scene, making, moving);
  const declared = declaredUsages(snapshot, orders.pairs, making);
  const usages = declared.usages
    .filter(({name, of, by}) => making.isDue(name, [of.resourceName, by.resourceName]))
    .map(({name, body}): [string, JsonObject] => [name, body]);
  const others = protectedRequired(snapshot.required, snapshot.xr.namespace, input, making);
  return {
    pairs: orders.pairs,
    declared,
    unspelled: orders.unspelled,
    follows: orders.follows,
    protecting: protection.protecting,
    bodies: new Map([...checks, ...others.usages, ...usages, ...protection.usages]),
    refused: [
      ...declared.refused,
      ...circularPairs(orders.circular, snapshot),
      ...unspelledPairs(orders.unspelled, snapshot),
      ...protection.refused,
      ...others.refused,
    ],
    checking: new Set(checks.keys()),
  };
}

/** The Usages of the input's pairs, sorted by name. Pairs with an end that has no name yet wait for the next reconcile. */
function declaredUsages(
  snapshot: Snapshot,
  pairs: readonly PlacedPair[],
  {api, nameUsage, former, isDue, room}: Making,
): DeclaredUsages {
  const usages = new Map<string, DeclaredUsage>();
  const refused: Refused[] = [];
  for (const pair of pairs) {
    const of = endIn(snapshot, pair.of);
    const by = endIn(snapshot, pair.by);
    if (of === undefined || by === undefined) continue;
    const refuse = (reason: RefusedPair['reason']) => refused.push({path: pair.path, of, by, reason});
    const refusal = inexpressibleReason(of.object, by.object, api);
    if (refusal !== undefined) {
      refuse(refusal);
      continue;
    }
    const name = nameUsage(of, by);
    const annotations = {[annotationUser]: pair.by, [annotationUsed]: pair.of};
    const body = usageBody(name.objectName, of.object, by.object, api, {...pair, annotations});
    if (former.isInPlaceOf(body)) {
      refuse('former-usage');
      continue;
    }
    if (usages.has(name.resourceName)) continue;
    if (isDue(name.resourceName, [pair.of, pair.by]) && !room(name.resourceName, body)) refuse('too-many');
    else usages.set(name.resourceName, {name: name.resourceName, of, by, body});
  }
  return {usages: [...usages.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), refused};
}

/** The last pair of each, which stands for all: Usages are made from the first pair on. */
function unspelledPairs(unspelled: readonly Layer[], snapshot: Snapshot): readonly Refused[] {
  return unspelled.flatMap(({path, of: ofNames, by: byNames, made}) => {
    const of = endIn(snapshot, ofNames.at(-1) ?? '');
    const by = endIn(snapshot, byNames.at(-1) ?? '');
    const more = ofNames.length * byNames.length - made - 1;
    return of === undefined || by === undefined ? [] : [{path, of, by, reason: 'too-many' as const, more}];
  });
}

/** Those with objects. Neither end waits for the other. */
function circularPairs(circular: readonly PlacedPair[], snapshot: Snapshot): readonly Refused[] {
  return circular.flatMap((pair) => {
    const [of, by] = [endIn(snapshot, pair.of), endIn(snapshot, pair.by)];
    return of === undefined || by === undefined ? [] : [{path: pair.path, of, by, reason: 'circle' as const}];
  });
}
