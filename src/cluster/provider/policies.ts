// The actions that a managed resource allows its provider, from spec.managementPolicies and, on legacy kinds, spec.deletionPolicy.
// Source: crossplane/crossplane-runtime 4e7ed235 pkg/reconciler/managed/policies.go:55-268. A resolver answers exactly as
// upstream's: LegacyManaged kinds (those with a deletionPolicy) resolve deletion from both fields, modern kinds from one.

import {isList, type Json} from '../json.ts';
import {groupOf, type KubeObject, versionOf} from '../object.ts';

export interface Policy {
  readonly paused: boolean;
  /** Why the provider must not act on these policies at all; undefined where it may. */
  readonly invalid: string | undefined;
  readonly mayCreate: boolean;
  readonly mayUpdate: boolean;
  readonly mayDelete: boolean;
  readonly mayLateInitialize: boolean;
  /** Policies are exactly `[Observe]`: an absent external resource is an error. */
  readonly onlyObserves: boolean;
}

export interface PolicyRules {
  /** The feature flag of management policies; off, only the default is accepted. */
  readonly enabled: boolean;
  /** Sets of actions the provider supports, each sorted and joined by commas. */
  readonly supported: readonly string[];
}

const all = setOf(['Observe', 'Create', 'Update', 'Delete', 'LateInitialize']);

/** Sets that crossplane-runtime v1.16 supports. */
export const supportedSince1_16: readonly string[] = [
  setOf(['*']),
  all,
  setOf(['Observe']),
  setOf([]),
  setOf(['Observe', 'Create', 'Update', 'Delete']),
  setOf(['Observe', 'Create', 'Update', 'LateInitialize']),
  setOf(['Observe', 'Create', 'Update']),
  setOf(['Observe', 'Create', 'Delete', 'LateInitialize']),
  setOf(['Observe', 'Create', 'LateInitialize']),
  setOf(['Observe', 'Create', 'Delete']),
  setOf(['Observe', 'Create']),
  setOf(['Observe', 'Delete']),
];

/** Sets that v1.19 supports: update a resource that another actor creates and deletes. */
export const supportedSince1_19: readonly string[] = [...supportedSince1_16, setOf(['Observe', 'Update'])];

/** Sets that v1.20 and every v2 support: two more, which neither create nor delete. */
export const supportedSince1_20: readonly string[] = [
  ...supportedSince1_19,
  setOf(['Observe', 'LateInitialize']),
  setOf(['Observe', 'Update', 'LateInitialize']),
];

/**
 * The words of spec.managementPolicy, with which a v1alpha1 Object of provider-kubernetes has its policies. The provider reads what
 * its conversion makes of it. Source: crossplane-contrib/provider-kubernetes 0be8ca79 apis/cluster/object/v1alpha1/conversion.go:94.
 */
const policiesOfWords: Readonly<Record<string, readonly string[]>> = {
  Default: ['*'],
  ObserveCreateUpdate: ['Observe', 'Create', 'Update'],
  ObserveDelete: ['Observe', 'Delete'],
  Observe: ['Observe'],
};

/** The actions in a managed resource's policies; undefined if it has no policies. */
export function managementPoliciesOf({apiVersion, kind, spec}: KubeObject): readonly Json[] | undefined {
  const policies = spec?.['managementPolicies'];
  const listed = isList(policies) ? policies : undefined;
  if (kind !== 'Object' || groupOf(apiVersion) !== 'kubernetes.crossplane.io') return listed;
  const word = spec?.['managementPolicy'] ?? (versionOf(apiVersion) === 'v1alpha1' ? 'Default' : undefined);
  // One shape stands for both versions, so the other version's default may be beside the author's words.
  if (word === undefined || (word === 'Default' && listed !== undefined)) return listed;
  return policiesOfWords[String(word)] ?? [word];
}

/** The policy of a managed resource. `legacy` kinds have a deletionPolicy. */
export function policyOf(managed: KubeObject, legacy: boolean, {enabled, supported}: PolicyRules): Policy {
  const actions = new Set((managementPoliciesOf(managed) ?? []).map(String));
  const allows = (action: string) => !enabled || actions.has(action) || actions.has('*');
  const deletionPolicy = legacy ? managed.spec?.['deletionPolicy'] : undefined;
  return {
    paused: enabled && actions.size === 0,
    invalid: invalidity(actions, enabled, supported),
    mayCreate: allows('Create'),
    mayUpdate: allows('Update'),
    mayLateInitialize: allows('LateInitialize'),
    mayDelete: legacy ? mayDeleteLegacy(actions, enabled, deletionPolicy) : allows('Delete'),
    onlyObserves: enabled && setOf([...actions]) === setOf(['Observe']),
  };
}

function mayDeleteLegacy(actions: ReadonlySet<string>, enabled: boolean, deletionPolicy: unknown): boolean {
  if (!enabled) return deletionPolicy !== 'Orphan';
  const isDefault = setOf([...actions]) === setOf(['*']);
  if (deletionPolicy === 'Delete' && (actions.has('Delete') || actions.has('*'))) return true;
  // Policies with an explicit Delete win over deletionPolicy Orphan.
  return !isDefault && actions.has('Delete');
}

/** True if its deletion deletes the external resource. One that has neither field has the defaults of both. */
export function deletesExternal(object: KubeObject): boolean {
  const actions = new Set((managementPoliciesOf(object) ?? ['*']).map(String));
  return mayDeleteLegacy(actions, true, object.spec?.['deletionPolicy'] ?? 'Delete');
}

function invalidity(actions: ReadonlySet<string>, enabled: boolean, supported: readonly string[]): string | undefined {
  const set = setOf([...actions]);
  const shown = `[${[...actions].join(' ')}]`;
  if (!enabled) {
    if (actions.size === 0 || set === setOf(['*'])) return undefined;
    return `\`spec.managementPolicies\` is set to a non-default value but the feature is not enabled: ${shown}`;
  }
  if (supported.includes(set)) return undefined;
  return `\`spec.managementPolicies\` is set to a value(${shown}) which is not supported. Check docs for supported policies`;
}

function setOf(actions: readonly string[]): string {
  return [...actions].sort().join(',');
}
