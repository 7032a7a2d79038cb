// The schema that a definition brings, apart from its patterns and rules: a type that there is not, a field without a type, a
// default that its own schema refuses. The API server refuses the definition.
//
// kubernetes/apiextensions-apiserver v0.35.3 pkg/apis/apiextensions/validation/validation.go, pkg/apiserver/schema/validation.go,
// pkg/apiserver/schema/defaulting/validation.go. Not modelled: fields in parts of anyOf, allOf, oneOf and not
// that the schema itself lacks, schemas of metadata, unknown fields in lists of a default. A value of another
// JSON type than the keyword's own does not decode upstream; here it is an error of the field.

import {equal, isList, isObject, type Json, type JsonObject} from '../json.ts';
import {remembering} from '../memo.ts';
import {type Structural, structuralOf} from '../schema/structural.ts';
import {pruned} from './coerce.ts';
import {type FieldError, forbiddenField, invalidValue, notSupported, required} from './errors.ts';
import {schemaErrors} from './validation.ts';

/** Of the structure, of defaults and of keywords. The fields of errors begin below the schema. */
interface Shape {
  readonly structure: readonly FieldError[];
  readonly defaults: readonly FieldError[];
  readonly keywords: readonly FieldError[];
  /** False if it has a keyword that is not supported: such a schema has no structure. */
  readonly hasStructure: boolean;
}

export const shapeOf = remembering((schema: JsonObject): Shape => {
  const keywords = keywordErrors(schema, '');
  return {
    structure: structureErrors(schema, '', 'at the root'),
    defaults: defaultErrors(structuralOf(schema), '', shapeErrors),
    keywords,
    hasStructure: !keywords.some(({field}) => unsupported.some((name) => field.endsWith(`.${name}`))),
  };
});

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const unsupported = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'];
const listTypes = ['atomic', 'set', 'map'];
const mapTypes = ['atomic', 'granular'];

const forms: {readonly [form: string]: readonly string[]} = {
  string: ['type', 'format', 'pattern', 'description', 'title', 'x-kubernetes-list-type', 'x-kubernetes-map-type'],
  array: ['required', 'enum', 'allOf', 'anyOf', 'oneOf', 'x-kubernetes-list-map-keys', 'x-kubernetes-validations'],
  number: ['minimum', 'maximum', 'multipleOf', 'minLength', 'maxLength', 'minItems', 'maxItems'],
  boolean: ['nullable', 'uniqueItems', 'x-kubernetes-preserve-unknown-fields', 'x-kubernetes-int-or-string'],
  object: ['properties', 'not'],
};

function keywordErrors(schema: JsonObject, path: string): readonly FieldError[] {
  const {type, properties, additionalProperties, items} = schema;
  const errors: FieldError[] = [...formErrors(schema, path)];
  if (typeof type === 'string' && type !== '' && !types.includes(type)) {
    errors.push(notSupported(`${path}.type`, type, types));
  }
  for (const name of unsupported) {
    if (schema[name] !== undefined) errors.push(forbiddenField(`${path}.${name}`, `${name} is not supported`));
  }
  if (type === 'null') {
    errors.push(forbiddenField(`${path}.type`, 'type cannot be set to null, use nullable as an alternative'));
  }
  if (isList(items)) errors.push(forbiddenField(`${path}.items`, 'items must be a schema object and not an array'));
  if (schema['uniqueItems'] === true) {
    const why = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    errors.push(forbiddenField(`${path}.uniqueItems`, why));
  }
  const closes = additionalProperties === false || isObject(additionalProperties);
  if (closes && isObject(properties) && Object.keys(properties).length > 0) {
    const why = 'additionalProperties and properties are mutual exclusive';
    errors.push(forbiddenField(`${path}.additionalProperties`, why));
  }
  const below = [...fieldsBelow(schema, path), ...partsBelow(schema, path)];
  errors.push(...below.flatMap((one) => keywordErrors(one.schema, one.path)));
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    errors.push(invalidValue(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'));
  }
  return [...errors, ...mapErrors(schema, path), ...listErrors(schema, path)];
}

function formErrors(schema: JsonObject, path: string): readonly FieldError[] {
  const {properties} = schema;
  const own = Object.entries(forms).flatMap(([form, names]) =>
    names.flatMap((name) => wrongForm(schema, name, form, `${path}.${name}`)),
  );
  if (!isObject(properties)) return own;
  const names = Object.keys(properties);
  return [...own, ...names.flatMap((name) => wrongForm(properties, name, 'object', `${path}.properties[${name}]`))];
}

function wrongForm(schema: JsonObject, name: string, form: string, path: string): readonly FieldError[] {
  const value = schema[name] ?? null;
  if (value === null || (isList(value) ? 'array' : typeof value) === form) return [];
  return [invalidValue(path, value, `must be of type ${form}`)];
}

/** Of a keyword for values of one type. */
function wrongType({type}: JsonObject, wanted: string, keyword: string, path: string): readonly FieldError[] {
  const why = `must be ${wanted} if ${keyword} is specified`;
  if (type === wanted) return [];
  return [typeof type === 'string' ? invalidValue(`${path}.type`, type, why) : required(`${path}.type`, why)];
}

function mapErrors(schema: JsonObject, path: string): readonly FieldError[] {
  const mapType = schema['x-kubernetes-map-type'];
  if (typeof mapType !== 'string') return [];
  const isKnown = mapTypes.includes(mapType);
  return [
    ...wrongType(schema, 'object', 'x-kubernetes-map-type', path),
    ...(isKnown ? [] : [notSupported(`${path}.x-kubernetes-map-type`, mapType, mapTypes)]),
  ];
}

function listErrors(schema: JsonObject, path: string): readonly FieldError[] {
  const {'x-kubernetes-list-type': listType, 'x-kubernetes-list-map-keys': keys} = schema;
  const names = isList(keys) ? keys.map(String) : [];
  const items = isObject(schema['items']) ? schema['items'] : {};
  const field = `${path}.x-kubernetes-list-type`;
  if (typeof listType !== 'string') {
    const why = 'must be map if x-kubernetes-list-map-keys is non-empty';
    return names.length === 0 ? [] : [required(field, why)];
  }
  const errors = [...wrongType(schema, 'array', 'x-kubernetes-list-type', path)];
  const isAtomic = items['x-kubernetes-map-type'] === 'atomic';
  if (errors.length === 0 && listType === 'set' && items['type'] === 'object' && !isAtomic) {
    const why = 'must be atomic as item of a list with x-kubernetes-list-type=set';
    errors.push(invalidValue(`${path}.items.x-kubernetes-map-type`, null, why));
  }
  if (!listTypes.includes(listType)) errors.push(notSupported(field, listType, listTypes));
  return listType === 'map' ? [...errors, ...keyErrors(names, items, path)] : errors;
}

/** Of the keys of a list of type map. */
function keyErrors(names: readonly string[], items: JsonObject, path: string): readonly FieldError[] {
  const [properties, needed] = [items['properties'], items['required']];
  const keys = `${path}.x-kubernetes-list-map-keys`;
  if (names.length === 0) return [required(keys, 'must not be empty if x-kubernetes-list-type is map')];
  const {type = ''} = items;
  if (type !== 'object') {
    const why = "must be object if parent array's x-kubernetes-list-type is map";
    return [invalidValue(`${path}.items.type`, type, why)];
  }
  const fields = isObject(properties) ? properties : {};
  return names.flatMap((name): readonly FieldError[] => {
    const field = fields[name];
    if (!isObject(field)) return [invalidValue(keys, names, 'entries must all be names of item properties')];
    if ((isList(needed) && needed.includes(name)) || (field['default'] ?? undefined) !== undefined) return [];
    const why = 'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property';
    return [required(`${path}.items.properties[${name}].default`, why)];
  });
}

interface Below {
  readonly schema: JsonObject;
  readonly path: string;
  readonly level: 'for specified array items' | 'for specified object fields';
}

/** Schemas of values below a value. */
function fieldsBelow({properties, additionalProperties, items}: JsonObject, path: string): readonly Below[] {
  const level = 'for specified object fields';
  return [
    ...(isObject(additionalProperties)
      ? [{schema: additionalProperties, path: `${path}.additionalProperties`, level} as const]
      : []),
    ...Object.entries(isObject(properties) ? properties : {}).flatMap(([name, schema]) =>
      isObject(schema) ? [{schema, path: `${path}.properties[${name}]`, level} as const] : [],
    ),
    ...(isObject(items) ? [{schema: items, path: `${path}.items`, level: 'for specified array items'} as const] : []),
  ];
}

/** Further schemas of the value itself. */
function partsBelow(schema: JsonObject, path: string): readonly Omit<Below, 'level'>[] {
  const {not} = schema;
  const listed = ['allOf', 'oneOf', 'anyOf'].flatMap((name) => {
    const parts = schema[name];
    if (!isList(parts) || (name === 'anyOf' && equal(parts, intOrString))) return [];
    return parts.flatMap((part, index) => (isObject(part) ? [{schema: part, path: `${path}.${name}[${index}]`}] : []));
  });
  return isObject(not) ? [...listed, {schema: not, path: `${path}.not`}] : listed;
}

/** The one use of types in a part that a schema may have. */
const intOrString: Json = [{type: 'integer'}, {type: 'string'}];

function structureErrors(
  schema: JsonObject,
  path: string,
  level: 'at the root' | Below['level'],
): readonly FieldError[] {
  const {type = '', items, additionalProperties} = schema;
  const errors: FieldError[] = [];
  if (type === 'array' && items === undefined) errors.push(required(`${path}.items`, 'must be specified'));
  if (level === 'at the root' && additionalProperties !== undefined) {
    errors.push(forbiddenField(`${path}.additionalProperties`, 'must not be used at the root'));
  }
  const isOpen =
    schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (schema['x-kubernetes-embedded-resource'] === true) {
    const why = 'must be object if x-kubernetes-embedded-resource is true';
    if (type === '') errors.push(required(`${path}.type`, why));
    else if (type !== 'object') errors.push(invalidValue(`${path}.type`, type, why));
    if (!isOpen && schema['properties'] === undefined) {
      const missing =
        'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
      errors.push(required(`${path}.properties`, missing));
    }
  } else if (type === '' && !isOpen) errors.push(required(`${path}.type`, `must not be empty ${level}`));
  if (level === 'at the root' && type !== '' && type !== 'object') {
    errors.push(invalidValue(`${path}.type`, type, 'must be object at the root'));
  }
  return [
    ...errors,
    ...fieldsBelow(schema, path).flatMap((below) => structureErrors(below.schema, below.path, below.level)),
    ...partsBelow(schema, path).flatMap((part) => partErrors(part.schema, part.path)),
  ];
}

/** Keywords that only the schema of a value itself may have, and the rule for them in a part. */
const ofWhole: {readonly [name: string]: string} = {
  type: 'must be empty',
  additionalProperties: 'must be undefined',
  default: 'must be undefined',
  title: 'must be empty',
  description: 'must be empty',
  nullable: 'must be false',
  'x-kubernetes-preserve-unknown-fields': 'must be false',
  'x-kubernetes-embedded-resource': 'must be false',
  'x-kubernetes-int-or-string': 'must be false',
  'x-kubernetes-list-map-keys': 'must be empty',
  'x-kubernetes-list-type': 'must be undefined',
  'x-kubernetes-map-type': 'must be undefined',
};

function partErrors(schema: JsonObject, path: string): readonly FieldError[] {
  const named = Object.entries(ofWhole).flatMap(([name, why]) => {
    const value = schema[name] ?? false;
    return value === false || value === '' ? [] : [forbiddenField(`${path}.${name}`, `${why} to be structural`)];
  });
  const below = [...fieldsBelow(schema, path), ...partsBelow(schema, path)];
  return [...named, ...below.flatMap((one) => partErrors(one.schema, one.path))];
}

type Check = (value: Json, structural: Structural, path: string) => readonly FieldError[];

/** The errors of each default, at its path. */
export function defaultErrors(structural: Structural, path: string, check: Check): readonly FieldError[] {
  if (!structural.hasDefaults) return [];
  const {default: value, properties, items} = structural;
  return [
    ...(value === undefined ? [] : check(value, structural, `${path}.default`)),
    ...(items === undefined ? [] : defaultErrors(items, `${path}.items`, check)),
    ...[...properties].flatMap(([name, child]) => defaultErrors(child, `${path}.properties[${name}]`, check)),
  ];
}

const shapeErrors: Check = (value, structural, path) => {
  const isKnown = !isObject(value) || equal(pruned(value, structural), value);
  const unknown = isKnown ? [] : [invalidValue(path, value, 'must not have unknown fields')];
  const errors = schemaErrors(value, structural, '', undefined);
  return [...unknown, ...errors.map((error) => ({...error, field: [path, error.field].filter(Boolean).join('.')}))];
};
