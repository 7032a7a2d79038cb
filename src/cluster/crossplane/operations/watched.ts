// The reconciler of what a WatchOperation watches: one Operation for every version of an object that it comes to see.
// crossplane/crossplane 2d040d2da internal/controller/ops/watched/reconciler.go, the same in v2.3.4. It reads the cache,
// so versions between two reconciles are no Operations. An object that is gone is one more, whose requirement finds
// nothing.

import {sha256} from '../../../hash/sha256.ts';
import {at, type JsonObject} from '../../json.ts';
import {done, now, type Reconcile} from '../../kernel/call.ts';
import {parseKey} from '../../kernel/process.ts';
import {groupOf, isDeleting, type KubeObject} from '../../object.ts';
import {timestamp} from '../../timestamp.ts';
import {isPaused, kindWatchOperation, labelWatchOperation} from '../../vocabulary.ts';
import {getCached} from '../client.ts';
import type {WatchedObjects} from '../engine/engine-state.ts';
import {retryAfter, warned, wrap} from '../failure.ts';
import {createOperation, makeRoom, operationsOf, runningOf} from './operation-objects.ts';

const requirement = 'ops.crossplane.io/watched-resource';
const annotationPrefix = 'ops.crossplane.io/watched-resource';
const versionOfGone = 'ops.crossplane.io/synthetic-deleted';

export function reconcileWatched({operation, apiVersion, kind}: WatchedObjects): (key: string) => Reconcile {
  return function* (key) {
    const read = yield* getCached({apiVersion, kind, ...parseKey(key)});
    if (!read.ok) return retryAfter(wrap('cannot get watched resource', read.failure));
    const object = read.value ?? goneObject({apiVersion, kind}, key, timestamp(yield* now()));
    const owner = yield* getCached({...kindWatchOperation, name: operation});
    if (!owner.ok) return retryAfter(wrap('cannot get WatchOperation', owner.failure));
    const watch = owner.value;
    if (watch === undefined || isDeleting(watch) || isPaused(watch)) return done;
    const operations = yield* operationsOf(labelWatchOperation, operation);
    if (!operations.ok) return yield* warned(watch, 'ListOperations', operations.failure);
    const room = yield* makeRoom(watch, runningOf(operations.value));
    if (room.kind === 'wait') return done;
    if (room.kind === 'failed') return yield* warned(watch, 'ReplaceRunningOperation', room.failure);
    const name = operationName(operation, object);
    if (operations.value.some(({metadata}) => metadata.name === name)) return done;
    const labels = {[labelWatchOperation]: operation};
    const created = yield* createOperation(
      watch,
      {name, labels, annotations: annotationsOf(object)},
      specFor(watch, object),
    );
    if (created.ok) return done;
    return yield* warned(watch, 'CreateOperation', wrap(`cannot create Operation "${name}"`, created.failure));
  };
}

function goneObject(kind: {readonly apiVersion: string; readonly kind: string}, key: string, at: string): KubeObject {
  return {...kind, metadata: {...parseKey(key), deletionTimestamp: at, resourceVersion: versionOfGone}};
}

function operationName(operation: string, {apiVersion, kind, metadata}: KubeObject): string {
  const group = groupOf(apiVersion);
  const version = group === '' ? apiVersion : apiVersion.slice(group.length + 1);
  const {namespace = '', name, uid = '', resourceVersion = '', deletionTimestamp} = metadata;
  const identity = [`${group}/${version}, Kind=${kind}`, namespace, name, uid, resourceVersion];
  const parts = deletionTimestamp === undefined ? identity : [...identity, deletionTimestamp];
  return `${operation}-${sha256(parts.join('/')).slice(0, 7)}`;
}

function annotationsOf({apiVersion, kind, metadata}: KubeObject): JsonObject {
  const {namespace, name, resourceVersion = ''} = metadata;
  return {
    [`${annotationPrefix}-apiversion`]: apiVersion,
    [`${annotationPrefix}-kind`]: kind,
    [`${annotationPrefix}-name`]: name,
    [`${annotationPrefix}-resourceversion`]: resourceVersion,
    ...(namespace === undefined ? {} : {[`${annotationPrefix}-namespace`]: namespace}),
  };
}

/** The template with the object as what every step requires. */
function specFor(watch: KubeObject, {apiVersion, kind, metadata}: KubeObject): JsonObject {
  const spec = (at(watch.spec, ['operationTemplate', 'spec']) ?? {}) as JsonObject;
  const {namespace, name} = metadata;
  const place = namespace === undefined ? {} : {namespace};
  const required = {requirementName: requirement, apiVersion, kind, name, ...place};
  const steps = (spec['pipeline'] ?? []) as readonly JsonObject[];
  return {...spec, pipeline: steps.map((step) => withRequired(step, required))};
}

function withRequired(step: JsonObject, required: JsonObject): JsonObject {
  const requirements = (step['requirements'] ?? {}) as JsonObject;
  const before = (requirements['requiredResources'] ?? []) as readonly JsonObject[];
  return {...step, requirements: {...requirements, requiredResources: [...before, required]}};
}
