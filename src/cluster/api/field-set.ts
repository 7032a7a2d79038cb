// Sets of fields, the currency of server-side apply, as a tree of path elements.
//
// A path element is kept in the form it has in FieldsV1: `f:name` a field, `k:{"port":80}` an item of a map list,
// `v:"x"` an item of a set, `i:0` an index. A node is a member of the set, or leads to members below it, or both: `f:a`
// and `f:a f:b` are different members, and subtracting one does not touch the other. No node is kept that neither is a
// member nor has any below it.
//
// kubernetes-sigs/structured-merge-diff 15d0754 fieldpath/set.go, serialize.go. Not modelled: its binary search order;
// here only messages are sorted, and there `v:` and `k:` elements compare as text.

import {isObject, type Json, type JsonObject} from '../json.ts';
import {memo, remembering} from '../memo.ts';
import {Recent} from '../recent.ts';

export interface FieldNode {
  readonly member: boolean;
  readonly below: FieldSet;
}

export type FieldSet = ReadonlyMap<string, FieldNode>;

export const noFields: FieldSet = new Map();
export const leaf: FieldNode = {member: true, below: noFields};

/** The node, or undefined where it would stand for nothing. */
export function nodeOf(member: boolean, below: FieldSet): FieldNode | undefined {
  if (below.size === 0) return member ? leaf : undefined;
  return {member, below};
}

export function fieldSetOf(...paths: readonly (readonly string[])[]): FieldSet {
  return paths.reduce((set, path) => union(set, chain(path)), noFields);
}

export function union(left: FieldSet, right: FieldSet): FieldSet {
  if (left === right || right.size === 0) return left;
  if (left.size === 0) return right;
  const out = new Map(left);
  for (const [element, node] of right) {
    const mine = left.get(element);
    out.set(element, mine === undefined ? node : joined(mine, node));
  }
  return out;
}

/** Members of both. */
export function intersection(left: FieldSet, right: FieldSet): FieldSet {
  if (left === right) return left;
  if (left.size === 0 || right.size === 0) return noFields;
  let out: Map<string, FieldNode> | undefined;
  for (const [element, mine] of left) {
    const other = right.get(element);
    if (other === undefined) continue;
    const node = nodeOf(mine.member && other.member, intersection(mine.below, other.below));
    if (node === undefined) continue;
    out ??= new Map();
    out.set(element, node);
  }
  return out ?? noFields;
}

/** Members of `left` that are no members of `right`. A parent is not its children: `a.b` minus `a` is `a.b`. */
export function difference(left: FieldSet, right: FieldSet): FieldSet {
  return subtract(left, right, (node, other) =>
    nodeOf(node.member && !other.member, difference(node.below, other.below)),
  );
}

/** As `difference`, but a member of `right` takes everything below it along. */
export function differenceBelow(left: FieldSet, right: FieldSet): FieldSet {
  return subtract(left, right, (node, other) =>
    other.member ? undefined : nodeOf(node.member, differenceBelow(node.below, other.below)),
  );
}

/** True if every member of `right` is one of `left`. */
export function covers(left: FieldSet, right: FieldSet): boolean {
  if (left === right) return true;
  for (const [element, node] of right) {
    const mine = left.get(element);
    if (mine === undefined || (node.member && !mine.member) || !covers(mine.below, node.below)) return false;
  }
  return true;
}

export function sameFields(left: FieldSet, right: FieldSet): boolean {
  if (left === right) return true;
  if (left.size !== right.size) return false;
  for (const [element, {member, below}] of left) {
    const other = right.get(element);
    if (other === undefined || other.member !== member || !sameFields(below, other.below)) return false;
  }
  return true;
}

/** The members as paths, each parent's members before what lies below them, in the order messages print them. */
export function pathsOf(set: FieldSet, prefix: readonly string[] = []): readonly (readonly string[])[] {
  const sorted = [...set].sort(([left], [right]) => (left < right ? -1 : 1));
  const members = sorted.filter(([, node]) => node.member).map(([element]) => [...prefix, element]);
  return [...members, ...sorted.flatMap(([element, node]) => pathsOf(node.below, [...prefix, element]))];
}

/** A path as Kubernetes prints it: `.spec.ports[port=80,protocol="TCP"].name`. */
export function printPath(path: readonly string[]): string {
  return path.map(printElement).join('');
}

export function printElement(element: string): string {
  const text = element.slice(2);
  if (element.startsWith('f:')) return `.${text}`;
  if (element.startsWith('v:')) return `[=${text}]`;
  if (element.startsWith('i:')) return `[${text}]`;
  const keys = Object.entries(JSON.parse(text) as JsonObject);
  return `[${keys.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(',')}]`;
}

/** FieldsV1 of the set. Sets share the parts that a write left alone, so their encodings are shared, too. */
export function encodeFields(set: FieldSet): JsonObject {
  return set.size === 0 ? empty : encoded(set);
}

const encoded = remembering(encodeLevel);
const empty: JsonObject = {};

/**
 * The set as others have it. Objects of one kind are written by the same programs, so thousands of them have nearly the same fields:
 * one set stands for all equal ones, and what is worked out of it once is worked out for all.
 */
export function shared(set: FieldSet): FieldSet {
  if (set.size === 0) return noFields;
  if (identities.get(set) !== undefined) return set;
  const nodes: [string, FieldNode][] = [];
  let name = '';
  let isNew = false;
  for (const [element, node] of set) {
    const below = shared(node.below);
    nodes.push([element, below === node.below ? node : {member: node.member, below}]);
    isNew ||= below !== node.below;
    name += `${element.length} ${element}${node.member ? '+' : '-'}${below.size === 0 ? '' : identities.get(below)} `;
  }
  const known = sharedSets.get(name);
  if (known !== undefined) return known;
  const own = isNew ? new Map(nodes) : set;
  identities.set(own, ++identity);
  sharedSets.set(name, own);
  return own;
}

/** Each set by its elements, in their order, with the numbers of the sets below. One that is forgotten is shared no more. */
const sharedSets = new Recent<string, FieldSet>(16 * 1_048_576, () => setBytes);
const setBytes = 500;
const identities = memo<FieldSet, number>();
let identity = 0;

function joined(left: FieldNode, right: FieldNode): FieldNode {
  if (left === right) return left;
  const below = union(left.below, right.below);
  const member = left.member || right.member;
  return below === left.below && member === left.member ? left : {member, below};
}

function subtract(
  left: FieldSet,
  right: FieldSet,
  rest: (node: FieldNode, other: FieldNode) => FieldNode | undefined,
): FieldSet {
  if (left.size === 0 || right.size === 0) return left;
  let out: Map<string, FieldNode> | undefined;
  // Only elements of both sets can change, so the shorter one is enough to walk.
  for (const element of (left.size < right.size ? left : right).keys()) {
    const node = left.get(element);
    const other = right.get(element);
    if (node === undefined || other === undefined) continue;
    const kept = rest(node, other);
    if (kept !== undefined && kept.member === node.member && kept.below === node.below) continue;
    out ??= new Map(left);
    if (kept === undefined) out.delete(element);
    else out.set(element, kept);
  }
  return out ?? left;
}

function chain(path: readonly string[]): FieldSet {
  const [head, ...rest] = path;
  if (head === undefined) return noFields;
  return new Map([[head, rest.length === 0 ? leaf : {member: false, below: chain(rest)}]]);
}

function encodeLevel(set: FieldSet): JsonObject {
  const out: {[key: string]: Json} = {};
  for (const [element, node] of set) {
    const below = encodeFields(node.below);
    out[element] = node.member && node.below.size > 0 ? {'.': empty, ...below} : below;
  }
  return out;
}

/** The set a FieldsV1 value writes; undefined where it holds something that is no path element. */
export function decodeFields(fields: JsonObject): FieldSet | undefined {
  const out = new Map<string, FieldNode>();
  for (const [key, value] of Object.entries(fields)) {
    if (key === '.') continue;
    const element = canonicalElement(key);
    if (element === undefined || !isObject(value)) return undefined;
    const below = decodeFields(value);
    if (below === undefined) return undefined;
    const node = nodeOf(below.size === 0 || Object.hasOwn(value, '.'), below);
    if (node !== undefined) out.set(element, node);
  }
  return out;
}

function canonicalElement(key: string): string | undefined {
  if (key.startsWith('f:') || key.startsWith('i:')) return key;
  if (key.startsWith('v:')) return parsed(key.slice(2), (value) => `v:${JSON.stringify(value)}`);
  if (key.startsWith('k:')) return parsed(key.slice(2), (value) => (isObject(value) ? keyElement(value) : undefined));
  return undefined;
}

/** The element of a map list item with these key fields. */
export function keyElement(keys: JsonObject): string {
  const names = Object.keys(keys).sort();
  return `k:{${names.map((name) => `${JSON.stringify(name)}:${JSON.stringify(keys[name])}`).join(',')}}`;
}

function parsed(text: string, then: (value: Json) => string | undefined): string | undefined {
  try {
    return then(JSON.parse(text) as Json);
  } catch {
    return undefined;
  }
}
