// Tells a sequence to the real API server, and brings what it answers to the form of the recordings: placeholders for
// what differs from run to run, the object as it is after every operation.

import type {Json, JsonObject} from '../../src/wire/json.ts';
import type {AnsweredSequence} from './answered-sequence.ts';
import {objectName, type Sequence} from './server-sequences.ts';
import type {ApiServer} from './server-theirs.ts';

/** What there is to fill placeholders with. */
interface Seen {
  readonly last: JsonObject | undefined;
  readonly uid: string;
  readonly oldUid: string;
}

export async function tell(
  server: ApiServer,
  {kind, plural, apiVersion, ops}: Sequence,
  id: number,
): Promise<AnsweredSequence> {
  const namespace = `ns-${id}`;
  const baseOf = (version: string) => `/${version === 'v1' ? 'api' : 'apis'}/${version}/namespaces/${namespace}`;
  const told: JsonObject[] = [];
  let seen: Seen = {last: undefined, uid: '', oldUid: ''};
  for (const operation of ops) {
    const {request} = operation;
    const base = baseOf(operation.apiVersion ?? apiVersion);
    const query = new URLSearchParams(request.query).toString();
    const body = inNamespace(fill(request.body, seen) ?? {}, namespace);
    const path = `${base}${request.path}${query === '' ? '' : `?${query}`}`;
    const answer = await server.send({method: request.method, path, contentType: request.contentType, body});
    const read = await server.send({method: 'GET', path: `${base}/${plural}/${objectName}`});
    const object = read.code === 200 ? read.body : undefined;
    seen = remember(seen, object);
    told.push({
      ...(operation as JsonObject),
      response: normalised(responseOf(answer.code, answer.body), seen, namespace),
      object: object === undefined ? null : normalised(withoutVersions(object), seen, namespace),
    });
  }
  return {id, category: 'random', kind, name: objectName, ops: told};
}

function remember({last, uid, oldUid}: Seen, object: JsonObject | undefined): Seen {
  const present = String((object?.['metadata'] as JsonObject | undefined)?.['uid'] ?? uid);
  return {last: object ?? last, uid: present, oldUid: present !== uid && uid !== '' ? uid : oldUid};
}

/** A placeholder without a value leaves its key out. */
function fill(value: Json, {last, uid, oldUid}: Seen): Json | undefined {
  const metadata = (last?.['metadata'] ?? {}) as JsonObject;
  const known: {readonly [text: string]: Json | undefined} = {
    '${uid}': uid,
    '${oldUid}': oldUid,
    '${rv}': metadata['resourceVersion'],
    '${managedFields}': metadata['managedFields'],
    '${creationTimestamp}': metadata['creationTimestamp'],
  };
  const within = (one: Json): Json | undefined => {
    if (typeof one === 'string') return Object.hasOwn(known, one) ? known[one] : one;
    if (Array.isArray(one)) return one.map((item: Json) => within(item) ?? null);
    if (typeof one !== 'object' || one === null) return one;
    const entries = Object.entries(one as JsonObject).map(([key, child]) => [key, within(child)] as const);
    return Object.fromEntries(entries.filter(([, child]) => child !== undefined)) as JsonObject;
  };
  return within(value);
}

function inNamespace(body: Json, namespace: string): Json {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const object = body as JsonObject;
  const metadata = object['metadata'] as JsonObject | undefined;
  return metadata?.['namespace'] === undefined ? object : {...object, metadata: {...metadata, namespace}};
}

function responseOf(code: number, body: JsonObject): JsonObject {
  if (code < 300) return {code};
  const {reason, message = '', details} = body;
  const causes = (details as JsonObject | undefined)?.['causes'];
  return {code, ...(reason === undefined ? {} : {reason}), message, ...(causes === undefined ? {} : {causes})};
}

function withoutVersions(object: JsonObject): JsonObject {
  const {resourceVersion: _, creationTimestamp: __, ...metadata} = object['metadata'] as JsonObject;
  const managed = metadata['managedFields'] as readonly JsonObject[] | undefined;
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(managed === undefined ? {} : {managedFields: managed.map(({time: _time, ...entry}) => entry)}),
      ...(metadata['deletionTimestamp'] === undefined ? {} : {deletionTimestamp: '<set>'}),
    },
  };
}

function normalised(value: JsonObject, {uid, oldUid}: Seen, namespace: string): JsonObject {
  const plain = [uid, oldUid]
    .filter((one) => one !== '')
    .reduce((text, one) => text.replaceAll(one, '${uid}'), JSON.stringify(value));
  return JSON.parse(
    plain.replaceAll(`"${namespace}"`, '"default"').replaceAll(`(${namespace}/`, '(default/'),
  ) as JsonObject;
}
