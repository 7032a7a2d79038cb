// The reconciler of WatchOperations: starts a controller that watches what it names, and stops it with the WatchOperation.
// crossplane/crossplane 2d040d2da internal/controller/ops/watchoperation/reconciler.go, constructor.go, watch.go, the same
// in v2.3.4. Labels and namespace are those of the moment when the watch started: later ones are heard of by the next
// process. A paused WatchOperation keeps its controller, which then makes nothing.

import {at} from '../../json.ts';
import {done, type Outcome, type Reconcile, type Step} from '../../kernel/call.ts';
import {keyOf} from '../../kernel/process.ts';
import {isDeleting, type KubeObject} from '../../object.ts';
import {finalizerWatchOperation, isPaused, kindWatchOperation, labelWatchOperation} from '../../vocabulary.ts';
import {addFinalizer, listLive, removeFinalizer} from '../client.ts';
import {type Mark, reconcilePaused, reconcileSuccess} from '../conditions.ts';
import {start, startWatches, stop} from '../engine/engine.ts';
import type {WatchedObjects} from '../engine/engine-state.ts';
import {wrap} from '../failure.ts';
import type {Profile} from '../profile.ts';
import {reconciles} from '../reconciler.ts';
import {
  afterWrite,
  collectHistory,
  operationsOf,
  refuse,
  runningOf,
  withHistory,
  writeStatus,
} from './operation-objects.ts';

const active: Mark = {type: 'Watching', status: 'True', reason: 'WatchActive'};
const paused: Mark = {type: 'Watching', status: 'False', reason: 'WatchPaused'};

export function reconcileWatchOperation(profile: Profile): (key: string) => Reconcile {
  return reconciles(kindWatchOperation, 'WatchOperation', function* (object) {
    if (isDeleting(object)) return yield* end(object, profile);
    const added = yield* addFinalizer(object, finalizerWatchOperation);
    if (!added.ok) {
      const failure = wrap('cannot add watched resource finalizer', added.failure);
      return yield* refuse(object, 'EstablishWatched', failure);
    }
    const watch = added.value;
    if (isPaused(watch)) return afterWrite(yield* writeStatus(watch, [paused, reconcilePaused]));
    const operations = yield* operationsOf(labelWatchOperation, watch.metadata.name);
    if (!operations.ok) return yield* refuse(watch, 'EstablishWatched', operations.failure);
    const names = runningOf(operations.value).map(({metadata}) => metadata.name);
    const next = yield* withCount(withHistory(watch, operations.value, names));
    const failure = yield* collectHistory(next, operations.value);
    if (failure !== undefined) return yield* refuse(next, 'GarbageCollectOperations', failure);
    return yield* establish(next);
  });
}

function* establish(watch: KubeObject): Step<Outcome> {
  const objects = watchedBy(watch);
  const name = watchedController(watch.metadata.name);
  yield* start(name, {type: 'watched', objects}, false);
  const {apiVersion, kind} = objects;
  const started = yield* startWatches(name, [{type: 'WatchOperation', apiVersion, kind}]);
  if (started.ok) return afterWrite(yield* writeStatus(watch, [active, reconcileSuccess]));
  const failure = wrap('cannot start watched resource controller watches', started.failure);
  const mark: Mark = {type: 'Watching', status: 'False', reason: 'WatchFailed', message: failure.message};
  return yield* refuse(watch, 'EstablishWatched', failure, [mark]);
}

function* end(watch: KubeObject, profile: Profile): Step<Outcome> {
  yield* stop(watchedController(watch.metadata.name), profile);
  const removed = yield* removeFinalizer(watch, finalizerWatchOperation);
  if (removed.ok) return done;
  return yield* refuse(watch, 'TerminateWatched', wrap('cannot remove watched resource finalizer', removed.failure));
}

/** Best effort: what cannot be listed is not counted. */
function* withCount(watch: KubeObject): Step<KubeObject> {
  const {apiVersion, kind, namespace, labels} = watchedBy(watch);
  const place = namespace === '' ? {} : {namespace};
  const listed = yield* listLive({apiVersion, kind, ...place, selector: {matchLabels: labels}});
  if (!listed.ok) return watch;
  const {watchingResources: _, ...status} = watch.status ?? {};
  const count = listed.value.length;
  return {...watch, status: count === 0 ? status : {...status, watchingResources: count}};
}

function watchedBy(watch: KubeObject): WatchedObjects {
  const field = (name: string) => String(at(watch.spec, ['watch', name]) ?? '');
  const labels = (at(watch.spec, ['watch', 'matchLabels']) ?? {}) as WatchedObjects['labels'];
  return {
    operation: watch.metadata.name,
    apiVersion: field('apiVersion'),
    kind: field('kind'),
    namespace: field('namespace'),
    labels,
  };
}

function watchedController(name: string): string {
  return `watched/${name}`;
}

/** The key of an object that the watch selects; none for other objects. An object without a namespace matches any. */
export function watchedKeys({namespace, labels}: WatchedObjects, {metadata}: KubeObject): readonly string[] {
  const elsewhere = namespace !== '' && metadata.namespace !== undefined && metadata.namespace !== namespace;
  const matches = Object.entries(labels).every(([key, value]) => metadata.labels?.[key] === value);
  return elsewhere || !matches ? [] : [keyOf(metadata)];
}
