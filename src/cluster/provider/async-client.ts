// The client of upjet's no-fork asynchronous controllers: Create, Update and Delete start a goroutine on a deep copy and return at
// once, so the name a create brings dies with the copy. Only a later Observe puts it on the object, and only a policy with
// LateInitialize lets the reconciler write it. Until then memory alone knows the external resource.
// Source: crossplane/upjet dbfccb48 pkg/controller/external_async_tfpluginsdk.go:107-290, external_tfpluginsdk.go:246-780.
//
// Connect rebuilds a lost state from the annotation and overwrites status.atProvider.id with it. Not modelled: the window before
// upjet v2.3.0 in which the goroutine shared the object (upjet#472), and the older client that ran the Terraform CLI, which saves
// names without LateInitialize. Both are safer than what is modelled.

import {type ExternalView, externalRequest} from '../cloud/cloud-protocol.ts';
import {reconcileSuccess} from '../crossplane/conditions.ts';
import {note, now, type Step, sleep, spawn} from '../kernel/call.ts';
import {isDeleting, type KubeObject} from '../object.ts';
import {externalNameOf, withExternalName} from './annotations.ts';
import {lastAsyncOperationSucceeded, withConditionsSet} from './conditions.ts';
import type {Attempt, ExternalClient, Observed} from './external-client.ts';
import {absent, ask, crashPoint, noDetails, refusal} from './external-client.ts';
import {
  isUpToDate,
  lateInitialized,
  type ManagedKind,
  type ProviderSettings,
  readiness,
  withObservation,
} from './managed-kind.ts';
import {idFor, nameFor} from './name-format.ts';
import {
  changeTracker,
  clearOperation,
  forgetTracker,
  markStart,
  type OperationType,
  trackerOf,
} from './operation-tracker.ts';
import {managementPoliciesOf} from './policies.ts';
import {detailsOf} from './sync-client.ts';

export const asyncRoutine: {readonly [type in OperationType]: string} = {
  create: 'async-create',
  update: 'async-update',
  delete: 'async-delete',
};

/** Between starting the goroutine and going on, the scheduler lets the goroutine reach the cloud first. */
const goroutineStartMs = 5;

export function asyncClient(kind: ManagedKind, settings: ProviderSettings): ExternalClient {
  return {
    connect: (managed) => connect(kind, managed),
    observe: (managed) => observe(kind, settings, managed),
    create: (managed) => start('create', managed),
    update: (managed) => start('update', managed),
    delete: (managed) => start('delete', managed),
    forget: (managed) => forgetTracker(uidOf(managed)),
  };
}

export function uidOf(managed: KubeObject): string {
  return managed.metadata.uid ?? '';
}

function* connect(kind: ManagedKind, managed: KubeObject): Step<void> {
  const tracker = yield* trackerOf(uidOf(managed));
  if (tracker.state !== undefined && tracker.state.id !== '') return;
  const state = {id: idFor(kind, managed), reconstructed: true};
  yield* changeTracker(uidOf(managed), (before) => ({...before, state}));
}

function* observe(kind: ManagedKind, settings: ProviderSettings, managed: KubeObject): Step<Observed> {
  yield* crashPoint('observe');
  yield* note({type: 'Log', reason: 'observe', message: managed.metadata.name});
  const uid = uidOf(managed);
  const {operation} = yield* trackerOf(uid);
  if (operation?.running === true) {
    return {ok: true, managed, exists: true, upToDate: true, lateInitialized: false, connection: noDetails};
  }
  yield* clearOperation(uid, true);
  const observed = yield* observeExternal(kind, settings, managed);
  if (!observed.ok || !observed.exists || !observed.upToDate || isDeleting(managed)) return observed;
  yield* clearOperation(uid, false);
  const conditions = [lastAsyncOperationSucceeded, reconcileSuccess];
  return {...observed, managed: withConditionsSet(observed.managed, conditions, yield* now())};
}

function* observeExternal(kind: ManagedKind, settings: ProviderSettings, managed: KubeObject): Step<Observed> {
  const uid = uidOf(managed);
  const tracker = yield* trackerOf(uid);
  if (isDeleting(managed) && tracker.deleted === true) return absent(managed);
  const id = tracker.state?.id ?? '';
  // Terraform refreshes a state without id to nothing, without asking the cloud.
  if (id === '') return yield* lost(managed);
  const reply = yield* ask(externalRequest.get(kind.type, id));
  if (reply.code === 404) return yield* lost(managed);
  if (reply.external === undefined) {
    yield* changeTracker(uid, (before) => (before.state?.reconstructed === true ? withoutState(before) : before));
    return {ok: false, managed, error: refusal(reply)};
  }
  const {external} = reply;
  yield* changeTracker(uid, (before) => ({...before, state: {id: external.id, external, reconstructed: false}}));
  return yield* found(kind, settings, managed, external);
}

function* found(
  kind: ManagedKind,
  settings: ProviderSettings,
  managed: KubeObject,
  external: ExternalView,
): Step<Observed> {
  const actions = managementPoliciesOf(managed) ?? [];
  const fills = actions.includes('LateInitialize') || actions.includes('*');
  const onlyObserves = settings.managementPolicies && actions.length === 1 && actions[0] === 'Observe';
  const filled = fills ? lateInitialized(managed, external) : managed;
  const seen = withObservation(kind, withConditionsSet(filled, [readiness(kind, external)], yield* now()), external);
  const name = nameFor(kind, managed, external.id);
  const nameChanged = externalNameOf(managed) !== name;
  if (nameChanged) yield* crashPoint('observe-namechange');
  return {
    ok: true,
    managed: withExternalName(seen, name),
    exists: true,
    // Under Observe alone no difference is computed at all.
    upToDate: onlyObserves || isUpToDate(kind, managed, external),
    lateInitialized: filled !== managed || nameChanged,
    connection: detailsOf(kind, external),
  };
}

/** Starts the operation and answers the error of the one before, which upjet reports as if it were this one's. */
function* start(type: OperationType, managed: KubeObject): Step<Attempt> {
  const uid = uidOf(managed);
  if (type === 'create') yield* crashPoint('pre-create');
  const {operation} = yield* trackerOf(uid);
  if (type === 'delete' && operation?.type === 'delete') return {ok: true, managed, connection: noDetails};
  if (!(yield* markStart(uid, type))) {
    return {ok: false, managed, error: `${operation?.type ?? 'another'} operation is still running`};
  }
  yield* spawn(asyncRoutine[type], {object: managed});
  yield* sleep(goroutineStartMs);
  if (type === 'create') yield* crashPoint('post-create');
  if (type === 'delete') yield* crashPoint('post-delete');
  const {error} = yield* trackerOf(uid);
  return error === undefined ? {ok: true, managed, connection: noDetails} : {ok: false, managed, error};
}

function* lost(managed: KubeObject): Step<Observed> {
  yield* changeTracker(uidOf(managed), withoutState);
  return absent(managed);
}

function withoutState<T extends {readonly state?: unknown}>({state: _, ...rest}: T): Omit<T, 'state'> {
  return rest;
}
