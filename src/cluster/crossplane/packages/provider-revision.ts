// The reconciler of ProviderRevisions: the active one controls what its package has, the others own it. crossplane/crossplane
// 2d040d2da internal/controller/pkg/revision/reconciler.go, the same in v2.3.4; before v2 (v1.16.1, v1.20.11) this reconciler also
// runs the provider, and its health is one condition.
//
// A revision that was never activated is neither active nor inactive: it owns the objects that exist and runs nothing. A deleted
// one releases nothing: the owner GC deletes objects that no other revision and no package owns.
//
// Not modelled: the pull and its failure, the lock with its dependencies, labels and annotations of the package, the constraint on
// Crossplane's version, what a pause writes, ImageConfigs.

import {done, type Outcome, type Reconcile, type Step} from '../../kernel/call.ts';
import {conditionOf, isDeleting, type KubeObject} from '../../object.ts';
import {finalizerPackageRevision, isPaused, kindProviderRevision} from '../../vocabulary.ts';
import {addFinalizer, removeFinalizer} from '../client.ts';
import type {Mark} from '../conditions.ts';
import {
  type Failure,
  isConflict,
  type Result,
  record,
  requeue,
  retryAfter,
  success,
  wrap,
  wrapped,
} from '../failure.ts';
import type {Profile} from '../profile.ts';
import {ending, reconciles, writeMarks} from '../reconciler.ts';
import {establish, objectsOf, release} from './establisher.ts';
import {healthy, unhealthy} from './package-health.ts';
import {installedObjects, type ProviderPackages} from './provider-package.ts';
import {runProvider, stopProvider} from './provider-runtime.ts';

export function reconcileProviderRevision(packages: ProviderPackages, profile: Profile): (key: string) => Reconcile {
  return reconciles(kindProviderRevision, 'package revision', function* (revision) {
    if (isPaused(revision)) return done;
    if (isDeleting(revision)) {
      const removed = yield* removeFinalizer(revision, finalizerPackageRevision);
      return ending(removed, 'cannot remove package revision finalizer');
    }
    const finalized = yield* addFinalizer(revision, finalizerPackageRevision);
    if (!finalized.ok) return retryAfter(wrap('cannot add package revision finalizer', finalized.failure));
    return yield* hold(finalized.value, packages, profile);
  });
}

function* hold(revision: KubeObject, packages: ProviderPackages, profile: Profile): Reconcile {
  if (revision.spec?.['desiredState'] === 'Inactive') {
    const released = yield* deactivate(revision, profile);
    if (!released.ok) return yield* failing(revision, 'DeactivateRevision', released.failure);
    if (objectsOf(revision).length > 0) return yield* endWithCondition(revision, healthy('revision', profile), profile);
  }
  const contents = packages[String(revision.spec?.['image'])];
  if (contents === undefined) {
    const failure = {message: 'cannot get package: it is not in the registry'};
    return yield* refused(revision, 'ParsePackage', failure, profile);
  }
  const control = revision.spec?.['desiredState'] === 'Active';
  const objects = installedObjects(contents, profile);
  const established = yield* establish(objects, revision, control);
  if (!established.ok) {
    return yield* refused(
      revision,
      'SyncPackage',
      wrap('cannot establish control of object', established.failure),
      profile,
    );
  }
  const {capabilities} = contents;
  const status = {...revision.status, capabilities, objectRefs: established.value};
  const owning: KubeObject = {...revision, status};
  if (profile.packageHealth === 'one' && control) {
    const runs = yield* runProvider(owning, [], profile);
    if (!runs.ok) {
      const failure = wrap('post establish runtime hook failed for package', runs.failure);
      return yield* refused(owning, 'SyncPackage', failure, profile);
    }
  }
  return yield* endWithCondition(owning, healthy('revision', profile), profile);
}

/** Before v2 the provider stops with it; since then a reconciler of its own sees to that. */
function* deactivate(revision: KubeObject, profile: Profile): Step<Result<void>> {
  const released = yield* release(revision);
  if (!released.ok) return wrapped('cannot deactivate package revision: cannot release objects', released);
  if (profile.packageHealth === 'two') return success(undefined);
  return wrapped('cannot deactivate package revision: failed to run deactivation hook', yield* stopProvider(revision));
}

function* refused(revision: KubeObject, reason: string, failure: Failure, profile: Profile): Step<Outcome> {
  if (isConflict(failure)) return requeue;
  // A failed write of the status does not matter: the reconcile failed, and comes again.
  yield* writeMarks(revision, [unhealthy('revision', failure.message, profile)], profile);
  return yield* failing(revision, reason, failure);
}

function* failing(revision: KubeObject, reason: string, failure: Failure): Step<Outcome> {
  if (!isConflict(failure)) yield* record(revision, 'Warning', reason, failure.message);
  return retryAfter(failure);
}

function* endWithCondition(revision: KubeObject, mark: Mark, profile: Profile): Step<Outcome> {
  if (conditionOf(revision, mark.type)?.status !== 'True') {
    const message =
      profile.packageHealth === 'one'
        ? 'Successfully configured package revision'
        : 'Successfully reconciled package revision';
    yield* record(revision, 'Normal', 'SyncPackage', message);
  }
  return ending(yield* writeMarks(revision, [mark], profile), 'cannot update package revision status');
}
