// The steps between a request and the store: fields that a client may not set are put back, the generation is counted, and the
// object is validated.
//
// kubernetes/apiextensions-apiserver 1aa2717a5 pkg/registry/customresource/{strategy,status_strategy}.go;
// kubernetes/apiserver 24a394e51 pkg/registry/rest/{create,update}.go.

import {equal, isObject, type Json, type JsonObject} from '../json.ts';
import type {KubeObject, ObjectMeta} from '../object.ts';
import {pathSegmentProblems} from '../schema/name-rules.ts';
import type {Structural} from '../schema/structural.ts';
import {type FieldError, invalid, invalidValue, required} from './errors.ts';
import {errorsBelow, listTypeErrors} from './list-types.ts';
import {metadataErrors, metadataUpdateErrors, normalMetadata} from './metadata.ts';
import type {ApiError, Subresource} from './request.ts';
import {ruleErrors} from './rules.ts';
import type {Scope} from './scope.ts';
import {withStoredVersions} from './stored-versions.ts';
import {childPath, schemaErrors} from './validation.ts';

/** A new object ready to be stored, but for its uid, times and revision. */
export function prepareCreate(scope: Scope, object: KubeObject): KubeObject {
  const bare = scope.status ? withStatus(object, undefined) : object;
  return countsGenerations(scope) ? withMeta(bare, {generation: 1}) : bare;
}

/** The next state of an object, with what this (sub)resource may not change as it was. */
export function prepareUpdate(
  scope: Scope,
  next: KubeObject,
  old: KubeObject,
  subresource: Subresource | undefined,
): KubeObject {
  if (subresource === 'status') return statusUpdate(next, old);
  const {definition} = scope.kind;
  const whole = definition.kept?.(next, old) ?? next;
  const body = withStoredVersions(scope.status ? withStatus(whole, old.status) : whole);
  const generation = nextGeneration(scope, body, old);
  const {uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds} = old.metadata;
  const kept = {
    generation,
    uid: body.metadata.uid ?? uid,
    creationTimestamp,
    deletionTimestamp: deletionTimestamp ?? body.metadata.deletionTimestamp,
    deletionGracePeriodSeconds: body.metadata.deletionGracePeriodSeconds ?? deletionGracePeriodSeconds,
    selfLink: undefined,
  };
  return withMeta(body, kept);
}

export function createErrors(scope: Scope, object: KubeObject): ApiError | undefined {
  const {namespaced, names} = scope.kind.definition;
  const errors = [
    ...metadataErrors(object.metadata, namespaced, undefined, names),
    ...bodyErrors(scope, object, undefined),
  ];
  return errors.length === 0 ? undefined : invalid(scope.kind.groupKind, object.metadata.name, errors);
}

export function updateErrors(
  scope: Scope,
  next: KubeObject,
  old: KubeObject,
  subresource: Subresource | undefined,
): ApiError | undefined {
  const {namespaced, names} = scope.kind.definition;
  const otherType = typeErrors(scope, next);
  if (otherType.length > 0) return invalid(scope.kind.groupKind, next.metadata.name, otherType);
  const errors = [
    ...metadataErrors(next.metadata, namespaced, old.metadata, names),
    ...metadataUpdateErrors(next.metadata, old.metadata),
    ...(subresource === 'status' ? statusErrors(scope, next, old) : bodyErrors(scope, next, old)),
  ];
  return errors.length === 0 ? undefined : invalid(scope.kind.groupKind, next.metadata.name, errors);
}

/** A patch may have made something else of the object. */
function typeErrors({kind, apiVersion}: Scope, next: KubeObject): readonly FieldError[] {
  const expected = kind.definition.kind;
  return [
    ...(next.kind === expected ? [] : [invalidValue('kind', next.kind, `must be ${expected}`)]),
    ...(next.apiVersion === apiVersion ? [] : [invalidValue('apiVersion', next.apiVersion, `must be ${apiVersion}`)]),
  ];
}

/** A copy of the object with metadata fields replaced; undefined removes one. The same object where none differs. */
export function withMeta(object: KubeObject, changes: {readonly [key: string]: Json | undefined}): KubeObject {
  let out: {[key: string]: Json} | undefined;
  for (const key in changes) {
    const value = changes[key];
    if (object.metadata[key] === value) continue;
    out ??= {...object.metadata};
    if (value === undefined) delete out[key];
    else out[key] = value;
  }
  return out === undefined ? object : {...object, metadata: out as ObjectMeta};
}

function statusUpdate(next: KubeObject, old: KubeObject): KubeObject {
  const kept = withMeta(old, {managedFields: next.metadata.managedFields});
  return withStatus(kept, next.status);
}

function withStatus(object: KubeObject, status: KubeObject['status']): KubeObject {
  if (object.status === status && Object.hasOwn(object, 'status') === (status !== undefined)) return object;
  if (status !== undefined) return {...object, status};
  const {status: _, ...rest} = object;
  return rest as KubeObject;
}

function nextGeneration(scope: Scope, next: KubeObject, old: KubeObject): number | undefined {
  const {generation} = old.metadata;
  if (!countsGenerations(scope)) return generation;
  const isNoted =
    scope.kind.definition.generation === 'with-annotations' &&
    !equal(next.metadata.annotations ?? {}, old.metadata.annotations ?? {});
  return sameBody(next, old) && !isNoted ? generation : (generation ?? 0) + 1;
}

function countsGenerations({kind}: Scope): boolean {
  return kind.definition.generation !== false;
}

/** True if all but metadata is equal. */
function sameBody(left: KubeObject, right: KubeObject): boolean {
  const keys = Object.keys(left).filter((key) => key !== 'metadata');
  return (
    keys.length === Object.keys(right).filter((key) => key !== 'metadata').length &&
    keys.every((key) => equal(left[key], right[key]))
  );
}

function bodyErrors(scope: Scope, next: KubeObject, old: KubeObject | undefined): readonly FieldError[] {
  const {structural} = scope;
  const shape = structural === undefined ? [] : schemaErrors(next, structural, '', old);
  const errors = structural?.hasEmbedded === true ? [...shape, ...embeddedErrors(next, structural, '')] : shape;
  const lists = structural === undefined ? [] : listErrors(scope, next, old);
  const checked = scope.check?.(next, old) ?? [];
  return [...errors, ...lists, ...checked, ...ruleErrors(structural, next, old, errors)];
}

function statusErrors(scope: Scope, next: KubeObject, old: KubeObject): readonly FieldError[] {
  const schema = scope.structural?.properties.get('status');
  // A status that was not there and one of null are the same to the server, so null is no change.
  const isUnchanged = next.status === undefined || (next.status === null && old.status === undefined);
  const found = schema === undefined || isUnchanged ? [] : schemaErrors(next.status as Json, schema, '', old.status);
  // Status is validated by itself, so the messages name paths below it; only `field` has the whole path.
  const errors = found.map((error) => ({...error, field: belowStatus(error.field)}));
  const lists = listErrors(scope, next, old);
  return [...errors, ...lists, ...ruleErrors(scope.structural, next, old, errors)];
}

function belowStatus(path: string): string {
  if (path === '<nil>') return 'status';
  return path === '' || path.startsWith('.') || path.startsWith('[') ? `status${path}` : `status.${path}`;
}

function listErrors({structural}: Scope, next: KubeObject, old: KubeObject | undefined): readonly FieldError[] {
  if (structural === undefined || !structural.hasKeyedLists || next === old) return [];
  const errors = Object.entries(next).flatMap(([key, value]) => {
    const schema = structural.properties.get(key);
    return schema === undefined || value === old?.[key] ? [] : listTypeErrors(value, schema, key);
  });
  // An object that was already wrong is not held to more by an update.
  return errors.length > 0 && old !== undefined && listErrors({structural} as Scope, old, undefined).length > 0
    ? []
    : errors;
}

// Whole resources inside a field, such as the input of a Composition's pipeline step: apiVersion and kind are required.
// kubernetes/apiextensions-apiserver v0.34.4 pkg/apiserver/schema/objectmeta/validation.go.

/** Errors of the resources inside a value, at the fields that the schema marks with x-kubernetes-embedded-resource. */
function embeddedErrors(value: Json, structural: Structural, path: string): readonly FieldError[] {
  if (!structural.hasEmbedded) return none;
  const own = isObject(value) && structural.embeddedResource ? resourceErrors(value, path) : none;
  return [...own, ...errorsBelow(value, structural, path, embeddedErrors)];
}

const none: readonly FieldError[] = [];

function resourceErrors(resource: JsonObject, path: string): readonly FieldError[] {
  return [
    ...textErrors(resource, 'apiVersion', path, (apiVersion) =>
      apiVersion.split('/').length > 2 ? `unexpected GroupVersion string: ${apiVersion}` : undefined,
    ),
    ...textErrors(resource, 'kind', path, (kind) =>
      label.test(kind.toLowerCase()) && kind.length <= 63 ? undefined : kindRule,
    ),
    ...embeddedMetadataErrors(resource['metadata'], path),
  ];
}

const label = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const kindRule =
  "may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

function textErrors(
  resource: JsonObject,
  key: string,
  path: string,
  problemOf: (text: string) => string | undefined,
): readonly FieldError[] {
  const place = childPath(path, key);
  const value = resource[key];
  if (value === undefined) return [required(place)];
  if (typeof value !== 'string') return [invalidValue(place, value, 'must be a string')];
  const problem = value === '' ? 'must not be empty' : problemOf(value);
  return problem === undefined ? none : [invalidValue(place, value, problem)];
}

function embeddedMetadataErrors(metadata: Json | undefined, path: string): readonly FieldError[] {
  if (metadata === undefined) return none;
  const read = normalMetadata(metadata);
  // Metadata of the wrong type is an error of the schema already.
  if (read === undefined) return none;
  const {name = 'fakename', namespace} = read as {readonly name?: string; readonly namespace?: string};
  return metadataErrors({...read, name}, namespace !== undefined, undefined, pathSegmentProblems).map((error) => ({
    ...error,
    field: childPath(path, error.field),
  }));
}
