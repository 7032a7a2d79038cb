import {
  asCount,
  asOneOf,
  asString,
  type Cursor,
  entries,
  items,
  maybe,
  onlyFields,
  required,
  strings,
} from '../input/cursor.ts';
import type {ExploreSetting, StatedProperty} from './scenario.ts';

const expectations = ['always', 'sometimes', 'eventually'] as const;

/** The `explore` part of a scenario. What the kinds of budgets are, and what is CEL, is known to who explores. */
export function parseExplore(cursor: Cursor): ExploreSetting {
  onlyFields(cursor, ['moves', 'budgets', 'minutes', 'without', ...expectations]);
  const moves = maybe(cursor, 'moves', (one) => asOneOf(one, ['any', 'in-order'] as const));
  const minutes = maybe(cursor, 'minutes', asCount);
  const budgets = maybe(cursor, 'budgets', entries) ?? [];
  return {
    ...(moves === undefined ? {} : {moves}),
    ...(minutes === undefined ? {} : {minutes}),
    budgets: Object.fromEntries(budgets.map(([kind, units]) => [kind, asCount(units)])),
    without: maybe(cursor, 'without', strings) ?? [],
    properties: expectations.flatMap((expectation) =>
      (maybe(cursor, expectation, items) ?? []).map((one) => parseProperty(one, expectation)),
    ),
  };
}

function parseProperty(cursor: Cursor, expectation: StatedProperty['expectation']): StatedProperty {
  onlyFields(cursor, ['name', 'holds']);
  const holds = required(cursor, 'holds');
  return {
    expectation,
    name: asString(required(cursor, 'name')),
    place: holds.placeOf(holds.path),
    holds: asString(holds),
  };
}
