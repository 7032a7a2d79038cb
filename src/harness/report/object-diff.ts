// The difference between two versions of an object, as a unified diff of their YAML. Left out: managedFields and
// resourceVersion, which change with every write, and which people leave out too.

import {isList, isObject, type Json} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';
import type {Difference} from '../scenario/check.ts';
import {type Aligned, align} from './align.ts';

/** A line's first character: ' ' both have it, '-' only the old, '+' only the new, '@' where lines are left out. */
export type DiffLine = string;

const contextLines = 2;

/** Lines of the diff; empty where nothing differs that is shown. Without `before` all lines are new. */
export function objectDiff(before: KubeObject | undefined, after: KubeObject | undefined): readonly DiffLine[] {
  const [old, now] = [before, after].map((object) => (object === undefined ? [] : yamlLines(shown(object))));
  return unified(old ?? [], now ?? []);
}

/** The wanted fields beside the existing ones, in the form of `diff -u`; empty if only a secret differs. */
export function differenceText(difference: Difference | undefined): readonly DiffLine[] {
  if (difference === undefined) return [];
  const lines = unified(yamlLines(difference.expected), yamlLines(difference.got));
  return lines.length === 0 ? [] : ['--- expected', `+++ ${difference.of}`, ...lines];
}

function unified(old: readonly string[], now: readonly string[]): readonly DiffLine[] {
  const lines = diffLines(old, now);
  return lines.every((line) => line.startsWith(' ')) ? [] : withContext(lines);
}

function shown(object: KubeObject): KubeObject {
  const {managedFields: _, resourceVersion: __, ...metadata} = object.metadata;
  return {...object, metadata: metadata as unknown as KubeObject['metadata']};
}

function diffLines(old: readonly string[], now: readonly string[]): readonly DiffLine[] {
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  return [
    ...old.slice(0, head).map((line) => ` ${line}`),
    ...align(old.slice(head, old.length - tail), now.slice(head, now.length - tail), isSame).map(lineOf),
    ...old.slice(old.length - tail).map((line) => ` ${line}`),
  ];
}

function isSame(one: string, other: string): boolean {
  return one === other;
}

function lineOf(line: Aligned<string>): DiffLine {
  if (line.kind === 'both') return ` ${line.left}`;
  return line.kind === 'left' ? `-${line.left}` : `+${line.right}`;
}

/** Only changed lines, some lines around them, and the keys they are under. */
function withContext(lines: readonly DiffLine[]): readonly DiffLine[] {
  const isChanged = lines.map((line) => !line.startsWith(' '));
  const isNear = lines.map((_, index) =>
    isChanged.slice(Math.max(0, index - contextLines), index + contextLines + 1).includes(true),
  );
  return lines.flatMap((line, index) => {
    if (isNear[index] !== true) return [];
    if (index === 0 || isNear[index - 1] === true) return [line];
    return [`@${keysAbove(lines, index)}`, line];
  });
}

/** `spec.forProvider` for a line below it. */
function keysAbove(lines: readonly DiffLine[], index: number): string {
  const keys: string[] = [];
  let depth = depthOf(lines[index] ?? '');
  for (let above = index - 1; above >= 0 && depth > 0; above--) {
    const line = lines[above] ?? '';
    if (depthOf(line) >= depth) continue;
    depth = depthOf(line);
    keys.unshift(
      line
        .slice(1)
        .replace(/^[ -]*/, '')
        .replace(/:.*$/, ''),
    );
  }
  return keys.join('.');
}

function depthOf(line: DiffLine): number {
  const list = /^.( *)(- )?/.exec(line);
  return (list?.[1]?.length ?? 0) + (list?.[2] === undefined ? 0 : 1);
}

// Objects as YAML for reading, keys sorted, as `kubectl get -o yaml` prints them. A string that YAML could take for
// anything else, or that holds more than plain characters, is written as JSON, which is YAML too.

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
