// The reconciler of XRDs: defines the kind of XR and runs its controller, or takes both away.
// crossplane/crossplane 2d040d2da internal/controller/apiextensions/definition/reconciler.go.
//
// Deletion asks for every XR with one DELETE of the collection. For a namespaced kind that is a 404, which is ignored,
// and the XRD then waits for XRs that nobody deletes: it never ends.

import {withAt} from '../json.ts';
import {done, now, type Outcome, type Reconcile, type Step, throughClient} from '../kernel/call.ts';
import {conditionOf, controllerOf, isDeleting, type KubeObject, refOf} from '../object.ts';
import {addFinalizer, create, getCached, listLive, remove, removeFinalizer, update, updateStatus} from './client.ts';
import {type Mark, marked} from './conditions.ts';
import {isRunning, start, startWatches, stop} from './engine/engine.ts';
import {
  type Failure,
  failed,
  failureOf,
  isConflict,
  isNoMatch,
  isNotFound,
  type Result,
  record,
  requeue,
  retryAfter,
  success,
  wrap,
  wrapped,
} from './failure.ts';
import type {Profile} from './profile.ts';
import {finalizerDefined, kindCrd, kindDefinition, kindRevision} from './vocabulary.ts';
import {isEstablished, xrCrd} from './xr-crd.ts';
import {parseXrd} from './xrd.ts';

export interface Defining {
  readonly profile: Profile;
  readonly realtime: boolean;
}

function compositeController(xrdName: string): string {
  return `composite/${xrdName}`;
}

const watching: Mark = {type: 'Established', status: 'True', reason: 'WatchingCompositeResource'};
const terminating: Mark = {type: 'Established', status: 'False', reason: 'TerminatingCompositeResource'};

export function reconcileDefinition(how: Defining): (key: string) => Reconcile {
  return function* (key) {
    const read = yield* getCached({...kindDefinition, name: key});
    if (!read.ok) return retryAfter(wrap('cannot get CompositeResourceDefinition', read.failure));
    if (read.value === undefined) return done;
    return yield* isDeleting(read.value) ? terminate(read.value, how) : establish(read.value, how);
  };
}

function* establish(xrd: KubeObject, how: Defining): Step<Outcome> {
  const {profile} = how;
  const finalized = yield* addFinalizer(xrd, finalizerDefined);
  if (!finalized.ok)
    return yield* fail(xrd, 'EstablishComposite', 'cannot add composite resource finalizer', finalized);
  const crd = yield* applyCrd(xrCrd(finalized.value, profile), finalized.value);
  const definition = finalized.value;
  if (!crd.ok) {
    const context = 'cannot apply rendered composite resource CustomResourceDefinition';
    return yield* fail(definition, 'EstablishComposite', context, crd);
  }
  if (!isEstablished(crd.value)) {
    const message = 'waiting for composite resource CustomResourceDefinition to be established';
    yield* record(definition, 'Normal', 'EstablishComposite', message);
    return requeue;
  }
  const started = yield* startController(definition, how);
  if (!started.ok) {
    return yield* fail(definition, 'EstablishComposite', 'cannot start composite resource controller watches', started);
  }
  const {composite} = parseXrd(definition);
  const typed = withControllerType(definition, 'compositeResourceType', composite);
  return yield* writeStatus(typed, watching, profile);
}

function* startController(xrd: KubeObject, {profile, realtime}: Defining): Step<Result<void>> {
  const name = compositeController(xrd.metadata.name);
  const parsed = parseXrd(xrd);
  const inherited = !(yield* isRunning(name)) && conditionOf(xrd, 'Established')?.status === 'True';
  if (needsRestart(xrd, profile)) {
    yield* record(
      xrd,
      'Normal',
      'RestartComposite',
      'XRD specification changed; restarting controller to apply updates',
    );
    yield* stop(name, profile);
  }
  // Before v1.20 a running controller was left alone, so watches that were collected stay away.
  const leaveAlone = profile.engine === 'informers' || profile.engine === 'collects-all';
  if (leaveAlone && (yield* isRunning(name))) return success(undefined);
  yield* start(name, {type: 'composite', xrd: parsed}, realtime);
  if (realtime && inherited && profile.realtimeRestart === 'dead-controllers') return success(undefined);
  return yield* startWatches(name, [
    {type: 'CompositeResource', ...parsed.composite},
    {type: 'CompositionRevision', ...kindRevision},
  ]);
}

function needsRestart(xrd: KubeObject, profile: Profile): boolean {
  if (profile.definitionRestart === 'generation') {
    const condition = conditionOf(xrd, 'Established');
    if (condition?.reason !== watching.reason || condition.observedGeneration === undefined) return false;
    return condition.observedGeneration !== xrd.metadata.generation;
  }
  const observed = controllerType(xrd, 'compositeResourceType')?.['apiVersion'];
  return typeof observed === 'string' && observed !== '' && observed !== parseXrd(xrd).composite.apiVersion;
}

function* terminate(xrd: KubeObject, how: Defining): Step<Outcome> {
  const {profile} = how;
  const status = yield* updateStatus(yield* markedNow(xrd, terminating, profile));
  if (!status.ok) return retryAfter(wrap('cannot update status of CompositeResourceDefinition', status.failure));
  const definition = status.value;
  const name = compositeController(xrd.metadata.name);
  const crd = yield* getCached({...kindCrd, name: xrd.metadata.name});
  if (!crd.ok) {
    const context = 'cannot get composite resource CustomResourceDefinition';
    return yield* fail(definition, 'TerminateComposite', context, crd);
  }
  if (crd.value === undefined || controllerOf(crd.value)?.uid !== xrd.metadata.uid) {
    yield* stop(name, profile);
    const removed = yield* removeFinalizer(definition, finalizerDefined);
    if (removed.ok) return done;
    return yield* fail(definition, 'TerminateComposite', 'cannot remove composite resource finalizer', removed);
  }
  const left = yield* deleteXrs(definition);
  if (!left.ok) return yield* fail(definition, 'TerminateComposite', 'cannot delete defined composite resources', left);
  if (left.value > 0) {
    yield* record(definition, 'Normal', 'TerminateComposite', 'waiting for defined composite resources to be deleted');
    return requeue;
  }
  yield* stop(name, profile);
  const deleted = yield* remove(refOf(crd.value));
  if (deleted === undefined) return requeue;
  const context = 'cannot delete composite resource CustomResourceDefinition';
  return yield* fail(definition, 'TerminateComposite', context, {failure: deleted});
}

/** Deletes every XR and answers how many are left. */
function* deleteXrs(xrd: KubeObject): Step<Result<number>> {
  const {composite} = parseXrd(xrd);
  const deleted = yield* throughClient({verb: 'delete-collection', ...composite});
  if (!deleted.ok) {
    const failure = failureOf(deleted);
    if (!isNoMatch(failure) && !isNotFound(failure)) return {ok: false, failure};
  }
  const left = yield* listLive(composite);
  if (left.ok) return success(left.value.length);
  return isNoMatch(left.failure) ? success(0) : wrapped('cannot list defined composite resources', left);
}

/** Creates or updates the CRD of a kind an XRD defines; refuses one that something else controls. */
export function* applyCrd(crd: KubeObject, xrd: KubeObject): Step<Result<KubeObject>> {
  const current = yield* getCached(refOf(crd));
  if (!current.ok) return wrapped('cannot get object', current);
  if (current.value === undefined) return wrapped('cannot create object', yield* create(crd));
  const controller = controllerOf(current.value);
  if (controller !== undefined && controller.uid !== xrd.metadata.uid) {
    return failed(`existing object is not controlled by UID "${xrd.metadata.uid}"`);
  }
  const {resourceVersion = ''} = current.value.metadata;
  return wrapped('cannot update object', yield* update(withAt(crd, ['metadata', 'resourceVersion'], resourceVersion)));
}

export function* markedNow(xrd: KubeObject, mark: Mark, profile: Profile): Step<KubeObject> {
  return marked(xrd, [mark], {nowMs: yield* now(), observedGeneration: profile.observedGeneration});
}

export function* writeStatus(xrd: KubeObject, mark: Mark, profile: Profile): Step<Outcome> {
  const status = yield* updateStatus(yield* markedNow(xrd, mark, profile));
  return status.ok ? done : retryAfter(wrap('cannot update status of CompositeResourceDefinition', status.failure));
}

type ControllerTypeField = 'compositeResourceType' | 'compositeResourceClaimType';

export function controllerType(xrd: KubeObject, field: ControllerTypeField) {
  const controllers = xrd.status?.['controllers'] as {readonly [field: string]: KubeObject['status']} | undefined;
  return controllers?.[field];
}

// Go writes the type of a controller that does not run as empty strings.
export function withControllerType(
  xrd: KubeObject,
  field: ControllerTypeField,
  {apiVersion, kind}: {readonly apiVersion: string; readonly kind: string},
): KubeObject {
  const empty = {apiVersion: '', kind: ''};
  const controllers = {
    compositeResourceClaimType: controllerType(xrd, 'compositeResourceClaimType') ?? empty,
    compositeResourceType: controllerType(xrd, 'compositeResourceType') ?? empty,
    [field]: {apiVersion, kind},
  };
  return {...xrd, status: {...xrd.status, controllers}};
}

export function* fail(
  xrd: KubeObject,
  reason: string,
  context: string,
  {failure}: {readonly failure: Failure},
): Step<Outcome> {
  if (isConflict(failure)) return requeue;
  const error = wrap(context, failure);
  yield* record(xrd, 'Warning', reason, error.message);
  return retryAfter(error);
}
