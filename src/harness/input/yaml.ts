// YAML text as cursors that know their places. The text comes from a file (yaml-file.ts) or from the caller.

import {type Document, isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseAllDocuments, visit} from 'yaml';
import type {Json} from '../../cluster/json.ts';
import {Recent} from '../../cluster/recent.ts';
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
    if (isHelmTemplate(text)) throw new InputError(helmProblem, {place: error.place});
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

interface Parsed {
  readonly documents: readonly Document[];
  readonly lines: LineCounter;
}

/** The values of a text without a mistake. */
interface Values {
  readonly all: readonly Json[];
  readonly bytes: number;
}

/**
 * Every variant and version of a scenario reads its manifests again. Values never change, so a text has one value, and its compiled
 * schemas serve all of them. Places are asked for only if something is wrong: then the text is parsed again.
 */
const known = new Recent<string, Values>(16 * 1_048_576, ({bytes}) => bytes);

function parsed(text: string, file: string, onKeyTwice: OnKeyTwice | undefined): readonly Cursor[] {
  const before = known.get(text);
  let parts = before === undefined ? documentsOf(text) : undefined;
  const again = () => {
    parts ??= documentsOf(text);
    return parts;
  };
  const all =
    before?.all ?? again().documents.map((document) => valueIn(document, text, again().lines, file, onKeyTwice));
  const isSound = parts?.documents.every(({errors}) => errors.length === 0) === true;
  if (before === undefined && isSound) known.set(text, {all, bytes: text.length});
  return all.map((value, index) => cursorOf(value, index, again, file)).filter((cursor) => cursor.value !== null);
}

function documentsOf(text: string): Parsed {
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
  return {documents: Array.isArray(documents) ? documents : [], lines};
}

function cursorOf(value: Json, index: number, parts: () => Parsed, file: string): Cursor {
  const place = (offsetIn: (document: Document) => number): string => {
    const {documents, lines} = parts();
    return placeAt(offsetIn(documents[index] as Document), lines, file);
  };
  return {
    value,
    path: [],
    placeOf: (path) => place((document) => offsetOf(document, path)),
    placeOfKey: (path) => place((document) => offsetOfKey(document, path)),
  };
}

function placeAt(offset: number, lines: LineCounter, file: string): string {
  const {line, col} = lines.linePos(offset);
  return `${file}:${line}:${col}`;
}

function valueIn(
  document: Document,
  text: string,
  lines: LineCounter,
  file: string,
  onKeyTwice: OnKeyTwice | undefined,
): Json {
  const at = (offset: number): string => placeAt(offset, lines, file);
  const twice = document.errors.filter(({code}) => code === 'DUPLICATE_KEY' && onKeyTwice !== undefined);
  for (const {pos} of twice) onKeyTwice?.(at(pos[0]));
  const error = document.errors.find((one) => !twice.includes(one));
  if (error !== undefined) {
    const tab = tabNear(text, error.pos[0]);
    const problem = tab === undefined ? firstLine(error.message) : 'Tabs are not allowed as indentation';
    throw new InputError(`invalid YAML: ${problem}`, {place: at(tab ?? error.pos[0])});
  }
  dropMergedOver(document);
  const key = keyWithoutText(document);
  if (key !== undefined)
    throw new InputError('invalid YAML: a key must be text, a number or true or false', {place: at(key)});
  return toJson(document, () => at(document.contents?.range?.[0] ?? 0));
}

/** The place of a tab in the indentation of the line, or of the next one. The parser names a consequence of it. */
function tabNear(text: string, offset: number): number | undefined {
  const line = text.lastIndexOf('\n', offset - 1) + 1;
  const found = /^(?:.*\n)?? *\t(?=\s*[^\s#])/.exec(text.slice(line));
  return found === null ? undefined : line + found[0].length - 1;
}

/** For kubectl `<<` overrides the keys before it (go-yaml v2, decode.go merge): they go. */
function dropMergedOver(document: Document): void {
  const isMerge = (key: unknown): boolean => isScalar(key) && key.type === 'PLAIN' && key.source === '<<';
  // A map may merge itself; few merge what merges.
  const keysOf = (node: unknown, depth = 0): readonly unknown[] => {
    if (depth > 9) return [];
    if (isAlias(node)) return keysOf(node.resolve(document), depth + 1);
    if (isSeq(node)) return node.items.flatMap((one) => keysOf(one, depth + 1));
    if (!isMap(node)) return [];
    return node.items.flatMap(({key, value}) =>
      isMerge(key) ? keysOf(value, depth + 1) : isScalar(key) ? [key.value] : [],
    );
  };
  visit(document, {
    Map: (_, map) => {
      const merge = map.items.findIndex(({key}) => isMerge(key));
      if (merge <= 0) return;
      const merged = keysOf(map.items[merge]?.value);
      map.items = map.items.filter(({key}, index) => index >= merge || !isScalar(key) || !merged.includes(key.value));
    },
  });
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
    // JSON.stringify throws a TypeError for an object that holds itself.
    const why = error instanceof TypeError ? 'an alias is inside of its own anchor' : (error as Error).message;
    throw new InputError(`invalid YAML: ${firstLine(why)}`, {place: place()});
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
