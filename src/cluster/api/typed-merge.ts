// Merges an applied configuration into the live object: fields of the configuration win, and nothing is removed. Lists keep the
// order of the live object unless the configuration orders its items otherwise.
// kubernetes-sigs/structured-merge-diff 15d0754 typed/merge.go. Undefined stands for absent on either side.

import {equal, isList, isObject, type Json} from '../json.ts';
import type {FieldSet} from './field-set.ts';
import type {Atom, ListType, MapType} from './merge-type.ts';
import {deduceAtom, fieldType, isEmptyMap, itemElement, listOrUndefined, mapOrUndefined} from './typed-walk.ts';

export function mergeTyped(left: Json | undefined, right: Json | undefined, atom: Atom): Json | undefined {
  if (right === undefined || left === right) return left;
  if (left === undefined) return right;
  // Of two different shapes the configuration's is kept; a null takes the first shape that the type has.
  const shape = deduceAtom(atom, right);
  if (shape.map !== undefined) return mergeMaps(shape.map, left, right);
  if (shape.list !== undefined && shape.scalar === undefined) return mergeLists(shape.list, left, right);
  return right;
}

function mergeMaps(map: MapType, left: Json | undefined, right: Json): Json | undefined {
  const ours = mapOrUndefined(left);
  const theirs = mapOrUndefined(right);
  if (map.atomic || (isEmptyMap(ours) && isEmptyMap(theirs))) return equal(left, right) ? left : right;
  let out: {[key: string]: Json} | undefined;
  for (const key in theirs) {
    const value = theirs[key] as Json;
    const before = ours !== undefined && Object.hasOwn(ours, key) ? ours[key] : undefined;
    const type = fieldType(map, key);
    const merged = type === undefined ? value : mergeTyped(before, value, type);
    if (merged === before) continue;
    out ??= {...ours};
    if (merged === undefined) delete out[key];
    else out[key] = merged;
  }
  const merged = out ?? ours;
  return isEmptyMap(merged) ? undefined : merged;
}

function mergeLists(list: ListType, left: Json | undefined, right: Json): Json | undefined {
  const ours = listOrUndefined(left);
  const theirs = listOrUndefined(right);
  if (equal(left, right)) return left;
  if (list.atomic || ((ours ?? []).length === 0 && (theirs ?? []).length === 0)) return right;
  const merged = mergeItems(list, ours ?? [], theirs ?? []);
  return merged.length === 0 ? undefined : sameItems(merged, ours) ? ours : merged;
}

/**
 * Items of both sides in one order: live items stay where they are, shared ones are pulled into the order of the
 * configuration, new ones come where the configuration has them.
 */
function mergeItems(list: ListType, ours: readonly Json[], theirs: readonly Json[]): readonly Json[] {
  const left = indexed(list, ours);
  const right = indexed(list, theirs);
  const shared = right.elements.filter((element) => left.items.has(element));
  const done = new Set<string>();
  const out: Json[] = [];
  const take = (item: Json | undefined, other: Json | undefined) => {
    const merged = mergeTyped(item, other, list.element);
    if (merged !== undefined) out.push(merged);
  };
  let nextShared = shared.shift();
  let l = 0;
  let r = 0;
  while (l < left.elements.length || r < right.elements.length) {
    const ourElement = left.elements[l];
    const theirElement = right.elements[r];
    if (ourElement !== undefined && theirElement !== undefined) {
      if (ourElement === theirElement) {
        done.add(ourElement);
        take(left.items.get(ourElement), right.items.get(theirElement));
        l++;
        r++;
        nextShared = shared.shift();
        continue;
      }
      // A shared item, but not the one whose turn it is.
      if (right.items.has(ourElement) && nextShared !== undefined && nextShared !== ourElement) {
        l++;
        continue;
      }
    }
    if (ourElement !== undefined) {
      if (!right.items.has(ourElement)) {
        // By position: of several equal live items each is kept.
        take(left.list[l], undefined);
        l++;
        continue;
      }
      if (done.has(ourElement)) l++;
    }
    if (theirElement !== undefined) {
      done.add(theirElement);
      take(left.items.get(theirElement), right.items.get(theirElement));
      r++;
      if (nextShared === theirElement) nextShared = shared.shift();
    }
  }
  return out;
}

interface Indexed {
  readonly list: readonly Json[];
  readonly elements: readonly string[];
  /** Several equal items are not merged with the configuration's: they stand here as null. */
  readonly items: ReadonlyMap<string, Json>;
}

function indexed(list: ListType, values: readonly Json[]): Indexed {
  const kept: Json[] = [];
  const elements: string[] = [];
  const items = new Map<string, Json>();
  for (const value of values) {
    const found = itemElement(list, value);
    if (found.kind === 'none') continue;
    items.set(found.element, items.has(found.element) ? null : value);
    elements.push(found.element);
    kept.push(value);
  }
  return {list: kept, elements, items};
}

function sameItems(merged: readonly Json[], ours: readonly Json[] | undefined): boolean {
  return ours !== undefined && merged.length === ours.length && merged.every((item, index) => item === ours[index]);
}

// The value without some of its fields. A map or list that loses its last item becomes null, not empty: that is why a
// granular map applied as {} ends in a 422, and it is upstream's behaviour, not a choice of ours.
// kubernetes-sigs/structured-merge-diff 15d0754 typed/remove.go.

export function removeFields(value: Json, fields: FieldSet, atom: Atom): Json {
  if (fields.size === 0 && !isEmpty(value)) return value;
  const shape = deduceAtom(atom, value);
  if (shape.map !== undefined) return isObject(value) ? removeFromMap(value, fields, shape.map) : null;
  if (shape.scalar !== undefined) return value;
  return shape.list !== undefined && isList(value) ? removeFromList(value, fields, shape.list) : null;
}

function removeFromMap(value: {readonly [key: string]: Json}, fields: FieldSet, map: MapType): Json {
  if (map.atomic) return null;
  let out: {[key: string]: Json} | undefined;
  for (const key in value) {
    const child = value[key] as Json;
    const node = fields.get(`f:${key}`);
    if (node === undefined) continue;
    const type = fieldType(map, key);
    const next = node.member ? undefined : type === undefined ? child : removeFields(child, node.below, type);
    if (next === child) continue;
    out ??= {...value};
    if (next === undefined) delete out[key];
    else out[key] = next;
  }
  const left = out ?? value;
  return isEmpty(left) ? null : left;
}

function removeFromList(value: readonly Json[], fields: FieldSet, list: ListType): Json {
  if (list.atomic || value.length === 0) return null;
  const kept: Json[] = [];
  for (const item of value) {
    const found = itemElement(list, item);
    const node = found.kind === 'none' ? undefined : fields.get(found.element);
    if (node?.member === true) continue;
    kept.push(node === undefined ? item : removeFields(item, node.below, list.element));
  }
  if (kept.length === 0) return null;
  return kept.length === value.length && kept.every((item, index) => item === value[index]) ? value : kept;
}

function isEmpty(value: Json): boolean {
  if (isList(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}
