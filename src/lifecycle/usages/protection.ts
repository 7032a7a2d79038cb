// The protected resources, known before any decision about moves, which depend on them. Computed on first use.

import {objectOf} from '../facts/identity.ts';
import {ownersOf} from '../facts/ownership.ts';
import type {Claim} from '../facts/proof.ts';
import {roomForUsages} from '../facts/room.ts';
import type {Input, UsageNaming} from '../input/input.ts';
import type {Snapshot} from '../words/snapshot.ts';
import {formerUsages} from './former.ts';
import {usageNames} from './names.ts';
import {isForContested, type Protections, protections} from './protect.ts';
import {strayUsages} from './stray.ts';
import type {UsageApi} from './usage-api.ts';
import {usagesDue} from './usages.ts';

export interface Protection {
  /** The observed Usage of this function that protects the object for a reason, by its resource name; undefined for none. */
  readonly usageOf: (resourceName: string) => string | undefined;
  /** True if the input protects it, and its Usage or the XR's is not observed yet. */
  readonly awaits: (resourceName: string) => boolean;
}

export function protectionOf(
  snapshot: Snapshot,
  input: Input,
  api: UsageApi,
  claim: Claim,
  naming: UsageNaming,
): Protection {
  const {observed} = snapshot;
  let made: Protections | undefined;
  const make = () => {
    const owners = ownersOf(observed, claim, () => false);
    const making = {
      api,
      nameUsage: usageNames(naming, snapshot, api),
      isDue: usagesDue(snapshot, owners, strayUsages(snapshot, claim), api),
      former: formerUsages(snapshot, claim, api),
      room: roomForUsages(snapshot),
    };
    return protections(snapshot, input, making, {names: [], contested: []});
  };
  return {
    usageOf: (resourceName) => {
      const object = objectOf(snapshot, resourceName);
      const usage = object && usageNames(naming, snapshot, api)({resourceName, object}, undefined).resourceName;
      return usage !== undefined && observed.has(usage) && !isForContested(observed.get(usage)) ? usage : undefined;
    },
    awaits: (resourceName) => {
      made ??= make();
      const usage = made.protecting.get(resourceName);
      return usage !== undefined && [usage, made.ofXr ?? usage].some((name) => !observed.has(name));
    },
  };
}
