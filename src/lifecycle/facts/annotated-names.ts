// The two lists of names that a person writes in an annotation of the XR: separated by commas, or a JSON list, because a resource name may hold a comma
// itself: `["a,b"]`.

import {isList, parsed, text} from '../words/json.ts';
import {memoized} from '../words/memo.ts';
import type {ResourceView} from '../words/snapshot.ts';
import {annotationOf} from './metadata.ts';

type Annotation = 'gone' | 'confirm-removal';

// Read for every resource that leaves, and an editor of the XR chooses its length.
const namesOn = memoized(
  (xr: ResourceView) =>
    memoized((annotation: Annotation) => namesIn(annotationOf(xr, `tether.fn.crossplane.io/${annotation}`).trim())),
  new WeakMap(),
);

/** The names in tether.fn.crossplane.io/gone or confirm-removal of the XR; none where it is not there or no list. Read once. */
export function annotatedNames(xr: ResourceView, annotation: Annotation): ReadonlySet<string> {
  return namesOn(xr)(annotation);
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
