// The steps after a successful Observe of a resource that lives on: the finalizer, late initialization, the update.
// Source: crossplane/crossplane-runtime 4e7ed235 pkg/reconciler/managed/reconciler.go:1340 and 1479-1577, pkg/resource/api.go:165.

import {reconcileError, reconcileSuccess} from '../crossplane/conditions.ts';
import type {Outcome, Step} from '../kernel/call.ts';
import type {KubeObject} from '../object.ts';
import type {Observed} from './external-client.ts';
import {publishConnection} from './managed-connection.ts';
import {updateCriticalAnnotations} from './managed-critical.ts';
import {finalizerManaged} from './managed-delete.ts';
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
import {pollAgain} from './poll.ts';

export type Finalized =
  | {readonly ok: true; readonly managed: KubeObject}
  | {readonly ok: false; readonly outcome: Outcome};

/** Adds the finalizer where it is missing; that write loses the status the observation set. */
export function* addFinalizer(run: ManagedRun, managed: KubeObject): Step<Finalized> {
  const before = managed.metadata.finalizers ?? [];
  if (before.includes(finalizerManaged)) return {ok: true, managed};
  const finalizers = [...before, finalizerManaged];
  const written = yield* updateObject(run, {...managed, metadata: {...managed.metadata, finalizers}});
  if (written.ok) return {ok: true, managed: written.managed};
  if (isConflict(written.error)) return {ok: false, outcome: retryOnConflict};
  const message = `cannot update object: ${written.error.message}`;
  const outcome = yield* conclude(run, written.managed, [reconcileError(message)], requeue(message));
  return {ok: false, outcome};
}

/** Writes what the observation filled in where the policy lets it, then updates the external resource where it differs. */
export function* lateInitializeAndUpdate(
  run: ManagedRun,
  before: KubeObject,
  observed: Extract<Observed, {ok: true}>,
): Step<Outcome> {
  const saved = yield* saveAnnotations(run, before, observed.exists);
  if (!saved.ok) return saved.outcome;
  let managed = saved.managed;
  if (observed.lateInitialized && run.policy.mayLateInitialize) {
    const written = yield* updateObject(run, managed);
    if (!written.ok) {
      const said = written.error.message;
      const message = `cannot update managed resource: ${said}`;
      return yield* failing(run, written.managed, {reason: 'CannotUpdateManagedResource', message, said});
    }
    managed = written.managed;
  }
  if (observed.upToDate || !run.policy.mayUpdate)
    return yield* conclude(run, managed, [reconcileSuccess], pollAgain(run, managed));
  return yield* updateExternal(run, managed);
}

/** Only with crossplane-runtime#850: writes the observed name, whatever the policy is. */
function* saveAnnotations(run: ManagedRun, managed: KubeObject, exists: boolean): Step<Finalized> {
  if (!exists || run.settings.runtime.criticalAnnotations === 'put') return {ok: true, managed};
  const written = yield* updateCriticalAnnotations(run, managed);
  if (written.ok) return {ok: true, managed: written.managed};
  const message = `cannot update managed resource annotations: ${written.error.message}`;
  yield* event(managed, 'Warning', 'CannotUpdateManagedResource', message);
  return {ok: false, outcome: yield* conclude(run, written.managed, [], requeue(message))};
}

function* updateExternal(run: ManagedRun, managed: KubeObject): Step<Outcome> {
  const updated = yield* run.client.update(managed);
  if (!updated.ok) {
    const [said, message] = [updated.error, `update failed: ${updated.error}`];
    return yield* failing(run, updated.managed, {reason: 'CannotUpdateExternalResource', message, said});
  }
  const published = yield* publishConnection(run, updated.managed, updated.connection);
  if (published !== undefined) return published;
  yield* event(managed, 'Normal', 'UpdatedExternalResource', 'Successfully requested update of external resource');
  return yield* conclude(run, updated.managed, [reconcileSuccess], pollAgain(run, updated.managed));
}
