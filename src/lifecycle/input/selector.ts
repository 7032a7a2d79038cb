// Selects the composed resources of a rule. All parts of a selector have to match; an empty one matches all.

import {isSameKind} from '../words/references.ts';
import type {ResourceView} from '../words/snapshot.ts';
import type {Input} from './input.ts';
import {regexOf} from './regex.ts';

export type Selector = NonNullable<NonNullable<NonNullable<Input['externalNames']>['from']>[number]['match']>;

/** Labels are those that the view carries: what is desired where a rule is about desired resources. */
export function matches(selector: Selector | undefined, resourceName: string, view: ResourceView): boolean {
  if (selector === undefined) return true;
  const {resources, pattern, kinds, labels} = selector;
  if (resources !== undefined && !resources.includes(resourceName)) return false;
  if (pattern !== undefined && !regexOf(pattern)?.test(resourceName)) return false;
  if (kinds !== undefined && !kinds.some((kind) => isSameKind(view, kind))) return false;
  return labels === undefined || labels.every((label) => isLabelled(view, label));
}

function isLabelled(view: ResourceView, {key, value, ignoreCase}: NonNullable<Selector['labels']>[number]): boolean {
  const label = view.field(['metadata', 'labels', key]);
  if (label === value || !ignoreCase || typeof label !== 'string') return label === value;
  return label.toLowerCase() === value.toLowerCase();
}
