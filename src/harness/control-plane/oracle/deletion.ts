// A deletion that was accepted must come to an end by itself. One that is still under way when nothing will happen any more
// waits for ever. A person decided to pause an object, so it is not counted. A provider that died between asking the cloud for a
// resource and writing down its name does not know whether the resource exists, and reports it: it touches the resource no more,
// not even to delete it, until a person has looked. That is crossplane-runtime's design and no deletion of a function's making,
// so such an object is not counted here; it is counted by itself (`createsInDoubt`). Only the provider's own message counts: an
// object that merely carries the marks of a create under way is not excused.

import {conditionOf, isDeleting, type KubeObject} from '../../../cluster/object.ts';
import {isPaused} from '../../../cluster/vocabulary.ts';

export function unfinishedDeletions(objects: readonly KubeObject[]): readonly KubeObject[] {
  return objects.filter((object) => isDeleting(object) && !isPaused(object) && !isInDoubt(object));
}

/** Managed resources whose provider asks a person what became of their create. */
export function createsInDoubt(objects: readonly KubeObject[]): readonly KubeObject[] {
  return objects.filter(isInDoubt);
}

/** The message of crossplane-runtime in all versions: pkg/reconciler/managed/reconciler.go, errCreateIncomplete. */
const inDoubt = 'cannot determine creation result';

function isInDoubt(object: KubeObject): boolean {
  const synced = conditionOf(object, 'Synced');
  return synced?.status === 'False' && synced.message?.startsWith(inDoubt) === true;
}
