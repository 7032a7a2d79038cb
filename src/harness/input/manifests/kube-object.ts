// Kubernetes objects in YAML, wherever the text comes from.

import {isList, isObject, type Json, type JsonObject} from '../../../cluster/json.ts';
import type {KubeObject} from '../../../cluster/object.ts';
import {asObject, asString, type Cursor, items, required} from '../cursor.ts';

/** One object, or those of a list. */
export function objectsIn(cursor: Cursor): readonly KubeObject[] {
  return itemsIn(cursor).map(asKubeObject);
}

/** The document, or the items of a list. */
export function itemsIn(cursor: Cursor): readonly Cursor[] {
  const listed = listedIn(cursor.value);
  if (listed === undefined) return [cursor];
  return items(required(cursor, 'items')).map((item, index) => ({...item, value: listed[index] ?? null}));
}

/**
 * The items of a List, or of a ConfigMapList as an API server answers it: such a list says once of what kind they are (client-go
 * unstructured/helpers.go decodeToList). Undefined if the value is no list.
 */
export function listedIn(value: Json): readonly Json[] | undefined {
  if (!isObject(value) || !String(value['kind']).endsWith('List') || !isList(value['items'])) return undefined;
  const {apiVersion = '', kind} = value;
  const type = String(kind).slice(0, -'List'.length);
  if (type === '') return value['items'];
  return value['items'].map((item) => (isObject(item) ? {apiVersion, kind: type, ...item} : item));
}

/** True for what a tool is to name: `(join('-', [$name, 'db']))` of Chainsaw, `${{ values.name }}` of Backstage. */
export function isNamedByExpression({name, namespace}: JsonObject | KubeObject['metadata']): boolean {
  return [name, namespace].some((one) => /[\s()$'"]/.test(String(one ?? '')));
}

/** An object with what every Kubernetes object has. */
export function asKubeObject(cursor: Cursor): KubeObject {
  asString(required(cursor, 'apiVersion'));
  asString(required(cursor, 'kind'));
  asString(required(required(cursor, 'metadata'), 'name'));
  return asObject(cursor) as KubeObject;
}
