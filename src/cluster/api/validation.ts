// Validates a custom resource against its schema; rules.ts has the rules in CEL. An update is checked only in the values that it
// changes, as with upstream's CRDValidationRatcheting: errors in untouched values are forgiven.
//
// kubernetes/kube-openapi d427ff9 pkg/validation; kubernetes/apiextensions-apiserver 1aa2717a5
// pkg/apiserver/validation/{validation,ratcheting}.go.

import {goRegex} from '../go-regex.ts';
import {equal, isList, isObject, type Json, type JsonObject} from '../json.ts';
import {hasFormat, isKnownFormat} from '../schema/formats.ts';
import {type Structural, schemaOfKey} from '../schema/structural.ts';
import {formerItem} from './correlation.ts';
import {type FieldError, invalidValue, notSupported, required, tooLong, tooMany, typeInvalid} from './errors.ts';

/** Everything wrong with `value`; `old` is its former self in an update. `path` is '' for a whole object. */
export function schemaErrors(
  value: Json,
  structural: Structural,
  path: string,
  old: Json | undefined,
): readonly FieldError[] {
  if (old !== undefined && old === value) return none;
  const errors = checkValue(value, structural, path, old);
  return errors.length > 0 && old !== undefined && equal(value, old) ? none : errors;
}

/** Nearly every check answers this: it costs nothing to answer and nothing to join. */
const none: readonly FieldError[] = [];

function joined(left: readonly FieldError[], right: readonly FieldError[]): readonly FieldError[] {
  if (right.length === 0) return left;
  return left.length === 0 ? right : [...left, ...right];
}

function checkValue(value: Json, structural: Structural, path: string, old: Json | undefined): readonly FieldError[] {
  if (value === null) return [...typeErrors(value, structural, path), ...enumErrors(value, structural, path)];
  let errors = typeErrors(value, structural, path);
  errors = joined(errors, combinationErrors(value, structural, path));
  if (typeof value === 'string') {
    errors = joined(errors, joined(stringErrors(value, structural, path), formatErrors(value, structural, path)));
  }
  if (typeof value === 'number') errors = joined(errors, numberErrors(value, structural, path));
  if (isList(value)) errors = joined(errors, listErrors(value, structural, path, old));
  errors = joined(errors, enumErrors(value, structural, path));
  return isObject(value) ? joined(errors, objectErrors(value, structural, path, old)) : errors;
}

function typeErrors(value: Json, structural: Structural, path: string): readonly FieldError[] {
  const expected = structural.intOrString ? 'integer,string' : structural.type;
  const actual = jsonType(value);
  if (expected === '' || expected === actual) return none;
  const fits =
    actual === 'null'
      ? structural.nullable
      : expected.split(',').includes(actual) || (actual === 'integer' && expected === 'number');
  if (fits) return none;
  const {format} = structural;
  if (actual !== 'null' && format !== '' && isKnownFormat(format)) return formatInstead(value, format, path);
  return [typeInvalid(path, actual, `${inBody(path)} must be of type ${expected}: ${JSON.stringify(actual)}`)];
}

/** Where a text of some format is wanted, the validator speaks of the format, of Go's types, and lets lists pass. */
function formatInstead(value: Json, format: string, path: string): readonly FieldError[] {
  if (isList(value)) return none;
  const actual = typeof value === 'number' ? (Number.isInteger(value) ? 'int64' : 'float64') : '';
  return [typeInvalid(path, actual, `${inBody(path)} must be of type ${format}: ${JSON.stringify(actual)}`)];
}

function jsonType(value: Json): string {
  if (value === null) return 'null';
  if (isList(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function enumErrors(value: Json, {checks}: Structural, path: string): readonly FieldError[] {
  if (checks.enum.length === 0 || checks.enum.some((allowed) => equal(allowed, value))) return none;
  const names = checks.enum.map((allowed) => (typeof allowed === 'string' ? allowed : JSON.stringify(allowed)));
  return [notSupported(path, value, names)];
}

function stringErrors(value: string, {checks}: Structural, path: string): readonly FieldError[] {
  if (checks.maxLength !== undefined && characters(value) > checks.maxLength) return [tooLong(path, checks.maxLength)];
  if (checks.minLength !== undefined && characters(value) < checks.minLength) {
    return [invalidValue(path, value, `${inBody(path)} should be at least ${checks.minLength} chars long`)];
  }
  const regex = checks.pattern === undefined ? undefined : goRegex(checks.pattern);
  if (regex?.kind === 'regex' && !regex.test(value)) {
    return [invalidValue(path, value, `${inBody(path)} should match '${checks.pattern}'`)];
  }
  return none;
}

function formatErrors(value: string, {format}: Structural, path: string): readonly FieldError[] {
  if (format === '' || hasFormat(value, format)) return none;
  return [typeInvalid(path, value, `${inBody(path)} must be of type ${format}: ${JSON.stringify(value)}`)];
}

/** Go counts characters, not UTF-16 units. */
function characters(value: string): number {
  return [...value].length;
}

function numberErrors(value: number, {checks}: Structural, path: string): readonly FieldError[] {
  const {exclusiveMinimum, exclusiveMaximum} = checks;
  // Whole numbers are compared as such, and so are their bounds: what they have after the point does not count.
  const asCompared = (bound: number | undefined) =>
    bound !== undefined && Number.isInteger(value) ? Math.trunc(bound) : bound;
  const [minimum, maximum, multipleOf] = [checks.minimum, checks.maximum, checks.multipleOf].map(asCompared);
  const errors: FieldError[] = [];
  const report = (detail: string) => errors.push(invalidValue(path, value, `${inBody(path)} should be ${detail}`));
  if (multipleOf !== undefined && !Number.isInteger(value / multipleOf)) report(`a multiple of ${multipleOf}`);
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum)) {
    report(`${exclusiveMinimum ? 'greater than' : 'greater than or equal to'} ${minimum}`);
  }
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum)) {
    report(`${exclusiveMaximum ? 'less than' : 'less than or equal to'} ${maximum}`);
  }
  return errors;
}

function listErrors(
  value: readonly Json[],
  structural: Structural,
  path: string,
  old: Json | undefined,
): readonly FieldError[] {
  const {items, checks} = structural;
  const errors: FieldError[] = [];
  if (items !== undefined) {
    const formerOf = formerItem(structural, isList(old) ? old : undefined);
    for (const [index, item] of value.entries()) {
      errors.push(...schemaErrors(item, items, `${path}[${index}]`, formerOf(item)));
    }
  }
  errors.push(...sizeErrors(path, value.length, checks.minItems, checks.maxItems, 'items'));
  if (checks.uniqueItems && value.some((item, index) => value.slice(0, index).some((other) => equal(item, other)))) {
    errors.push(invalidValue(path, '', `${inBody(path)} shouldn't contain duplicates`));
  }
  return errors;
}

function sizeErrors(
  path: string,
  size: number,
  min: number | undefined,
  max: number | undefined,
  what: 'items' | 'properties',
): readonly FieldError[] {
  if (min === undefined && max === undefined) return none;
  return [
    ...(size < (min ?? 0) ? [invalidValue(path, size, `${inBody(path)} should have at least ${min} ${what}`)] : []),
    ...(max !== undefined && size > max ? [tooMany(path, size, max)] : []),
  ];
}

function objectErrors(
  value: JsonObject,
  structural: Structural,
  path: string,
  old: Json | undefined,
): readonly FieldError[] {
  const {properties, checks} = structural;
  const keys = Object.keys(value);
  const errors = [...sizeErrors(path, keys.length, checks.minProperties, checks.maxProperties, 'properties')];
  for (const key of keys) {
    const schema = schemaOfKey(structural, key);
    const child = value[key];
    if (schema === undefined || child === undefined) continue;
    const former = isObject(old) && !structural.mapAtomic && Object.hasOwn(old, key) ? old[key] : undefined;
    if (former === child) continue;
    errors.push(
      ...schemaErrors(child, schema, properties.has(key) ? childPath(path, key) : keyPath(path, key), former),
    );
  }
  for (const key of checks.required) {
    if (!Object.hasOwn(value, key)) errors.push(required(childPath(path, key)));
  }
  return errors;
}

function combinationErrors(value: Json, {checks}: Structural, path: string): readonly FieldError[] {
  const {allOf, anyOf, oneOf, not} = checks;
  if (not === undefined && allOf.length === 0 && anyOf.length === 0 && oneOf.length === 0) return none;
  const fits = (schema: Structural) => checkValue(value, schema, path, undefined).length === 0;
  const errors: FieldError[] = [];
  // Upstream's errors of a combination carry no field.
  const report = (detail: string) => errors.push(invalidValue('<nil>', '', `${quotedPath(path)} ${detail}`));
  if (anyOf.length > 0 && !anyOf.some(fits)) {
    report('must validate at least one schema (anyOf)');
    errors.push(...checkValue(value, anyOf[0] as Structural, path, undefined));
  }
  const matching = oneOf.filter(fits).length;
  if (oneOf.length > 0 && matching !== 1) {
    report(
      `must validate one and only one schema (oneOf). Found ${matching === 0 ? 'none valid' : `${matching} valid alternatives`}`,
    );
    if (matching === 0) errors.push(...checkValue(value, oneOf[0] as Structural, path, undefined));
  }
  for (const schema of allOf) errors.push(...checkValue(value, schema, path, undefined));
  if (allOf.length > 0 && !allOf.every(fits)) report('must validate all the schemas (allOf)');
  if (not !== undefined && fits(not)) report('must not validate the schema (not)');
  return errors;
}

export function childPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function keyPath(path: string, key: string): string {
  return `${path}.${key}`;
}

function inBody(path: string): string {
  return `${path} in body`;
}

function quotedPath(path: string): string {
  return JSON.stringify(path === '' ? '<nil>' : path);
}
