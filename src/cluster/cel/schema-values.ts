// The content of a custom resource as rules see it: shaped by its schema, and only fields of the schema.
//
// kubernetes/apiserver v0.34.4 pkg/cel/common/{valuesunstructured,schemas}.go; kubernetes/apiextensions-apiserver v0.34.4
// pkg/apiserver/schema/cel/model/schemas.go.

import {fromBase64} from '../bytes.ts';
import {isList, isObject, type Json, type JsonObject} from '../json.ts';
import {remembering} from '../memo.ts';
import {hasFormat} from '../schema/formats.ts';
import type {Structural} from '../schema/structural.ts';
import {parseDay, parseDuration, parseMoment} from './functions/times.ts';
import {escapedName, unescapedName} from './names.ts';
import {EvaluationProblem, isKind, type ListValue, listOf, type MapValue, type Value} from './values.ts';

/** A value under its schema. Fields and items are looked at when they are asked for. */
export function celValue(json: Json, structural: Structural): Value {
  if (json === null) {
    if (structural.nullable) return null;
    throw new EvaluationProblem('invalid data, got null for schema with nullable=false');
  }
  if (structural.intOrString) {
    if (typeof json === 'string') return json;
    if (typeof json === 'number' && Number.isInteger(json)) return BigInt(json);
    throw new EvaluationProblem('invalid data, expected XIntOrString value to be either a string or integer');
  }
  switch (structural.type) {
    case 'object':
      return isObject(json) ? objectValue(json, structural) : unfit('a map for the provided schema with type=object');
    case 'array':
      return isList(json) ? listValue(json, structural) : unfit('an array for the provided schema with type=array');
    case 'string':
      return typeof json === 'string' ? textValue(json, structural.format) : unfit('string');
    case 'number':
      return typeof json === 'number' ? json : unfit('float');
    case 'integer':
      return typeof json === 'number' && Number.isInteger(json) ? BigInt(json) : unfit('int');
    case 'boolean':
      return typeof json === 'boolean' ? json : unfit('bool');
    default:
      return {kind: 'unknown', value: json};
  }
}

/**
 * A value without its schema, which is what an optional oldSelf has: cel-go unwraps it down to what Go decoded, so that its
 * times are texts, its lists in order, and its fields named as they are.
 */
export function plainValue(json: Json): Value {
  if (typeof json === 'number') return Number.isInteger(json) ? BigInt(json) : json;
  if (isList(json)) return listOf(json.map(plainValue));
  if (!isObject(json)) return json;
  return {
    kind: 'map',
    size: Object.keys(json).length,
    keys: () => Object.keys(json),
    find: (key) => (typeof key === 'string' && Object.hasOwn(json, key) ? plainValue(json[key] as Json) : undefined),
  };
}

function unfit(expected: string): never {
  throw new EvaluationProblem(`invalid data, expected ${expected}`);
}

function textValue(text: string, format: string): Value {
  switch (format) {
    case 'duration': {
      const nanos = parseDuration(text);
      return nanos === undefined ? text : {kind: 'duration', nanos};
    }
    case 'date':
    case 'date-time': {
      const nanos = format === 'date' ? parseDay(text) : parseMoment(text);
      if (nanos === undefined) throw new EvaluationProblem(`Invalid ${format} formatted string ${text}`);
      return {kind: 'timestamp', nanos};
    }
    case 'byte':
      if (!hasFormat(text, 'byte')) throw new EvaluationProblem(`Invalid byte formatted string ${text}`);
      return {kind: 'bytes', value: [...fromBase64(text)]};
    default:
      return text;
  }
}

function objectValue(json: JsonObject, plain: Structural): MapValue {
  const structural = plain.embeddedResource ? withTypeAndMeta(plain) : plain;
  const {properties, additionalProperties} = structural;
  const isRecord = properties.size > 0;
  const more = typeof additionalProperties === 'object' && !isRecord ? additionalProperties : undefined;
  const schemaOf = (key: string) => (isRecord ? properties.get(key) : more);
  const keys = Object.keys(json);
  return {
    kind: 'map',
    size: keys.length,
    keys: () =>
      keys.filter((key) => schemaOf(key) !== undefined).map((key) => (isRecord ? (escapedName(key) ?? key) : key)),
    find: (key) => {
      if (typeof key !== 'string') throw new EvaluationProblem('no such overload');
      const field = isRecord ? unescapedName(key) : key;
      if (field === undefined || !Object.hasOwn(json, field)) return undefined;
      const value = json[field] as Json;
      const schema = schemaOf(field);
      // A field of null is as good as none; a null in a map is not.
      if (schema === undefined || (isRecord && value === null)) return undefined;
      return celValue(value, schema);
    },
    source: {
      unknown: new Map(keys.filter((key) => schemaOf(key) === undefined).map((key) => [key, json[key] as Json])),
    },
  };
}

function listValue(json: readonly Json[], {items, listType, listMapKeys}: Structural): ListValue {
  if (items === undefined) throw new EvaluationProblem('invalid array type, expected Items with a non-empty Schema');
  const list: ListValue = {kind: 'list', size: json.length, at: (index) => celValue(json[index] as Json, items)};
  if (listType === 'set') return {...list, keyed: {keyOf: scalarKey}};
  if (listType !== 'map') return list;
  const keys = listMapKeys.map((key) => escapedName(key) ?? key);
  const keyOf = (item: Value) => {
    if (!isKind(item, 'map')) return '';
    return keys.map((key) => scalarKey(item.find(key) ?? null)).join();
  };
  return {...list, keyed: {keyOf}};
}

function scalarKey(value: Value): string {
  return `${typeof value} ${String(value)}`;
}

/** The schema of any text; made from another for the sake of what all schemas have. */
function textSchema(like: Structural): Structural {
  const plain = {
    format: '',
    nullable: false,
    embeddedResource: false,
    intOrString: false,
    preserveUnknownFields: false,
  };
  const empty = {properties: new Map(), additionalProperties: undefined, items: undefined, rules: [], hasRules: false};
  return {...like, ...plain, ...empty, type: 'string', listType: undefined};
}

/** The schema of a whole object, whose kind, apiVersion and names rules can always see, and nothing else of metadata. */
export const withTypeAndMeta = remembering((structural: Structural): Structural => {
  const one = textSchema(structural);
  const own = structural.properties.get('metadata');
  const isNamed =
    own?.properties.get('name')?.type === 'string' && own.properties.get('generateName')?.type === 'string';
  const metadata: Structural = {
    ...one,
    type: 'object',
    properties: new Map([
      ['name', one],
      ['generateName', one],
    ]),
  };
  const properties = new Map([
    ...structural.properties,
    ['kind', one],
    ['apiVersion', one],
    ['metadata', isNamed && own !== undefined ? own : metadata],
  ] as const);
  return {...structural, properties, embeddedResource: false};
});

/** True if expressions can see values of the schema. */
export function isVisible({type, intOrString, items, additionalProperties}: Structural): boolean {
  if (intOrString) return true;
  if (type === 'array') return items !== undefined && isVisible(items);
  if (type === 'object') return typeof additionalProperties !== 'object' || isVisible(additionalProperties);
  return type === 'string' || type === 'number' || type === 'integer' || type === 'boolean';
}
