// A function that does what its input says, so that a story is one Composition: `response` of the input, in JSON, is the
// response. What earlier steps desire stays desired. Nothing of it is shared with the codec of src/wire but Structs,
// whose bytes the messages carry as they are.

import {readFileSync} from 'node:fs';
import protobuf from 'protobufjs';
import {wholeSlice} from '../../src/wire/cursor.ts';
import type {Json, JsonObject} from '../../src/wire/json.ts';
import {Sink} from '../../src/wire/sink.ts';
import {decodeStruct} from '../../src/wire/struct-cells.ts';
import {encodeStruct} from '../../src/wire/struct-encode.ts';

export interface ScriptedResource {
  readonly resource?: JsonObject;
  readonly ready?: number;
  readonly connectionDetails?: {readonly [key: string]: string};
}

export interface Script {
  readonly ttlSeconds?: number;
  readonly composite?: ScriptedResource;
  readonly resources?: {readonly [name: string]: ScriptedResource};
  readonly results?: readonly JsonObject[];
  readonly conditions?: readonly JsonObject[];
  readonly requirements?: {readonly [name: string]: JsonObject};
  /** Requires one more than it was given, for ever. */
  readonly unsettled?: boolean;
  readonly context?: JsonObject;
}

/** Structs are declared as bytes: the wire format of both is the same, and their JSON is what a story is about. */
export function messagesOf(protoText: string): protobuf.Root {
  const root = new protobuf.Root();
  root.addJSON(protobuf.common.get('google/protobuf/duration.proto')?.nested ?? {});
  return protobuf.parse(protoText.replaceAll('google.protobuf.Struct', 'bytes'), root, {keepCase: false}).root;
}

const proto = readFileSync(new URL('../../proto/run_function.proto', import.meta.url), 'utf8');
const root = messagesOf(proto);
const requestType = root.lookupType('apiextensions.fn.proto.v1.RunFunctionRequest');
const responseType = root.lookupType('apiextensions.fn.proto.v1.RunFunctionResponse');

export function structBytes(object: JsonObject): Uint8Array {
  const sink = new Sink(1024);
  encodeStruct(sink, object);
  return sink.finish();
}

export function structJson(bytes: Uint8Array): JsonObject {
  return decodeStruct(wholeSlice(bytes));
}

type Message = {[field: string]: unknown};

/** What the function was told, without the tag, which is a hash of the rest. */
export function toldIn(request: Uint8Array): JsonObject {
  const message = decoded(request);
  const capabilities = ((message['meta'] as Message | undefined)?.['capabilities'] ?? []) as Json;
  return plain({...message, meta: {capabilities}}) as JsonObject;
}

export function scripted(request: Uint8Array): Uint8Array {
  const message = decoded(request);
  const input = message['input'] instanceof Uint8Array ? structJson(message['input']) : {};
  const script = (input['response'] ?? {}) as Script;
  const before = (message['desired'] ?? {}) as {readonly composite?: Message; readonly resources?: Message};
  const own = Object.entries(script.resources ?? {}).map(([name, one]) => [name, resourceOf(one)] as const);
  const composite = script.composite === undefined ? before.composite : resourceOf(script.composite);
  const {ttlSeconds, context} = script;
  const response = {
    meta: {tag: (message['meta'] as Message | undefined)?.['tag'] ?? ''},
    desired: {
      resources: {...before.resources, ...Object.fromEntries(own)},
      ...(composite === undefined ? {} : {composite}),
    },
    results: script.results ?? [],
    conditions: script.conditions ?? [],
    requirements: {resources: requirementsOf(script, message)},
    ...(context === undefined ? {context: message['context']} : {context: structBytes(context)}),
  };
  const ttl = ttlSeconds === undefined ? {} : {ttl: {seconds: ttlSeconds}};
  return responseType.encode(responseType.fromObject({...response, meta: {...response.meta, ...ttl}})).finish();
}

/** What a function that is not scripted was shown. */
export interface Observed {
  readonly xr: JsonObject;
  readonly resources: readonly JsonObject[];
  /** Names of the requirements that it was sent an answer to. */
  readonly required: readonly string[];
}

export function observedIn(request: Uint8Array): Observed {
  const {observed, requiredResources} = decoded(request) as {
    readonly observed: {readonly composite: SentResource; readonly resources?: {readonly [name: string]: SentResource}};
    readonly requiredResources?: Message;
  };
  const resources = Object.entries(observed.resources ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    xr: structJson(observed.composite.resource),
    resources: resources.map(([, {resource}]) => structJson(resource)),
    required: Object.keys(requiredResources ?? {}),
  };
}

/** The script by which the scripted function answers the same. */
export function scriptIn(response: Uint8Array): Script {
  const message = responseType.toObject(responseType.decode(response), {longs: Number}) as Message;
  const {desired, results, conditions, requirements, context} = plain(message) as {readonly [field: string]: Json};
  const {composite, resources} = (desired ?? {}) as Script;
  return {
    ...(composite === undefined ? {} : {composite}),
    ...(resources === undefined ? {} : {resources}),
    ...(results === undefined ? {} : {results: results as readonly JsonObject[]}),
    ...(conditions === undefined ? {} : {conditions: conditions as readonly JsonObject[]}),
    requirements: ((requirements as Message | undefined)?.['resources'] ?? {}) as NonNullable<Script['requirements']>,
    ...(context === undefined ? {} : {context: context as JsonObject}),
  };
}

interface SentResource {
  readonly resource: Uint8Array;
}

function decoded(request: Uint8Array): Message {
  return requestType.toObject(requestType.decode(request), {longs: Number}) as Message;
}

function resourceOf({resource, ready, connectionDetails}: ScriptedResource): Message {
  const details = Object.entries(connectionDetails ?? {}).map(([key, text]) => [key, Buffer.from(text)] as const);
  return {
    ...(resource === undefined ? {} : {resource: structBytes(resource)}),
    ready: ready ?? 0,
    connectionDetails: Object.fromEntries(details),
  };
}

function requirementsOf({requirements = {}, unsettled}: Script, message: Message): Message {
  if (unsettled !== true) return requirements;
  const given = Object.keys((message['requiredResources'] ?? {}) as Message).length;
  return {...requirements, [`more-${given}`]: {apiVersion: 'v1', kind: 'ConfigMap', matchName: `more-${given}`}};
}

/** Structs as JSON, other bytes as text, nothing that a message leaves out. */
function plain(value: unknown, key = ''): Json {
  if (value instanceof Uint8Array) return structKeys.has(key) ? structJson(value) : Buffer.from(value).toString();
  if (Array.isArray(value)) return value.map((item) => plain(item));
  if (typeof value !== 'object' || value === null) return value as Json;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item, name)]));
}

const structKeys: ReadonlySet<string> = new Set(['resource', 'input', 'context', 'openapiV3']);
