// Every field a value mentions: what an applier owns of its configuration.
//
// Scalars and atomic values are members; items of sets and map lists are members besides what is in them; so are keys
// of maps that the schema does not name. A named field is a member only where nothing below it could be: a null or an
// empty map. kubernetes-sigs/structured-merge-diff 15d0754 typed/tofieldset.go, fieldpath/set.go
// (EnsureNamedFieldsAreMembers).

import {isList, isObject, type Json} from '../json.ts';
import {type FieldNode, type FieldSet, leaf, nodeOf, noFields} from './field-set.ts';
import type {Atom, ListType, MapType} from './merge-type.ts';
import {deduceAtom, fieldType, isEmptyMap, itemElement} from './typed-walk.ts';

export function fieldSetOfValue(value: Json, atom: Atom): FieldSet {
  return nodeOfValue(value, atom).below;
}

/** The set with the named fields that lead to members made members too, so that removing them takes the field away. */
export function withNamedFields(set: FieldSet, atom: Atom | undefined): FieldSet {
  const out = new Map<string, FieldNode>();
  for (const [element, node] of set) {
    const name = element.startsWith('f:') ? element.slice(2) : undefined;
    const below = node.below.size === 0 ? noFields : withNamedFields(node.below, typeBelow(atom, element, name));
    const named = name !== undefined && node.below.size > 0 && atom?.map?.fields.has(name) === true;
    out.set(element, node.member || !named ? {member: node.member, below} : {member: true, below});
  }
  return out;
}

/** The type behind a path element; undefined where the type has no such thing. */
function typeBelow(atom: Atom | undefined, element: string, name: string | undefined): Atom | undefined {
  if (name !== undefined) return atom?.map === undefined ? undefined : fieldType(atom.map, name);
  return element.startsWith('k:') ? atom?.list?.element : undefined;
}

interface Owned {
  readonly self: boolean;
  readonly below: FieldSet;
}

const whole: Owned = {self: true, below: noFields};
const nothing: Owned = {self: false, below: noFields};

function nodeOfValue(value: Json, atom: Atom): Owned {
  const shape = deduceAtom(atom, value);
  if (shape.map !== undefined) return ofMap(value, shape.map);
  if (shape.scalar !== undefined) return whole;
  return shape.list === undefined ? nothing : ofList(value, shape.list);
}

function ofMap(value: Json, map: MapType): Owned {
  if (map.atomic) return whole;
  if (!isObject(value)) return nothing;
  const below = new Map<string, FieldNode>();
  for (const key in value) {
    const child = value[key] as Json;
    const type = fieldType(map, key);
    if (type === undefined) continue;
    const owned = nodeOfValue(child, type);
    const hollow = child === null || (isObject(child) && isEmptyMap(child));
    const node = nodeOf(owned.self || hollow || !map.fields.has(key), owned.below);
    if (node !== undefined) below.set(`f:${key}`, node);
  }
  return {self: false, below};
}

function ofList(value: Json, list: ListType): Owned {
  if (list.atomic) return whole;
  if (!isList(value)) return nothing;
  const below = new Map<string, FieldNode>();
  const duplicated = new Set<string>();
  for (const item of value) {
    const found = itemElement(list, item);
    if (found.kind === 'none') continue;
    if (below.has(found.element)) duplicated.add(found.element);
    below.set(found.element, {member: true, below: nodeOfValue(item, list.element).below});
  }
  // Nothing distinguishes equal items, so a manager owns the item as such and not its fields.
  for (const element of duplicated) below.set(element, leaf);
  return {self: false, below};
}
