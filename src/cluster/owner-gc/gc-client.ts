// How the owner GC talks to the API server.
// Source: kubernetes/kubernetes v1.34 pkg/controller/garbagecollector/{operations,patch}.go.
// Not modelled: the strategic merge patch it tries before every merge patch. A custom resource answers it with 415 and
// nothing happens; a built-in kind would take it and end the same.

import type {KindDefinition} from '../api/kinds.ts';
import type {ApiError, ApiResponse, PropagationPolicy} from '../api/request.ts';
import {equal, type Json, type JsonObject} from '../json.ts';
import {api, cached, memory, type Step, sleep} from '../kernel/call.ts';
import type {GroupVersionKind, KubeObject, OwnerReference, ResourceRef} from '../object.ts';
import {type DiscoveredKind, discover} from './discovery.ts';
import {type OwnerGcMemory, readMemory} from './gc-memory.ts';
import type {Identity} from './graph.ts';

const manager = 'kube-controller-manager';

export type Failure =
  | {readonly kind: 'api'; readonly error: ApiError}
  /** No such kind, as far as the REST mapper knows. */
  | {readonly kind: 'no-mapping'; readonly of: GroupVersionKind}
  /** A cluster-scoped object names an owner of a namespaced kind. */
  | {readonly kind: 'namespaced-owner'};

export type Found<T> = {readonly ok: true; readonly value: T} | {readonly ok: false; readonly failure: Failure};

export function isNotFound(failure: Failure): boolean {
  return failure.kind === 'api' && failure.error.code === 404;
}

export function failureText(failure: Failure): string {
  switch (failure.kind) {
    case 'api':
      return failure.error.message;
    case 'no-mapping':
      return `unable to get REST mapping for ${failure.of.apiVersion}/${failure.of.kind}.`;
    case 'namespaced-owner':
      return 'cluster-scoped objects cannot refer to namespaced owners';
  }
}

export class OwnerGcClient {
  readonly #installed: readonly KindDefinition[];

  constructor(installed: readonly KindDefinition[]) {
    this.#installed = installed;
  }

  /** Where the object of this identity is. The mapper asks discovery once after each reset. */
  *locate(identity: Identity): Step<Found<ResourceRef>> {
    const {apiVersion, kind, name, namespace} = identity;
    const mapper = (yield* readMemory()).mapper ?? (yield* this.#fillMapper());
    const mapped = mapper.find((other) => other.apiVersion === apiVersion && other.kind === kind);
    if (mapped === undefined) return {ok: false, failure: {kind: 'no-mapping', of: {apiVersion, kind}}};
    if (!mapped.namespaced) return {ok: true, value: {apiVersion, kind, name}};
    if (namespace === '') return {ok: false, failure: {kind: 'namespaced-owner'}};
    return {ok: true, value: {apiVersion, kind, namespace, name}};
  }

  *#fillMapper(): Step<readonly DiscoveredKind[]> {
    const discovery = yield* discover(this.#installed);
    const mapper = discovery?.served ?? [];
    if (discovery !== undefined) yield* memory<OwnerGcMemory>((current) => ({...current, mapper}));
    return mapper;
  }

  *get(identity: Identity): Step<Found<KubeObject>> {
    const located = yield* this.locate(identity);
    return located.ok ? found(yield* api({verb: 'get', ref: located.value})) : located;
  }

  /** Deletes what was read, and if only its resourceVersion moved on, tries once more without that precondition. */
  *delete(identity: Identity, latest: KubeObject, policy: PropagationPolicy): Step<Found<true>> {
    const located = yield* this.locate(identity);
    if (!located.ok) return located;
    const ref = located.value;
    const {uid} = identity;
    const {resourceVersion} = latest.metadata;
    const strict = {uid, ...(resourceVersion === undefined ? {} : {resourceVersion})};
    const first = yield* api({verb: 'delete', ref, propagationPolicy: policy, preconditions: strict});
    if (first.ok || first.code !== 409) return done(first);
    const live = yield* api({verb: 'get', ref});
    if (!live.ok) return live.code === 404 ? {ok: true, value: true} : done(first);
    if (!onlyMovedOn(live.object, latest)) return done(first);
    return done(yield* api({verb: 'delete', ref, propagationPolicy: policy, preconditions: {uid}}));
  }

  /** Patches what its cache shows of the object, by a function of that; a stale cache ends in a conflict. */
  *patchOwners(
    identity: Identity,
    change: (owners: readonly OwnerReference[]) => readonly OwnerReference[],
  ): Step<Found<true>> {
    const located = yield* this.locate(identity);
    if (!located.ok) return located;
    const current = yield* this.#metadata(located.value);
    if (!current.ok) return current;
    const {resourceVersion, ownerReferences = []} = current.value.metadata;
    const owners = change(ownerReferences);
    return yield* this.#patch(located.value, resourceVersion, 'ownerReferences', owners);
  }

  /** Takes a finalizer off; a lost optimistic lock is tried four times over. */
  *removeFinalizer(identity: Identity, finalizer: string): Step<Found<true>> {
    let outcome: Found<true> = {ok: true, value: true};
    for (const afterMs of [0, 10, 50, 250]) {
      if (afterMs > 0) yield* sleep(afterMs);
      const read = yield* this.get(identity);
      if (!read.ok) return isNotFound(read.failure) ? {ok: true, value: true} : read;
      const {resourceVersion, finalizers = []} = read.value.metadata;
      if (!finalizers.includes(finalizer)) return {ok: true, value: true};
      const located = yield* this.locate(identity);
      if (!located.ok) return located;
      const rest = finalizers.filter((other) => other !== finalizer);
      outcome = yield* this.#patch(located.value, resourceVersion, 'finalizers', rest);
      if (outcome.ok || outcome.failure.kind !== 'api' || outcome.failure.error.code !== 409) return outcome;
    }
    return outcome;
  }

  *#metadata(ref: ResourceRef): Step<Found<KubeObject>> {
    const {monitored} = yield* readMemory();
    const isMonitored = monitored.some((kind) => kind.apiVersion === ref.apiVersion && kind.kind === ref.kind);
    if (!isMonitored) return found(yield* api({verb: 'get', ref}));
    const reply = yield* cached({verb: 'get', ref});
    if (reply.ok && reply.object !== undefined) return {ok: true, value: reply.object};
    return found(yield* api({verb: 'get', ref}));
  }

  *#patch(
    ref: ResourceRef,
    resourceVersion: string | undefined,
    field: 'ownerReferences' | 'finalizers',
    values: readonly Json[],
  ): Step<Found<true>> {
    const metadata: JsonObject = {
      ...(resourceVersion === undefined ? {} : {resourceVersion}),
      [field]: values.length === 0 ? null : values,
    };
    return done(yield* api({verb: 'patch', type: 'merge', ref, body: {metadata}, manager}));
  }
}

function found(response: ApiResponse): Found<KubeObject> {
  if (!response.ok) return {ok: false, failure: {kind: 'api', error: response}};
  if (response.object === undefined) throw new Error('the API server answered a get without an object');
  return {ok: true, value: response.object};
}

function done(response: ApiResponse): Found<true> {
  return response.ok ? {ok: true, value: true} : {ok: false, failure: {kind: 'api', error: response}};
}

function onlyMovedOn(live: KubeObject | undefined, latest: KubeObject): boolean {
  if (live === undefined || live.metadata.uid !== latest.metadata.uid) return false;
  if (live.metadata.resourceVersion === latest.metadata.resourceVersion) return false;
  return equal(live.metadata.ownerReferences ?? [], latest.metadata.ownerReferences ?? []);
}
