// The reconciler of ProviderRevisions: the active one controls what its package has, the others own it. crossplane/crossplane
// 2d040d2da internal/controller/pkg/revision/reconciler.go, the same in v2.3.4; before v2 (v1.16.1, v1.20.11) this reconciler also
// runs the provider, and its health is one condition.
//
// A revision that was never activated is neither active nor inactive: it owns the objects that exist and runs nothing. A deleted
// one releases nothing: the owner GC deletes objects that no other revision and no package owns.
//
// Not modelled: the pull and its failure, the lock with its dependencies, labels and annotations of the package, the constraint on
// Crossplane's version, what a pause writes, ImageConfigs.

import type {ApiRequest} from '../../api/request.ts';
import {done, type Outcome, type Reconcile, type Step, throughClient} from '../../kernel/call.ts';
import {
  asController,
  asOwner,
  conditionOf,
  controllerOf,
  isDeleting,
  type KubeObject,
  type OwnerReference,
  refOf,
  withOwner,
} from '../../object.ts';
import {
  finalizerPackageRevision,
  isPaused,
  kindManagedDefinition,
  kindProviderRevision,
  labelPackage,
  managerCrossplane,
} from '../../vocabulary.ts';
import {addFinalizer, getCached, getLive, removeFinalizer, update} from '../client.ts';
import type {Mark} from '../conditions.ts';
import {
  type Failure,
  failed,
  isConflict,
  objectOf,
  type Result,
  record,
  requeue,
  retryAfter,
  success,
  warnedOrConflict,
  wrap,
  wrapped,
} from '../failure.ts';
import type {Profile} from '../profile.ts';
import {ending, reconciles, writeMarks} from '../reconciler.ts';
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
    if (!released.ok) return yield* warnedOrConflict(revision, 'DeactivateRevision', released.failure);
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
  return yield* warnedOrConflict(revision, reason, failure);
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

// Takes control of a package's objects for a revision, and releases it. The active revision controls each object; every other one
// only owns it. The package itself owns it, too. So an object that a later package no longer has outlives the revisions that had
// it: only the deletion of the package removes it.
// crossplane/crossplane 2d040d2da internal/controller/pkg/revision/establisher.go; crossplane-runtime 4e7ed235 pkg/meta/meta.go.
// The same in v1.16.1.
//
// All writes are tried before the first is made, so one refused object keeps all others as they were. Not modelled: ten objects
// written at once (here they are written one after the other, and the first refusal is reported), webhooks with their certificates,
// common labels and annotations.

/** The reference to an object in the status of a revision. */
type ObjectReference = {readonly apiVersion: string; readonly kind: string; readonly name: string};

/** Takes control of the objects, or with `control` false ownership of those that are there. */
function* establish(
  objects: readonly KubeObject[],
  revision: KubeObject,
  control: boolean,
): Step<Result<readonly ObjectReference[]>> {
  const wanted: Request[] = [];
  for (const object of objects) {
    const read = yield* getCached(refOf(object));
    if (!read.ok) return read;
    const request = requestFor(object, read.value, revision, control);
    if (!request.ok) return request;
    if (request.value === undefined) continue;
    const tried = objectOf(yield* throughClient({...request.value, dryRun: true}));
    if (!tried.ok) return tried;
    wanted.push(request.value);
  }
  for (const request of wanted) {
    const written = objectOf(yield* throughClient(request));
    if (!written.ok) return written;
  }
  return success(objects.map(({apiVersion, kind, metadata}) => ({apiVersion, kind, name: metadata.name})));
}

type Request = ApiRequest & {readonly verb: 'create' | 'update'};

/** None for what is not there and not to be controlled: the active revision makes it. */
function requestFor(
  object: KubeObject,
  current: KubeObject | undefined,
  revision: KubeObject,
  control: boolean,
): Result<Request | undefined> {
  const parent = packageOwner(revision);
  if (current === undefined) {
    const metadata = {...object.metadata, ownerReferences: [asController(revision), ...parent]};
    return success(control ? {verb: 'create', object: {...object, metadata}, manager: managerCrossplane} : undefined);
  }
  const owners = parent.reduce(withOwner, current.metadata.ownerReferences ?? []);
  if (!control) {
    const metadata = {...current.metadata, ownerReferences: withOwner(owners, asOwner(revision))};
    return success({verb: 'update', object: {...current, metadata}, manager: managerCrossplane});
  }
  const other = controllerOf(current);
  if (other !== undefined && other.uid !== revision.metadata.uid) {
    const {kind, name, uid} = other;
    return failed(`${object.metadata.name} is already controlled by ${kind} ${name} (UID ${uid})`);
  }
  const {resourceVersion = ''} = current.metadata;
  const metadata = {
    ...object.metadata,
    resourceVersion,
    ownerReferences: withOwner(owners, asController(revision)),
  };
  return success({verb: 'update', object: {...keepingState(object, current), metadata}, manager: managerCrossplane});
}

/** Keeps the state of a ManagedResourceDefinition: activation policies and users set it. */
function keepingState(object: KubeObject, {spec = {}}: KubeObject): KubeObject {
  const keepsState = object.kind === kindManagedDefinition.kind && object.spec?.['state'] !== 'Active';
  return keepsState ? {...object, spec: {...object.spec, state: spec['state'] ?? 'Inactive'}} : object;
}

/** Lets go of the control of what the status of the revision lists, and goes on owning it. */
function* release(revision: KubeObject): Step<Result<void>> {
  for (const ref of objectsOf(revision)) {
    const read = yield* getLive(ref);
    if (!read.ok) return wrapped(`cannot get owned object: ${ref.kind}/${ref.name}`, read);
    if (read.value === undefined) continue;
    const owners = read.value.metadata.ownerReferences ?? [];
    const own = owners.find(({uid}) => uid === revision.metadata.uid);
    if (own !== undefined && own.controller !== true) continue;
    const kept = withOwner(owners, own === undefined ? asOwner(revision) : {...own, controller: false});
    const written = yield* update({...read.value, metadata: {...read.value.metadata, ownerReferences: kept}});
    if (!written.ok) return wrapped(`cannot update owned object: ${ref.kind}/${ref.name}`, written);
  }
  return success(undefined);
}

/** The objects in the revision's status: those that it owns or controls. */
function objectsOf({status}: KubeObject): readonly ObjectReference[] {
  return (status?.['objectRefs'] ?? []) as readonly ObjectReference[];
}

/** The reference of the revision to its package, without control. */
function packageOwner({metadata}: KubeObject): readonly OwnerReference[] {
  const name = metadata.labels?.[labelPackage];
  const found = (metadata.ownerReferences ?? []).find((owner) => owner.name === name);
  return found === undefined ? [] : [{...found, controller: false}];
}
