// The Usages that one plan adds to what the earlier steps desire: for the pairs of the input, and for what it protects.

import type {Input} from '../input/input.ts';
import type {JsonObject} from '../json.ts';
import type {Owners} from '../objects/ownership.ts';
import type {Claim} from '../objects/proof.ts';
import type {Snapshot} from '../snapshot.ts';
import {usagesDue} from './due.ts';
import type {Former} from './former.ts';
import {checkingUsages} from './in-use.ts';
import type {NameUsage} from './names.ts';
import {protections} from './protect.ts';
import {type IsStray, strayUsages} from './stray.ts';
import type {UsageApi} from './usage-api.ts';
import {type DeclaredUsages, declaredUsages, type Pair} from './usages.ts';

/** A pair, and where in the input it comes from. */
export type PlacedPair = Pair & {readonly path: string};

export interface Additions {
  /** All pairs that deletion keeps in order, also those that have no Usage yet. */
  readonly pairs: readonly Pair[];
  readonly declared: DeclaredUsages;
  /** Resource names that the input protects, to the resource name of the Usage that does it. */
  readonly protecting: ReadonlyMap<string, string>;
  /** By resource name. */
  readonly bodies: ReadonlyMap<string, JsonObject>;
  readonly refused: DeclaredUsages['refused'];
  readonly isStray: IsStray;
  /** Resource names of Usages that only find out about a label: what they name is not kept by them. */
  readonly checking: ReadonlySet<string>;
}

/** `ordered`: the pairs that orders of the input come to. `moving`: observed resource names that moves are about. */
export function additionsTo(
  snapshot: Snapshot,
  input: Input,
  ordered: readonly PlacedPair[],
  api: UsageApi,
  nameUsage: NameUsage,
  owners: Owners,
  former: Former,
  claim: Claim,
  moving: readonly string[],
): Additions {
  const isStray = strayUsages(snapshot, claim);
  const isDue = usagesDue(snapshot, owners, isStray);
  const explicit = (input.usages ?? []).map((pair, index) => ({...pair, path: `usages[${index}]`}));
  const pairs = [...explicit, ...ordered];
  const declared = declaredUsages(snapshot, pairs, api, nameUsage, former);
  const protection = protections(snapshot, input, api, nameUsage, isDue, former, moving);
  const usages = declared.usages
    .filter(({name, ofName, byName}) => isDue(name, [ofName, byName]))
    .map(({name, body}): [string, JsonObject] => [name, body]);
  const checks = checkingUsages(snapshot, api);
  return {
    pairs,
    declared,
    protecting: protection.protecting,
    bodies: new Map([...checks, ...usages, ...protection.usages]),
    refused: [...declared.refused, ...protection.refused],
    isStray,
    checking: new Set(checks.keys()),
  };
}
