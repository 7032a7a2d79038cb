// Metadata that only an API server sets, and that no client can restore on a recreated object.

import {type JsonObject, without} from '../json.ts';
import type {KubeObject, ObjectMeta} from '../object.ts';

const serverFields = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
];

/** The object without status, without what the server sets in its metadata, and without `others` of its metadata. */
export function withoutServerFields(object: KubeObject, others: readonly string[]): KubeObject {
  const metadata = [...serverFields, ...others].reduce<JsonObject>(without, object.metadata) as ObjectMeta;
  return {...(without(object, 'status') as KubeObject), metadata};
}
