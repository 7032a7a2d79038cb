// Field sets outlive schemas. Where a list or map has become atomic since a set was written, its owner now owns it
// whole and nothing in it. kubernetes-sigs/structured-merge-diff 15d0754 typed/reconcile_schema.go.
//
// Not modelled, as upstream does not either: the way back from atomic to granular.

import {type FieldNode, type FieldSet, leaf, nodeOf, noFields} from './field-set.ts';
import {type Atom, deduced} from './merge-type.ts';

/** The set in terms of the type; the same set where nothing changed shape. */
export function reconcileWithType(set: FieldSet, atom: Atom): FieldSet {
  if (set.size === 0) return noFields;
  let out: Map<string, FieldNode> | undefined;
  for (const [element, node] of set) {
    const type = typeBelow(atom, element);
    const next = type === undefined ? node : reconcileNode(node, type);
    if (next === node) continue;
    out ??= new Map(set);
    out.set(element, next);
  }
  return out ?? set;
}

function reconcileNode(node: FieldNode, atom: Atom): FieldNode {
  const alreadyWhole = node.member && node.below.size === 0;
  if (atom.map !== undefined) {
    if (atom.map.element === deduced && atom.map.fields.size === 0) return node;
    if (!alreadyWhole && atom.map.atomic) return node.below.size > 0 ? leaf : node;
  } else if (atom.scalar !== undefined || atom.list === undefined) {
    return node;
  } else if (!alreadyWhole && atom.list.atomic) {
    return leaf;
  }
  const below = reconcileWithType(node.below, atom);
  return below === node.below ? node : (nodeOf(node.member, below) ?? leaf);
}

function typeBelow(atom: Atom, element: string): Atom | undefined {
  if (atom.map !== undefined) {
    return element.startsWith('f:')
      ? (atom.map.fields.get(element.slice(2))?.type ?? atom.map.element)
      : atom.map.element;
  }
  return atom.list?.element;
}
