// The goroutine of an asynchronous operation and the callback at its end, which writes status from the informer's copy
// (so a 409 loses it) and asks for a reconcile. Source: crossplane/upjet dbfccb48
// pkg/controller/external_async_tfpluginsdk.go:140-184, pkg/controller/api.go:124-170, handler/eventhandler.go:73-110.

import {type ExternalView, externalRequest} from '../cloud/cloud-protocol.ts';
import {reconcileError, reconcileSuccess} from '../crossplane/conditions.ts';
import {api, cached, enqueue, note, now, type Step} from '../kernel/call.ts';
import {keyOf} from '../kernel/process.ts';
import {type KubeObject, refOf} from '../object.ts';
import {uidOf} from './async-client.ts';
import {
  asyncOperationFinished,
  type ConditionDraft,
  lastAsyncOperationFailed,
  lastAsyncOperationSucceeded,
  withConditionsSet,
} from './conditions.ts';
import {ask, crashPoint, refusal} from './external-client.ts';
import {desiredFields, type ManagedKind, type ProviderSettings} from './managed-kind.ts';
import {controllerName, statusBody} from './managed-writes.ts';
import {askedId} from './name-format.ts';
import {
  changeTracker,
  countCallbackFailure,
  forgetCallbackFailures,
  markEnd,
  type OperationType,
  trackerIfKept,
} from './operation-tracker.ts';

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
