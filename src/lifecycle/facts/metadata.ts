// Reads of an object's metadata, and bodies with more of it.

import type {Amend} from '../words/edit.ts';
import {asObject, fromEntries, type JsonObject, objectsIn, text} from '../words/json.ts';
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

/** A body with the overlay of a plan on it. */
export function amended(body: JsonObject, {metadata: {labels, annotations, ...others}}: Amend['overlay']): JsonObject {
  const metadata = asObject(body['metadata']);
  return {
    ...body,
    metadata: {
      ...metadata,
      ...others,
      labels: {...asObject(metadata['labels']), ...labels},
      annotations: {...asObject(metadata['annotations']), ...annotations},
    },
  };
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
