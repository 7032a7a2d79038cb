// The proofs of the steps of a move. Each is an observed fact; a request alone proves nothing.
//
// A provider writes the condition Synced at the end of a reconcile of the object as it was then. Newer providers write its
// generation (observedGeneration). Without one, Synced counts if the object never had other policies.

import {deletesExternal, externalNameOf, isEverything, managementPoliciesOf} from '../facts/external-policies.ts';
import {condition} from '../facts/ready.ts';
import type {Templates} from '../templates/templates.ts';
import {isList, type Json, text} from '../words/json.ts';
import type {ExchangeObstacle, Obstacle} from '../words/obstacles.ts';
import type {DesiredView, ResourceView} from '../words/snapshot.ts';

/** The value that the template of a resource still lacks. Until it is there, nothing can be desired in its place. */
export function unresolvedIn(resourceName: string, unresolved: Templates['unresolved']) {
  const open = unresolved.get(resourceName);
  return open === undefined ? undefined : ({kind: 'unresolved', path: open.path, cause: open.cause} as const);
}

/** True if the provider would keep the external resource on a deletion of the object now. */
export function hasLetGo(view: ResourceView): boolean {
  return !deletesExternal(view);
}

/**
 * True if the object is as letting go leaves it. Its author may have taken Delete alone out of its policies. To only observe then, before
 * there is an external resource, its provider would never create one.
 */
export function isAsLetGo(view: ResourceView): boolean {
  const isAsTold = onlyObserves(view) || !choosesPolicies(view.field(['spec', 'managementPolicies']));
  return hasLetGo(view) && isAsTold && externalNameOf(view) !== '';
}

/** True if they are not those that everything has that its author gives none. */
export function choosesPolicies(policies: Json | undefined): boolean {
  return isList(policies) && !isEverything(policies);
}

/** True if the object has the policy Observe alone. */
export function onlyObserves(view: ResourceView): boolean {
  const [only, ...others] = managementPoliciesOf(view);
  return only === 'Observe' && others.length === 0;
}

/** True if the new object has its desired policies. */
export function hasItsPolicies(fresh: ResourceView, wanted: DesiredView): boolean {
  return !onlyObserves(fresh) || onlyObserves(wanted);
}

/** The status of Synced for the present generation: undefined until the provider has reconciled it. */
export function synced(view: ResourceView): 'True' | 'False' | undefined {
  const found = condition(view, 'Synced');
  if (found === undefined) return undefined;
  const seen = found['observedGeneration'];
  const generation = view.field(['metadata', 'generation']);
  if (typeof seen === 'number' && typeof generation === 'number' && seen < generation) return undefined;
  return found['status'] === 'True' ? 'True' : 'False';
}

type AnotherResource = Extract<Obstacle & ExchangeObstacle, {kind: 'another-resource'}>;

// Names are unique within a region or an account, so two resources may have the same one. These are not.
const identities = ['id', 'arn'] as const;

/** The identity that differs, which proves two external resources. A rule that makes names decides itself which are the same. */
export function anotherResource(old: ResourceView, fresh: ResourceView): AnotherResource | undefined {
  const field = identities.find((name) => {
    const path = ['status', 'atProvider', name];
    return differ(old.field(path), fresh.field(path));
  });
  return field === undefined ? undefined : {kind: 'another-resource', field: `status.atProvider.${field}`};
}

/** The field by which the two lead to different external resources: the name, or an identity that both providers report. */
export function otherResource(old: ResourceView, fresh: ResourceView, newName: string, isNamed: boolean) {
  if (externalNameOf(fresh) !== newName) return {kind: 'another-resource', field: 'the external name'} as const;
  return isNamed ? undefined : anotherResource(old, fresh);
}

/** True if both statuses have an identity, and the same one, whatever form the names have. */
export function tellTheSame(one: ResourceView, other: ResourceView): boolean {
  return identities.some((name) => {
    const said = text(one.field(['status', 'atProvider', name]));
    return said !== '' && said === other.field(['status', 'atProvider', name]);
  });
}

function differ(a: Json | undefined, b: Json | undefined): boolean {
  return text(a) !== '' && text(b) !== '' && a !== b;
}
