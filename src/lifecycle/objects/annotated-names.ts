// What a person tells this function by an annotation of the XR: a list of names, separated by commas, or a JSON list,
// because a resource name may hold a comma itself: `["a,b"]`.

import {isList, type Json, text} from '../json.ts';
import type {ResourceView} from '../snapshot.ts';

/** The names in an annotation of the XR; none where it is not there or no list. */
export function annotatedNames(xr: ResourceView, annotation: string): ReadonlySet<string> {
  const value = text(xr.field(['metadata', 'annotations', annotation])).trim();
  const names = value.startsWith('[') ? jsonTexts(value) : value.split(',').map((name) => name.trim());
  return new Set(names.filter((name) => name !== ''));
}

/** The strings of a JSON list. What is no list has none, so that nothing happens that nobody asked for. */
export function jsonTexts(value: string): readonly string[] {
  try {
    const json = JSON.parse(value) as Json;
    return isList(json) ? json.map(text) : [];
  } catch {
    return [];
  }
}
