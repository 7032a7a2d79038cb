// A provider process: one controller per managed kind. Its own kind wakes it through the filter of generated controllers, with the
// rate limiter of crossplane-runtime (1 s doubling to 60 s per object). Operations and Terraform states of asynchronous kinds are
// memory and die with the process.
// Source: crossplane/crossplane-runtime 4e7ed235 pkg/ratelimiter/default.go, pkg/controller/options.go:83; crossplane/upjet
// dbfccb48 pkg/pipeline/templates/controller.go.tmpl:118-152. Not modelled: leader election and the global token bucket.

import type {WatchEvent} from '../api/request.ts';
import type {JsonObject} from '../json.ts';
import type {Step} from '../kernel/call.ts';
import {type Controller, keyOf, type Process, type Watch} from '../kernel/process.ts';
import {remembering} from '../memo.ts';
import type {KubeObject} from '../object.ts';
import {annotationCreateFailed, annotationCreatePending} from '../vocabulary.ts';
import {annotationsOf} from './annotations.ts';
import {asyncClient, asyncRoutine} from './async-client.ts';
import {runOperation} from './async-operation.ts';
import {reconcileManaged} from './managed.ts';
import type {ManagedKind, ProviderSettings} from './managed-kind.ts';
import {controllerName} from './managed-writes.ts';
import {emptyMemory, type OperationType, type ProviderMemory} from './operation-tracker.ts';
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
