// The reconciler of XRs of one kind. crossplane/crossplane 2d040d2da
// internal/controller/apiextensions/composite/reconciler.go; earlier versions by profile.
//
// A conflict anywhere is a silent retry: no event, no condition. Deleting an XR only takes the finalizer away; what it
// composed is left to the owner GC. Not modelled: reconcile requests by annotation, access reviews.

import {equal, type Json} from '../../json.ts';
import {done, memory, now, type Outcome, type Reconcile, type Step} from '../../kernel/call.ts';
import {parseKey} from '../../kernel/process.ts';
import {isDeleting, type KubeObject} from '../../object.ts';
import {timestamp} from '../../timestamp.ts';
import {annotationPollInterval, finalizerComposite, isPaused} from '../../vocabulary.ts';
import {get, removeFinalizer, updateStatus} from '../client.ts';
import {deleting, reconcileError, reconcilePaused, reconcileSuccess} from '../conditions.ts';
import {currentMemory, startWatches} from '../engine/engine.ts';
import {type Memory, trackerOf, type WatchFor, watchStarted, withTracker} from '../engine/engine-state.ts';
import {forget, kindsOf} from '../engine/tracker.ts';
import {isConflict, isInvalid, type Result, record, requeue, retryAfter, success, wrap} from '../failure.ts';
import {jittered, pollIntervalMs, pollIntervalOf} from '../intervals.ts';
import {ending, fail, markedNow, writeMarks} from '../reconciler.ts';
import {type Composing, type Composition, compose, isPolled} from './compose.ts';
import {applyFunctionOutput, markCircuit, markComposed, markUnseen} from './composite-status.ts';
import {publishConnection} from './connection.ts';
import type {BrokenRun} from './pipeline.ts';
import {prepare} from './prepare.ts';

/**
 * The parts that a host other than a control plane replaces, as upstream's render engine does
 * (internal/render/composite/render.go).
 */
export interface CompositeParts {
  readonly prepare: typeof prepare;
  readonly publish: typeof publishConnection;
}

const crossplaneParts: CompositeParts = {prepare, publish: publishConnection};

/** A reconciler for the controller of XRs that `how` describes. */
export function reconcileComposite(how: Composing, parts = crossplaneParts): (key: string) => Reconcile {
  return function* (key) {
    const read = yield* readXr(key, how);
    if (!read.ok) return retryAfter(wrap('cannot get composite resource', read.failure));
    if (read.value === undefined) {
      yield* forgetXr(key, how);
      return done;
    }
    const statusBefore = read.value.status;
    const xr = yield* markCircuit(read.value, key, how);
    if (isPaused(xr)) return yield* pause(xr, how);
    if (isDeleting(xr)) return yield* finalize(xr, key, how);
    const selected = yield* parts.prepare(xr, how);
    if (!selected.ok) return selected.outcome;
    const composed = yield* compose(selected.xr, selected.revision, how);
    if (!composed.ok) return yield* giveUp(selected.xr, composed.broken, how);
    return yield* conclude(composed.value, key, {statusBefore, how, publish: parts.publish});
  };
}

function* readXr(key: string, {controller, profile}: Composing): Step<Result<KubeObject | undefined>> {
  const ref = {...controller.xrd.composite, ...parseKey(key)};
  return yield* get(ref, profile.reads);
}

function* forgetXr(key: string, {controller}: Composing): Step<void> {
  yield* memory<Memory>((state) => {
    const tracker = state.trackers[controller.name];
    return tracker === undefined ? state : withTracker(state, controller.name, forget(tracker, key));
  });
}

function* pause(xr: KubeObject, {profile}: Composing): Step<Outcome> {
  yield* record(xr, 'Normal', 'ReconciliationPaused', 'Reconciliation is paused via the pause annotation');
  return ending(yield* writeMarks(xr, [reconcilePaused], profile), 'cannot update composite resource status');
}

function* finalize(xr: KubeObject, key: string, how: Composing): Step<Outcome> {
  const {profile} = how;
  const marked = yield* markedNow(xr, [deleting], profile);
  // The update answers with the status as stored, so what was just marked is lost where the finalizer was there.
  const removed = yield* removeFinalizer(marked, finalizerComposite);
  if (!removed.ok) {
    return yield* fail(marked, 'DeleteCompositeResource', 'cannot remove composite resource finalizer', removed, how);
  }
  yield* forgetXr(key, how);
  const updated = yield* writeMarks(removed.value, [reconcileSuccess], profile);
  return ending(updated, 'cannot update composite resource status');
}

// The pipeline or a write failed. Results and conditions that functions returned before are still written.
function* giveUp(before: KubeObject, broken: BrokenRun, {profile, fields}: Composing): Step<Outcome> {
  if (isConflict(broken.failure)) return requeue;
  const xr = broken.xr ?? before;
  const error = wrap('cannot compose resources', broken.failure);
  yield* record(xr, 'Warning', 'ComposeResources', error.message);
  // Texts of invalid objects may change from try to try; a condition that did would never come to rest.
  const message = isInvalid(error)
    ? 'cannot compose resources: some resources were invalid, check events'
    : error.message;
  const marked = yield* markedNow(xr, [reconcileError(message)], profile);
  const applied = yield* applyFunctionOutput(marked, fields.schema, broken.events, broken.conditions);
  const unseen =
    profile.functionConditions === 'applied' ? yield* markUnseen(applied, broken.conditions, profile) : applied;
  yield* updateStatus(unseen);
  return retryAfter(error);
}

interface Concluding {
  readonly statusBefore: Json | undefined;
  readonly how: Composing;
  readonly publish: CompositeParts['publish'];
}

function* conclude(composition: Composition, key: string, {statusBefore, how, publish}: Concluding): Step<Outcome> {
  const {profile, controller, fields} = how;
  const watching = yield* watchDependencies(composition.xr, how);
  if (!watching.ok) {
    const context = 'cannot watch resource for changes';
    return yield* fail(composition.xr, 'WatchComposedResources', context, watching, how);
  }
  const publishes = fields.schema === 'legacy';
  const published = publishes
    ? yield* publish(composition.xr, composition.connectionDetails, controller.xrd.connectionSecretKeys)
    : success(false);
  if (!published.ok) {
    return yield* fail(composition.xr, 'PublishConnectionSecret', 'cannot publish connection details', published, how);
  }
  const dated = published.value ? withPublishedTime(composition.xr, yield* now()) : composition.xr;
  const applied = yield* applyFunctionOutput(dated, fields.schema, composition.events, composition.conditions);
  const judged = yield* markComposed({...composition, xr: applied}, profile);
  const outcome = yield* outcomeOf(judged.xr, judged.settled, composition.ttlMs, key, how);
  if (profile.statusUpdate === 'when-changed' && equal(statusBefore, judged.xr.status)) return outcome;
  return ending(yield* updateStatus(judged.xr), 'cannot update composite resource status', outcome);
}

function* watchDependencies(xr: KubeObject, how: Composing): Step<Result<void>> {
  if (!how.realtime) return success(undefined);
  const {profile, controller, fields} = how;
  const {name} = controller;
  if (profile.engine === 'tracker') {
    const state = yield* currentMemory();
    return yield* startWatches(name, kindsOf(trackerOf(state, name)).map(composedWatch));
  }
  const watches = fields.resourceRefs(xr).map(composedWatch);
  if (profile.engine !== 'informers') return yield* startWatches(name, watches);
  // v1.16 starts the informers and does not wait for them.
  for (const watch of watches) {
    yield* memory<Memory>((state) => {
      const watching = state.controllers[name]?.watches.some(
        (other) => other.type === 'Composed' && other.kind === watch.kind,
      );
      return watching === true ? state : watchStarted(state, name, watch, 1);
    });
  }
  return success(undefined);
}

function composedWatch({apiVersion, kind}: {readonly apiVersion: string; readonly kind: string}): WatchFor {
  return {type: 'Composed', apiVersion, kind};
}

function withPublishedTime(xr: KubeObject, nowMs: number): KubeObject {
  return {...xr, status: {...xr.status, connectionDetails: {lastPublishedTime: timestamp(nowMs)}}};
}

function* outcomeOf(
  xr: KubeObject,
  settled: boolean,
  ttlMs: number | undefined,
  key: string,
  how: Composing,
): Step<Outcome> {
  const {profile} = how;
  const polls = isPolled(how);
  if (polls && !settled) return requeue;
  const asked = pollIntervalOf(xr.metadata.annotations?.[annotationPollInterval]);
  const annotated = profile.definitionApi === 'v1' ? undefined : asked;
  const intervalMs = polls ? (annotated ?? pollIntervalMs) : (ttlMs ?? annotated);
  if (intervalMs === undefined) return done;
  const afterMs = profile.steadyPolls === true ? intervalMs : jittered(intervalMs, key, yield* now());
  return {kind: 'requeue-after', afterMs};
}
