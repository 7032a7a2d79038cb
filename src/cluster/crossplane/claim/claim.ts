// The reconciler of claims. crossplane/crossplane 2d040d2da internal/controller/apiextensions/claim/reconciler.go.
//
// Deleting a claim deletes its XR: with policy Background the claim goes at once, with Foreground it waits for the XR.
// An XR that is deleted under a living claim is made again with the same name, which the claim remembers.

import {at, equal} from '../../json.ts';
import {done, now, type Outcome, type Reconcile, type Step} from '../../kernel/call.ts';
import {parseKey} from '../../kernel/process.ts';
import {conditionOf, controllerOf, isDeleting, type KubeObject, type ResourceRef, refOf} from '../../object.ts';
import {timestamp} from '../../timestamp.ts';
import {finalizerClaim, isPaused, kindDefinition, kindSecret, managerClaim} from '../../vocabulary.ts';
import {
  addFinalizer,
  create,
  get,
  getLive,
  listCached,
  remove,
  removeFinalizer,
  update,
  updateStatus,
} from '../client.ts';
import {connectionSecret} from '../composite/connection.ts';
import {upgradeManagedFields} from '../composite/upgrade-managed-fields.ts';
import {
  available,
  claimWaiting,
  deleting,
  type Mark,
  reconcileError,
  reconcilePaused,
  reconcileSuccess,
} from '../conditions.ts';
import {type Failure, failed, type Result, record, requeue, retryAfter, success, wrap, wrapped} from '../failure.ts';
import {ending, fail, markedNow, writeMarks} from '../reconciler.ts';
import {claimRefOf} from '../xr.ts';
import {parseXrd} from '../xrd.ts';
import {type Claiming, claimReference, resourceRefOf} from './claim-objects.ts';
import {syncClientSide, syncServerSide} from './sync.ts';

export function reconcileClaim(how: Claiming): (key: string) => Reconcile {
  return function* (key) {
    const kind = how.xrd.claim;
    if (kind === undefined) return done;
    const read = yield* get({...kind, ...parseKey(key)}, how.profile.reads);
    if (!read.ok) return retryAfter(wrap('cannot get claim', read.failure));
    const claim = read.value;
    if (claim === undefined) return done;
    if (isPaused(claim)) return yield* conclude(claim, [reconcilePaused], how);
    const bound = yield* readXr(claim, how);
    if (!bound.ok)
      return yield* fail(claim, 'BindCompositeResource', 'cannot get bound composite resource', bound, how);
    const xr = bound.value;
    const ref = xr === undefined ? undefined : claimRefOf(xr);
    if (xr !== undefined && ref !== undefined && !equal(at(xr.spec, ['claimRef']), claimReference(claim))) {
      return yield* refuse(claim, xr, ref, how);
    }
    const upgraded = xr === undefined ? undefined : yield* upgrade(xr, how);
    if (upgraded !== undefined) {
      const context = "cannot upgrade composite resource's managed fields from client-side to server-side apply";
      return yield* fail(claim, 'BindCompositeResource', context, {failure: upgraded}, how);
    }
    return yield* isDeleting(claim) ? finalize(claim, xr, how) : bind(claim, xr, how);
  };
}

function* readXr(claim: KubeObject, how: Claiming): Step<Result<KubeObject | undefined>> {
  const name = resourceRefOf(claim);
  return name === undefined ? success(undefined) : yield* get({...how.xrd.composite, name}, how.profile.reads);
}

function* upgrade(xr: KubeObject, {profile}: Claiming): Step<Failure | undefined> {
  if (profile.claimSync === 'client-side') return undefined;
  return yield* upgradeManagedFields(xr, (manager) => manager === managerClaim);
}

// The XR is bound to another claim: only an edit by a human helps, so there is no retry.
function* refuse(claim: KubeObject, xr: KubeObject, ref: ResourceRef, how: Claiming): Step<Outcome> {
  const {name} = xr.metadata;
  const what = `refusing to operate on composite resource "${name}" that is not bound to this claim`;
  const message = `${what}: bound to claim "${ref.name}"`;
  yield* record(claim, 'Warning', 'BindCompositeResource', message);
  yield* writeMarks(claim, [reconcileError(message)], how.profile);
  return done;
}

function* finalize(claim: KubeObject, xr: KubeObject | undefined, how: Claiming): Step<Outcome> {
  const reason = 'DeleteCompositeResource';
  const going = yield* markedNow(claim, [deleting], how.profile);
  const foreground = claim.spec?.['compositeDeletePolicy'] === 'Foreground';
  if (xr !== undefined) {
    if (isDeleting(xr) && foreground) {
      return ending(yield* updateStatus(going), 'cannot update claim status', requeue);
    }
    const failure = yield* remove(refOf(xr), foreground ? {propagationPolicy: 'Foreground'} : {});
    if (failure !== undefined)
      return yield* fail(going, reason, 'cannot delete bound composite resource', {failure}, how);
    if (foreground) return requeue;
  }
  yield* record(claim, 'Normal', reason, 'Successfully deleted composite resource');
  const removed = yield* removeFinalizer(going, finalizerClaim);
  if (!removed.ok) return yield* fail(going, reason, 'cannot remove finalizer from claim', removed, how);
  return yield* conclude(removed.value, [reconcileSuccess], how);
}

function* bind(claim: KubeObject, xr: KubeObject | undefined, how: Claiming): Step<Outcome> {
  const reason = 'BindCompositeResource';
  const finalized = yield* addFinalizer(claim, finalizerClaim);
  if (!finalized.ok) return yield* fail(claim, reason, 'cannot add finalizer to claim', finalized, how);
  const syncing = {...how, enforced: yield* enforcesComposition(how)};
  const sync = how.profile.claimSync === 'client-side' ? syncClientSide : syncServerSide;
  const synced = yield* sync(finalized.value, xr, syncing);
  if (!synced.ok) {
    return yield* fail(finalized.value, reason, 'cannot bind and sync claim with composite resource', synced, how);
  }
  const {claim: bound, xr: current} = synced.value;
  if (xr === undefined) yield* record(bound, 'Normal', reason, 'Successfully bound composite resource');
  const marked = yield* markedNow(bound, [reconcileSuccess, ...claimConditions(current)], how.profile);
  if (conditionOf(current, 'Ready')?.status !== 'True') {
    yield* record(bound, 'Normal', reason, 'Composite resource is not yet ready');
    return yield* conclude(marked, [claimWaiting], how);
  }
  const propagated = yield* propagateConnection(marked, current);
  if (!propagated.ok) {
    const context = 'cannot propagate connection details from composite resource';
    return yield* fail(marked, 'PropagateConnectionSecret', context, propagated, how);
  }
  return yield* conclude(propagated.value, [available], how);
}

function* enforcesComposition({xrd}: Claiming): Step<boolean> {
  const definitions = yield* listCached(kindDefinition);
  if (!definitions.ok) return false;
  const own = definitions.value.find((definition) => equal({...parseXrd(definition).composite}, {...xrd.composite}));
  return own?.spec?.['enforcedCompositionRef'] !== undefined;
}

// Conditions that functions addressed to the claim too.
function claimConditions(xr: KubeObject): readonly Mark[] {
  const types = (xr.status?.['claimConditionTypes'] ?? []) as readonly string[];
  return types.map((type): Mark => {
    const condition = conditionOf(xr, type);
    if (condition === undefined) return {type, status: 'Unknown', reason: ''};
    const {status, reason, message} = condition;
    return message === undefined ? {type, status, reason} : {type, status, reason, message};
  });
}

function* conclude(claim: KubeObject, marks: readonly Mark[], how: Claiming): Step<Outcome> {
  return ending(yield* writeMarks(claim, marks, how.profile), 'cannot update claim status');
}

// Copies the connection secret of an XR to where its claim wants it.
// crossplane/crossplane 2d040d2da internal/controller/apiextensions/claim/connection.go.

/** The claim, dated where the copy changed anything. */
function* propagateConnection(claim: KubeObject, xr: KubeObject): Step<Result<KubeObject>> {
  const to = at(claim.spec, ['writeConnectionSecretToRef', 'name']);
  const name = at(xr.spec, ['writeConnectionSecretToRef', 'name']);
  const namespace = at(xr.spec, ['writeConnectionSecretToRef', 'namespace']);
  if (typeof to !== 'string' || typeof name !== 'string' || typeof namespace !== 'string') return success(claim);
  const source = yield* getLive({...kindSecret, namespace, name});
  if (!source.ok) return wrapped('cannot get composite connection secret', source);
  if (source.value === undefined) return failed(`cannot get composite connection secret: secret "${name}" not found`);
  if (controllerOf(source.value)?.uid !== xr.metadata.uid) {
    return failed('cannot establish control of existing connection secret');
  }
  return yield* copy(claim, to, source.value);
}

function* copy(claim: KubeObject, name: string, source: KubeObject): Step<Result<KubeObject>> {
  const {namespace = ''} = claim.metadata;
  const current = yield* getLive({...kindSecret, namespace, name});
  if (!current.ok) return wrapped('cannot create or update connection secret', current);
  const controller = current.value === undefined ? undefined : controllerOf(current.value);
  if (controller !== undefined && controller.uid !== claim.metadata.uid) {
    return failed('cannot create or update connection secret: existing secret is not controlled by the claim');
  }
  const data = source['data'] ?? {};
  if (current.value !== undefined && equal(current.value['data'] ?? {}, data)) return success(claim);
  const secret = connectionSecret(claim, namespace, name, data);
  const resourceVersion = current.value?.metadata.resourceVersion;
  const written = yield* resourceVersion === undefined
    ? create(secret)
    : update({...secret, metadata: {...secret.metadata, resourceVersion}});
  if (!written.ok) return wrapped('cannot create or update connection secret', written);
  const lastPublishedTime = timestamp(yield* now());
  return success({...claim, status: {...claim.status, connectionDetails: {lastPublishedTime}}});
}
