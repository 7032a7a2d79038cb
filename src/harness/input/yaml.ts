// YAML text as cursors that know their places. The text comes from a file (yaml-file.ts) or from the caller.

import {type Document, isAlias, isMap, isNode, isScalar, LineCounter, parseAllDocuments, visit} from 'yaml';
import type {Json} from '../../cluster/json.ts';
import type {Cursor} from './cursor.ts';
import {goTags} from './go-scalars.ts';
import {InputError} from './input-error.ts';
import {jsonDocuments} from './json-documents.ts';
import {withContinuedLinesIndented} from './quoted-lines.ts';

/** Hears of a key that stands twice in one map, by its place: the last one counts. */
export type OnKeyTwice = (place: string) => void;

/**
 * Every document of the text; `file` names it in places. A key that stands twice is a mistake unless `onKeyTwice` hears of it.
 * Throws InputError: invalid YAML with its first error.
 */
export function parseYaml(text: string, file: string, onKeyTwice?: OnKeyTwice): readonly Cursor[] {
  try {
    return parsed(text, file, onKeyTwice);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    if (isHelmTemplate(text)) throw new InputError(error.place, helmProblem);
    const documents = jsonDocuments(text);
    if (documents.length > 1) return documents.flatMap((one) => parsed(one, file, onKeyTwice));
    const indented = withContinuedLinesIndented(text);
    if (indented === text) throw error;
    try {
      return parsed(indented, file, onKeyTwice);
    } catch {
      throw error;
    }
  }
}

/** True if the text is no YAML because it is a Helm template. */
export function isHelmTemplate(text: string): boolean {
  return /^\s*(?:- )?\{\{-?\s/m.test(text) || /\{\{-?\s*(?:\.[A-Z]\w*|include|if|range|with|end)\b/.test(text);
}

export const helmProblem = 'a Helm template is no YAML: render it with `helm template` first';

function parsed(text: string, file: string, onKeyTwice: OnKeyTwice | undefined): readonly Cursor[] {
  const lines = new LineCounter();
  // The default limit on aliases stops documents that expand without end.
  const documents = parseAllDocuments(text, {
    lineCounter: lines,
    prettyErrors: false,
    version: '1.2',
    schema: 'yaml-1.1',
    customTags: goTags,
    // A map as a key is a template of Helm: no word of the parser to the terminal.
    logLevel: 'error',
  });
  const list: readonly Document[] = Array.isArray(documents) ? documents : [];
  return list
    .flatMap((document) => cursorOf(document, lines, file, onKeyTwice))
    .filter((cursor) => cursor.value !== null);
}

function cursorOf(document: Document, lines: LineCounter, file: string, onKeyTwice: OnKeyTwice | undefined): Cursor {
  const placeAt = (offset: number): string => {
    const {line, col} = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  const twice = document.errors.filter(({code}) => code === 'DUPLICATE_KEY' && onKeyTwice !== undefined);
  for (const {pos} of twice) onKeyTwice?.(placeAt(pos[0]));
  const error = document.errors.find((one) => !twice.includes(one));
  if (error !== undefined) {
    throw new InputError(placeAt(error.pos[0]), `invalid YAML: ${firstLine(error.message)}`);
  }
  const key = keyWithoutText(document);
  if (key !== undefined)
    throw new InputError(placeAt(key), 'invalid YAML: a key must be text, a number or true or false');
  return {
    value: toJson(document, () => placeAt(document.contents?.range?.[0] ?? 0)),
    path: [],
    placeOf: (path) => placeAt(offsetOf(document, path)),
    placeOfKey: (path) => placeAt(offsetOfKey(document, path)),
  };
}

/** Where the first key is that JSON cannot have: null, a list, a map. */
function keyWithoutText(document: Document): number | undefined {
  let found: number | undefined;
  visit(document, {
    Pair: (_, {key}) => {
      if (!isNode(key) || isAlias(key) || (isScalar(key) && key.value !== null)) return undefined;
      found = key.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return found;
}

function toJson(document: Document, place: () => string): Json {
  try {
    // Through JSON, so that nothing else is in it.
    const value: unknown = document.toJS({maxAliasCount: 100});
    return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as Json);
  } catch (error) {
    throw new InputError(place(), `invalid YAML: ${firstLine(String((error as Error).message))}`);
  }
}

/** Where the value at `path` begins; where it has no node of its own, the nearest one above it. */
function offsetOf(document: Document, path: readonly (string | number)[]): number {
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

/** Where the key that ends `path` begins. */
function offsetOfKey(document: Document, path: readonly (string | number)[]): number {
  const map = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const pair = isMap(map) ? map.items.find(({key}) => isScalar(key) && key.value === path.at(-1)) : undefined;
  return isScalar(pair?.key) && pair.key.range ? pair.key.range[0] : offsetOf(document, path);
}

export function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/[.:]\s*$/, '');
}
