// The value without some of its fields. A map or list that loses its last item becomes null, not empty: that is why a
// granular map applied as {} ends in a 422, and it is upstream's behaviour, not a choice of ours.
// kubernetes-sigs/structured-merge-diff 15d0754 typed/remove.go.

import {isList, isObject, type Json} from '../json.ts';
import type {FieldSet} from './field-set.ts';
import type {Atom, ListType, MapType} from './merge-type.ts';
import {deduceAtom, fieldType, itemElement} from './typed-walk.ts';

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
