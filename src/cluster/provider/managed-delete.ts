// The end of a managed resource. Source: crossplane/crossplane-runtime 4e7ed235 pkg/reconciler/managed/reconciler.go
// lines 1032-1081 (the policy leaves the external resource alone) and 1231-1322. Unpublishing connection details is a
// no-op upstream: the Secret has an owner reference and owner GC takes it.

import {deleting, reconcileError, reconcileSuccess} from '../crossplane/conditions.ts';
import type {Outcome, Step} from '../kernel/call.ts';
import type {KubeObject} from '../object.ts';
import {
  conclude,
  event,
  failing,
  isConflict,
  type ManagedRun,
  requeue,
  retryOnConflict,
  updateObject,
} from './managed-writes.ts';

export const finalizerManaged = 'finalizer.managedresource.crossplane.io';

/** Deletes the external resource if it exists and the policy allows it; else removes the finalizer. */
export function* deleteExternal(run: ManagedRun, managed: KubeObject, exists: boolean): Step<Outcome> {
  const {client, policy, settings} = run;
  const finalizers = managed.metadata.finalizers ?? [];
  if (settings.runtime.deletionWaitsForFinalizers && finalizers.length > 1)
    return requeue('Delay external deletion until all finalizers have been removed');
  if (!exists || !policy.mayDelete) return yield* removeFinalizer(run, managed);
  const deleted = yield* client.delete(managed);
  if (!deleted.ok) {
    const [said, message] = [deleted.error, `delete failed: ${deleted.error}`];
    const reason = 'CannotDeleteExternalResource';
    return yield* failing(run, deleted.managed, {reason, message, said, conditions: [deleting]});
  }
  const message = 'Successfully requested deletion of external resource';
  yield* event(managed, 'Normal', 'DeletedExternalResource', message);
  return yield* conclude(run, deleted.managed, [deleting, reconcileSuccess], requeue(message));
}

/** Lets the object go and its external resource live: at once, without looking at the cloud or at other finalizers. */
export function* removeFinalizer(run: ManagedRun, managed: KubeObject): Step<Outcome> {
  yield* run.client.forget(managed);
  const before = managed.metadata.finalizers ?? [];
  if (!before.includes(finalizerManaged)) return {kind: 'done'};
  const finalizers = before.filter((finalizer) => finalizer !== finalizerManaged);
  const written = yield* updateObject(run, {...managed, metadata: {...managed.metadata, finalizers}});
  if (written.ok || written.error.code === 404) return {kind: 'done'};
  if (isConflict(written.error)) return retryOnConflict;
  const message = `cannot update object: ${written.error.message}`;
  return yield* conclude(run, written.managed, [deleting, reconcileError(message)], requeue(message));
}
