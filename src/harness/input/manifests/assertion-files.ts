// Files of test tools that look like objects and were never in a cluster: assertions of Chainsaw and KUTTL, and patches of
// Chainsaw. Both tools take assertions by their names (01-assert.yaml, 01-errors.yaml; kyverno/chainsaw pkg/discovery/step.go,
// kudobuilder/kuttl pkg/test/case.go), and a Test of Chainsaw names further files.

import {readFileSync, statSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {isList, isObject, type Json} from '../../../cluster/json.ts';
import {InputError} from '../input-error.ts';
import {parseYaml} from '../yaml.ts';

const named = /^\d+-(assert|errors?)(-[^/]*)?\.ya?ml$/;
const group = 'chainsaw.kyverno.io';
/** Operations of a Test whose file is part of an object. */
const partial = ['assert', 'error', 'patch'];
/** A Test is written by hand. */
const testBytesMax = 1_000_000;

/** Those among the files that are assertions or patches. */
export function assertionFiles(files: readonly string[]): ReadonlySet<string> {
  const asserted = new Set(files.flatMap(assertedBy));
  return new Set(files.filter((file) => named.test(basename(file)) || asserted.has(file)));
}

/** The files that a Test in this file asserts, or patches with. */
function assertedBy(file: string): readonly string[] {
  if (!/\.ya?ml$/.test(file) || (statSync(file, {throwIfNoEntry: false})?.size ?? 0) > testBytesMax) return [];
  try {
    const text = readFileSync(file, 'utf8');
    if (!text.includes(group)) return [];
    return parseYaml(text, file)
      .flatMap(({value}) => assertionsIn(value))
      .map((name) => join(dirname(file), name));
  } catch (error) {
    // The reader of its objects reports a file that cannot be read.
    if (error instanceof InputError || (error as NodeJS.ErrnoException).code !== undefined) return [];
    throw error;
  }
}

function assertionsIn(value: Json): readonly string[] {
  if (isList(value)) return value.flatMap(assertionsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const file = partial.includes(key) && isObject(inner) ? inner['file'] : undefined;
    return typeof file === 'string' ? [file] : assertionsIn(inner);
  });
}
