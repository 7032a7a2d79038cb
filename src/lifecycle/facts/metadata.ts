// Reads of an object's metadata, and bodies with more of it.

import {asObject, fromEntries, isList, type JsonObject, objectsIn, parsed, text} from '../words/json.ts';
import {memoized} from '../words/memo.ts';
import type {ResourceView} from '../words/snapshot.ts';

type View = Pick<ResourceView, 'field'>;
type Texts = {readonly [key: string]: string};

/** The value of an annotation, '' if none. */
export function annotationOf(view: View, key: string): string {
  return text(view.field(['metadata', 'annotations', key]));
}

/** The value of a label, '' if none. */
export function labelOf(view: View, key: string): string {
  return text(view.field(['metadata', 'labels', key]));
}

/** Its managedFields: an entry for each manager and subresource. */
export function fieldEntriesOf(view: View): readonly JsonObject[] {
  return objectsIn(view.field(['metadata', 'managedFields']));
}

/** When the API server created it. */
export function madeAt(view: View): string {
  return text(view.field(['metadata', 'creationTimestamp']));
}

export function withAnnotations(body: JsonObject, annotations: Texts): JsonObject {
  const metadata = asObject(body['metadata']);
  return {...body, metadata: {...metadata, annotations: {...asObject(metadata['annotations']), ...annotations}}};
}

export function withoutAnnotations(body: JsonObject, keys: readonly string[]): JsonObject {
  const metadata = asObject(body['metadata']);
  const annotations = Object.entries(asObject(metadata['annotations'])).filter(([key]) => !keys.includes(key));
  return {...body, metadata: {...metadata, annotations: fromEntries(annotations)}};
}

/** With this field of metadata, or without it if the value is ''. */
export function withMetadata(body: JsonObject, key: string, value: string): JsonObject {
  const others = Object.entries(asObject(body['metadata'])).filter(([name]) => name !== key);
  return {...body, metadata: fromEntries(value === '' ? others : [...others, [key, value]])};
}

// The two lists of names that a person writes in an annotation of the XR: separated by commas, or a JSON list, because a resource
// name may hold a comma itself: `["a,b"]`.
//
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
