// Where two outcomes part: the first place, in the order of keys, with what each side has there.

import type {Json, JsonObject} from '../../src/wire/json.ts';

export interface Difference {
  /** Keys and indices from the outcome down: `composed.0.metadata.name`. */
  readonly where: string;
  /** undefined where that side has nothing there. */
  readonly theirs: Json | undefined;
  readonly ours: Json | undefined;
}

export function firstDifference(
  theirs: Json | undefined,
  ours: Json | undefined,
  path: readonly string[] = [],
): Difference | undefined {
  if (Array.isArray(theirs) && Array.isArray(ours)) return amongItems(theirs, ours, path);
  if (isMap(theirs) && isMap(ours)) return amongKeys(theirs, ours, path);
  return Object.is(theirs, ours) ? undefined : {where: path.join('.'), theirs, ours};
}

function amongItems(theirs: readonly Json[], ours: readonly Json[], path: readonly string[]): Difference | undefined {
  for (let index = 0; index < Math.max(theirs.length, ours.length); index++) {
    const found = firstDifference(theirs[index], ours[index], [...path, String(index)]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function amongKeys(theirs: JsonObject, ours: JsonObject, path: readonly string[]): Difference | undefined {
  for (const key of [...new Set([...Object.keys(theirs), ...Object.keys(ours)])].sort()) {
    const found = firstDifference(own(theirs, key), own(ours, key), [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function isMap(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A line for people. */
export function differenceText({where, theirs, ours}: Difference): string {
  return `${where === '' ? 'the outcome' : where}: theirs ${JSON.stringify(theirs) ?? 'nothing'}, ours ${JSON.stringify(ours) ?? 'nothing'}`;
}

/**
 * What finds of one cause have in common, roughly: the place without indices, and the words of both sides without names,
 * numbers and lengths. Where one side alone fails, what it says is the cause.
 */
export function signatureOf({where, theirs, ours}: Difference): string {
  const place = shapeOf(where.replaceAll(/(?<=^|\.)\d+(?=\.|$)/g, '*'));
  return [place, ...[theirs, ours].filter((side) => where !== 'error' || side !== null).map(shapeOf)].join(' | ');
}

/** Two failures may come of a cause that is known of one of them. */
export function isKnown(difference: Difference, known: ReadonlySet<string>): boolean {
  const {where, theirs, ours} = difference;
  const alone =
    where === 'error'
      ? [
          {where, theirs, ours: null},
          {where, theirs: null, ours},
        ]
      : [];
  return [difference, ...alone].some((one) => known.has(signatureOf(one)));
}

function shapeOf(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return value.replaceAll(/\\*"[^"\\]*\\*"|[0-9a-f-]{8,}|\d+/g, '_').slice(0, 160);
  if (Array.isArray(value)) return 'list';
  return value === null ? 'null' : typeof value;
}
