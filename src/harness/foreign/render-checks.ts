// A check of a rendered result: a sentence if it does not hold.

import {RE2JS} from '@bufbuild/re2';
import {parseAllDocuments} from 'yaml';
import {equal, isList, isObject, type Json, type JsonObject} from '../../cluster/json.ts';
import {concealedAt, concealerOf} from '../input/conceal/concealed.ts';
import {InputError, shownValue} from '../input/input-error.ts';
import {documentsText} from '../render/render-output.ts';
import {closestTo, firstDifference, type Unmet} from '../scenario/check.ts';
import type {Goldens} from '../scenario/golden/goldens.ts';
import type {FieldType, RenderExpected} from './render-test.ts';

/** Undefined where it holds. */
export function unmetCheck(
  what: RenderExpected,
  documents: readonly JsonObject[],
  goldens: Goldens,
): Unmet | undefined {
  if (what.kind === 'matches') return unmatched(what.object, documents);
  const message = unmetInWords(what, documents, goldens);
  return message === undefined ? undefined : {message};
}

function unmetInWords(
  what: Exclude<RenderExpected, {readonly kind: 'matches'}>,
  documents: readonly JsonObject[],
  goldens: Goldens,
): string | undefined {
  switch (what.kind) {
    case 'count':
      return unmetCount(what.resource, what.count, documents);
    case 'exists':
      return matching(what.resource, documents).length > 0
        ? undefined
        : `expected ${what.resource}, got ${names(documents)}`;
    case 'absent': {
      const found = matching(what.resource, documents);
      return found.length === 0 ? undefined : `expected no ${what.resource}, got ${names(found)}`;
    }
    case 'field-type':
      return each(what, documents, (value) => unmetType(what.type, value));
    case 'field-exists':
      return each(what, documents, (value) => (value === undefined ? 'to exist, got nothing' : undefined));
    case 'field-absent':
      return each(what, documents, (value, word) =>
        value === undefined ? undefined : `to be absent, got ${word(value)}`,
      );
    case 'field-value':
      return each(what, documents, (value, word) =>
        equal(value, what.value)
          ? undefined
          : `to be ${word(what.value)}, got ${value === undefined ? shownValue(value) : word(value)}`,
      );
    case 'file':
      return unmetFile(what, documents, goldens);
  }
}

function unmetCount(resource: string | undefined, count: number, documents: readonly JsonObject[]): string | undefined {
  const found = resource === undefined ? documents : matching(resource, documents);
  if (found.length === count) return undefined;
  return `expected ${count} ${resource ?? 'documents'}, got ${found.length}${found.length === 0 ? '' : `: ${names(found)}`}`;
}

/** As Go's filepath.Match goes: Kind alone means every name of it. */
function matching(resource: string, documents: readonly JsonObject[]): readonly JsonObject[] {
  const pattern = resource.trim();
  const whole = pattern.includes('/') ? pattern : `${pattern}/*`;
  const source = whole
    .replace(/[.+^${}()|\\]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]');
  const regex = compiled(source, resource);
  return documents.filter((document) => regex.testExact(nameOf(document)));
}

function compiled(source: string, resource: string): RE2JS {
  try {
    return RE2JS.compile(source);
  } catch {
    throw new InputError(`resource must be KIND, KIND/NAME or a pattern of it, got "${resource}"`);
  }
}

function nameOf(document: JsonObject): string {
  const {kind, metadata} = document;
  return `${String(kind)}/${isObject(metadata) ? String(metadata['name'] ?? '') : ''}`;
}

function names(documents: readonly JsonObject[]): string {
  return documents.length === 0 ? 'nothing' : documents.map(nameOf).join(', ');
}

/** `word` is the value as a sentence may name it. */
type Judge = (value: Json | undefined, word: (value: Json) => string) => string | undefined;

/** The first of the matching documents whose field is not as it should be; none matching is as bad. */
function each(
  {resource, field}: {readonly resource: string; readonly field: string},
  documents: readonly JsonObject[],
  judge: Judge,
): string | undefined {
  const found = matching(resource, documents);
  if (found.length === 0) return `expected ${resource}, got ${names(documents)}`;
  for (const document of found) {
    const problem = judge(valueAt(document, field), (value) => shownValue(concealedAt(field, value)));
    if (problem !== undefined) return `expected ${field} of ${nameOf(document)} ${problem}`;
  }
  return undefined;
}

function valueAt(document: JsonObject, field: string): Json | undefined {
  let value: Json | undefined = document;
  for (const part of field.split('.')) {
    value = isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  }
  return value;
}

function unmetType(type: FieldType, value: Json | undefined): string | undefined {
  const got = value === undefined ? 'nothing' : typeOf(value);
  return got === type ? undefined : `to be of type ${type}, got ${got}`;
}

function typeOf(value: Json): FieldType {
  if (value === null) return 'null';
  if (isList(value)) return 'array';
  return typeof value as FieldType;
}

function unmetFile(
  {resource, file, exact}: RenderExpected & {kind: 'file'},
  documents: readonly JsonObject[],
  goldens: Goldens,
): string | undefined {
  const found = resource === undefined ? documents : matching(resource, documents).slice(0, 1);
  if (found.length === 0) return `expected ${resource}, got ${names(documents)}`;
  // One resource alone is written without the line that parts documents.
  const text = documentsText(found).slice(resource === undefined ? 0 : 4);
  return exact ? goldens.compare(file, text) : goldens.compare(file, text, sameValues);
}

function sameValues(left: string, right: string): boolean {
  return equal(valuesIn(left), valuesIn(right));
}

function valuesIn(text: string): readonly Json[] {
  return parseAllDocuments(text).map((document) => (document as {toJS: () => unknown}).toJS() as Json);
}

/** Name, kind and annotations select the document; all else must match in it. */
function unmatched(wanted: JsonObject, documents: readonly JsonObject[]): Unmet | undefined {
  const candidates = documents.filter((document) => firstDifference('', identity(wanted), document) === undefined);
  if (candidates.length === 0) return {message: `expected ${nameOf(wanted)}, got ${names(documents)}`};
  const lacking = closestTo(wanted, candidates, () => concealerOf([]));
  if (lacking === undefined) return undefined;
  const {object, text, expected, got} = lacking;
  return {message: `${nameOf(wanted)}: ${text}`, difference: {of: nameOf(object), expected, got}};
}

function identity({apiVersion = null, kind = null, metadata}: JsonObject): JsonObject {
  const {name, annotations} = isObject(metadata) ? metadata : {};
  const named = {...(name === undefined ? {} : {name}), ...(annotations === undefined ? {} : {annotations})};
  return Object.keys(named).length === 0 ? {apiVersion, kind} : {apiVersion, kind, metadata: named};
}
