// The status of Deployments, StatefulSets, DaemonSets and Jobs: ready one second after a write, so that functions find them ready.
// No pod fails, and a Job succeeds at once.
//
// kubernetes/kubernetes v1.34 pkg/controller/deployment/sync.go calculateStatus,
// pkg/controller/statefulset/stateful_set_control.go, pkg/controller/daemon/daemon_controller.go updateDaemonSetStatus,
// pkg/controller/job/job_controller.go. Not modelled: pods and ReplicaSets, rollouts that take their time, schedules of CronJobs,
// volumes that are bound to claims.

import {isNative} from '../api/native/native-kinds.ts';
import type {JsonObject} from '../json.ts';
import {equal} from '../json.ts';
import {api, cached, done, now, type Reconcile} from '../kernel/call.ts';
import {type Controller, keyOf, type Process, parseKey, type Watch} from '../kernel/process.ts';
import type {KubeObject} from '../object.ts';
import {isDeleting} from '../object.ts';
import {timestamp} from '../timestamp.ts';

const startMs = 1000;
const manager = 'kube-controller-manager';

type StatusOf = (object: KubeObject, atTime: string) => JsonObject;

const kinds: readonly {readonly apiVersion: string; readonly kind: string; readonly statusOf: StatusOf}[] = [
  {apiVersion: 'apps/v1', kind: 'Deployment', statusOf: deploymentStatus},
  {apiVersion: 'apps/v1', kind: 'StatefulSet', statusOf: statefulSetStatus},
  {apiVersion: 'apps/v1', kind: 'DaemonSet', statusOf: daemonSetStatus},
  {apiVersion: 'batch/v1', kind: 'Job', statusOf: jobStatus},
];

const controllers: readonly Controller[] = kinds.map(({apiVersion, kind, statusOf}) => ({
  name: kind,
  reconcile: (key) => settle({apiVersion, kind}, key, statusOf),
  backoff: {baseMs: 5, maxMs: 1_000_000},
  timeoutMs: 60_000,
}));

const watches: readonly Watch<undefined>[] = kinds.map(({apiVersion, kind}) => ({
  apiVersion,
  kind,
  controller: kind,
  id: 'workloads',
  handle: ({type, object}) => ({keys: type === 'DELETED' ? [] : [{key: keyOf(object.metadata), afterMs: startMs}]}),
}));

/** The controllers of kube-controller-manager that make pods. */
export const workloadController: Process<undefined> = {
  name: 'workload-controller',
  start: () => undefined,
  controllers: () => controllers,
  watches: () => watches,
  isQuiet: isNative,
};

function* settle(
  kind: {readonly apiVersion: string; readonly kind: string},
  key: string,
  statusOf: StatusOf,
): Reconcile {
  const ref = {...kind, ...parseKey(key)};
  const read = yield* cached({verb: 'get', ref});
  const object = read.ok ? read.object : undefined;
  if (object === undefined || isDeleting(object)) return done;
  const before = object.status ?? {};
  const status = {...before, ...statusOf(object, timestamp(yield* now()))};
  if (equal(withoutTimes(status), withoutTimes(before))) return done;
  const written = yield* api({verb: 'update', object: {...object, status}, manager, subresource: 'status'});
  return written.ok || written.code === 404 ? done : {kind: 'retry', reason: written.message};
}

function withoutTimes(status: JsonObject): JsonObject {
  const text = JSON.stringify(status, (key, value: unknown) => (/Time$/.test(key) ? undefined : value));
  return JSON.parse(text) as JsonObject;
}

function condition(type: string, reason: string, atTime: string): JsonObject {
  return {type, status: 'True', reason, lastTransitionTime: atTime};
}

function replicasOf({spec = {}}: KubeObject): number {
  const {replicas} = spec;
  return typeof replicas === 'number' ? replicas : 1;
}

function running(object: KubeObject): JsonObject {
  const replicas = replicasOf(object);
  const all = {replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas};
  return {observedGeneration: object.metadata.generation ?? 1, ...all};
}

function deploymentStatus(object: KubeObject, atTime: string): JsonObject {
  const conditions = [
    condition('Available', 'MinimumReplicasAvailable', atTime),
    condition('Progressing', 'NewReplicaSetAvailable', atTime),
  ];
  return {...running(object), conditions};
}

function statefulSetStatus(object: KubeObject): JsonObject {
  const revision = `${object.metadata.name}-${object.metadata.generation ?? 1}`;
  return {
    ...running(object),
    currentReplicas: replicasOf(object),
    currentRevision: revision,
    updateRevision: revision,
    collisionCount: 0,
  };
}

/** On the one node that there is. */
function daemonSetStatus({metadata}: KubeObject): JsonObject {
  return {
    observedGeneration: metadata.generation ?? 1,
    currentNumberScheduled: 1,
    desiredNumberScheduled: 1,
    numberMisscheduled: 0,
    numberReady: 1,
    numberAvailable: 1,
    updatedNumberScheduled: 1,
  };
}

function jobStatus({spec = {}}: KubeObject, atTime: string): JsonObject {
  if (spec['suspend'] === true) return {conditions: [condition('Suspended', 'JobSuspended', atTime)]};
  const {completions} = spec;
  return {
    startTime: atTime,
    completionTime: atTime,
    succeeded: typeof completions === 'number' ? completions : 1,
    ready: 0,
    terminating: 0,
    conditions: [
      condition('SuccessCriteriaMet', 'CompletionsReached', atTime),
      condition('Complete', 'CompletionsReached', atTime),
    ],
  };
}
