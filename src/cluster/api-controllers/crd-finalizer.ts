// The deletion of a CustomResourceDefinition: the controller deletes all its objects without asking any webhook, and the kind goes
// with the last one. Until then no object of the kind can be created.
//
// kubernetes/apiextensions-apiserver 1aa2717a5 pkg/controller/finalizer/crd_finalizer.go. Modelled: the check every 5 s for
// remaining objects, which is why a kind outlives its last object by seconds; giving up after a minute and trying again. Not
// modelled: the last write of the Terminating condition together with the removal of the finalizer, which no client can see, since
// the object is gone by then.

import {definitionOf, type KindDefinition} from '../api/kinds.ts';
import {api, done, now, type Reconcile, type Step, sleep} from '../kernel/call.ts';
import type {Controller, Process, Watch} from '../kernel/process.ts';
import {type Condition, type KubeObject, withConditions} from '../object.ts';
import {timestamp} from '../timestamp.ts';

const crd = {apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition'};
const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';
const manager = 'kube-apiserver';
const name = 'crd-finalizer';
const pollMs = 5000;
const patienceMs = 60_000;

/** The part of the kube-apiserver that finishes deleted CustomResourceDefinitions. */
export const crdFinalizer: Process<undefined> = {
  name: 'kube-apiserver',
  start: () => undefined,
  controllers: () => controllers,
  watches: () => watches,
};

const controllers: readonly Controller[] = [
  {name, reconcile: finish, backoff: {baseMs: 5, maxMs: 1_000_000}, timeoutMs: patienceMs * 2},
];

const watches: readonly Watch<undefined>[] = [
  {
    ...crd,
    controller: name,
    id: 'definitions',
    handle: ({type, object}) => ({keys: type !== 'DELETED' && isGoing(object) ? [{key: object.metadata.name}] : []}),
  },
];

function isGoing({metadata}: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes(cleanupFinalizer);
}

function* finish(key: string): Reconcile {
  const ref = {...crd, name: key};
  const read = yield* api({verb: 'get', ref});
  if (!read.ok || read.object === undefined || !isGoing(read.object)) return done;
  const marked = yield* mark(read.object);
  const definition = definitionOf(read.object);
  if (!marked || definition === undefined) return done;
  const problem = yield* deleteInstances(definition);
  if (problem !== undefined) return {kind: 'retry', reason: problem};
  const last = yield* api({verb: 'get', ref});
  if (!last.ok || last.object === undefined) return done;
  const finalizers = (last.object.metadata.finalizers ?? []).filter((finalizer) => finalizer !== cleanupFinalizer);
  const object = {...last.object, metadata: {...last.object.metadata, finalizers}};
  const written = yield* api({verb: 'update', object, manager});
  return written.ok || written.code === 404 || written.code === 409
    ? done
    : {kind: 'retry', reason: `cannot remove the finalizer of CRD "${key}": ${written.message}`};
}

/** False where the object changed meanwhile: its event brings the controller back. */
function* mark(object: KubeObject): Step<boolean> {
  const terminating: Condition = {
    type: 'Terminating',
    status: 'True',
    reason: 'InstanceDeletionInProgress',
    message: 'CustomResource deletion is in progress',
  };
  const marked = withConditions(object, [terminating], timestamp(yield* now()));
  const written = yield* api({verb: 'update', object: marked, manager, subresource: 'status'});
  return written.ok;
}

/** Deletes every object of the kind and waits until they are gone. Returns the reason if some remain. */
function* deleteInstances(definition: KindDefinition): Step<string | undefined> {
  const {group, kind, namespaced, versions} = definition;
  const version = versions.find(({storage}) => storage)?.name ?? '';
  const scope = {apiVersion: `${group}/${version}`, kind};
  const instances = yield* list(scope);
  const namespaces = new Set(instances.map(({metadata}) => metadata.namespace));
  for (const namespace of namespaces) {
    const place = namespaced && namespace !== undefined ? {namespace} : {};
    const deleted = yield* api({verb: 'delete-collection', ...scope, ...place, isInternal: true});
    if (!deleted.ok) return `could not issue all deletes: ${deleted.message}`;
  }
  for (let waitedMs = 0; (yield* list(scope)).length > 0; waitedMs += pollMs) {
    if (waitedMs >= patienceMs) return 'could not confirm zero CustomResources remaining';
    yield* sleep(pollMs);
  }
  return undefined;
}

function* list(scope: {readonly apiVersion: string; readonly kind: string}): Step<readonly KubeObject[]> {
  const listed = yield* api({verb: 'list', ...scope});
  return listed.ok ? (listed.items ?? []) : [];
}
