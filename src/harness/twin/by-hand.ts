// What a person does by a resource name reaches an object that a refusal keeps under it, and none without the function.

import {at} from '../../cluster/json.ts';
import {isDeleting, type KubeObject} from '../../cluster/object.ts';
import {type Ending, foundIn} from './ending.ts';
import type {Harm} from './harm.ts';

/** Whether a finalizer keeps it that no controller of the world has, a person's; or what is deleted with it, before it, is kept so. */
export function isKeptBySomebody({kind, place}: Harm, ending: Ending): boolean {
  const found = kind === 'deleting' ? (ending.deleting.get(place) ?? []) : [];
  return found.length > 0 && found.every(({object}) => hasFinalizerOfSomebody(object, ending));
}

/** Whether a person asked that the external resources of such objects stay. */
export function isLetGoByHand({kind, resourceName}: Harm, {run}: Ending): boolean {
  if (kind !== 'left-behind') return false;
  return run.story.moves.some(({action}) => {
    if (action.kind !== 'patch' || action.target.resource !== resourceName) return false;
    return ['deletionPolicy', 'managementPolicies'].some((policy) => at(action.body, ['spec', policy]) !== undefined);
  });
}

function hasFinalizerOfSomebody({metadata: {finalizers = [], uid: owner}}: KubeObject, ending: Ending): boolean {
  if (finalizers.some(isSomebodys)) return true;
  const left = foundIn(ending).filter(({object}) => object.metadata.ownerReferences?.some(({uid}) => uid === owner));
  return left.length > 0 && left.every(({object}) => isDeleting(object) && hasFinalizerOfSomebody(object, ending));
}

/** Controllers of Crossplane name theirs after it, and Kubernetes its own by a word. */
function isSomebodys(finalizer: string): boolean {
  return finalizer.includes('/') && !finalizer.endsWith('crossplane.io');
}
