// Assertions of xprin test files. crossplane-contrib/xprin b4294cc internal/api/api.go, docs/assertions.md. Unlike there,
// a field whose map is missing does not exist, rather than being an error.

import {isAbsolute, join} from 'node:path';
import {
  asAmount,
  asOneOf,
  asString,
  type Cursor,
  items,
  maybe,
  onlyFields,
  optional,
  required,
} from '../input/cursor.ts';
import type {FieldType, RenderCheck, RenderExpected} from './render-test.ts';

export type Engine = 'xprin' | 'diff' | 'dyff';

export const engines: readonly Engine[] = ['xprin', 'diff', 'dyff'];

/** One engine's assertions; `folder` is where golden files are looked for. */
export function readAssertions(cursor: Cursor, engine: Engine, folder: string): readonly RenderCheck[] {
  return items(cursor).map((one) => ({
    place: one.placeOf(one.path),
    name: asString(required(one, 'name')),
    what: engine === 'xprin' ? readAssertion(one) : readGolden(one, engine === 'diff', folder),
  }));
}

function readGolden(cursor: Cursor, exact: boolean, folder: string): RenderExpected {
  onlyFields(cursor, ['name', 'expected', 'resource']);
  const path = asString(required(cursor, 'expected'));
  const file = isAbsolute(path) ? path : join(folder, path);
  return {kind: 'file', resource: maybe(cursor, 'resource', asString), file, exact};
}

const types = ['Count', 'Exists', 'NotExists', 'FieldType', 'FieldExists', 'FieldNotExists', 'FieldValue'] as const;
const fieldTypes: readonly FieldType[] = ['string', 'number', 'boolean', 'array', 'object', 'null'];

function readAssertion(cursor: Cursor): RenderExpected {
  onlyFields(cursor, ['name', 'type', 'resource', 'field', 'operator', 'value']);
  const resource = (): string => asString(required(cursor, 'resource'));
  const field = (): string => asString(required(cursor, 'field'));
  const type = asOneOf(required(cursor, 'type'), types);
  switch (type) {
    case 'Count':
      return {kind: 'count', resource: maybe(cursor, 'resource', asString), count: countIn(cursor)};
    case 'Exists':
      return {kind: 'exists', resource: resource()};
    case 'NotExists':
      return {kind: 'absent', resource: resource()};
    case 'FieldType':
      return {
        kind: 'field-type',
        resource: resource(),
        field: field(),
        type: asOneOf(required(cursor, 'value'), fieldTypes),
      };
    case 'FieldExists':
      return {kind: 'field-exists', resource: resource(), field: field()};
    case 'FieldNotExists':
      return {kind: 'field-absent', resource: resource(), field: field()};
    case 'FieldValue':
      asOneOf(required(cursor, 'operator'), ['==', 'is']);
      return {kind: 'field-value', resource: resource(), field: field(), value: required(cursor, 'value').value};
  }
}

/** A fraction is cut off, as there. */
function countIn(cursor: Cursor): number {
  return Math.trunc(asAmount(optional(cursor, 'value') ?? required(cursor, 'value')));
}
