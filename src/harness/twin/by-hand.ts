// What a person does by a resource name reaches an object that a refusal keeps under it, and none without the function.

import {at} from '../../cluster/json.ts';
import {isDeleting, type KubeObject} from '../../cluster/object.ts';
import {type Ending, ownedBy} from './ending.ts';
import type {Harm} from './harm.ts';

/** Whether a finalizer keeps it that no controller of the world has, a person's; or what is deleted before it is kept so. */
export function isKeptBySomebody({kind, place}: Harm, ending: Ending): boolean {
  const found = kind === 'deleting' ? (ending.deleting.get(place) ?? []) : [];
  return found.length > 0 && found.every(({object}) => hasFinalizerOfSomebody(object, ending));
}

/** Whether a person asked that the external resources of such objects stay. */
export function isLetGoByHand({kind, resourceName}: Harm, ending: Ending): boolean {
  if (kind !== 'left-behind') return false;
  return patchesByName(ending).some(
    ({target, body}) =>
      target.resource === resourceName &&
      ['deletionPolicy', 'managementPolicies'].some((policy) => at(body, ['spec', policy]) !== undefined),
  );
}

/** Whether a step takes the field away from an object that it looks for by its resource name. */
export function isTakenAwayByHand(field: string, ending: Ending): boolean {
  return patchesByName(ending).some(({body}) => at(body, field.split('.')) === null);
}

function patchesByName({run}: Ending) {
  return run.story.moves.flatMap(({action}) =>
    action.kind === 'patch' && action.target.resource !== undefined ? [action] : [],
  );
}

function hasFinalizerOfSomebody(owner: KubeObject, ending: Ending): boolean {
  if (owner.metadata.finalizers?.some(isSomebodys) === true) return true;
  const left = ownedBy(owner, ending);
  return left.length > 0 && left.every(({object}) => isDeleting(object) && hasFinalizerOfSomebody(object, ending));
}

/** Controllers of Crossplane name theirs after it, and Kubernetes its own by a word. */
function isSomebodys(finalizer: string): boolean {
  return finalizer.includes('/') && !finalizer.endsWith('crossplane.io');
}
