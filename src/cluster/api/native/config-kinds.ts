// Secret and ConfigMap: stringData moves into data, and `immutable: true` forbids changes.
//
// kubernetes/kubernetes v1.34 pkg/apis/core/validation/validation.go ValidateSecret, ValidateSecretUpdate, ValidateConfigMap,
// ValidateConfigMapUpdate; pkg/apis/core/v1/conversion.go Convert_v1_Secret_To_core_Secret. Not modelled: data that is no base64 (a
// 500 in an apply).

import {toBase64} from '../../bytes.ts';
import {equal, isObject, type Json, type JsonObject, without} from '../../json.ts';
import type {KubeObject} from '../../object.ts';
import {type FieldError, forbiddenField, invalidValue, required, tooLong} from '../errors.ts';
import {flag, text, textMap, withDefault} from '../schema-pieces.ts';
import {nativeKind} from './native-kind.ts';

export const secretKind = nativeKind('v1', 'Secret', {
  generation: false,
  fields: {data: textMap, stringData: textMap, type: withDefault(text, 'Opaque'), immutable: flag},
  filled: (object) => withoutTexts(object),
  check: (next, old) => [
    ...typeErrors(next, old),
    ...immutableErrors(next, old, ['data']),
    ...keyErrors(next, 'data'),
    ...tooLarge('data', next, [], ['data']),
    ...missingKeys(next),
  ],
});

export const configMapKind = nativeKind('v1', 'ConfigMap', {
  generation: false,
  fields: {data: textMap, binaryData: textMap, immutable: flag},
  check: (next, old) => [
    ...immutableErrors(next, old, ['data', 'binaryData']),
    ...keyErrors(next, 'data'),
    ...doubledKeys(next),
    ...keyErrors(next, 'binaryData'),
    ...tooLarge('[]', next, ['data'], ['binaryData']),
  ],
});

/** Moves `stringData` into `data`. */
function withoutTexts(object: KubeObject): KubeObject {
  const texts = object['stringData'];
  if (!isObject(texts)) return object;
  const before = object['data'];
  const added = Object.entries(texts).map(([key, value]) => [key, encoded(value)] as const);
  const data = {...(isObject(before) ? before : {}), ...Object.fromEntries(added)};
  return {...(without(object, 'stringData') as KubeObject), data};
}

function encoded(value: Json): Json {
  return typeof value === 'string' ? toBase64(value) : value;
}

function typeErrors(next: KubeObject, old: KubeObject | undefined): readonly FieldError[] {
  const {type = null} = next as JsonObject;
  return old === undefined || equal(type, old['type']) ? [] : [invalidValue('type', type, 'field is immutable')];
}

const fixed = 'field is immutable when `immutable` is set';

function immutableErrors(
  next: KubeObject,
  old: KubeObject | undefined,
  fields: readonly string[],
): readonly FieldError[] {
  if (old?.['immutable'] !== true) return [];
  const changed = fields.filter((field) => !equal(next[field], old[field]));
  const all = next['immutable'] === true ? changed : ['immutable', ...changed];
  return all.map((field) => forbiddenField(field, fixed));
}

const keyDetail =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

function keyErrors(object: KubeObject, field: string): readonly FieldError[] {
  const data = object[field];
  const keys = isObject(data) ? Object.keys(data) : [];
  return keys
    .filter((key) => !/^[-._a-zA-Z0-9]+$/.test(key))
    .map((key) => invalidValue(`${field}[${key}]`, key, keyDetail));
}

/** Printed once, for the key in `data`: seen on a kube-apiserver v1.34.2. */
function doubledKeys(object: KubeObject): readonly FieldError[] {
  const binary = valuesOf(object, 'binaryData');
  return Object.keys(valuesOf(object, 'data'))
    .filter((key) => Object.hasOwn(binary, key))
    .map((key) => invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData'));
}

const bytesMax = 1024 * 1024;

/** Values count, keys do not; what is base64 counts as the bytes that it stands for. */
function tooLarge(
  path: string,
  object: KubeObject,
  texts: readonly string[],
  binaries: readonly string[],
): readonly FieldError[] {
  const all = (fields: readonly string[]) => fields.flatMap((field) => Object.values(valuesOf(object, field)));
  const sizes = [
    ...all(texts).map((value) => new TextEncoder().encode(String(value)).length),
    ...all(binaries).map((value) => Math.floor((String(value).replace(/[=\s]+/g, '').length * 3) / 4)),
  ];
  return sizes.reduce((sum, size) => sum + size, 0) > bytesMax ? [tooLong(path, bytesMax)] : [];
}

function valuesOf(object: KubeObject, field: string): JsonObject {
  const values = object[field];
  return isObject(values) ? values : {};
}

const keysOfType: {readonly [type: string]: readonly string[]} = {
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
};

function missingKeys(object: KubeObject): readonly FieldError[] {
  const data = object['data'];
  const there = isObject(data) ? data : {};
  const needed = keysOfType[String(object['type'])] ?? [];
  return needed.filter((key) => there[key] === undefined).map((key) => required(`data[${key}]`));
}
