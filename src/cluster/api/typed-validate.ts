// The check that a value has a type at all: server-side apply demands it of a configuration before the merge.
// kubernetes-sigs/structured-merge-diff 15d0754 typed/validate.go. Its errors end a request with code 500.

import {isList, isObject, type Json, type JsonObject} from '../json.ts';
import {memo} from '../memo.ts';
import {printElement} from './field-set.ts';
import type {Atom, ListType, MapType, Scalar} from './merge-type.ts';
import {deduceAtom, fieldType, itemElement} from './typed-walk.ts';

export interface TypeProblem {
  readonly path: string;
  readonly problem: string;
}

/** Duplicates in sets and map lists are problems in an applied configuration, not in a stored object. */
export function typeProblems(value: Json, atom: Atom, allowDuplicates: boolean): readonly TypeProblem[] {
  const shape = deduceAtom(atom, value);
  if (shape.map !== undefined) return mapProblems(value, shape.map, allowDuplicates);
  if (shape.scalar !== undefined) return scalarProblems(value, shape.scalar);
  if (shape.list !== undefined) return listProblems(value, shape.list, allowDuplicates);
  return [{path: '', problem: 'schema error: invalid atom: inlined'}];
}

/** Nearly every value answers this: it costs nothing to answer and nothing to join. */
const none: readonly TypeProblem[] = [];

export function printProblems(problems: readonly TypeProblem[]): string {
  const texts = problems.map(({path, problem}) => (path === '' ? problem : `${path}: ${problem}`));
  return texts.length === 1 ? (texts[0] ?? '') : ['errors:', ...texts.map((text) => `  ${text}`)].join('\n');
}

/**
 * Maps of stored objects that were found to have the type: a write leaves most of an object alone. With fewer fields, a note takes
 * more memory than another look takes time.
 */
const typed = memo<JsonObject, MapType>();
const notedFrom = 5;

function mapProblems(value: Json, map: MapType, allowDuplicates: boolean): readonly TypeProblem[] {
  if (value === null) return none;
  if (!isObject(value)) return [{path: '', problem: `expected map, got ${plainly(value)}`}];
  if (allowDuplicates && typed.get(value) === map) return none;
  let problems = none;
  let size = 0;
  for (const key in value) {
    size++;
    const child = value[key] as Json;
    const type = fieldType(map, key);
    // Upstream stops at the first unknown field of a map.
    if (type === undefined) return [...problems, {path: `.${key}`, problem: 'field not declared in schema'}];
    const found = typeProblems(child, type, allowDuplicates);
    if (found.length > 0) problems = [...problems, ...under(`.${key}`, found)];
  }
  if (allowDuplicates && problems.length === 0 && size >= notedFrom) typed.set(value, map);
  return problems;
}

function listProblems(value: Json, list: ListType, allowDuplicates: boolean): readonly TypeProblem[] {
  if (value === null) return none;
  if (!isList(value)) return [{path: '', problem: `expected list, got ${plainly(value)}`}];
  let problems = none;
  const seen = new Set<string>();
  for (const [index, item] of value.entries()) {
    const found = list.atomic ? ({kind: 'element', element: `i:${index}`} as const) : itemElement(list, item);
    if (found.kind === 'none') return [...problems, {path: '', problem: `element ${index}: ${found.problem}`}];
    if (seen.has(found.element) && !allowDuplicates) {
      problems = [...problems, {path: '', problem: `duplicate entries for key ${printElement(found.element)}`}];
    }
    seen.add(found.element);
    const below = typeProblems(item, list.element, allowDuplicates);
    if (below.length > 0) problems = [...problems, ...under(printElement(found.element), below)];
  }
  return problems;
}

function scalarProblems(value: Json, scalar: Scalar): readonly TypeProblem[] {
  if (value === null || fits(value, scalar)) return none;
  switch (scalar) {
    case 'numeric':
      return [{path: '', problem: `expected numeric (int or float), got ${goType(value)}`}];
    case 'string':
      return [{path: '', problem: `expected string, got ${printed(value)}`}];
    case 'boolean':
      return [{path: '', problem: `expected boolean, got ${printed(value)}`}];
    default:
      return [{path: '', problem: `expected any scalar, got ${printed(value)}`}];
  }
}

function fits(value: Json, scalar: Scalar): boolean {
  if (scalar === 'untyped') return !isObject(value) && !isList(value);
  return typeof value === (scalar === 'numeric' ? 'number' : scalar);
}

function under(prefix: string, problems: readonly TypeProblem[]): readonly TypeProblem[] {
  return problems.map(({path, problem}) => ({path: prefix + path, problem}));
}

function goType(value: Json): string {
  if (isObject(value)) return 'map[string]interface {}';
  if (isList(value)) return '[]interface {}';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** Prints a value other than a map or a list without its type, as Go prints a pointer to it. */
function plainly(value: Json): string {
  return `&{${goText(value)}}`;
}

function goText(value: Json): string {
  if (isList(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isObject(value)) return value === null ? '<nil>' : String(value);
  const keys = Object.keys(value).sort();
  return `map[${keys.map((key) => `${key}:${goText(value[key] as Json)}`).join(' ')}]`;
}

function printed(value: Json): string {
  return `&value.valueUnstructured{Value:${typeof value === 'object' ? goType(value) : JSON.stringify(value)}}`;
}
