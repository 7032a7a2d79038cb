// The Usages that one plan adds to what the earlier steps desire: for the pairs of the input, and for what it protects.

import {objectOf} from '../facts/identity.ts';
import type {Scene} from '../input/scene.ts';
import type {UsageApi} from '../input/usage-api.ts';
import type {RefusedPair} from '../words/edit.ts';
import type {JsonObject} from '../words/json.ts';
import type {ObjectRef} from '../words/references.ts';
import type {ResourceView, Snapshot} from '../words/snapshot.ts';
import {usageNamespace} from './names.ts';
import {type Moving, protectedRequired, protections} from './protect.ts';
import {
  annotationUsed,
  annotationUser,
  type DeclaredUsage,
  type DeclaredUsages,
  inexpressibleReason,
  type Making,
  type Pair,
  type PlacedPair,
  usageMetadata,
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

/** The Usages of the input's pairs, sorted by name. Pairs with an end that has no name yet wait for the next reconcile. */
function declaredUsages(
  snapshot: Snapshot,
  pairs: readonly PlacedPair[],
  {api, nameUsage, former, isDue, room}: Making,
): DeclaredUsages {
  const usages = new Map<string, DeclaredUsage>();
  const refused: DeclaredUsages['refused'][number][] = [];
  for (const pair of pairs) {
    const of = objectOf(snapshot, pair.of);
    const by = objectOf(snapshot, pair.by);
    if (of === undefined || by === undefined) continue;
    const refuse = (reason: RefusedPair['reason']) =>
      refused.push({path: pair.path, of, by, reason, ofName: pair.of, byName: pair.by});
    const refusal = inexpressibleReason(of, by, api);
    if (refusal !== undefined) {
      refuse(refusal);
      continue;
    }
    const name = nameUsage({resourceName: pair.of, object: of}, {resourceName: pair.by, object: by});
    const body = usageBody(name.objectName, pair, of, by, api);
    if (former.isInPlaceOf(body)) {
      refuse('former-usage');
      continue;
    }
    if (usages.has(name.resourceName)) continue;
    if (isDue(name.resourceName, [pair.of, pair.by]) && !room(name.resourceName, body)) refuse('too-many');
    else usages.set(name.resourceName, {name: name.resourceName, ofName: pair.of, byName: pair.by, body});
  }
  return {usages: [...usages.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), refused};
}

function usageBody(name: string, pair: Pair, of: ObjectRef, by: ObjectRef, api: UsageApi): JsonObject {
  const namespace = usageNamespace(of, by);
  const {kind, metadata} = usageMetadata(name, namespace, api);
  const ofNamespace = of.namespace === namespace ? {} : {namespace: of.namespace};
  return {
    apiVersion: api.usages,
    kind,
    metadata: {...metadata, annotations: {[annotationUser]: pair.by, [annotationUsed]: pair.of}},
    spec: {
      by: {apiVersion: by.apiVersion, kind: by.kind, resourceRef: {name: by.name}},
      of: {apiVersion: of.apiVersion, kind: of.kind, resourceRef: {name: of.name, ...ofNamespace}},
      ...(pair.reason === undefined ? {} : {reason: pair.reason}),
      replayDeletion: pair.replayDeletion ?? false,
    },
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
