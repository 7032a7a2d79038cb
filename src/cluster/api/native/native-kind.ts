// The form in which Kubernetes' own kinds are written here.

import {isList, type Json, type JsonObject} from '../../json.ts';
import type {KubeObject} from '../../object.ts';
import {type KindDefinition, type OneVersion, oneVersionKind} from '../kinds.ts';
import {anything, record} from '../schema-pieces.ts';

export interface NativeKind extends Omit<OneVersion, 'status'> {
  /** The fields beside apiVersion, kind and metadata. */
  readonly fields: JsonObject;
  /** Has the status subresource. Its fields are open: what controllers write there. */
  readonly status?: true;
}

/** A kind in namespaces, whose updates need no resourceVersion, as those of all kinds that are Go structs. */
export function nativeKind(apiVersion: string, kind: string, {fields, status, ...more}: NativeKind): KindDefinition {
  const schema = record(status === true ? {...fields, status: anything} : fields);
  const asStruct = {namespaced: true, unconditionalUpdate: true, isStruct: true, filled: same} as const;
  return oneVersionKind(apiVersion, kind, schema, {...asStruct, ...more, status: status === true});
}

function same(object: KubeObject): KubeObject {
  return object;
}

/** True for a list with an item in it: Go drops one without. */
export function isFilled(value: Json | undefined): boolean {
  return isList(value) && value.length > 0;
}
