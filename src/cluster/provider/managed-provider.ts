// A provider process: one controller per managed kind. Its own kind wakes it through the filter of generated controllers, with the
// rate limiter of crossplane-runtime (1 s doubling to 60 s per object). Operations and Terraform states of asynchronous kinds are
// memory and die with the process.
// Source: crossplane/crossplane-runtime 4e7ed235 pkg/ratelimiter/default.go, pkg/controller/options.go:83; crossplane/upjet
// dbfccb48 pkg/pipeline/templates/controller.go.tmpl:118-152. Not modelled: leader election and the global token bucket.

import type {WatchEvent} from '../api/request.ts';
import {type ExternalView, externalRequest} from '../cloud/cloud-protocol.ts';
import {reconcileError, reconcileSuccess} from '../crossplane/conditions.ts';
import type {JsonObject} from '../json.ts';
import {api, cached, enqueue, note, now, type Step} from '../kernel/call.ts';
import {type Controller, keyOf, type Process, type Watch} from '../kernel/process.ts';
import {remembering} from '../memo.ts';
import {type KubeObject, refOf} from '../object.ts';
import {annotationCreateFailed, annotationCreatePending} from '../vocabulary.ts';
import {annotationsOf} from './annotations.ts';
import {asyncClient, asyncRoutine, uidOf} from './async-client.ts';
import {
  asyncOperationFinished,
  type ConditionDraft,
  lastAsyncOperationFailed,
  lastAsyncOperationSucceeded,
  withConditionsSet,
} from './conditions.ts';
import {ask, crashPoint, refusal} from './external-client.ts';
import {reconcileManaged} from './managed.ts';
import {desiredFields, type ManagedKind, type ProviderSettings} from './managed-kind.ts';
import {controllerName, statusBody} from './managed-writes.ts';
import {askedId} from './name-format.ts';
import {
  changeTracker,
  countCallbackFailure,
  emptyMemory,
  forgetCallbackFailures,
  markEnd,
  type OperationType,
  type ProviderMemory,
  trackerIfKept,
} from './operation-tracker.ts';
import {type ConfigKind, configControllers, configWatches, noSecrets} from './provider-config.ts';
import {runtimeVersions} from './runtime-version.ts';
import {syncClient} from './sync-client.ts';

export interface ManagedProviderOptions extends Partial<ProviderSettings> {
  readonly name: string;
  readonly kinds: readonly ManagedKind[];
  /** Whose finalizers and users it keeps: all of `configs` unless another provider keeps some. */
  readonly ownConfigs?: readonly ConfigKind[];
}

const oneMinuteMs = 60_000;

export function managedProvider({
  name,
  kinds,
  ownConfigs,
  ...options
}: ManagedProviderOptions): Process<ProviderMemory> {
  const settings: ProviderSettings = {
    manager: name,
    pollMs: oneMinuteMs,
    minPollMs: 0,
    creationGraceMs: 30_000,
    managementPolicies: true,
    runtime: runtimeVersions['v2.4'],
    criticalPauseMs: 0,
    configs: [],
    secrets: noSecrets,
    ...options,
  };
  const {configs, manager} = settings;
  const kept = ownConfigs ?? configs;
  const controllers = [...kinds.map((kind) => controllerOf(kind, settings)), ...configControllers(kept, manager)];
  const watches = [...kinds.map(watchOf), ...configWatches<ProviderMemory>(kept)];
  return {
    name,
    start: () => emptyMemory,
    controllers: () => controllers,
    watches: () => watches,
    workQueue: settings.runtime.workQueue,
    routines: Object.fromEntries(
      operationTypes.map((type) => [
        asyncRoutine[type],
        (input: JsonObject) => operation(type, kinds, settings, input),
      ]),
    ),
  };
}

const operationTypes: readonly OperationType[] = ['create', 'update', 'delete'];

function controllerOf(kind: ManagedKind, settings: ProviderSettings): Controller {
  const client = kind.client === 'sync' ? syncClient(kind) : asyncClient(kind, settings);
  return {
    name: controllerName(kind),
    reconcile: (key) => reconcileManaged(kind, settings, client, key),
    backoff: {baseMs: 1000, maxMs: oneMinuteMs},
    timeoutMs: oneMinuteMs + 30_000,
  };
}

function watchOf(kind: ManagedKind): Watch<ProviderMemory> {
  return {
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    controller: controllerName(kind),
    id: 'managed',
    handle: (event, {before}) => ({keys: wakes(event, before) ? [{key: keyOf(event.object.metadata)}] : []}),
  };
}

function* operation(
  type: OperationType,
  kinds: readonly ManagedKind[],
  settings: ProviderSettings,
  input: JsonObject,
): Step<void> {
  const copy = input['object'] as KubeObject;
  const kind = kinds.find(({apiVersion, kind: name}) => apiVersion === copy.apiVersion && name === copy.kind);
  if (kind === undefined) throw new Error(`no controller of this provider started an operation on a ${copy.kind}`);
  yield* runOperation(type, kind, settings, copy);
}

// The event filter of generated controllers: changes of labels, spec (by generation) and annotations wake the
// controller, status and finalizers do not, and of the annotations those for a pending or a failed create do not either.
// So removing external-create-pending by hand, as the refusal's message asks for, wakes nothing by itself.
// Source: crossplane/crossplane-runtime 4e7ed235 pkg/resource/predicates.go:55-125.

const ignoredAnnotations: readonly string[] = [annotationCreateFailed, annotationCreatePending];

/** True if the event wakes the controller. `before`: the object as the cache had it. */
export function wakes(event: WatchEvent, before: KubeObject | undefined): boolean {
  if (event.type !== 'MODIFIED' || before === undefined) return true;
  const {metadata} = event.object;
  return (
    metadata.generation !== before.metadata.generation ||
    differ(metadata.labels ?? {}, before.metadata.labels ?? {}) ||
    differ(watchedAnnotations(event.object), watchedAnnotations(before))
  );
}

const watchedAnnotations = remembering((object: KubeObject): {readonly [key: string]: string} =>
  Object.fromEntries(Object.entries(annotationsOf(object)).filter(([key]) => !ignoredAnnotations.includes(key))),
);

function differ(left: {readonly [key: string]: string}, right: {readonly [key: string]: string}): boolean {
  const keys = Object.keys(left);
  return keys.length !== Object.keys(right).length || keys.some((key) => left[key] !== right[key]);
}

// The goroutine of an asynchronous operation and the callback at its end, which writes status from the informer's copy
// (so a 409 loses it) and asks for a reconcile. Source: crossplane/upjet dbfccb48
// pkg/controller/external_async_tfpluginsdk.go:140-184, pkg/controller/api.go:124-170, handler/eventhandler.go:73-110.

const failureReason = {
  create: 'AsyncCreateFailure',
  update: 'AsyncUpdateFailure',
  delete: 'AsyncDeleteFailure',
} as const;

/** Runs the operation on a copy of the object to its end, and then the callback. */
export function* runOperation(
  type: OperationType,
  kind: ManagedKind,
  settings: ProviderSettings,
  copy: KubeObject,
): Step<void> {
  const uid = uidOf(copy);
  const cause = yield* carryOut(type, kind, copy);
  const error = cause === undefined ? undefined : `async ${type} failed: ${cause}`;
  const errorBefore = yield* markEnd(uid, error);
  yield* crashPoint('async-ended');
  // Where an error was kept from before, the reconciler has come back for it by its own back-off.
  yield* callback(type, kind, settings, copy, error, error === undefined || errorBefore === undefined);
  yield* crashPoint('async-callback-done');
}

/** Answers why the cloud refused; undefined where it did not. */
function* carryOut(type: OperationType, kind: ManagedKind, copy: KubeObject): Step<string | undefined> {
  const uid = uidOf(copy);
  const id = (yield* trackerIfKept(uid)).state?.id ?? '';
  const reply = yield* ask(requestFor(type, kind, copy, id));
  if (type === 'delete') {
    if (reply.code !== 200 && reply.code !== 404) return refusal(reply);
    yield* changeTracker(uid, ({state: _, ...rest}) => ({...rest, deleted: true}));
    return undefined;
  }
  if (reply.external === undefined) return refusal(reply);
  yield* remember(uid, reply.external);
  return undefined;
}

function requestFor(type: OperationType, kind: ManagedKind, copy: KubeObject, id: string) {
  if (type === 'delete') return externalRequest.delete(kind.type, id);
  const fields = desiredFields(kind, copy);
  if (type === 'update') return externalRequest.update(kind.type, id, fields);
  return externalRequest.create(kind.type, copy.metadata.name, fields, askedId(kind, copy));
}

function* remember(uid: string, external: ExternalView): Step<void> {
  yield* changeTracker(uid, (before) => ({...before, state: {id: external.id, external, reconstructed: false}}));
}

function* callback(
  type: OperationType,
  kind: ManagedKind,
  settings: ProviderSettings,
  copy: KubeObject,
  error: string | undefined,
  requestReconcile: boolean,
): Step<void> {
  const read = yield* cached({verb: 'get', ref: refOf(copy)});
  if (!read.ok || read.object === undefined) {
    return yield* note({
      type: 'Log',
      reason: 'callback-failed',
      message: `cannot get resource ${copy.metadata.name} after an async ${type}`,
    });
  }
  const object = withConditionsSet(read.object, outcomeConditions(type, error), yield* now());
  const written = yield* api({
    verb: 'update',
    object: statusBody(object),
    manager: settings.manager,
    subresource: 'status',
  });
  if (!written.ok) yield* note({type: 'Log', reason: 'callback-failed', message: written.message});
  if (!requestReconcile) return;
  const key = keyOf(copy.metadata);
  const afterMs = error === undefined ? 0 : yield* countCallbackFailure(`${kind.kind}/${key}`);
  if (error === undefined) yield* forgetCallbackFailures(`${kind.kind}/${key}`);
  yield* enqueue(controllerName(kind), key, afterMs);
}

function outcomeConditions(type: OperationType, error: string | undefined): readonly ConditionDraft[] {
  if (error === undefined) return [lastAsyncOperationSucceeded, reconcileSuccess, asyncOperationFinished];
  return [
    lastAsyncOperationFailed(failureReason[type], error),
    reconcileError(`${type} failed: ${error}`),
    asyncOperationFinished,
  ];
}
