import type {Selector} from '../control-plane/catalogue.ts';
import {readProfiles} from '../control-plane/profile-names.ts';
import {
  asBoolean,
  asCount,
  asOneOf,
  asString,
  type Cursor,
  fail,
  items,
  maybe,
  onlyFields,
  optional,
  required,
  strings,
} from '../input/cursor.ts';
import {shown} from '../input/input-error.ts';
import type {Expectation, Expected, Range} from './scenario.ts';

// Expectations, one map each: what is looked at (`object`, `count`, `orphans`, `stuck`, `externals`, `timeline`, `never`, `golden`) and what
// is expected of it.

const selectorFields = ['apiVersion', 'kind', 'namespace', 'name', 'resource'];
const subjects = [
  'object',
  'count',
  'orphans',
  'stuck',
  'externals',
  'untouched',
  'timeline',
  'never',
  'golden',
] as const;

export function parseExpectations(cursor: Cursor): readonly Expectation[] {
  return items(cursor).map(parseExpectation);
}

export function parseExpectation(cursor: Cursor): Expectation {
  const subject = subjects.find((word) => optional(cursor, word) !== undefined);
  if (subject === undefined)
    fail(cursor, `an expectation must have one of ${subjects.join(', ')}, got ${shown(cursor.value)}`);
  return {
    place: cursor.placeOf(cursor.path),
    crossplane: maybe(cursor, 'crossplane', readProfiles) ?? [],
    what: parseSubject(cursor, subject),
  };
}

function parseSubject(cursor: Cursor, subject: (typeof subjects)[number]): Expected {
  const target = required(cursor, subject);
  switch (subject) {
    case 'object':
      return parseObject(cursor, target);
    case 'count':
      onlyFields(cursor, ['crossplane', subject, ...rangeFields]);
      return {kind: 'count', target: parseSelector(target), range: parseRange(cursor)};
    case 'orphans':
    case 'stuck':
      onlyFields(cursor, ['crossplane', subject]);
      return {kind: subject, range: parseNumberOrRange(target)};
    case 'externals':
      onlyFields(cursor, ['crossplane', subject, ...rangeFields]);
      return {
        kind: 'externals',
        counter: asOneOf(target, ['alive', 'creates', 'deletes'] as const),
        range: parseRange(cursor),
      };
    case 'untouched': {
      onlyFields(cursor, ['crossplane', subject]);
      onlyFields(target, ['since', 'except']);
      const since = asString(required(target, 'since'));
      return {kind: 'untouched', since, except: maybe(target, 'except', strings) ?? []};
    }
    case 'timeline':
      onlyFields(cursor, ['crossplane', subject]);
      return {kind: 'timeline', texts: strings(target)};
    case 'never':
      onlyFields(cursor, ['crossplane', subject]);
      return {kind: 'never', text: asString(target)};
    case 'golden':
      onlyFields(cursor, ['crossplane', subject]);
      onlyFields(target, ['file', 'of']);
      return {
        kind: 'golden',
        file: asString(required(target, 'file')),
        of: maybe(target, 'of', (one) => asOneOf(one, ['timeline', 'objects'] as const)) ?? 'timeline',
      };
  }
}

const objectWords = ['match', 'exists', 'absent', 'deleting', 'condition'] as const;

function parseObject(cursor: Cursor, object: Cursor): Expected {
  onlyFields(cursor, ['crossplane', 'object', ...objectWords]);
  const given = objectWords.filter((word) => optional(cursor, word) !== undefined);
  const [word] = given;
  if (word === undefined || given.length > 1) {
    fail(cursor, `an expectation of an object must have exactly one of ${objectWords.join(', ')}, got ${shown(given)}`);
  }
  const target = parseSelector(object);
  const value = required(cursor, word);
  if (word === 'match') return {kind: 'match', target, match: value.value};
  if (word === 'condition') {
    onlyFields(value, ['type', 'status', 'reason']);
    const reason = maybe(value, 'reason', asString);
    const type = asString(required(value, 'type'));
    const status = maybe(value, 'status', (one) => asOneOf(one, ['True', 'False', 'Unknown'])) ?? 'True';
    return {kind: 'condition', target, type, status, ...(reason === undefined ? {} : {reason})};
  }
  if (!asBoolean(value)) fail(value, `${word} must be true, got false: say absent: true or exists: true instead`);
  return {kind: word, target};
}

/** An object by kind and name, or by kind and composed resource name. */
export function parseSelector(cursor: Cursor): Selector {
  onlyFields(cursor, selectorFields);
  const text = (key: string): string | undefined => maybe(cursor, key, asString);
  const parts = {
    apiVersion: text('apiVersion'),
    namespace: text('namespace'),
    name: text('name'),
    crn: text('resource'),
  };
  const given = Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
  return {kind: asString(required(cursor, 'kind')), ...given};
}

const rangeFields = ['is', 'atLeast', 'atMost'];

function parseRange(cursor: Cursor): Range {
  const is = maybe(cursor, 'is', asCount);
  if (is !== undefined) return {min: is, max: is};
  const min = maybe(cursor, 'atLeast', asCount);
  const max = maybe(cursor, 'atMost', asCount);
  if (min === undefined && max === undefined) fail(cursor, `a count must have one of ${rangeFields.join(', ')}`);
  return {min: min ?? 0, max: max ?? Number.POSITIVE_INFINITY};
}

function parseNumberOrRange(cursor: Cursor): Range {
  if (typeof cursor.value !== 'object') {
    const is = asCount(cursor);
    return {min: is, max: is};
  }
  onlyFields(cursor, rangeFields);
  return parseRange(cursor);
}
