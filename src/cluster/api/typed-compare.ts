// Differences between two versions of a value, as fields: added, removed, modified. No field is in two of them.
// kubernetes-sigs/structured-merge-diff 15d0754 typed/compare.go. Undefined stands for absent.

import {equal, type Json} from '../json.ts';
import {type FieldNode, type FieldSet, leaf, noFields, union} from './field-set.ts';
import type {Atom, ListType, MapType} from './merge-type.ts';
import {deduceAtom, fieldType, isEmptyMap, itemElement, listOrUndefined, mapOrUndefined} from './typed-walk.ts';

interface Comparison {
  readonly added: FieldSet;
  readonly removed: FieldSet;
  readonly modified: FieldSet;
}

const unchanged: Comparison = {added: noFields, removed: noFields, modified: noFields};

export function compareTyped(left: Json, right: Json, atom: Atom): Comparison {
  return compareNode(left, right, atom).below;
}

/** `self` is the change of the value as such, `below` the changes inside it. */
interface Change {
  readonly self: 'added' | 'removed' | 'modified' | undefined;
  readonly below: Comparison;
}

const same: Change = {self: undefined, below: unchanged};

function compareNode(left: Json | undefined, right: Json | undefined, atom: Atom): Change {
  if (left === right) return same;
  const before = deduceAtom(atom, left);
  const after = deduceAtom(atom, right);
  if (right === undefined) return compareAs(before, left, right);
  if (left === undefined || before === after) return compareAs(after, left, right);
  // The shape changed: what is below the old one is gone, what is below the new one has come.
  const gone = compareAs(before, left, right);
  const come = compareAs(after, left, right);
  return {self: come.self ?? gone.self, below: both(gone.below, come.below)};
}

function compareAs(shape: Atom, left: Json | undefined, right: Json | undefined): Change {
  const change = compareShape(shape, left, right);
  if (change.self !== undefined) return change;
  if (left === undefined) return {...change, self: 'added'};
  return right === undefined ? {...change, self: 'removed'} : change;
}

function compareShape(shape: Atom, left: Json | undefined, right: Json | undefined): Change {
  if (shape.map !== undefined) return compareMaps(shape.map, left, right);
  if (shape.scalar !== undefined || shape.list === undefined) return compareLeaves(left, right);
  return compareLists(shape.list, left, right);
}

function compareLeaves(left: Json | undefined, right: Json | undefined): Change {
  if (left === undefined) return {self: 'added', below: unchanged};
  if (right === undefined) return {self: 'removed', below: unchanged};
  return equal(left, right) ? same : {self: 'modified', below: unchanged};
}

function compareMaps(map: MapType, left: Json | undefined, right: Json | undefined): Change {
  const before = mapOrUndefined(left);
  const after = mapOrUndefined(right);
  if (map.atomic || (isEmptyMap(before) && isEmptyMap(after))) return compareLeaves(left, right);
  const changes = new Changes();
  for (const key in before) {
    const value = before[key];
    const next = after !== undefined && Object.hasOwn(after, key) ? after[key] : undefined;
    compareField(map, key, value, next, changes);
  }
  for (const key in after) {
    const value = after[key];
    if (before === undefined || !Object.hasOwn(before, key)) compareField(map, key, undefined, value, changes);
  }
  return changes.result();
}

function compareField(
  map: MapType,
  key: string,
  left: Json | undefined,
  right: Json | undefined,
  changes: Changes,
): void {
  if (left === right) return;
  const type = fieldType(map, key);
  if (type !== undefined) changes.put(`f:${key}`, compareNode(left, right, type));
}

function compareLists(list: ListType, left: Json | undefined, right: Json | undefined): Change {
  const before = listOrUndefined(left) ?? [];
  const after = listOrUndefined(right) ?? [];
  if (list.atomic || (before.length === 0 && after.length === 0)) return compareLeaves(left, right);
  const olds = grouped(list, before);
  const news = grouped(list, after);
  const changes = new Changes();
  for (const [element, items] of olds) {
    for (const change of compareItems(list, items, news.get(element) ?? [])) changes.put(element, change);
  }
  for (const [element, items] of news) {
    if (!olds.has(element)) for (const change of compareItems(list, [], items)) changes.put(element, change);
  }
  return changes.result();
}

/** The items of one path element on both sides; several equal ones are compared as if they were one atomic value. */
function compareItems(list: ListType, olds: readonly Json[], news: readonly Json[]): readonly Change[] {
  if (olds.length <= 1 && news.length <= 1) return [compareNode(olds[0], news[0], list.element)];
  if (olds.length >= 2 && news.length >= 2) {
    return equal(olds, news) ? [] : [{self: 'modified', below: unchanged}];
  }
  const alone = compareNode(
    olds.length === 1 ? olds[0] : undefined,
    news.length === 1 ? news[0] : undefined,
    list.element,
  );
  return [alone, {self: olds.length >= 2 ? 'removed' : 'added', below: unchanged}];
}

function grouped(list: ListType, items: readonly Json[]): ReadonlyMap<string, readonly Json[]> {
  const groups = new Map<string, Json[]>();
  for (const item of items) {
    const found = itemElement(list, item);
    if (found.kind === 'none') continue;
    const group = groups.get(found.element);
    if (group === undefined) groups.set(found.element, [item]);
    else group.push(item);
  }
  return groups;
}

/** Collects the changes of one level. */
class Changes {
  readonly #sets: {-readonly [kind in keyof Comparison]: Map<string, FieldNode> | undefined} = {
    added: undefined,
    removed: undefined,
    modified: undefined,
  };

  put(element: string, change: Change): void {
    if (change === same) return;
    for (const kind of kinds) {
      const below = change.below[kind];
      const member = change.self === kind;
      if (!member && below.size === 0) continue;
      this.#sets[kind] ??= new Map();
      this.#sets[kind].set(element, below.size === 0 ? leaf : {member, below});
    }
  }

  result(): Change {
    const {added, removed, modified} = this.#sets;
    if (added === undefined && removed === undefined && modified === undefined) return same;
    return {
      self: undefined,
      below: {added: added ?? noFields, removed: removed ?? noFields, modified: modified ?? noFields},
    };
  }
}

const kinds = ['added', 'removed', 'modified'] as const;

function both(left: Comparison, right: Comparison): Comparison {
  return {
    added: union(left.added, right.added),
    removed: union(left.removed, right.removed),
    modified: union(left.modified, right.modified),
  };
}
