// The client of a hand-written provider: each call waits for the cloud, Observe reads by external-name alone, and Create
// puts the name the cloud chose on the object, which the reconciler then writes with its critical annotations.
//
// Not modelled: the deadline of external calls (1 min by default). A slower cloud would make Create fail on the provider's
// side after it succeeded on the cloud's, which `failAfterCommit` of the cloud shows.

import type {ExternalView} from '../cloud/cloud-protocol.ts';
import {externalRequest} from '../cloud/cloud-protocol.ts';
import {note, now, type Step} from '../kernel/call.ts';
import type {KubeObject} from '../object.ts';
import {withExternalName} from './annotations.ts';
import {withConditionsSet} from './conditions.ts';
import {
  type Attempt,
  absent,
  ask,
  type ConnectionDetails,
  crashPoint,
  type ExternalClient,
  noDetails,
  type Observed,
  refusal,
} from './external-client.ts';
import {
  desiredFields,
  isUpToDate,
  lateInitialized,
  type ManagedKind,
  readiness,
  withObservation,
} from './managed-kind.ts';
import {askedId, idFor, nameFor} from './name-format.ts';

export function syncClient(kind: ManagedKind): ExternalClient {
  return {
    connect: nothing,
    observe: (managed) => observe(kind, managed),
    create: (managed) => create(kind, managed),
    update: (managed) => update(kind, managed),
    delete: (managed) => remove(kind, managed),
    forget: nothing,
  };
}

/** The connection details of an external resource; none where the kind publishes none. */
export function detailsOf(
  {publishes}: Pick<ManagedKind, 'publishes'>,
  external: ExternalView | undefined,
): ConnectionDetails {
  if (external === undefined) return noDetails;
  const details = Object.entries(publishes);
  return Object.fromEntries(details.map(([key, format]) => [key, format.replaceAll('{id}', external.id)]));
}

function* observe(kind: ManagedKind, managed: KubeObject): Step<Observed> {
  yield* crashPoint('observe');
  yield* note({type: 'Log', reason: 'observe', message: managed.metadata.name});
  const id = idFor(kind, managed);
  if (id === '') return absent(managed);
  const reply = yield* ask(externalRequest.get(kind.type, id));
  if (reply.code === 404) return absent(managed);
  if (reply.external === undefined) return {ok: false, managed, error: refusal(reply)};
  const {external} = reply;
  const filled = lateInitialized(managed, external);
  const seen = withObservation(kind, filled, external);
  return {
    ok: true,
    managed: withConditionsSet(seen, [readiness(kind, external)], yield* now()),
    exists: true,
    upToDate: isUpToDate(kind, filled, external),
    lateInitialized: filled !== managed,
    connection: detailsOf(kind, external),
  };
}

function* create(kind: ManagedKind, managed: KubeObject): Step<Attempt> {
  yield* crashPoint('pre-create');
  const fields = desiredFields(kind, managed);
  const reply = yield* ask(externalRequest.create(kind.type, managed.metadata.name, fields, askedId(kind, managed)));
  if (reply.external === undefined) return {ok: false, managed, error: refusal(reply)};
  yield* crashPoint('post-create');
  const {external} = reply;
  return {
    ok: true,
    managed: withExternalName(managed, nameFor(kind, managed, external.id)),
    connection: detailsOf({publishes: {...kind.publishes, ...kind.publishesOnce}}, external),
  };
}

function* update(kind: ManagedKind, managed: KubeObject): Step<Attempt> {
  const request = externalRequest.update(kind.type, idFor(kind, managed), desiredFields(kind, managed));
  const reply = yield* ask(request);
  if (reply.external === undefined) return {ok: false, managed, error: refusal(reply)};
  return {ok: true, managed, connection: detailsOf(kind, reply.external)};
}

function* remove(kind: ManagedKind, managed: KubeObject): Step<Attempt> {
  const reply = yield* ask(externalRequest.delete(kind.type, idFor(kind, managed)));
  if (reply.code !== 200 && reply.code !== 404) return {ok: false, managed, error: refusal(reply)};
  yield* crashPoint('post-delete');
  return {ok: true, managed, connection: noDetails};
}

function* nothing(): Step<void> {}
