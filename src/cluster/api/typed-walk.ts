// Shared by every walk over a typed value: the atom's shape that applies, and the identity of list items.
// kubernetes-sigs/structured-merge-diff 15d0754 typed/helpers.go. An absent value is undefined, an explicit null is null.

import {isList, isObject, type Json, type JsonObject} from '../json.ts';
import {memo, remembering} from '../memo.ts';
import {keyElement} from './field-set.ts';
import type {Atom, ListType, MapType} from './merge-type.ts';

/** Only the shape that fits the value; the whole atom for an absent value, a null, or a shape the atom lacks. */
export function deduceAtom(atom: Atom, value: Json | undefined): Atom {
  if (value === undefined || value === null) return atom;
  if (isList(value)) return atom.list === undefined || sole(atom) ? atom : listOnly(atom);
  if (isObject(value)) return atom.map === undefined || sole(atom) ? atom : mapOnly(atom);
  return atom.scalar === undefined || sole(atom) ? atom : scalarOnly(atom);
}

export function fieldType(map: MapType, key: string): Atom | undefined {
  return map.fields.get(key)?.type ?? map.element;
}

export function mapOrUndefined(value: Json | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

export function listOrUndefined(value: Json | undefined): readonly Json[] | undefined {
  return isList(value) ? value : undefined;
}

export function isEmptyMap(value: JsonObject | undefined): boolean {
  if (value === undefined) return true;
  for (const _ in value) return false;
  return true;
}

export type ItemElement =
  | {readonly kind: 'element'; readonly element: string}
  | {readonly kind: 'none'; readonly problem: string};

/** The path element of a list item. */
export function itemElement(list: ListType, item: Json): ItemElement {
  if (list.keys.length > 0) return keyedElement(list, item);
  if (isObject(item)) return {kind: 'none', problem: "associative list without keys has an element that's a map type"};
  if (isList(item)) return {kind: 'none', problem: 'not supported: associative list with lists as elements'};
  if (item === null)
    return {kind: 'none', problem: "associative list without keys has an element that's an explicit null"};
  return {kind: 'element', element: `v:${JSON.stringify(item)}`};
}

const elements = memo<JsonObject, {readonly list: ListType; readonly element: ItemElement}>();

function keyedElement(list: ListType, item: Json): ItemElement {
  if (item === null) return {kind: 'none', problem: 'associative list with keys may not have a null element'};
  if (!isObject(item)) return {kind: 'none', problem: 'associative list with keys may not have non-map elements'};
  const known = elements.get(item);
  if (known?.list === list) return known.element;
  const element = elementOf(list, item);
  elements.set(item, {list, element});
  return element;
}

function elementOf(list: ListType, item: JsonObject): ItemElement {
  const keys: {[name: string]: Json} = {};
  let found = false;
  for (const name of list.keys) {
    const value = Object.hasOwn(item, name) ? item[name] : list.element.map?.fields.get(name)?.default;
    if (value === undefined) continue;
    keys[name] = value;
    found = true;
  }
  if (found) return {kind: 'element', element: keyElement(keys)};
  const names = list.keys.map((name) => JSON.stringify(name)).join(' ');
  return {
    kind: 'none',
    problem: `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
  };
}

function sole(atom: Atom): boolean {
  return Number(atom.list !== undefined) + Number(atom.map !== undefined) + Number(atom.scalar !== undefined) === 1;
}

// The narrowed atoms are kept, so that two walks that narrow the same way can be compared by identity.
const scalarOnly = remembering(({scalar}: Atom): Atom => (scalar === undefined ? {} : {scalar}));
const listOnly = remembering(({list}: Atom): Atom => (list === undefined ? {} : {list}));
const mapOnly = remembering(({map}: Atom): Atom => (map === undefined ? {} : {map}));
