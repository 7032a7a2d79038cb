// A CRD's OpenAPI schema, read once into the shape that every write walks.
// kubernetes/apiextensions-apiserver 1aa2717a5 pkg/apiserver/schema/structural.go. Not modelled: $ref, definitions and
// dependencies, which structural schemas forbid.

import {isList, isObject, type Json, type JsonObject} from '../json.ts';
import {remembering} from '../memo.ts';

export interface Structural {
  /** '' if the schema has no type, as with x-kubernetes-int-or-string. */
  readonly type: string;
  readonly format: string;
  readonly nullable: boolean;
  /** Undefined where there is none; a default of null is none, as upstream treats it. */
  readonly default: Json | undefined;
  readonly properties: ReadonlyMap<string, Structural>;
  /** `true`: any value under any other key. */
  readonly additionalProperties: Structural | boolean | undefined;
  readonly items: Structural | undefined;
  readonly preserveUnknownFields: boolean;
  readonly embeddedResource: boolean;
  readonly intOrString: boolean;
  readonly listType: 'atomic' | 'set' | 'map' | undefined;
  readonly listMapKeys: readonly string[];
  readonly mapAtomic: boolean;
  /** True if a default stands here or anywhere below. */
  readonly hasDefaults: boolean;
  /** True if a list of type set or map stands here or anywhere below. */
  readonly hasKeyedLists: boolean;
  /** True if a whole resource is embedded here or anywhere below. */
  readonly hasEmbedded: boolean;
  /** The rules in CEL of this value itself. */
  readonly rules: readonly SchemaRule[];
  /** True if rules stand here or anywhere below. */
  readonly hasRules: boolean;
  readonly checks: Checks;
}

/** An x-kubernetes-validations as a schema has it. */
export interface SchemaRule {
  readonly rule: string;
  readonly message: string;
  readonly messageExpression: string;
  readonly reason: string | undefined;
  readonly fieldPath: string;
  readonly optionalOldSelf: boolean;
}

/** Constraints on a value besides its type. */
interface Checks {
  readonly required: readonly string[];
  readonly enum: readonly Json[];
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly exclusiveMinimum: boolean;
  readonly exclusiveMaximum: boolean;
  readonly multipleOf: number | undefined;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly pattern: string | undefined;
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
  readonly uniqueItems: boolean;
  readonly minProperties: number | undefined;
  readonly maxProperties: number | undefined;
  readonly allOf: readonly Structural[];
  readonly anyOf: readonly Structural[];
  readonly oneOf: readonly Structural[];
  readonly not: Structural | undefined;
}

export const structuralOf = remembering(read);

/** The schema of a key of an object, or undefined where the key is unknown or may hold anything. */
export function schemaOfKey(structural: Structural | undefined, key: string): Structural | undefined {
  if (structural === undefined) return undefined;
  const property = structural.properties.get(key);
  if (property !== undefined) return property;
  return typeof structural.additionalProperties === 'object' ? structural.additionalProperties : undefined;
}

function read(schema: JsonObject): Structural {
  const properties = new Map(
    Object.entries(objectAt(schema, 'properties')).map(([name, property]) => [name, structuralOf(asObject(property))]),
  );
  const items = isObject(schema['items']) ? structuralOf(schema['items']) : undefined;
  const additionalProperties = additionalOf(schema['additionalProperties']);
  const ownDefault = schema['default'] ?? undefined;
  const listType = textAt(schema, 'x-kubernetes-list-type') as Structural['listType'];
  const rules = listAt(schema, 'x-kubernetes-validations').filter(isObject).map(ruleOf);
  const checks = checksOf(schema);
  const below = [...properties.values(), items, additionalProperties].filter((child) => typeof child === 'object');
  return {
    type: textAt(schema, 'type') ?? '',
    format: textAt(schema, 'format') ?? '',
    nullable: schema['nullable'] === true,
    default: ownDefault,
    properties,
    additionalProperties,
    items,
    preserveUnknownFields: schema['x-kubernetes-preserve-unknown-fields'] === true,
    embeddedResource: schema['x-kubernetes-embedded-resource'] === true,
    intOrString: schema['x-kubernetes-int-or-string'] === true,
    listType,
    listMapKeys: textsAt(schema, 'x-kubernetes-list-map-keys'),
    mapAtomic: schema['x-kubernetes-map-type'] === 'atomic',
    hasDefaults: ownDefault !== undefined || below.some((child) => child.hasDefaults),
    hasKeyedLists: listType === 'set' || listType === 'map' || below.some((child) => child.hasKeyedLists),
    hasEmbedded:
      schema['x-kubernetes-embedded-resource'] === true ||
      below.some((child) => typeof child === 'object' && child.hasEmbedded),
    rules,
    hasRules:
      rules.length > 0 ||
      below.some((child) => typeof child === 'object' && child.hasRules) ||
      checks.allOf.some((part) => part.hasRules),
    checks,
  };
}

function ruleOf(rule: JsonObject): SchemaRule {
  return {
    rule: textAt(rule, 'rule') ?? '',
    message: textAt(rule, 'message') ?? '',
    messageExpression: textAt(rule, 'messageExpression') ?? '',
    reason: textAt(rule, 'reason'),
    fieldPath: textAt(rule, 'fieldPath') ?? '',
    optionalOldSelf: rule['optionalOldSelf'] === true,
  };
}

function checksOf(schema: JsonObject): Checks {
  return {
    required: textsAt(schema, 'required'),
    enum: listAt(schema, 'enum'),
    minimum: numberAt(schema, 'minimum'),
    maximum: numberAt(schema, 'maximum'),
    exclusiveMinimum: schema['exclusiveMinimum'] === true,
    exclusiveMaximum: schema['exclusiveMaximum'] === true,
    multipleOf: numberAt(schema, 'multipleOf'),
    minLength: numberAt(schema, 'minLength'),
    maxLength: numberAt(schema, 'maxLength'),
    pattern: textAt(schema, 'pattern'),
    minItems: numberAt(schema, 'minItems'),
    maxItems: numberAt(schema, 'maxItems'),
    uniqueItems: schema['uniqueItems'] === true,
    minProperties: numberAt(schema, 'minProperties'),
    maxProperties: numberAt(schema, 'maxProperties'),
    allOf: listAt(schema, 'allOf').map((part) => structuralOf(asObject(part))),
    anyOf: listAt(schema, 'anyOf').map((part) => structuralOf(asObject(part))),
    oneOf: listAt(schema, 'oneOf').map((part) => structuralOf(asObject(part))),
    not: isObject(schema['not']) ? structuralOf(schema['not']) : undefined,
  };
}

function additionalOf(value: Json | undefined): Structural | boolean | undefined {
  if (typeof value === 'boolean') return value;
  return isObject(value) ? structuralOf(value) : undefined;
}

function objectAt(schema: JsonObject, key: string): JsonObject {
  return asObject(schema[key]);
}

const empty: JsonObject = {};

function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : empty;
}

function listAt(schema: JsonObject, key: string): readonly Json[] {
  const value = schema[key];
  return isList(value) ? value : [];
}

function textsAt(schema: JsonObject, key: string): readonly string[] {
  return listAt(schema, key).filter((value) => typeof value === 'string');
}

function textAt(schema: JsonObject, key: string): string | undefined {
  const value = schema[key];
  return typeof value === 'string' ? value : undefined;
}

function numberAt(schema: JsonObject, key: string): number | undefined {
  const value = schema[key];
  return typeof value === 'number' ? value : undefined;
}
