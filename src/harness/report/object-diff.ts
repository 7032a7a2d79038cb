// The difference between two versions of an object, as a unified diff of their YAML. Left out: managedFields and
// resourceVersion, which change with every write, and which people leave out too.

import {stringify} from 'yaml';
import type {Json} from '../../cluster/json.ts';
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

/** YAML for reading, keys sorted, as `kubectl get -o yaml` prints it, but one line per scalar. */
export function yamlLines(value: Json): readonly string[] {
  return stringify(value, form).trimEnd().split('\n');
}

const form = {
  schema: 'yaml-1.1',
  sortMapEntries: true,
  indentSeq: false,
  lineWidth: 0,
  blockQuote: false,
  doubleQuotedAsJSON: true,
  aliasDuplicateObjects: false,
} as const;
