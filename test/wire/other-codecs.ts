// Two codecs that are not ours, both driven by upstream's contract: proto-loader over proto/run_function.proto, and the
// TypeScript SDK's generated one. Here they take and give plain JSON, so that tests compare values and not spellings.

import {RunFunctionRequest, RunFunctionResponse} from '@crossplane-org/function-sdk-typescript';
import {loadSync} from '@grpc/proto-loader';
import type {Json, JsonObject} from '../../src/wire/json.ts';
import type {RequestBody, StateBody} from '../../src/wire/request-encode.ts';

const definition = loadSync(new URL('../../proto/run_function.proto', import.meta.url).pathname, {keepCase: true});
const service = definition['apiextensions.fn.proto.v1.FunctionRunnerService'] as unknown as {
  RunFunction: {
    requestSerialize(value: object): Buffer;
    requestDeserialize(bytes: Buffer): LoadedRequest;
    responseSerialize(value: object): Buffer;
    responseDeserialize(bytes: Buffer): {desired?: LoadedState; context?: Struct};
  };
};

type Value =
  | {nullValue: 0}
  | {numberValue: number}
  | {stringValue: string}
  | {boolValue: boolean}
  | {structValue: Struct}
  | {listValue: {values?: Value[]}};
interface Struct {
  fields?: {[key: string]: Value};
}
interface LoadedState {
  composite?: {resource?: Struct; ready?: string | number};
  resources?: {[key: string]: {resource?: Struct; ready?: string | number}};
}
interface LoadedRequest {
  meta?: {tag?: string; capabilities?: number[]};
  observed?: LoadedState;
  desired?: LoadedState;
  input?: Struct;
  context?: Struct;
  required_resources?: {[key: string]: {items?: {resource?: Struct}[]}};
}

/** What every codec should read from the same request. */
export interface PlainState {
  readonly composite: Json | undefined;
  readonly resources: {readonly [key: string]: Json};
  readonly ready: {readonly [key: string]: number};
}
export interface PlainRequest {
  readonly tag: string;
  readonly capabilities: readonly number[];
  readonly observed: PlainState;
  readonly desired: PlainState;
  readonly input: Json | undefined;
  readonly context: Json | undefined;
  readonly required: {readonly [key: string]: readonly Json[]};
}

/** Encodes with proto-loader. */
export function loaderEncode(body: RequestBody): Uint8Array {
  return service.RunFunction.requestSerialize({
    meta: {tag: body.tag, capabilities: body.capabilities ?? []},
    observed: loadedState(body.observed),
    desired: loadedState(body.desired),
    ...(body.input && {input: toStruct(body.input)}),
    ...(body.context && {context: toStruct(body.context)}),
    required_resources: Object.fromEntries(
      [...(body.requiredResources ?? [])].map(([name, objects]) => [
        name,
        {items: objects.map((object) => ({resource: toStruct(object)}))},
      ]),
    ),
  });
}

/** Decodes with proto-loader. */
export function loaderDecode(bytes: Uint8Array): PlainRequest {
  const message = service.RunFunction.requestDeserialize(Buffer.from(bytes));
  return {
    tag: message.meta?.tag ?? '',
    capabilities: (message.meta?.capabilities ?? []).map(Number),
    observed: plainState(message.observed),
    desired: plainState(message.desired),
    input: message.input && fromStruct(message.input),
    context: message.context && fromStruct(message.context),
    required: Object.fromEntries(
      Object.entries(message.required_resources ?? {}).map(([name, {items}]) => [
        name,
        (items ?? []).map(({resource}) => fromStruct(resource)),
      ]),
    ),
  };
}

/** Decodes with the TypeScript SDK. */
export function sdkDecode(bytes: Uint8Array): PlainRequest {
  const message = RunFunctionRequest.decode(bytes);
  const state = (from: typeof message.observed): PlainState => ({
    composite: from?.composite && ((from.composite.resource ?? {}) as Json),
    resources: mapValues(from?.resources ?? {}, ({resource}) => (resource ?? {}) as Json),
    ready: mapValues(from?.resources ?? {}, ({ready}) => ready as number),
  });
  return {
    tag: message.meta?.tag ?? '',
    capabilities: (message.meta?.capabilities ?? []) as number[],
    observed: state(message.observed),
    desired: state(message.desired),
    input: message.input as Json | undefined,
    context: message.context as Json | undefined,
    required: mapValues(message.requiredResources, ({items}) => items.map(({resource}) => (resource ?? {}) as Json)),
  };
}

/** The desired state of a response as the SDK reads it. */
export function sdkDecodeResponse(bytes: Uint8Array): RunFunctionResponse {
  return RunFunctionResponse.decode(bytes);
}

/** A google.protobuf.Struct as proto-loader wants it. */
function toStruct(object: JsonObject): Struct {
  return {fields: mapValues(object, toValue)};
}

function toValue(json: Json): Value {
  if (json === null) return {nullValue: 0};
  if (typeof json === 'number') return {numberValue: json};
  if (typeof json === 'string') return {stringValue: json};
  if (typeof json === 'boolean') return {boolValue: json};
  if (Array.isArray(json)) return {listValue: {values: json.map(toValue)}};
  return {structValue: toStruct(json as JsonObject)};
}

function fromStruct(struct: Struct | undefined): JsonObject {
  return mapValues(struct?.fields ?? {}, fromValue);
}

function fromValue(value: Value): Json {
  if ('numberValue' in value) return value.numberValue;
  if ('stringValue' in value) return value.stringValue;
  if ('boolValue' in value) return value.boolValue;
  if ('structValue' in value) return fromStruct(value.structValue);
  if ('listValue' in value) return (value.listValue.values ?? []).map(fromValue);
  return null;
}

function loadedState(state: StateBody): LoadedState {
  return {
    ...(state.composite && {composite: {resource: toStruct(state.composite.object)}}),
    resources: Object.fromEntries(
      [...state.resources].map(([name, {object, ready}]) => [
        name,
        {resource: toStruct(object), ready: ['unspecified', 'true', 'false'].indexOf(ready ?? 'unspecified')},
      ]),
    ),
  };
}

function plainState(state: LoadedState | undefined): PlainState {
  return {
    composite: state?.composite && fromStruct(state.composite.resource),
    resources: mapValues(state?.resources ?? {}, ({resource}) => fromStruct(resource)),
    ready: mapValues(state?.resources ?? {}, ({ready}) => Number(ready ?? 0)),
  };
}

function mapValues<T, U>(object: {readonly [key: string]: T}, change: (value: T) => U): {[key: string]: U} {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
