// The reconciler of XRDs that offer a claim: defines the kind of claim and runs its controller.
// crossplane/crossplane 2d040d2da internal/controller/apiextensions/offered/reconciler.go.

import {done, type Reconcile, type Step} from '../kernel/call.ts';
import {type KubeObject, refOf} from '../object.ts';
import {finalizerOffered, kindDefinition} from '../vocabulary.ts';
import {listLive, remove} from './client.ts';
import {type DefinedKind, reconcileKind, startedVersion, startWith} from './defining.ts';
import {stop} from './engine/engine.ts';
import {failedWith, type Result, success} from './failure.ts';
import type {Profile} from './profile.ts';
import {reconciles} from './reconciler.ts';
import {claimCrd, claimCrdProblem} from './xr-crd.ts';
import {claimCrdName, offersClaim, parseXrd} from './xrd.ts';

export function reconcileOffered(profile: Profile): (key: string) => Reconcile {
  const defined: DefinedKind = {
    what: 'composite resource claim',
    objects: {refused: 'composite resource claim', waiting: 'composite resource claims'},
    reasons: {define: 'OfferClaim', end: 'RedactClaim'},
    watching: {type: 'Offered', status: 'True', reason: 'WatchingCompositeResourceClaim'},
    terminating: {type: 'Offered', status: 'False', reason: 'TerminatingCompositeResourceClaim'},
    finalizer: finalizerOffered,
    typeField: 'compositeResourceClaimType',
    controller: (xrd) => `claim/${xrd.metadata.name}`,
    kind: claimKind,
    crdName: claimCrdName,
    crd: claimCrd,
    crdProblem: claimCrdProblem,
    startController: (xrd) => startController(xrd, defined, profile),
    deleteAll: deleteClaims,
  };
  return reconciles(kindDefinition, 'CompositeResourceDefinition', function* (xrd) {
    return offersClaim(xrd) ? yield* reconcileKind(xrd, defined, profile) : done;
  });
}

function claimKind(xrd: KubeObject) {
  const {claim, composite} = parseXrd(xrd);
  return claim ?? composite;
}

function* startController(xrd: KubeObject, defined: DefinedKind, profile: Profile): Step<Result<void>> {
  const name = defined.controller(xrd);
  const parsed = parseXrd(xrd);
  const {claim, composite} = parsed;
  if (claim === undefined) return success(undefined);
  if ((startedVersion(xrd, defined) ?? claim.apiVersion) !== claim.apiVersion) yield* stop(name, profile);
  const watches = [
    {type: 'Claim', ...claim},
    {type: 'CompositeResource', ...composite},
  ] as const;
  // Watches of claims are never collected.
  return yield* startWith(name, {type: 'claim', xrd: parsed}, {collectsWatches: false, watches}, profile);
}

// One by one, since a collection of a namespaced kind cannot be deleted across namespaces. Answers how many there were.
function* deleteClaims(xrd: KubeObject): Step<Result<number>> {
  const {claim} = parseXrd(xrd);
  if (claim === undefined) return success(0);
  const claims = yield* listLive(claim);
  if (!claims.ok) return claims;
  for (const object of claims.value) {
    const failure = yield* remove(refOf(object));
    if (failure !== undefined) return failedWith(failure);
  }
  return success(claims.value.length);
}
