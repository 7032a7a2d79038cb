// The reconciler of XRDs: defines the kind of XR and runs its controller, or takes both away.
// crossplane/crossplane 2d040d2da internal/controller/apiextensions/definition/reconciler.go.
//
// Deletion sends one DELETE of the collection for all XRs. For a namespaced kind that is a 404, which upstream ignores. The XRs
// then stay, and the XRD waits for them for ever.

import {type Reconcile, type Step, throughClient} from '../kernel/call.ts';
import {conditionOf, isTrue, type KubeObject} from '../object.ts';
import {finalizerDefined, kindDefinition, kindRevision} from '../vocabulary.ts';
import {listLive} from './client.ts';
import {type DefinedKind, reconcileKind, startedVersion, startWith} from './defining.ts';
import {isRunning, start, stop} from './engine/engine.ts';
import {failedWith, failureOf, isNoMatch, isNotFound, type Result, record, success, wrapped} from './failure.ts';
import type {Profile} from './profile.ts';
import {reconciles} from './reconciler.ts';
import {xrCrd, xrCrdProblem} from './xr-crd.ts';
import {parseXrd} from './xrd.ts';

export interface Defining {
  readonly profile: Profile;
  readonly realtime: boolean;
}

export function reconcileDefinition(how: Defining): (key: string) => Reconcile {
  const defined: DefinedKind = {
    what: 'composite resource',
    objects: {refused: 'defined composite resources', waiting: 'defined composite resources'},
    reasons: {define: 'EstablishComposite', end: 'TerminateComposite'},
    watching: {type: 'Established', status: 'True', reason: 'WatchingCompositeResource'},
    terminating: {type: 'Established', status: 'False', reason: 'TerminatingCompositeResource'},
    finalizer: finalizerDefined,
    typeField: 'compositeResourceType',
    controller: (xrd) => `composite/${xrd.metadata.name}`,
    kind: (xrd) => parseXrd(xrd).composite,
    crdName: (xrd) => xrd.metadata.name,
    crd: xrCrd,
    crdProblem: xrCrdProblem,
    startController: (xrd) => startController(xrd, defined, how),
    deleteAll: deleteXrs,
  };
  return reconciles(kindDefinition, 'CompositeResourceDefinition', (xrd) => reconcileKind(xrd, defined, how.profile));
}

function* startController(xrd: KubeObject, defined: DefinedKind, {profile, realtime}: Defining): Step<Result<void>> {
  const name = defined.controller(xrd);
  const parsed = parseXrd(xrd);
  const work = {type: 'composite', xrd: parsed} as const;
  const inherited = !(yield* isRunning(name)) && isTrue(xrd, 'Established');
  if (needsRestart(xrd, defined, profile)) {
    const message = 'XRD specification changed; restarting controller to apply updates';
    yield* record(xrd, 'Normal', 'RestartComposite', message);
    yield* stop(name, profile);
  }
  if (realtime && inherited && profile.realtimeRestart === 'dead-controllers') {
    yield* start(name, work, realtime);
    return success(undefined);
  }
  const watches = [
    {type: 'CompositeResource', ...parsed.composite},
    {type: 'CompositionRevision', ...kindRevision},
  ] as const;
  return yield* startWith(name, work, {collectsWatches: realtime, watches}, profile);
}

function needsRestart(xrd: KubeObject, defined: DefinedKind, profile: Profile): boolean {
  if (profile.definitionRestart === 'generation') {
    const condition = conditionOf(xrd, 'Established');
    if (condition?.reason !== defined.watching.reason || condition.observedGeneration === undefined) return false;
    return condition.observedGeneration !== xrd.metadata.generation;
  }
  return (startedVersion(xrd, defined) ?? defined.kind(xrd).apiVersion) !== defined.kind(xrd).apiVersion;
}

function* deleteXrs(xrd: KubeObject): Step<Result<number>> {
  const {composite} = parseXrd(xrd);
  const deleted = yield* throughClient({verb: 'delete-collection', ...composite});
  if (!deleted.ok) {
    const failure = failureOf(deleted);
    if (!isNoMatch(failure) && !isNotFound(failure)) return failedWith(failure);
  }
  const left = yield* listLive(composite);
  if (left.ok) return success(left.value.length);
  return isNoMatch(left.failure) ? success(0) : wrapped('cannot list defined composite resources', left);
}
