// Pieces of OpenAPI schemas that the kinds of Kubernetes and of Crossplane are written in.

import type {Json, JsonObject} from '../json.ts';

export const text: JsonObject = {type: 'string'};
export const flag: JsonObject = {type: 'boolean'};
export const whole: JsonObject = {type: 'integer'};
/** A number or a text: a port, a share, a quantity. */
export const wholeOrText: JsonObject = {'x-kubernetes-int-or-string': true};
export const anything: JsonObject = {type: 'object', 'x-kubernetes-preserve-unknown-fields': true};
export const textMap: JsonObject = {type: 'object', additionalProperties: text};
export const quantities: JsonObject = {type: 'object', additionalProperties: wholeOrText};

export function record(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return {type: 'object', ...(required.length === 0 ? {} : {required}), properties};
}

export function list(items: JsonObject): JsonObject {
  return {type: 'array', items};
}

/** An object of this shape, whose other fields are anybody's: what an embedded resource is. */
export const embedded: JsonObject = {...anything, 'x-kubernetes-embedded-resource': true};

export function listByKey(items: JsonObject, ...keys: readonly string[]): JsonObject {
  return {type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys, items};
}

export function setOf(items: JsonObject): JsonObject {
  return {type: 'array', 'x-kubernetes-list-type': 'set', items};
}

/** A value that is owned as one. */
export function atomic(schema: JsonObject): JsonObject {
  return {...schema, 'x-kubernetes-map-type': 'atomic'};
}

export function withDefault(schema: JsonObject, value: Json): JsonObject {
  return {...schema, default: value};
}

export function choice(values: readonly string[], value?: string): JsonObject {
  return {type: 'string', enum: values, ...(value === undefined ? {} : {default: value})};
}

/** The whole object's schema around a spec and a status. */
export function resource(spec: JsonObject, status?: JsonObject): JsonObject {
  return record({
    apiVersion: text,
    kind: text,
    metadata: {type: 'object'},
    spec,
    ...(status === undefined ? {} : {status}),
  });
}

/** A schema with rules in CEL, each with the message of its violation. */
export function ruled(schema: JsonObject, ...rules: readonly (readonly [message: string, rule: string])[]): JsonObject {
  return {...schema, 'x-kubernetes-validations': rules.map(([message, rule]) => ({message, rule}))};
}

/** It may be set and left out, but not changed. */
export const immutable = ['Value is immutable', 'self == oldSelf'] as const;
