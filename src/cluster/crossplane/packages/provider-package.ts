// What a provider's package has in it, and what of that Crossplane installs: the definitions as they are, or on a version
// with ManagedResourceDefinitions one for each managed kind. Every kind counts as managed but the four of configs.
// crossplane/crossplane 2d040d2da internal/converter/custom_to_managed.go, apis/pkg/meta/v1/capabilities.go.

import {at} from '../../json.ts';
import type {KubeObject} from '../../object.ts';
import {kindCrd, kindManagedDefinition} from '../../vocabulary.ts';
import type {Profile} from '../profile.ts';

export interface ProviderPackage {
  /** Its CustomResourceDefinitions. */
  readonly objects: readonly KubeObject[];
  /** What its metadata says that it can: `safe-start` leaves its kinds inactive until somebody activates them. */
  readonly capabilities: readonly string[];
}

/** By the reference that a Provider names. */
export type ProviderPackages = {readonly [reference: string]: ProviderPackage};

/** Whether the provider can run before its kinds are there. The word is taken in any spelling: SafeStart, safe-start. */
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
