// One reconcile of a managed resource, in the exact order of crossplane-runtime; the step numbers are those of
// pkg/reconciler/managed/reconciler.go at 4e7ed235 (v2.4.0), lines 920-1577, counted from the informer read:
// policy, pause, reconcile request, validation, orphaning delete, initialize, incomplete create, references, connect,
// observe, creation grace, delete, publish, finalizer, create, late initialization, update.
//
// Versions differ as data (runtime-version.ts). Not modelled: the deadline of a reconcile, metrics, change logs and
// poll jitter. Sound here because none of them decides what is written, only when the next reconcile comes.
//
// Between the create and the update nothing asks whether the external resource exists: a policy without Create leads an
// absent resource to Update. That is upstream's behaviour (crossplane-runtime#1130), kept on purpose.

import {creating, reconcileError, reconcileSuccess} from '../crossplane/conditions.ts';
import {cached, now, type Outcome, type Reconcile, type Step} from '../kernel/call.ts';
import {parseKey} from '../kernel/process.ts';
import {isDeleting, type KubeObject} from '../object.ts';
import {annotationCreateFailed, annotationCreatePending, annotationCreateSucceeded, isPaused} from '../vocabulary.ts';
import {
  didCreateSucceedWithin,
  externalNameOf,
  isCreateIncomplete,
  reconcileRequestOf,
  withCreateTime,
  withExternalName,
} from './annotations.ts';
import {reconcilePaused} from './conditions.ts';
import type {ExternalClient, Observed} from './external-client.ts';
import {isInCluster} from './in-cluster.ts';
import {publishConnection} from './managed-connection.ts';
import {updateCriticalAnnotations} from './managed-critical.ts';
import {deleteExternal, finalizerManaged, removeFinalizer} from './managed-delete.ts';
import type {ManagedKind, ProviderSettings} from './managed-kind.ts';
import {resolveReferences} from './managed-references.ts';
import {
  conclude,
  event,
  failing,
  isConflict,
  type ManagedRun,
  pollAgain,
  requeue,
  retryOnConflict,
  updateObject,
} from './managed-writes.ts';
import {policyOf} from './policies.ts';
import {connectByConfig} from './provider-config.ts';

const createIncomplete = `cannot determine creation result - remove the ${annotationCreatePending} annotation if it is safe to proceed`;
const externalMissing = 'external resource does not exist';

/** Reconciles the managed resource named by `key`. */
export function* reconcileManaged(
  kind: ManagedKind,
  settings: ProviderSettings,
  client: ExternalClient,
  key: string,
): Reconcile {
  const read = yield* cached({verb: 'get', ref: {apiVersion: kind.apiVersion, kind: kind.kind, ...parseKey(key)}});
  if (!read.ok) return requeue(`cannot get managed resource: ${read.message}`);
  if (read.object === undefined) return {kind: 'done'};
  const managed = read.object;
  const {managementPolicies: enabled, runtime} = settings;
  const legacy = kind.legacy || !runtime.knowsModernKinds;
  const policy = policyOf(managed, legacy, {enabled, supported: runtime.supportedPolicies});
  if (isPaused(managed) || policy.paused) {
    yield* event(managed, 'Normal', 'ReconciliationPaused', 'Reconciliation is paused');
    return yield* conclude({settings, requestToken: undefined}, managed, [reconcilePaused], {kind: 'done'});
  }
  const requestToken = yield* newReconcileRequest(settings, managed);
  const run: ManagedRun = {kind, settings, client, policy, requestToken};
  if (policy.invalid !== undefined) {
    yield* event(managed, 'Warning', 'CannotUseInvalidManagementPolicy', policy.invalid);
    return yield* conclude(run, managed, [reconcileError(policy.invalid)], {kind: 'done'});
  }
  if (isDeleting(managed) && !policy.mayDelete) return yield* removeFinalizer(run, managed);
  return yield* initializeAndObserve(run, managed);
}

function* newReconcileRequest({runtime}: ProviderSettings, managed: KubeObject): Step<string | undefined> {
  const token = runtime.honoursPollAnnotations ? reconcileRequestOf(managed) : undefined;
  if (token === undefined || managed.status?.['lastHandledReconcileAt'] === token) return undefined;
  yield* event(managed, 'Normal', 'ReconcileRequestHandled', 'Handling reconcile request');
  return token;
}

function* initializeAndObserve(run: ManagedRun, before: KubeObject): Step<Outcome> {
  const {kind, settings, client} = run;
  let managed = before;
  if ((kind.namedBy === 'object' || isInCluster(kind)) && externalNameOf(managed) === '') {
    const named = yield* updateObject(run, withExternalName(managed, managed.metadata.name));
    if (!named.ok) {
      if (isConflict(named.error)) return retryOnConflict;
      const message = `cannot update managed resource: ${named.error.message}`;
      return yield* failing(run, named.managed, {reason: 'CannotInitializeManagedResource', message});
    }
    managed = named.managed;
  }
  const deterministic = settings.runtime.honoursDeterministicNames && kind.deterministicExternalName;
  if (isCreateIncomplete(managed) && !deterministic) {
    yield* event(managed, 'Warning', 'CannotInitializeManagedResource', createIncomplete);
    return yield* conclude(run, managed, [creating, reconcileError(createIncomplete)], {kind: 'done'});
  }
  if (!isDeleting(managed)) {
    const resolved = yield* resolveReferences(run, managed);
    if (!resolved.ok) {
      if (resolved.conflict) return retryOnConflict;
      return yield* failing(run, managed, {reason: 'CannotResolveResourceReferences', message: resolved.error});
    }
    managed = resolved.managed;
  }
  const unconnected = yield* connectByConfig(settings, managed);
  if (unconnected !== undefined) {
    const message = `connect failed: ${unconnected}`;
    return yield* failing(run, managed, {reason: 'CannotConnectToProvider', message, said: unconnected});
  }
  yield* client.connect(managed);
  return yield* observeAndAct(run, managed);
}

function* observeAndAct(run: ManagedRun, before: KubeObject): Step<Outcome> {
  const {client, policy, settings} = run;
  const observed = yield* client.observe(before);
  if (!observed.ok) {
    const [said, message] = [observed.error, `observe failed: ${observed.error}`];
    return yield* failing(run, observed.managed, {reason: 'CannotObserveExternalResource', message, said});
  }
  const {managed, exists} = observed;
  if (!exists && policy.onlyObserves) {
    const message = `observe failed: ${externalMissing}`;
    yield* event(managed, 'Warning', 'CannotObserveExternalResource', externalMissing);
    const outcome = settings.runtime.absentObserveOnly === 'poll' ? pollAgain(run, managed) : requeue(message);
    return yield* conclude(run, managed, [reconcileError(message)], outcome);
  }
  if (!exists && didCreateSucceedWithin(managed, settings.creationGraceMs, yield* now())) {
    const message = 'Waiting for external resource existence to be confirmed';
    yield* event(managed, 'Normal', 'PendingExternalResource', message);
    return requeue(message);
  }
  if (isDeleting(managed)) return yield* deleteExternal(run, managed, exists);
  const published = yield* publishConnection(run, managed, observed.connection);
  if (published !== undefined) return published;
  const finalized = yield* addFinalizer(run, managed);
  if (!finalized.ok) return finalized.outcome;
  if (!exists && policy.mayCreate) return yield* createExternal(run, finalized.managed);
  return yield* lateInitializeAndUpdate(run, finalized.managed, observed);
}

// Creates the external resource. The annotation `pending` is written first and must fail on a conflict; what became of
// the create is written with retries. A crash between the two leaves `pending` alone, and the next reconcile refuses to
// go on. Source: crossplane/crossplane-runtime 4e7ed235 pkg/reconciler/managed/reconciler.go:1355-1477.

const updateRefused = {reason: 'CannotUpdateManagedResource', conditions: [creating]};

function* createExternal(run: ManagedRun, managed: KubeObject): Step<Outcome> {
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

// The steps after a successful Observe of a resource that lives on: the finalizer, late initialization, the update.
// Source: crossplane/crossplane-runtime 4e7ed235 pkg/reconciler/managed/reconciler.go:1340 and 1479-1577, pkg/resource/api.go:165.

type Finalized = {readonly ok: true; readonly managed: KubeObject} | {readonly ok: false; readonly outcome: Outcome};

/** Adds the finalizer where it is missing; that write loses the status the observation set. */
function* addFinalizer(run: ManagedRun, managed: KubeObject): Step<Finalized> {
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
function* lateInitializeAndUpdate(
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
