// The two lists of names that a person writes in an annotation of the XR: separated by commas, or a JSON list, because a resource name may hold a comma
// itself: `["a,b"]`.

import {isList, parsed, text} from '../words/json.ts';
import {memoized} from '../words/memo.ts';
import type {ResourceView} from '../words/snapshot.ts';
import {annotationOf} from './metadata.ts';

// Read for every resource that leaves, and an editor of the XR chooses their length. What is remembered does not hold the XR: the
// garbage collector would keep it for longer.
const namesOn = memoized(
  (xr: ResourceView) => ({gone: namesIn(xr, 'gone'), 'confirm-removal': namesIn(xr, 'confirm-removal')}),
  new WeakMap(),
);

/** The names in tether.fn.crossplane.io/gone or confirm-removal of the XR; none where it is not there or no list. Read once. */
export function annotatedNames(xr: ResourceView, annotation: 'gone' | 'confirm-removal'): ReadonlySet<string> {
  return namesOn(xr)[annotation];
}

function namesIn(xr: ResourceView, annotation: string): ReadonlySet<string> {
  const value = annotationOf(xr, `tether.fn.crossplane.io/${annotation}`).trim();
  const names = value.startsWith('[') ? jsonTexts(value) : value.split(',').map((name) => name.trim());
  return new Set(names.filter((name) => name !== ''));
}

/** The strings of a JSON list. A value that is no list has none, so that a mistake confirms nothing. */
export function jsonTexts(value: string): readonly string[] {
  const json = parsed(value);
  return isList(json) ? json.map(text) : [];
}
