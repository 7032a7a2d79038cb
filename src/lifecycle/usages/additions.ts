// The Usages that one plan adds to what the earlier steps desire: for the pairs of the input, and for what it protects.

import {objectOf} from '../facts/identity.ts';
import type {Scene} from '../input/scene.ts';
import type {JsonObject} from '../words/json.ts';
import type {ResourceView, Snapshot} from '../words/snapshot.ts';
import {type Moving, protectedRequired, protections} from './protect.ts';
import {type DeclaredUsages, declaredUsages, type Making, type PlacedPair} from './usages.ts';

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
  readonly protecting: ReadonlyMap<string, string>;
  /** By resource name. */
  readonly bodies: ReadonlyMap<string, JsonObject>;
  readonly refused: DeclaredUsages['refused'];
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
    .filter(({name, ofName, byName}) => making.isDue(name, [ofName, byName]))
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

/** The last pair of each, which stands for all. */
function unspelledPairs(unspelled: readonly Layer[], snapshot: Snapshot): DeclaredUsages['refused'] {
  return unspelled.flatMap(({path, of: ofNames, by: byNames, made}) => {
    // Usages are made from the first pair on.
    const [ofName = '', byName = ''] = [ofNames.at(-1), byNames.at(-1)];
    const of = objectOf(snapshot, ofName);
    const by = objectOf(snapshot, byName);
    if (of === undefined || by === undefined) return [];
    return [
      {path, of, by, reason: 'too-many' as const, more: ofNames.length * byNames.length - made - 1, ofName, byName},
    ];
  });
}

/** Those with objects. Neither end waits for the other. */
function circularPairs(circular: readonly PlacedPair[], snapshot: Snapshot): DeclaredUsages['refused'] {
  return circular.flatMap(({path, of: ofName, by: byName}) => {
    const of = objectOf(snapshot, ofName);
    const by = objectOf(snapshot, byName);
    return of === undefined || by === undefined ? [] : [{path, of, by, reason: 'circle' as const, ofName, byName}];
  });
}
