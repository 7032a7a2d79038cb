// The reconciler of XRDs that offer a claim: defines the kind of claim and runs its controller.
// crossplane/crossplane 2d040d2da internal/controller/apiextensions/offered/reconciler.go.

import {done, type Outcome, type Reconcile, type Step} from '../kernel/call.ts';
import {controllerOf, isDeleting, type KubeObject, refOf} from '../object.ts';
import {addFinalizer, getCached, listLive, remove, removeFinalizer, updateStatus} from './client.ts';
import type {Mark} from './conditions.ts';
import {applyCrd, controllerType, fail, markedNow, withControllerType, writeStatus} from './definition.ts';
import {isRunning, start, startWatches, stop} from './engine/engine.ts';
import {type Result, record, requeue, retryAfter, success, wrap} from './failure.ts';
import type {Profile} from './profile.ts';
import {finalizerOffered, kindCrd, kindDefinition} from './vocabulary.ts';
import {claimCrd, isEstablished} from './xr-crd.ts';
import {claimCrdName, offersClaim, parseXrd} from './xrd.ts';

function claimController(xrdName: string): string {
  return `claim/${xrdName}`;
}

const watching: Mark = {type: 'Offered', status: 'True', reason: 'WatchingCompositeResourceClaim'};
const terminating: Mark = {type: 'Offered', status: 'False', reason: 'TerminatingCompositeResourceClaim'};

export function reconcileOffered(profile: Profile): (key: string) => Reconcile {
  return function* (key) {
    const read = yield* getCached({...kindDefinition, name: key});
    if (!read.ok) return retryAfter(wrap('cannot get CompositeResourceDefinition', read.failure));
    if (read.value === undefined || !offersClaim(read.value)) return done;
    return yield* isDeleting(read.value) ? redact(read.value, profile) : offer(read.value, profile);
  };
}

function* offer(xrd: KubeObject, profile: Profile): Step<Outcome> {
  const finalized = yield* addFinalizer(xrd, finalizerOffered);
  if (!finalized.ok) return yield* fail(xrd, 'OfferClaim', 'cannot add composite resource claim finalizer', finalized);
  const definition = finalized.value;
  const crd = yield* applyCrd(claimCrd(definition, profile), definition);
  if (!crd.ok) {
    const context = 'cannot apply rendered composite resource claim CustomResourceDefinition';
    return yield* fail(definition, 'OfferClaim', context, crd);
  }
  if (!isEstablished(crd.value)) {
    const message = 'waiting for composite resource claim CustomResourceDefinition to be established';
    yield* record(definition, 'Normal', 'OfferClaim', message);
    return requeue;
  }
  const started = yield* startController(definition, profile);
  if (!started.ok) {
    return yield* fail(definition, 'OfferClaim', 'cannot start composite resource claim controller watches', started);
  }
  const {claim, composite} = parseXrd(definition);
  const typed = withControllerType(definition, 'compositeResourceClaimType', claim ?? composite);
  return yield* writeStatus(typed, watching, profile);
}

function* startController(xrd: KubeObject, profile: Profile): Step<Result<void>> {
  const name = claimController(xrd.metadata.name);
  const parsed = parseXrd(xrd);
  const {claim} = parsed;
  if (claim === undefined) return success(undefined);
  const observed = controllerType(xrd, 'compositeResourceClaimType')?.['apiVersion'];
  if (typeof observed === 'string' && observed !== '' && observed !== claim.apiVersion) yield* stop(name, profile);
  const leaveAlone = profile.engine === 'informers' || profile.engine === 'collects-all';
  if (leaveAlone && (yield* isRunning(name))) return success(undefined);
  // Watches of claims are never collected.
  yield* start(name, {type: 'claim', xrd: parsed}, false);
  return yield* startWatches(name, [
    {type: 'Claim', ...claim},
    {type: 'CompositeResource', ...parsed.composite},
  ]);
}

function* redact(xrd: KubeObject, profile: Profile): Step<Outcome> {
  const status = yield* updateStatus(yield* markedNow(xrd, terminating, profile));
  if (!status.ok) return retryAfter(wrap('cannot update status of CompositeResourceDefinition', status.failure));
  const definition = status.value;
  const name = claimController(xrd.metadata.name);
  const crd = yield* getCached({...kindCrd, name: claimCrdName(xrd)});
  if (!crd.ok) {
    const context = 'cannot get composite resource claim CustomResourceDefinition';
    return yield* fail(definition, 'RedactClaim', context, crd);
  }
  if (crd.value === undefined || controllerOf(crd.value)?.uid !== xrd.metadata.uid) {
    yield* stop(name, profile);
    const removed = yield* removeFinalizer(definition, finalizerOffered);
    if (removed.ok) return done;
    return yield* fail(definition, 'RedactClaim', 'cannot remove composite resource claim finalizer', removed);
  }
  const left = yield* deleteClaims(definition);
  if (!left.ok) return yield* fail(definition, 'RedactClaim', 'cannot delete composite resource claim', left);
  if (left.value > 0) {
    yield* record(definition, 'Normal', 'RedactClaim', 'waiting for composite resource claims to be deleted');
    return requeue;
  }
  yield* stop(name, profile);
  const deleted = yield* remove(refOf(crd.value));
  if (deleted === undefined) return requeue;
  const context = 'cannot delete composite resource claim CustomResourceDefinition';
  return yield* fail(definition, 'RedactClaim', context, {failure: deleted});
}

// One by one, since a collection of a namespaced kind cannot be deleted across namespaces. Answers how many there were.
function* deleteClaims(xrd: KubeObject): Step<Result<number>> {
  const {claim} = parseXrd(xrd);
  if (claim === undefined) return success(0);
  const claims = yield* listLive(claim);
  if (!claims.ok) return claims;
  for (const object of claims.value) {
    const failure = yield* remove(refOf(object));
    if (failure !== undefined) return {ok: false, failure};
  }
  return success(claims.value.length);
}
