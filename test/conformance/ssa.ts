import type {ApiRequest, ApiResponse, PropagationPolicy} from '../../src/cluster/api/request.ts';
import {emptyServer, type ServerState, serve} from '../../src/cluster/api/server.ts';
import {at, equal, isList, isObject, type Json, type JsonObject} from '../../src/cluster/json.ts';
import type {KubeObject, ResourceRef} from '../../src/cluster/object.ts';

// Replays recorded sequences of requests against the simulated API server: the same codes and reasons, the same objects
// with the same managedFields after every request. The format is that of the recordings' README.

interface RecordedSequence extends JsonObject {
  readonly id: number;
  readonly category: string;
  readonly kind: string;
  /** Of a kind that the server has without a definition. */
  readonly apiVersion?: string;
  readonly name: string;
  readonly ops: readonly RecordedOperation[];
}

interface RecordedOperation extends JsonObject {
  readonly op: string;
  /** The version that was asked in, and the object read in; the stored one where absent. */
  readonly apiVersion?: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly contentType: string;
    readonly query: {readonly [key: string]: string};
    readonly body: Json;
  };
  /** Absent in a sequence that was never recorded. */
  readonly response?: RecordedResponse;
  readonly object?: JsonObject | null;
}

interface RecordedResponse extends JsonObject {
  readonly code: number;
  readonly reason?: string;
  readonly message?: string;
  readonly causes?: readonly JsonObject[];
}

interface ReplayedOperation {
  readonly response: {
    readonly code: number;
    readonly reason?: string;
    readonly message?: string;
    readonly causes?: Json;
  };
  readonly object: JsonObject | null;
}

interface ReplayedSequence {
  readonly id: number;
  readonly ops: readonly ReplayedOperation[];
  /** What differs from the recording, in the order of the operations; empty where it conforms. */
  readonly differences: readonly string[];
}

export interface SsaReplay {
  readonly sequences: readonly ReplayedSequence[];
  /** A line per sequence: `{id, ops: [{response, object}]}`. */
  readonly lines: readonly string[];
  readonly passed: number;
  readonly failed: number;
}

/** Replays a .jsonl file. `crds` are the CustomResourceDefinitions the sequences were recorded against, parsed. */
export function replaySsa(sequencesText: string, crds: readonly KubeObject[]): SsaReplay {
  const base = {server: serverWith(crds), crds};
  const sequences = sequencesText
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, index) => replayLine(base, line, index));
  const failed = sequences.filter(({differences}) => differences.length > 0).length;
  return {
    sequences,
    lines: sequences.map(lineOf),
    passed: sequences.length - failed,
    failed,
  };
}

/** A line that cannot be read or replayed is a failure of its own, and the others are replayed all the same. */
function replayLine(base: Base, line: string, index: number): ReplayedSequence {
  let id = index;
  try {
    const sequence = JSON.parse(line) as RecordedSequence;
    id = sequence.id;
    return replaySequence(base, sequence);
  } catch (error) {
    return {id, ops: [], differences: [`cannot replay line ${index + 1}: ${(error as Error).message}`]};
  }
}

interface Base {
  readonly server: ServerState;
  readonly crds: readonly KubeObject[];
}

function lineOf({id, ops}: ReplayedSequence): string {
  const plain = ops.map(({response: {causes: _, ...response}, object}) => ({response, object}));
  return JSON.stringify({id, ops: plain});
}

function serverWith(crds: readonly KubeObject[]): ServerState {
  return crds.reduce((server, object) => {
    const {server: next, response} = serve(server, {verb: 'create', object, manager: 'recorder'}, {nowMs: startMs});
    if (!response.ok) throw new Error(`cannot install CRD "${object.metadata.name}": ${response.message}`);
    return next;
  }, emptyServer());
}

const startMs = 1_700_000_000_000;
/** Requests were recorded about this far apart; only the order of times shows in managedFields. */
const pauseMs = 50;

/** What the recorder remembered of the object, to fill placeholders with. */
interface Seen {
  readonly live: KubeObject | undefined;
  readonly last: KubeObject | undefined;
  readonly uid: string;
  readonly oldUid: string;
  readonly staleVersion: string;
}

function replaySequence({server: initial, crds}: Base, sequence: RecordedSequence): ReplayedSequence {
  const {id, kind, name, apiVersion = apiVersionOf(kind, crds)} = sequence;
  let server = initial;
  let nowMs = startMs;
  let seen: Seen = {live: undefined, last: undefined, uid: '', oldUid: '', staleVersion: '1'};
  const ops: ReplayedOperation[] = [];
  const differences: string[] = [];
  for (const [index, operation] of sequence.ops.entries()) {
    nowMs += pauseMs;
    const ref: ResourceRef = {apiVersion: operation.apiVersion ?? apiVersion, kind, namespace: 'default', name};
    const served = serve(server, requestOf(operation, ref, seen), {nowMs});
    server = served.server;
    const read = serve(server, {verb: 'get', ref}, {nowMs}).response;
    const live = read.ok ? read.object : undefined;
    seen = remember(seen, live);
    const replayed = {response: responseOf(served.response, seen), object: normalised(live, seen)};
    ops.push(replayed);
    differences.push(
      ...compare(replayed, operation).map((difference) => `op ${index} (${operation.op}): ${difference}`),
    );
  }
  return {id, ops, differences};
}

/** The stored version of the kind; throws where no definition brings the kind. */
function apiVersionOf(kind: string, crds: readonly KubeObject[]): string {
  const spec = crds.find((crd) => at(crd.spec, ['names', 'kind']) === kind)?.spec;
  const versions = (spec?.['versions'] ?? []) as readonly JsonObject[];
  const stored = versions.find((version) => version['storage'] === true);
  if (spec === undefined || stored === undefined) throw new Error(`no CustomResourceDefinition of kind ${kind}`);
  return `${spec['group']}/${stored['name']}`;
}

function remember(before: Seen, live: KubeObject | undefined): Seen {
  const last = live ?? before.last;
  const uid = live?.metadata.uid ?? before.uid;
  const oldUid = uid !== before.uid && before.uid !== '' ? before.uid : before.oldUid;
  const version = before.last?.metadata.resourceVersion;
  const isNew = version !== undefined && live !== undefined && version !== live.metadata.resourceVersion;
  return {live, last, uid, oldUid, staleVersion: isNew ? version : before.staleVersion};
}

function requestOf(operation: RecordedOperation, ref: ResourceRef, seen: Seen): ApiRequest {
  const {method, path, contentType, query, body} = operation.request;
  const manager = query['fieldManager'] ?? '';
  const filled = fill(body, seen) as Json;
  const subresource = path.endsWith('/status') ? ({subresource: 'status'} as const) : {};
  switch (method) {
    case 'POST':
      return {verb: 'create', object: filled as KubeObject, manager};
    case 'PUT':
      return {verb: 'update', object: filled as KubeObject, manager, ...subresource};
    case 'PATCH': {
      const type = patchTypes[contentType] ?? 'json';
      return {verb: 'patch', type, ref, body: filled, manager, force: query['force'] === 'true', ...subresource};
    }
    default:
      return {verb: 'delete', ref, ...deleteOptions(filled)};
  }
}

const patchTypes: {readonly [contentType: string]: 'apply' | 'merge' | 'json'} = {
  'application/apply-patch+yaml': 'apply',
  'application/merge-patch+json': 'merge',
  'application/json-patch+json': 'json',
};

function deleteOptions(body: Json) {
  const {orphanDependents, preconditions, ...sent} = (isObject(body) ? body : {}) as {
    readonly propagationPolicy?: PropagationPolicy;
    /** What clients sent before there were policies. */
    readonly orphanDependents?: boolean;
    readonly preconditions?: {readonly uid?: string; readonly resourceVersion?: string};
  };
  const formerly = orphanDependents === undefined ? undefined : orphanDependents ? 'Orphan' : 'Background';
  const propagationPolicy = sent.propagationPolicy ?? formerly;
  return {
    ...(propagationPolicy === undefined ? {} : {propagationPolicy}),
    ...(preconditions === undefined ? {} : {preconditions}),
  };
}

/** A placeholder without a value (the managedFields of an object that has none) leaves its key out. */
function fill(value: Json, seen: Seen): Json | undefined {
  if (typeof value === 'string') return placeholders[value] === undefined ? value : placeholders[value](seen);
  if (isList(value)) return value.map((item) => fill(item, seen) ?? null);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, child]) => [key, fill(child, seen)] as const);
  return Object.fromEntries(entries.filter(([, child]) => child !== undefined)) as JsonObject;
}

const placeholders: {readonly [text: string]: ((seen: Seen) => Json | undefined) | undefined} = {
  '${uid}': ({uid}) => uid,
  '${oldUid}': ({oldUid}) => oldUid,
  '${rv}': ({last}) => last?.metadata.resourceVersion,
  '${staleRv}': ({staleVersion}) => staleVersion,
  '${managedFields}': ({last}) => last?.metadata.managedFields,
  '${creationTimestamp}': ({last}) => last?.metadata.creationTimestamp,
  '${deletionTimestamp}': ({last}) => last?.metadata.deletionTimestamp,
};

function responseOf(response: ApiResponse, seen: Seen): ReplayedOperation['response'] {
  if (response.ok) return {code: response.code};
  const {code, reason, message, causes} = response;
  return {
    code,
    ...(reason === '' ? {} : {reason}),
    message: withoutUids(message, seen),
    ...(causes === undefined ? {} : {causes: causes.map((cause) => ({...cause}))}),
  };
}

function withoutUids(text: string, {uid, oldUid}: Seen): string {
  const plain = uid === '' ? text : text.replaceAll(uid, '${uid}');
  return oldUid === '' ? plain : plain.replaceAll(oldUid, '${uid}');
}

function normalised(object: KubeObject | undefined, seen: Seen): JsonObject | null {
  if (object === undefined) return null;
  const {resourceVersion: _, creationTimestamp: __, managedFields, deletionTimestamp, ...rest} = object.metadata;
  const metadata = {
    ...rest,
    ...(deletionTimestamp === undefined ? {} : {deletionTimestamp: '<set>'}),
    ...(managedFields === undefined ? {} : {managedFields: managedFields.map(withoutTime)}),
  };
  return JSON.parse(withoutUids(JSON.stringify({...object, metadata}), seen)) as JsonObject;
}

function withoutTime({time: _, ...entry}: JsonObject): JsonObject {
  return entry;
}

function compare(replayed: ReplayedOperation, {response, object}: RecordedOperation): readonly string[] {
  if (response === undefined) return ['no recorded response to compare with'];
  const differences: string[] = [];
  const {code, reason} = replayed.response;
  if (code !== response.code) differences.push(`code: expected ${response.code}, got ${code}`);
  if ((reason ?? '') !== (response.reason ?? '')) {
    differences.push(`reason: expected ${response.reason ?? 'none'}, got ${reason ?? 'none'}`);
  }
  const causes = causeSet(replayed.response.causes);
  const expected = causeSet(response.causes);
  if (expected !== causes) differences.push(`causes: expected ${expected}, got ${causes}`);
  if (!equal(sorted(replayed.object), sorted(object ?? null))) {
    differences.push(
      `object: expected ${JSON.stringify(sorted(object ?? null))}, got ${JSON.stringify(sorted(replayed.object))}`,
    );
  }
  return differences;
}

function causeSet(causes: Json | undefined): string {
  if (!isList(causes)) return '[]';
  const texts = causes.filter(isObject).map(({reason, field, message}) => JSON.stringify([reason, field, message]));
  return `[${[...new Set(texts)].sort().join(', ')}]`;
}

/** The object with its managers in the order recordings are compared in. */
function sorted(object: JsonObject | null): JsonObject | null {
  const metadata = object?.['metadata'];
  if (object === null || !isObject(metadata) || !isList(metadata['managedFields'])) return object;
  const managedFields = [...metadata['managedFields']].sort((left, right) =>
    managerKey(left) < managerKey(right) ? -1 : 1,
  );
  return {...object, metadata: {...metadata, managedFields}};
}

function managerKey(entry: Json): string {
  const {manager = '', operation = '', subresource = ''} = isObject(entry) ? entry : {};
  return JSON.stringify([manager, operation, subresource]);
}
