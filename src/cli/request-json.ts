// A RunFunctionRequest written as JSON, as protojson writes it: fields in camelCase or as in the contract, enums by name
// or number. For people who want to ask about a request of their own making.

import {isJsonObject, type Json, type JsonObject} from '../wire/json.ts';
import type {RequestBody, ResourceBody, StateBody} from '../wire/request-encode.ts';
import {readyOf} from '../wire/resource-message.ts';

/** A JSON request that cannot be used, with one sentence. */
export interface InvalidRequest {
  readonly kind: 'invalid-request';
  readonly sentence: string;
}

class Mismatch extends Error {}

const capabilities = [
  'CAPABILITY_UNSPECIFIED',
  'CAPABILITY_CAPABILITIES',
  'CAPABILITY_REQUIRED_RESOURCES',
  'CAPABILITY_CREDENTIALS',
  'CAPABILITY_CONDITIONS',
  'CAPABILITY_REQUIRED_SCHEMAS',
];
const readiness = ['READY_UNSPECIFIED', 'READY_TRUE', 'READY_FALSE'];

/** Reads a request from JSON text. */
export function parseRequestJson(
  source: string,
): {readonly kind: 'request'; readonly body: RequestBody} | InvalidRequest {
  try {
    return {kind: 'request', body: readRequest(JSON.parse(source) as Json)};
  } catch (error) {
    if (error instanceof Mismatch) return {kind: 'invalid-request', sentence: error.message};
    if (error instanceof SyntaxError) return {kind: 'invalid-request', sentence: `expected JSON: ${error.message}`};
    throw error;
  }
}

function readRequest(json: Json): RequestBody {
  const request = fields(json, 'request', [
    'meta',
    'observed',
    'desired',
    'input',
    'context',
    'extraResources',
    'credentials',
    'requiredResources',
    'requiredSchemas',
  ]);
  const meta = fields(request['meta'] ?? {}, 'meta', ['tag', 'capabilities']);
  const {tag = ''} = meta;
  if (typeof tag !== 'string') throw mismatch('meta.tag', 'a string', tag);
  return {
    tag,
    capabilities: list(meta['capabilities'] ?? [], 'meta.capabilities').map((item, index) =>
      enumNumber(item, capabilities, `meta.capabilities[${index}]`),
    ),
    observed: readState(request['observed'] ?? {}, 'observed'),
    desired: readState(request['desired'] ?? {}, 'desired'),
    ...(request['input'] !== undefined && {input: object(request['input'], 'input')}),
    ...(request['context'] !== undefined && {context: object(request['context'], 'context')}),
    requiredResources: readAnswers(request['requiredResources'] ?? {}, 'requiredResources'),
    extraResources: readAnswers(request['extraResources'] ?? {}, 'extraResources'),
  };
}

function readState(json: Json, place: string): StateBody {
  const {composite, resources = {}} = fields(json, place, ['composite', 'resources']);
  const entries = Object.entries(object(resources, `${place}.resources`)).map(
    ([name, resource]): [string, ResourceBody] => [
      name,
      readResource(resource, `${place}.resources[${JSON.stringify(name)}]`),
    ],
  );
  return {
    ...(composite !== undefined && {composite: readResource(composite, `${place}.composite`)}),
    resources: new Map(entries),
  };
}

function readResource(json: Json, place: string): ResourceBody {
  const {resource = {}, ready = 0} = fields(json, place, ['resource', 'ready', 'connectionDetails']);
  return {
    object: object(resource, `${place}.resource`),
    ready: readyOf(enumNumber(ready, readiness, `${place}.ready`)),
  };
}

function readAnswers(json: Json, place: string): ReadonlyMap<string, readonly JsonObject[]> {
  const entries = Object.entries(object(json, place)).map(([name, answer]): [string, JsonObject[]] => {
    const {items = []} = fields(answer, `${place}[${JSON.stringify(name)}]`, ['items']);
    const at = `${place}[${JSON.stringify(name)}].items`;
    return [name, list(items, at).map((item, index) => readResource(item, `${at}[${index}]`).object)];
  });
  return new Map(entries);
}

// The fields of a message under their camelCase names. A field that the contract does not have is a mistake.
function fields(json: Json, place: string, known: readonly string[]): {readonly [field: string]: Json | undefined} {
  const found: {[field: string]: Json} = {};
  for (const [key, value] of Object.entries(object(json, place))) {
    const field = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    if (!known.includes(field)) throw mismatch(place, `one of the fields ${known.join(', ')}`, key);
    found[field] = value;
  }
  return found;
}

function object(json: Json, place: string): JsonObject {
  if (!isJsonObject(json)) throw mismatch(place, 'an object', json);
  return json;
}

function list(json: Json, place: string): readonly Json[] {
  if (!Array.isArray(json)) throw mismatch(place, 'a list', json);
  return json as readonly Json[];
}

function enumNumber(json: Json, names: readonly string[], place: string): number {
  const number = typeof json === 'string' ? names.indexOf(json) : json;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < 0) {
    throw mismatch(place, `one of ${names.join(', ')}`, json);
  }
  return number;
}

function mismatch(place: string, expected: string, got: Json): Mismatch {
  const shown = JSON.stringify(got);
  return new Mismatch(`${place}: expected ${expected}, got ${shown.length > 80 ? `${shown.slice(0, 77)}...` : shown}`);
}
