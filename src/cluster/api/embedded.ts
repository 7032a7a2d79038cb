// Whole resources inside a field, such as the input of a Composition's pipeline step: apiVersion and kind are required.
// kubernetes/apiextensions-apiserver v0.34.4 pkg/apiserver/schema/objectmeta/validation.go.

import {isList, isObject, type Json, type JsonObject} from '../json.ts';
import {pathSegmentProblems} from '../schema/name-rules.ts';
import {type Structural, schemaOfKey} from '../schema/structural.ts';
import {type FieldError, invalidValue, required} from './errors.ts';
import {placeOf} from './list-types.ts';
import {metadataErrors, normalMetadata} from './metadata.ts';
import {childPath} from './validation.ts';

/** Errors of the resources inside a value, at the fields that the schema marks with x-kubernetes-embedded-resource. */
export function embeddedErrors(value: Json, structural: Structural, path: string): readonly FieldError[] {
  if (!structural.hasEmbedded) return none;
  const {items} = structural;
  if (isList(value)) {
    return items === undefined
      ? none
      : value.flatMap((item, index) => embeddedErrors(item, items, `${path}[${index}]`));
  }
  if (!isObject(value)) return none;
  const own = structural.embeddedResource ? resourceErrors(value, path) : none;
  const below = Object.entries(value).flatMap(([key, child]) => {
    const schema = schemaOfKey(structural, key);
    return schema === undefined ? none : embeddedErrors(child, schema, placeOf(structural, path, key));
  });
  return [...own, ...below];
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
