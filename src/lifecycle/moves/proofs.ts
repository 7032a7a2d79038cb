// What proves a step of a move: always something that is observed, never that it was asked for.
//
// A provider writes the condition Synced at the end of a reconcile of the object as it was then. Newer ones say of which
// generation (observedGeneration); where nothing says so, Synced of an object that never had other policies counts.

import {deletesExternal} from '../facts/external-policies.ts';
import {at, isList, isObject, type Json, text} from '../words/json.ts';
import type {Obstacle} from '../words/obstacles.ts';
import type {DesiredView, ResourceView} from '../words/snapshot.ts';

/** Whether the provider would leave the external resource alone if the object were deleted now. */
export function hasLetGo(view: ResourceView): boolean {
  return !deletesExternal(view);
}

/** Whether the object may do nothing but observe. */
export function onlyObserves(view: ResourceView): boolean {
  const policies = view.field(['spec', 'managementPolicies']);
  return isList(policies) && policies.length === 1 && policies[0] === 'Observe';
}

/** Whether the new object has the policies that are desired of it. */
export function hasItsPolicies(fresh: ResourceView, wanted: DesiredView): boolean {
  return !onlyObserves(fresh) || onlyObserves(wanted);
}

/** What the provider says of the object as it is now: undefined while it has not said anything. */
export function synced(view: ResourceView): 'True' | 'False' | undefined {
  const conditions = view.field(['status', 'conditions']);
  const found = isList(conditions) ? conditions.find((condition) => at(condition, ['type']) === 'Synced') : undefined;
  if (!isObject(found)) return undefined;
  const seen = found['observedGeneration'];
  const generation = view.field(['metadata', 'generation']);
  if (typeof seen === 'number' && typeof generation === 'number' && seen < generation) return undefined;
  return found['status'] === 'True' ? 'True' : 'False';
}

// Names are unique within a region or an account, so two resources may have the same one. These are not.
const identities = ['id', 'arn'] as const;

/** The field that tells two different external resources; of no use where a rule makes names, and says what is the same. */
export function anotherResource(old: ResourceView, fresh: ResourceView): Obstacle | undefined {
  const field = identities.find((name) => {
    const path = ['status', 'atProvider', name];
    return differ(old.field(path), fresh.field(path));
  });
  return field === undefined ? undefined : {kind: 'another-resource', field: `status.atProvider.${field}`};
}

/** Whether both providers tell an identity, and the same one, in whatever form the objects have its name. */
export function tellTheSame(one: ResourceView, other: ResourceView): boolean {
  return identities.some((name) => {
    const said = text(one.field(['status', 'atProvider', name]));
    return said !== '' && said === other.field(['status', 'atProvider', name]);
  });
}

function differ(a: Json | undefined, b: Json | undefined): boolean {
  return text(a) !== '' && text(b) !== '' && a !== b;
}
