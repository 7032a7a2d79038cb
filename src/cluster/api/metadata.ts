// Object metadata: its one shape in the store, and what Kubernetes demands of it.
//
// kubernetes/apimachinery eed236ce pkg/api/validation/objectmeta.go; kubernetes/apiserver 24a394e51
// pkg/registry/rest/meta.go, pkg/endpoints/handlers/rest.go. Not modelled: the total size limit of annotations.

import {equal, isList, isObject, type Json, type JsonObject} from '../json.ts';
import {memo} from '../memo.ts';
import type {KubeObject, ObjectMeta, OwnerReference} from '../object.ts';
import {labelValueProblems, nameProblems, namespaceProblems, qualifiedNameProblems} from '../schema/name-rules.ts';
import {type FieldError, forbiddenField, invalidValue, required} from './errors.ts';

/** How Go's ObjectMeta reads and writes: unknown and empty fields are not there. Undefined where a type is wrong. */
export function normalMetadata(metadata: Json | undefined): ObjectMeta | undefined {
  if (metadata === undefined || metadata === null) return {} as unknown as ObjectMeta;
  if (!isObject(metadata)) return undefined;
  if (isNormal(metadata)) return metadata as ObjectMeta;
  const out: {[key: string]: Json} = {};
  for (const key of Object.keys(metadata)) {
    const value = metadata[key] as Json;
    const read = fields.get(key);
    if (read === undefined || value === null) continue;
    const kept = read(value);
    if (kept === malformed) return undefined;
    if (kept !== undefined) out[key] = kept;
  }
  return out as ObjectMeta;
}

/** True if every field is known and already in its normal form, as in all metadata that the server gave out. */
function isNormal(metadata: JsonObject): boolean {
  for (const key in metadata) {
    const value = metadata[key] as Json;
    if (value === null || fields.get(key)?.(value) !== value) return false;
  }
  return true;
}

/** The object with one of several equal owner references. */
export function withoutEqualOwners<T extends KubeObject>(object: T): T {
  const owners = object.metadata.ownerReferences;
  if (owners === undefined || owners.length < 2) return object;
  const distinct = owners.filter((owner, index) => owners.findIndex((other) => equal(other, owner)) === index);
  if (distinct.length === owners.length) return object;
  return {...object, metadata: {...object.metadata, ownerReferences: distinct}};
}

/** Errors of metadata. Fields that an update left as they were have been checked before. */
export function metadataErrors(
  metadata: ObjectMeta,
  namespaced: boolean,
  old?: ObjectMeta,
  problemsOf: NameCheck = nameProblems,
): readonly FieldError[] {
  const isNamed = old !== undefined && old.name === metadata.name && old.namespace === metadata.namespace;
  const {finalizers = []} = metadata;
  return [
    ...(isNamed ? [] : nameErrors(metadata, namespaced, problemsOf)),
    ...contentErrors(metadata),
    ...(finalizers === old?.finalizers ? [] : finalizerErrors(finalizers)),
  ];
}

/** Errors of an update of metadata, besides those of `metadataErrors`. */
export function metadataUpdateErrors(next: ObjectMeta, old: ObjectMeta): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (old.deletionTimestamp !== undefined) {
    const added = (next.finalizers ?? []).filter((finalizer) => !(old.finalizers ?? []).includes(finalizer));
    if (added.length > 0) {
      const list = [...added].sort().map((finalizer) => JSON.stringify(finalizer));
      const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list.join(', ')}}`;
      errors.push(forbiddenField('metadata.finalizers', detail));
    }
  }
  if ((next.resourceVersion ?? '') === '') {
    errors.push(invalidValue('metadata.resourceVersion', '', 'must be specified for an update'));
  }
  for (const field of immutable) {
    if (!equal(next[field], old[field])) {
      errors.push(invalidValue(`metadata.${field}`, next[field] ?? null, 'field is immutable'));
    }
  }
  return errors;
}

const immutable = ['name', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'];

type NameCheck = (name: string, prefix: boolean) => readonly string[];

function nameErrors(metadata: Partial<ObjectMeta>, namespaced: boolean, problemsOf: NameCheck): readonly FieldError[] {
  const {name = '', generateName = ''} = metadata;
  return [
    ...(generateName === '' ? [] : problemsOf(generateName, true)).map((text) =>
      invalidValue('metadata.generateName', generateName, text),
    ),
    ...(name === ''
      ? [required('metadata.name', 'name or generateName is required')]
      : problemsOf(name, false).map((text) => invalidValue('metadata.name', name, text))),
    ...namespaceErrors(metadata, namespaced),
  ];
}

function namespaceErrors({namespace}: Partial<ObjectMeta>, namespaced: boolean): readonly FieldError[] {
  if (!namespaced) {
    return namespace === undefined ? [] : [forbiddenField('metadata.namespace', 'not allowed on this type')];
  }
  if (namespace === undefined) return [required('metadata.namespace')];
  return namespaceProblems(namespace).map((text) => invalidValue('metadata.namespace', namespace, text));
}

const sound = memo<object, true>();

function contentErrors({labels, annotations, ownerReferences}: ObjectMeta): readonly FieldError[] {
  return [
    ...checked(labels, (entries) => labelErrors(entries)),
    ...checked(annotations, (entries) => annotationErrors(entries)),
    ...checked(ownerReferences, (owners) => ownerErrors(owners)),
  ];
}

/** The errors of a value, remembering the values that have none: most writes leave most of the metadata alone. */
function checked<T extends object>(value: T | undefined, check: (value: T) => readonly FieldError[]) {
  if (value === undefined || sound.get(value) === true) return [];
  const errors = check(value);
  if (errors.length === 0) sound.set(value, true);
  return errors;
}

function labelErrors(labels: {readonly [key: string]: string}): readonly FieldError[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...qualifiedNameProblems(key).map((text) => invalidValue('metadata.labels', key, text)),
    ...labelValueProblems(value).map((text) => invalidValue('metadata.labels', value, text)),
  ]);
}

function annotationErrors(annotations: {readonly [key: string]: string}): readonly FieldError[] {
  return Object.keys(annotations).flatMap((key) =>
    qualifiedNameProblems(key.toLowerCase()).map((text) => invalidValue('metadata.annotations', key, text)),
  );
}

function finalizerErrors(finalizers: readonly string[]): readonly FieldError[] {
  const errors = finalizers.flatMap((finalizer) =>
    qualifiedNameProblems(finalizer).map((text) => invalidValue('metadata.finalizers', finalizer, text)),
  );
  if (!finalizers.includes('orphan') || !finalizers.includes('foregroundDeletion')) return errors;
  const detail = 'finalizer orphan and foregroundDeletion cannot be both set';
  return [...errors, invalidValue('metadata.finalizers', finalizers, detail)];
}

function ownerErrors(owners: readonly OwnerReference[]): readonly FieldError[] {
  const errors: FieldError[] = [];
  let first: string | undefined;
  for (const owner of owners) {
    errors.push(...ownerFieldErrors(owner));
    if (owner.controller !== true) continue;
    const name = `${owner.kind}/${owner.name}`;
    if (first === undefined) {
      first = name;
      continue;
    }
    const detail = `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${name}`;
    errors.push(invalidValue('metadata.ownerReferences', owners.map(inGoOrder), detail));
  }
  return errors;
}

function ownerFieldErrors(owner: OwnerReference): readonly FieldError[] {
  const place = 'metadata.ownerReferences';
  const {apiVersion, kind} = owner;
  const errors: FieldError[] = [];
  const isVersioned = apiVersion !== '' && !apiVersion.endsWith('/') && apiVersion.split('/').length <= 2;
  if (!isVersioned) errors.push(invalidValue(`${place}.apiVersion`, apiVersion, 'version must not be empty'));
  for (const field of ['kind', 'name', 'uid'] as const) {
    if (owner[field] === '') errors.push(invalidValue(`${place}.${field}`, '', 'must not be empty'));
  }
  if (apiVersion === 'v1' && kind === 'Event') {
    errors.push(invalidValue(place, inGoOrder(owner), '/v1, Kind=Event is disallowed from being an owner'));
  }
  return errors;
}

function inGoOrder({apiVersion, kind, name, uid, controller, blockOwnerDeletion}: OwnerReference): JsonObject {
  return {
    apiVersion,
    kind,
    name,
    uid,
    ...(controller === undefined ? {} : {controller}),
    ...(blockOwnerDeletion === undefined ? {} : {blockOwnerDeletion}),
  };
}

const malformed = Symbol('malformed');
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
type Read = (value: Json) => Json | undefined | typeof malformed;

const text: Read = (value) => (typeof value === 'string' ? value || undefined : malformed);
const time: Read = (value) => (typeof value === 'string' && rfc3339.test(value) ? value : malformed);
const integer: Read = (value) => (Number.isInteger(value) ? value : malformed);
const count: Read = (value) => (value === 0 ? undefined : integer(value));

const texts: Read = (value) => {
  if (!isObject(value)) return malformed;
  const entries = Object.entries(value);
  if (entries.some(([, entry]) => entry !== null && typeof entry !== 'string')) return malformed;
  if (entries.length === 0) return undefined;
  return entries.some(([, entry]) => entry === null)
    ? Object.fromEntries(entries.map(([key, entry]) => [key, entry ?? '']))
    : value;
};

/** A null in a list is read as the empty value of its type. */
function withoutNulls(list: readonly Json[], empty: Json): readonly Json[] {
  return list.includes(null) ? list.map((item) => item ?? empty) : list;
}

const finalizers: Read = (value) => {
  if (!isList(value) || value.some((item) => item !== null && typeof item !== 'string')) return malformed;
  return value.length === 0 ? undefined : withoutNulls(value, '');
};

const owners: Read = (value) => {
  if (!isList(value)) return malformed;
  if (value.length === 0) return undefined;
  const sent = withoutNulls(value, {});
  if (!sent.every(isObject)) return malformed;
  const read = sent.map(ownerOf);
  if (read.includes(undefined)) return malformed;
  return read.every((owner, index) => owner === value[index]) ? value : (read as readonly Json[]);
};

function ownerOf(value: JsonObject): JsonObject | undefined {
  if (isWholeOwner(value)) return value;
  const {apiVersion = '', kind = '', name = '', uid = '', controller, blockOwnerDeletion} = value;
  const flags = Object.entries({controller, blockOwnerDeletion}).filter(
    ([, flag]) => flag !== undefined && flag !== null,
  );
  if (flags.some(([, flag]) => typeof flag !== 'boolean')) return undefined;
  const names = {apiVersion: apiVersion ?? '', kind: kind ?? '', name: name ?? '', uid: uid ?? ''};
  if (Object.values(names).some((part) => typeof part !== 'string')) return undefined;
  const owner = {...names, ...Object.fromEntries(flags)} as JsonObject;
  return sameShallow(owner, value) ? value : owner;
}

/** True if every field is there with its type and there is no other, as controllers write it. */
function isWholeOwner(value: JsonObject): boolean {
  const {apiVersion, kind, name, uid, controller, blockOwnerDeletion} = value;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return false;
  if (typeof name !== 'string' || typeof uid !== 'string') return false;
  if (typeof controller !== 'boolean' || typeof blockOwnerDeletion !== 'boolean') return false;
  return Object.keys(value).length === 6;
}

/** An empty list does not survive Go's omitempty, so it cannot ask for a reset; a list of one empty entry can. */
const entries: Read = (value) => {
  if (!isList(value)) return malformed;
  const sent = withoutNulls(value, {});
  if (!sent.every(isObject)) return malformed;
  return sent.length === 0 ? undefined : sent;
};

const fields: ReadonlyMap<string, Read> = new Map(
  Object.entries({
    name: text,
    generateName: text,
    namespace: text,
    selfLink: text,
    uid: text,
    resourceVersion: text,
    generation: count,
    creationTimestamp: time,
    deletionTimestamp: time,
    deletionGracePeriodSeconds: integer,
    labels: texts,
    annotations: texts,
    ownerReferences: owners,
    finalizers,
    managedFields: entries,
  }),
);

function sameShallow(left: JsonObject, right: JsonObject): boolean {
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => left[key] === right[key]);
}
