// Objects as YAML for reading, keys sorted, as `kubectl get -o yaml` prints them. A string that YAML could take for
// anything else, or that holds more than plain characters, is written as JSON, which is YAML too.

import type {Json} from '../../cluster/json.ts';
import {isList, isObject} from '../../cluster/json.ts';

/** One line per scalar; no trailing newline. */
export function yamlLines(value: Json): readonly string[] {
  return linesOf(value, '');
}

function linesOf(value: Json, indent: string): readonly string[] {
  if (isObject(value) && Object.keys(value).length > 0) {
    const keys = Object.keys(value).sort();
    return keys.flatMap((key) => entryLines(`${indent}${scalarText(key)}:`, value[key] ?? null, indent));
  }
  if (isList(value) && value.length > 0) return value.flatMap((item) => itemLines(item, indent));
  return [`${indent}${flatText(value)}`];
}

function entryLines(lead: string, value: Json, indent: string): readonly string[] {
  if (isFlat(value)) return [`${lead} ${flatText(value)}`];
  return [lead, ...linesOf(value, isList(value) ? indent : `${indent}  `)];
}

/** A list item: its first line after the dash, the others under it. */
function itemLines(item: Json, indent: string): readonly string[] {
  if (isFlat(item)) return [`${indent}- ${flatText(item)}`];
  const [first = '', ...more] = linesOf(item, `${indent}  `);
  return [`${indent}- ${first.slice(indent.length + 2)}`, ...more];
}

function isFlat(value: Json): boolean {
  if (isList(value)) return value.length === 0;
  return !isObject(value) || Object.keys(value).length === 0;
}

function flatText(value: Json): string {
  if (isList(value)) return '[]';
  if (isObject(value)) return '{}';
  return typeof value === 'string' ? scalarText(value) : JSON.stringify(value);
}

const plain = /^[A-Za-z_/][A-Za-z0-9_./<>()-]*( [A-Za-z0-9_./<>()-]+)*$/;
const taken = /^(null|true|false|yes|no|on|off|y|n)$/i;

function scalarText(text: string): string {
  return plain.test(text) && !taken.test(text) ? text : JSON.stringify(text);
}
