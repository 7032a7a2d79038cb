import {readProfiles} from '../control-plane/profile-names.ts';
import {asOneOf, asString, type Cursor, fail, maybe, onlyFields, required, strings} from '../input/cursor.ts';
import {parseExpectations} from './parse-expectation.ts';
import type {Bug, Happens} from './scenario.ts';

// The known bug that a scenario tells, and where it happens.

export function parseBug(cursor: Cursor, stepNames: readonly string[]): Bug {
  onlyFields(cursor, ['name', 'issues', 'after', 'signs']);
  const after = maybe(cursor, 'after', (one) => asOneOf(one, stepNames));
  const signs = parseExpectations(required(cursor, 'signs'));
  // Without a sign it would happen always.
  if (signs.length === 0) fail(required(cursor, 'signs'), 'a bug must have at least one sign, got none');
  return {
    name: asString(required(cursor, 'name')),
    issues: maybe(cursor, 'issues', strings) ?? [],
    ...(after === undefined ? {} : {after}),
    signs,
  };
}

/** `happens: ['1.16', main]`, `happens: nowhere`, or `happens: {always: [...], sometimes: [...]}`. */
export function parseHappens(cursor: Cursor): Happens {
  if (cursor.value === 'nowhere') return {always: [], sometimes: []};
  if (typeof cursor.value !== 'object' || Array.isArray(cursor.value)) {
    return {always: readProfiles(cursor), sometimes: []};
  }
  onlyFields(cursor, ['always', 'sometimes']);
  return {
    always: maybe(cursor, 'always', readProfiles) ?? [],
    sometimes: maybe(cursor, 'sometimes', readProfiles) ?? [],
  };
}
