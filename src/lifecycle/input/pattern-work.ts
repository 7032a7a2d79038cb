// The cost of all patterns of an input for the names of one request: counted before anything is matched, because one function
// serves every XR of a cluster. The same request always costs the same, whatever was asked before.
//
// An XR's editor decides how many names there are, so too much work stops no XR. Patterns beyond the limit select nothing.
// Meanwhile nothing leaves, because one of them may have kept it. If one of them belongs to an order or a move, nothing is created
// either.

import {isList, isObject, type Json} from '../words/json.ts';
import type {Snapshot} from '../words/snapshot.ts';
import type {Input, InvalidInput} from './input.ts';
import {regexOf} from './regex.ts';
import {show} from './validate.ts';

// Steps of programs: a quarter of a second where it takes longest. Fifty ordinary patterns over five hundred names are a
// twentieth of it.
const workMax = 5_000_000;

// Where patterns may stand. Templates are open objects, and a `pattern` in there is the resource's own.
const partsWithPatterns = ['externalNames', 'handover', 'order', 'protect', 'removal'] as const;

/** The patterns with which it is too much, in the order of the input. */
export function unmatchedPatterns(
  snapshot: Pick<Snapshot, 'observed' | 'desired' | 'required'>,
  input: Input,
): readonly InvalidInput[] {
  const patterns = new Map<string, string>();
  for (const part of partsWithPatterns) collect(input[part] as Json | undefined, part, patterns);
  if (patterns.size === 0) return [];
  const {observed, desired, required} = snapshot;
  const names = [...new Set([...observed.keys(), ...desired.keys(), ...required.keys()])].sort();
  let left = workMax;
  const unmatched: InvalidInput[] = [];
  for (const [pattern, path] of patterns) {
    const regex = regexOf(pattern);
    if (left >= 0) left -= regex?.learn(names) ?? 0;
    if (left >= 0) continue;
    regex?.forget();
    unmatched.push(tooMuch(path, pattern, names.length));
  }
  return unmatched;
}

/** True if its selection is created later, or in place of another resource. */
export function mayDelay({path}: InvalidInput): boolean {
  return path.startsWith('order') || path.startsWith('handover');
}

function tooMuch(path: string, pattern: string, names: number): InvalidInput {
  const expected = `patterns that can be matched against ${names} names with bounded work`;
  return {kind: 'invalid-input', path, expected, got: `${show(pattern)}, with which it is too much`};
}

/** Every pattern with the first place it stands at. */
function collect(value: Json | undefined, path: string, patterns: Map<string, string>): void {
  if (isList(value)) for (const [index, item] of value.entries()) collect(item, `${path}[${index}]`, patterns);
  if (!isObject(value)) return;
  for (const key of Object.keys(value).sort()) {
    const below = value[key];
    if (key !== 'pattern') collect(below, `${path}.${key}`, patterns);
    else if (typeof below === 'string' && !patterns.has(below)) patterns.set(below, `${path}.${key}`);
  }
}
