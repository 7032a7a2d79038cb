// Crossplane versions, as far as the function behaves differently on them. Source of the borders: the recorded versions
// 1.16.1, 1.19.1, 1.20.11, 2.3.4 and, between them, crossplane/crossplane tags (label strip #6155 in v1.18.2 and v1.19.0,
// conditions of functions in v1.17.0).

import {observesUsagesOf} from '../facts/edges.ts';
import {hasSynced, listedBy, listsNamespaces} from '../facts/ownership.ts';
import type {Snapshot} from '../words/snapshot.ts';
import type {Input} from './input.ts';

export interface UsageApi {
  /**
   * The Usage API of the version; `protection` has Usage and ClusterUsage, the other one cluster-scoped Usage. Of that v1beta1 is
   * served only from 1.19 on, v1alpha1 by every Crossplane: the input may name a version that is still to come, or was before.
   */
  readonly usages: 'protection.crossplane.io/v1beta1' | 'apiextensions.crossplane.io/v1alpha1';
  /** True if this Crossplane serves it, as far as the XR shows. */
  readonly isServed: boolean;
  /** True if that is certain enough to create a Usage: an XR that lists one of a kind that is not served is never read again. */
  readonly isKnown: boolean;
  /** True if a deleted Usage waits for its `by` even when its Composition dropped it (S0). */
  readonly waitsForBy: boolean;
  /** True if this Crossplane shows the conditions of functions (v1.17 on), so that an XR shows the last refusals. */
  readonly showsConditions: boolean;
}

/** The Usage API of the Crossplane that asks: from the input, or as far as the XR shows. */
export function usageApiIn(snapshot: Snapshot, {crossplane}: Input): UsageApi {
  const {xr} = snapshot;
  const mayBe1 = mayBeCrossplane1(snapshot);
  const api = usageApiOf(crossplane, mayBe1 && hasSynced(xr));
  // An XR of Crossplane 2 with claims shows that in its status, which a restore leaves out.
  const cameBackWithoutStatus = mayBe1 && !hasSynced(xr) && listedBy(xr).length > 0;
  return crossplane === undefined && cameBackWithoutStatus ? {...api, isKnown: false} : api;
}

/**
 * True if nothing shows Crossplane 2: no answer about schemas (v2.2 on), no Usage of it, no namespace that the XR can list. Crossplane
 * 1 serves no Usages of Crossplane 2. An XR that once listed one is never read again, because a missing kind is an error (v1.20.0
 * composition_functions.go ObserveComposedResources).
 */
function mayBeCrossplane1(snapshot: Snapshot): boolean {
  if (snapshot.schemas !== undefined || listsNamespaces(snapshot.xr)) return false;
  return !observesUsagesOf('protection.crossplane.io', snapshot);
}

/** `version` has passed the schema: "1.16", "v1.18.2"; undefined = current. `isOf1`: whether the XR shows that this is Crossplane 1. */
export function usageApiOf(version: string | undefined, isOf1: boolean): UsageApi {
  const number = versionNumber(version ?? '2.0');
  const behaves = {waitsForBy: number < 1_018_002, showsConditions: number >= 1_017_000, isKnown: true};
  const [current, legacy] = ['protection.crossplane.io/v1beta1', 'apiextensions.crossplane.io/v1alpha1'] as const;
  if (number >= 2_000_000) return {usages: current, isServed: !isOf1, ...behaves};
  return {usages: legacy, isServed: true, ...behaves};
}

/** A Crossplane version that has passed the schema, as a number that grows with it: "1.16" is 1016000, "v1.18.2" is 1018002. */
export function versionNumber(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.replace(/^v/, '').split('.').map(Number);
  return (major * 1000 + minor) * 1000 + patch;
}
