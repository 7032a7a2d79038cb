// The deletion of a Namespace: the controller deletes everything in it, kind by kind, and the namespace goes when nothing is left.
// Objects with finalizers keep it; so does an object whose deletion a webhook denies.
//
// kubernetes/kubernetes v1.34 pkg/controller/namespace. Modelled: the look again after 8 s while content remains. Not modelled: the
// conditions it reports in the status, and the finalize subresource, for which a plain update stands.

import {coreKinds} from '../api/core-kinds.ts';
import type {KindDefinition} from '../api/kinds.ts';
import {api, done, type Outcome, type Reconcile, type Step} from '../kernel/call.ts';
import type {Controller, Process, Watch} from '../kernel/process.ts';
import type {KubeObject} from '../object.ts';
import {discover} from '../owner-gc/discovery.ts';

const namespaceKind = {apiVersion: 'v1', kind: 'Namespace'};
const manager = 'kube-controller-manager';
const name = 'namespace';
/** Half of the 15 s that finalizers are estimated to take, plus one. */
const againMs = 8000;

/** The process. `kinds` are those the API server has besides its core kinds and without a CustomResourceDefinition. */
export function namespaceController(kinds: readonly KindDefinition[]): Process<undefined> {
  const installed = [...coreKinds, ...kinds];
  const controllers: readonly Controller[] = [
    {
      name,
      reconcile: (key) => empty(key, installed),
      backoff: {baseMs: 5000, maxMs: 60_000},
      timeoutMs: 60_000,
    },
  ];
  return {name: 'namespace-controller', start: () => undefined, controllers: () => controllers, watches: () => watches};
}

const watches: readonly Watch<undefined>[] = [
  {
    ...namespaceKind,
    controller: name,
    id: 'namespaces',
    handle: ({type, object}) => ({keys: type !== 'DELETED' && isGoing(object) ? [{key: object.metadata.name}] : []}),
  },
];

function isGoing({metadata}: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function* empty(key: string, installed: readonly KindDefinition[]): Reconcile {
  const read = yield* api({verb: 'get', ref: {...namespaceKind, name: key}});
  if (!read.ok || read.object === undefined || !isGoing(read.object)) return done;
  const discovery = yield* discover(installed);
  if (discovery === undefined) return {kind: 'retry', reason: 'discovery does not answer'};
  let remaining = 0;
  let problem: string | undefined;
  for (const {apiVersion, kind, namespaced} of discovery.preferred) {
    if (!namespaced) continue;
    const scope = {apiVersion, kind, namespace: key};
    if ((yield* count(scope)) === 0) continue;
    const deleted = yield* api({verb: 'delete-collection', ...scope, propagationPolicy: 'Background'});
    if (!deleted.ok && deleted.code !== 404) problem = deleted.message;
    remaining += yield* count(scope);
  }
  if (problem !== undefined) return {kind: 'retry', reason: problem};
  if (remaining > 0) return {kind: 'requeue-after', afterMs: againMs};
  return yield* finalize(key);
}

function* finalize(key: string): Step<Outcome> {
  const read = yield* api({verb: 'get', ref: {...namespaceKind, name: key}});
  if (!read.ok || read.object === undefined) return done;
  const object = {...read.object, spec: {...read.object.spec, finalizers: []}};
  const written = yield* api({verb: 'update', object, manager});
  return written.ok || written.code === 404 ? done : {kind: 'retry', reason: written.message};
}

function* count(scope: {readonly apiVersion: string; readonly kind: string; readonly namespace: string}): Step<number> {
  const listed = yield* api({verb: 'list', ...scope});
  return listed.ok ? (listed.items ?? []).length : 0;
}
