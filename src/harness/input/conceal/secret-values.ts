// The values of Secrets, wherever else they stand: a template or a provider may copy one to a field of a plain name. Short values are left out,
// and those of plain names in connection details, as `endpoint` and `username`: other texts have them, too.

import {isObject, type Json} from '../../../cluster/json.ts';
import type {KubeObject} from '../../../cluster/object.ts';
import {concealedPlaceholder, decodedText} from './concealed-text.ts';

const plainNames =
  /(^|[_.-])(address|arn|bucket|ca|cert|certificate|class|cluster|crt|database|db|domain|endpoint|engine|host|hostname|id|kind|login|name|namespace|port|protocol|provider|region|server|type|url|user|username|version|zone)s?$/i;
const leastLength = 8;

/** Takes the values of these Secrets out of every text in what it is given, however deep. */
export function withoutValuesOf(objects: readonly KubeObject[]): <T>(one: T) => T {
  const values = [...new Set(objects.flatMap(valuesIn))].sort((a, b) => b.length - a.length);
  if (values.length === 0) return (one) => one;
  const changed = (text: string) => values.reduce((rest, value) => rest.replaceAll(value, concealedPlaceholder), text);
  return (one) => withTexts(one, changed);
}

function valuesIn(object: KubeObject): readonly string[] {
  if (object.kind !== 'Secret' || object.apiVersion !== 'v1') return [];
  const {data, stringData} = object as {readonly data?: Json; readonly stringData?: Json};
  const encoded = entriesOf(data);
  const plain = encoded.map(([key, value]) => [key, decodedText(value)] as const);
  return [...entriesOf(stringData), ...encoded, ...plain]
    .filter(([key, value]) => value.length >= leastLength && !plainNames.test(key))
    .map(([, value]) => value);
}

function entriesOf(map: Json | undefined): readonly (readonly [string, string])[] {
  if (!isObject(map)) return [];
  return Object.entries(map).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value] as const] : []));
}

/** A part without such a text stays the same object. */
function withTexts<T>(one: T, changed: (text: string) => string): T {
  if (typeof one === 'string') return changed(one) as T;
  if (Array.isArray(one)) {
    const items = one.map((item) => withTexts(item, changed));
    return items.some((item, index) => item !== one[index]) ? (items as T) : one;
  }
  if (one === null || typeof one !== 'object' || Object.getPrototypeOf(one) !== Object.prototype) return one;
  const before = Object.entries(one);
  const after = before.map(([key, inner]) => [key, withTexts(inner, changed)] as const);
  return after.some(([, inner], index) => inner !== before[index]?.[1]) ? (Object.fromEntries(after) as T) : one;
}
