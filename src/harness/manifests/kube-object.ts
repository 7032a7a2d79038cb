// Kubernetes objects in YAML, wherever the text comes from.

import {isList, isObject} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';
import {asObject, asString, type Cursor, items, required} from '../input/cursor.ts';

/** One object, or those of a List as `kubectl get -o yaml` prints it. */
export function objectsIn(cursor: Cursor): readonly KubeObject[] {
  const {value} = cursor;
  const isListed =
    isObject(value) && value['kind'] === 'List' && value['apiVersion'] === 'v1' && isList(value['items']);
  return isListed ? items(required(cursor, 'items')).map(asKubeObject) : [asKubeObject(cursor)];
}

/** An object with what every Kubernetes object has. */
export function asKubeObject(cursor: Cursor): KubeObject {
  asString(required(cursor, 'apiVersion'));
  asString(required(cursor, 'kind'));
  asString(required(required(cursor, 'metadata'), 'name'));
  return asObject(cursor) as KubeObject;
}
