// The two lists of names that a person writes in an annotation of the XR: separated by commas, or a JSON list, because a resource name may hold a comma
// itself: `["a,b"]`.

import {isList, parsed, text} from '../words/json.ts';
import type {ResourceView} from '../words/snapshot.ts';
import {annotationOf} from './metadata.ts';

// Read for every resource that leaves, and an editor of the XR chooses its length.
const known = new WeakMap<ResourceView, Map<string, ReadonlySet<string>>>();

/** The names in tether.fn.crossplane.io/gone or confirm-removal of the XR; none where it is not there or no list. Read once. */
export function annotatedNames(xr: ResourceView, annotation: 'gone' | 'confirm-removal'): ReadonlySet<string> {
  const ofXr = known.get(xr) ?? new Map<string, ReadonlySet<string>>();
  known.set(xr, ofXr);
  const names = ofXr.get(annotation) ?? namesIn(annotationOf(xr, `tether.fn.crossplane.io/${annotation}`).trim());
  ofXr.set(annotation, names);
  return names;
}

function namesIn(value: string): ReadonlySet<string> {
  const names = value.startsWith('[') ? jsonTexts(value) : value.split(',').map((name) => name.trim());
  return new Set(names.filter((name) => name !== ''));
}

/** The strings of a JSON list. A value that is no list has none, so that a mistake confirms nothing. */
export function jsonTexts(value: string): readonly string[] {
  const json = parsed(value);
  return isList(json) ? json.map(text) : [];
}
