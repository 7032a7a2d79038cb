// function-static: the function of the recordings, and a plain template step for scenarios. Its input (static.fn.example.org/v1
// Input) lists what it desires; nothing depends on anything but input and observed state. So it composes by the status of a sibling, as
// templates do:
// - An entry with `needs: {resource, field}` is desired only while that observed resource has the field. Without `resource` it is the
//   XR; with `connectionDetail` in the place of `field` a value of the Secret; without either the resource has to be Ready. With
//   `object: {apiVersion, kind, name}` it is an object outside of the XR, with `context` a value of the pipeline's context. `to` copies
//   the field, or the value, to a field of the entry's. `and` holds more that it needs.
// - `conditions` are those of the XR.
// - `context` is passed on to later steps, beside the context of earlier ones.
// - `count` names a field of the XR: so many there are, `a-0`, `a-1` ...
// - `relays: [{resource, field, to}]` copies fields of observed resources into the XR's status.
// - `connectionDetails` are those of the XR, each a value, `{base64}` for bytes, or `{resource, connectionDetail}` to copy one.
// - With `adoptBeforeRemoval` it keeps, for as long as the XR does not control it, an observed resource that it no longer lists: the
//   smallest possible adopt-first.

import {fromBase64} from '../../cluster/bytes.ts';
import {withAt} from '../../cluster/json.ts';
import type {FunctionReply} from '../../cluster/kernel/call.ts';
import {CallMemory} from '../../wire/call-memory.ts';
import {type Slice, wholeSlice} from '../../wire/cursor.ts';
import {isJsonObject, type Json, type JsonObject} from '../../wire/json.ts';
import {decodeRequest, type RequestMessage} from '../../wire/request-decode.ts';
import type {Condition, Ready, ResourceMessage, ResourceSelector, Result} from '../../wire/resource-message.ts';
import type {ResourceChange} from '../../wire/response-encode.ts';
import {Sink} from '../../wire/sink.ts';
import {decodeStruct} from '../../wire/struct-cells.ts';
import {encodeStruct} from '../../wire/struct-encode.ts';
import {answerWith} from './passing.ts';

interface Entry {
  readonly name: string;
  readonly base: JsonObject;
  readonly ready: string;
  readonly needs: JsonObject | undefined;
  /** The field of the XR that gives the count. */
  readonly count: string | undefined;
}

export function functionStatic(request: Uint8Array): FunctionReply {
  try {
    return answer(decodeRequest(request, callMemory));
  } catch (error) {
    return {ok: false, message: error instanceof Error ? error.message : String(error)};
  }
}

const callMemory = new CallMemory();

function answer(request: RequestMessage): FunctionReply {
  const input = request.input === undefined ? {} : decodeStruct(request.input);
  const entries = [...entriesOf(input['resources']), ...entriesOf(input['usages'])];
  const listed = entries.flatMap((entry) => counted(entry, request)).flatMap((entry) => filled(entry, request) ?? []);
  const requirements = new Map(entries.flatMap(requirementOf));
  const resources = new Map<string, ResourceChange>(listed.map((entry) => [entry.name, desire(entry, request)]));
  if (input['adoptBeforeRemoval'] === true) {
    for (const [name, kept] of unadopted(request, resources)) resources.set(name, kept);
  }
  const {ttlSeconds, connectionDetails, context, conditions} = input;
  const details = isJsonObject(connectionDetails) ? Object.entries(connectionDetails) : [];
  const known = details.flatMap(([key, value]) => detailOf(value, request).map((text) => [key, text] as const));
  const passing = isJsonObject(context) ? {...request, context: sliceOf({...contextOf(request), ...context})} : request;
  return answerWith(withXr(passing, statusOf(input, request), known), {
    resources,
    results: resultsOf(input),
    ...(Array.isArray(conditions) && {conditions: conditions as unknown as readonly Condition[]}),
    ...(requirements.size === 0 ? {} : {requirements, requirementFields: ['resources', 'extra_resources']}),
    ...(typeof ttlSeconds === 'number' ? {ttlSeconds} : {}),
  });
}

function entriesOf(list: Json | undefined): readonly Entry[] {
  if (!Array.isArray(list)) return [];
  return list.filter(isJsonObject).map((item) => ({
    name: String(item['name']),
    base: isJsonObject(item['base']) ? item['base'] : {},
    ready: String(item['ready'] ?? 'Unspecified'),
    needs: isJsonObject(item['needs']) ? item['needs'] : undefined,
    count: typeof item['count'] === 'string' ? item['count'] : undefined,
  }));
}

function counted(entry: Entry, {observed}: RequestMessage): readonly Entry[] {
  if (entry.count === undefined) return [entry];
  const count = observed.composite?.field(entry.count.split('.'));
  const {name} = isJsonObject(entry.base['metadata']) ? entry.base['metadata'] : {};
  return Array.from({length: typeof count === 'number' ? count : 0}, (_, index) => ({
    ...entry,
    name: `${entry.name}-${index}`,
    base: name === undefined ? entry.base : withAt(entry.base, ['metadata', 'name'], `${String(name)}-${index}`),
  }));
}

/** The entry with the field that it copies; undefined as long as what it needs is not there. */
function filled(entry: Entry, request: RequestMessage): Entry | undefined {
  if (entry.needs === undefined) return entry;
  const {resource, object, field, to, connectionDetail, context, and} = entry.needs;
  if (isJsonObject(and)) {
    const {and: _, ...needs} = entry.needs;
    const first = filled({...entry, needs}, request);
    return first && filled({...first, needs: and}, request);
  }
  if (typeof context === 'string') return withCopy(entry, contextOf(request)[context], to);
  const needed = object === undefined ? viewOf(resource, request) : answersTo(entry, request)?.[0];
  if (connectionDetail !== undefined)
    return needed?.connectionDetails.has(String(connectionDetail)) ? entry : undefined;
  if (typeof field !== 'string') return isReady(needed) ? entry : undefined;
  return withCopy(entry, needed?.field(field.split('.')), to);
}

function withCopy(entry: Entry, value: Json | undefined, to: Json | undefined): Entry | undefined {
  if (value === undefined) return undefined;
  return typeof to === 'string' ? {...entry, base: withAt(entry.base, to.split('.'), value)} : entry;
}

function contextOf({context}: RequestMessage): JsonObject {
  return context === undefined ? {} : decodeStruct(context);
}

function sliceOf(object: JsonObject): Slice {
  const sink = new Sink(1024);
  encodeStruct(sink, object);
  return wholeSlice(sink.finish());
}

function requirementOf(entry: Entry): readonly (readonly [string, ResourceSelector])[] {
  const object = entry.needs?.['object'];
  if (!isJsonObject(object)) return [];
  const [apiVersion, kind, name] = ['apiVersion', 'kind', 'name'].map((field) => String(object[field]));
  return [[neededBy(entry), {apiVersion, kind, match: {kind: 'name', name}} as ResourceSelector]];
}

function answersTo(entry: Entry, {requiredResources, extraResources}: RequestMessage) {
  return requiredResources.get(neededBy(entry)) ?? extraResources.get(neededBy(entry));
}

function neededBy({name}: Entry): string {
  return `needed-by-${name}`;
}

function viewOf(resource: Json | undefined, {observed}: RequestMessage): ResourceMessage | undefined {
  return resource === undefined ? observed.composite : observed.resources.get(String(resource));
}

/** A connection detail of the XR, none as long as the one that it copies is not there. */
function detailOf(value: Json, request: RequestMessage): readonly Uint8Array[] {
  if (!isJsonObject(value)) return [new TextEncoder().encode(String(value))];
  if (typeof value['base64'] === 'string') return [fromBase64(value['base64'])];
  const bytes = viewOf(value['resource'], request)?.connectionDetails.get(String(value['connectionDetail']));
  return bytes === undefined ? [] : [bytes];
}

/** A field of an observed resource, or of the XR if none is named: `status.atProvider.id`. */
function fieldOf(resource: Json | undefined, field: string, request: RequestMessage): Json | undefined {
  return viewOf(resource, request)?.field(field.split('.'));
}

/** The XR's status by the input, with the relayed fields of observed resources; undefined if there is neither. */
function statusOf({xrStatus, relays}: JsonObject, request: RequestMessage): JsonObject | undefined {
  const relayed = (Array.isArray(relays) ? relays.filter(isJsonObject) : []).flatMap(
    ({resource, field, to}): [string, Json][] => {
      const value = fieldOf(resource, String(field), request);
      return value === undefined ? [] : [[String(to), value]];
    },
  );
  if (relayed.length === 0) return isJsonObject(xrStatus) ? xrStatus : undefined;
  return {...(isJsonObject(xrStatus) ? xrStatus : {}), ...Object.fromEntries(relayed)};
}

function desire({name, base, ready}: Entry, request: RequestMessage): ResourceChange {
  return {kind: 'put', object: base, ready: readiness(ready, request.observed.resources.get(name))};
}

function readiness(ready: string, observed: ResourceMessage | undefined): Ready {
  if (ready === 'True') return 'true';
  if (ready === 'False') return 'false';
  return ready === 'Auto' && isReady(observed) ? 'true' : 'unspecified';
}

function isReady(observed: ResourceMessage | undefined): boolean {
  const conditions = observed?.field(['status', 'conditions']);
  if (!Array.isArray(conditions)) return false;
  return conditions.some((item) => isJsonObject(item) && item['type'] === 'Ready' && item['status'] === 'True');
}

function unadopted(request: RequestMessage, listed: ReadonlyMap<string, unknown>): Map<string, ResourceChange> {
  const uid = request.observed.composite?.field(['metadata', 'uid']);
  const kept = [...request.observed.resources].filter(
    ([name, resource]) => !listed.has(name) && controllerUid(resource) !== uid,
  );
  return new Map(
    kept.map(([name, resource]) => {
      const {apiVersion = '', kind = '', spec} = resource.json();
      const object = spec === undefined ? {apiVersion, kind} : {apiVersion, kind, spec};
      return [name, {kind: 'put', object, ready: 'true'}];
    }),
  );
}

function controllerUid(resource: ResourceMessage): Json | undefined {
  const owners = resource.field(['metadata', 'ownerReferences']);
  const list = Array.isArray(owners) ? owners.filter(isJsonObject) : [];
  return list.find((owner) => owner['controller'] === true)?.['uid'];
}

function resultsOf({message, fatal}: JsonObject): readonly Result[] {
  if (typeof fatal === 'string' && fatal !== '') return [{severity: 'fatal', message: fatal}];
  if (fatal === true) return [{severity: 'fatal', message: 'function-static has to fail, by its input'}];
  return typeof message === 'string' && message !== '' ? [{severity: 'normal', message}] : [];
}

/** The request with status and connection details in the desired XR, which encodeResponse passes on as it is. */
function withXr(
  request: RequestMessage,
  status: JsonObject | undefined,
  details: readonly (readonly [string, Uint8Array])[],
): RequestMessage {
  if (status === undefined && details.length === 0) return request;
  const {desired, observed} = request;
  const {apiVersion = '', kind = ''} = observed.composite?.json() ?? {};
  const sink = new Sink(desired.slice.end - desired.slice.start + 1024);
  const passing = desired.fields.filter(({resource}) => resource !== desired.composite);
  for (const field of passing.toReversed()) sink.raw(desired.slice.bytes, field.start, field.end);
  const passingSize = sink.size;
  for (const [name, value] of details) {
    const sizeBefore = sink.size;
    sink.copy(2, value, 0, value.length);
    sink.text(1, name);
    sink.message(2, sizeBefore);
  }
  const detailsSize = sink.size;
  encodeStruct(sink, {...desired.composite?.json(), apiVersion, kind, ...(status && {status})});
  sink.message(1, detailsSize);
  sink.message(1, passingSize);
  let at = sink.size - passingSize;
  const fields = passing.map((field) => {
    const start = at;
    at += field.end - field.start;
    return {...field, start, end: at};
  });
  return {...request, desired: {...desired, slice: wholeSlice(sink.finish()), fields}};
}
