// Creates the external resource. The annotation `pending` is written first and must fail on a conflict; what became of
// the create is written with retries. A crash between the two leaves `pending` alone, and the next reconcile refuses to
// go on. Source: crossplane/crossplane-runtime 4e7ed235 pkg/reconciler/managed/reconciler.go:1355-1477.

import {creating, reconcileError, reconcileSuccess} from '../crossplane/conditions.ts';
import {now, type Outcome, type Step} from '../kernel/call.ts';
import type {KubeObject} from '../object.ts';
import {annotationCreateFailed, annotationCreatePending, annotationCreateSucceeded} from '../vocabulary.ts';
import {withCreateTime} from './annotations.ts';
import {publishConnection} from './managed-connection.ts';
import {updateCriticalAnnotations} from './managed-critical.ts';
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

const updateRefused = {reason: 'CannotUpdateManagedResource', conditions: [creating]};

export function* createExternal(run: ManagedRun, managed: KubeObject): Step<Outcome> {
  const pending = yield* updateObject(run, withCreateTime(managed, annotationCreatePending, yield* now()));
  if (!pending.ok) {
    if (isConflict(pending.error)) return retryOnConflict;
    const message = `cannot update managed resource: ${pending.error.message}`;
    return yield* failing(run, pending.managed, {...updateRefused, message});
  }
  const created = yield* run.client.create(pending.managed);
  if (!created.ok) return yield* createFailed(run, created.managed, created.error);
  const done = withCreateTime(created.managed, annotationCreateSucceeded, yield* now());
  const written = yield* updateCriticalAnnotations(run, done);
  if (!written.ok) {
    if (isConflict(written.error)) return retryOnConflict;
    const message = annotationsFailed(written.error.message);
    return yield* failing(run, written.managed, {...updateRefused, message});
  }
  const published = yield* publishConnection(run, written.managed, created.connection, [creating]);
  if (published !== undefined) return published;
  const message = 'Successfully requested creation of external resource';
  yield* event(managed, 'Normal', 'CreatedExternalResource', message);
  return yield* conclude(run, written.managed, [creating, reconcileSuccess], requeue(message));
}

function* createFailed(run: ManagedRun, managed: KubeObject, error: string): Step<Outcome> {
  yield* event(managed, 'Warning', 'CannotCreateExternalResource', error);
  const failed = withCreateTime(managed, annotationCreateFailed, yield* now());
  const written = yield* updateCriticalAnnotations(run, failed);
  if (!written.ok)
    yield* event(managed, 'Warning', 'CannotUpdateManagedResource', annotationsFailed(written.error.message));
  const message = `create failed: ${error}`;
  return yield* conclude(run, written.managed, [creating, reconcileError(message)], requeue(message));
}

function annotationsFailed(cause: string): string {
  return `cannot update managed resource annotations: cannot update critical annotations: ${cause}`;
}
