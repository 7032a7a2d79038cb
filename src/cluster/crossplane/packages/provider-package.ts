// The content of a provider's package, and the objects that Crossplane installs from it: its definitions as they are, or a
// ManagedResourceDefinition for each managed kind in versions that have these. Every kind counts as managed but the four of
// configs.
// crossplane/crossplane 2d040d2da internal/converter/custom_to_managed.go, apis/pkg/meta/v1/capabilities.go.

import {at} from '../../json.ts';
import type {KubeObject} from '../../object.ts';
import {kindCrd, kindManagedDefinition} from '../../vocabulary.ts';
import type {Profile} from '../profile.ts';

export interface ProviderPackage {
  /** Its CustomResourceDefinitions. */
  readonly objects: readonly KubeObject[];
  /**
   * The capabilities in its metadata: `safe-start` leaves its kinds inactive until an activation policy or a user activates them.
   */
  readonly capabilities: readonly string[];
}

/** By the reference that a Provider names. */
export type ProviderPackages = {readonly [reference: string]: ProviderPackage};

/** True if the provider can run before its kinds exist. Any spelling counts: SafeStart, safe-start. */
export function startsSafely(capabilities: readonly string[]): boolean {
  return capabilities.some((one) => one.toLowerCase().replaceAll(/[^a-z0-9]/g, '') === 'safestart');
}

const configKinds: readonly unknown[] = [
  'ProviderConfig',
  'ClusterProviderConfig',
  'ProviderConfigUsage',
  'ClusterProviderConfigUsage',
];

/** The objects that Crossplane of this version makes of the package. */
export function installedObjects({objects, capabilities}: ProviderPackage, profile: Profile): readonly KubeObject[] {
  if (profile.managedDefinitions === 'none') return objects;
  const state = startsSafely(capabilities) ? {} : {state: 'Active'};
  return objects.map((object) => {
    if (object.kind !== kindCrd.kind || configKinds.includes(at(object.spec, ['names', 'kind']))) return object;
    return {...object, ...kindManagedDefinition, spec: {...object.spec, ...state}};
  });
}
