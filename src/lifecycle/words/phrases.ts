// Names of resources, objects and places of the input in sentences. Anybody who may write an object may write names of any
// length into it, and kinds that are none: no sentence has more of them than anything is called, and each stays one line.

import type {RefusedPair} from './edit.ts';
import type {Controller, End, Kind, ObjectRef} from './references.ts';

/** Why the input has no value at some place, and what waits for it: it reads a field that is not there, or what it reads does not fit. */
type NoValue =
  | {readonly kind: 'missing'; readonly field: string}
  | {readonly kind: 'unfit'; readonly expected: string; readonly got: string};

/** A place in the input without a value yet. */
export interface Unresolved {
  readonly path: string;
  readonly cause: NoValue;
}

/** No object is called by more. */
const lengthMax = 253;
export const listedMax = 10;

export function composed(resourceName: string): string {
  return `composed resource ${quoted(resourceName)}`;
}

export function named({kind, namespace, name}: ObjectRef): string {
  return `${word(kind)} ${quoted(namespace === '' ? name : `${namespace}/${name}`)}`;
}

export function kindOf({apiVersion, kind}: Kind): string {
  return `${word(kind)} of ${word(apiVersion)}`;
}

export function endOf({resourceName, object}: End): string {
  return resourceName === '' ? named(object) : composed(resourceName);
}

export function controllerOf({kind, name, uid}: Controller): string {
  return `${word(kind)} ${quoted(name)} (uid ${word(uid)})`;
}

/** A kind, a version or a uid as it is; what can be none is quoted. */
export function word(text: string): string {
  return text.length <= lengthMax && /^[\w./-]+$/.test(text) ? text : quoted(text);
}

export function quoted(text: string): string {
  return JSON.stringify(text.length > lengthMax ? `${text.slice(0, lengthMax)}...` : text);
}

/** Of a resource that waits to be taken, before the other XR, which knows by these words what is awaited of it. */
export function takesItFrom(resource: string): string {
  return `takes it from ${quoted(resource)} of `;
}

export function list(items: readonly string[]): string {
  const more = items.length - listedMax;
  if (more > 0) return `${items.slice(0, listedMax).join(', ')} and ${more} more`;
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

export function verb(items: readonly unknown[], one: string, several: string): string {
  return items.length === 1 ? one : several;
}

export function expectedText({expected, got}: {readonly expected: string; readonly got: string}): string {
  return `expected ${expected}, got ${got}`;
}

export function noValue({path, cause}: Unresolved): string {
  return cause.kind === 'missing'
    ? `input.${path} reads ${cause.field}, which is not there yet`
    : `input.${path} has no value: ${expectedText(cause)}`;
}

export function refusedPairSentence({path, of, by, reason, more = 0}: RefusedPair): string {
  const ends = `of ${named(of)}${by === undefined ? '' : `, by ${named(by)}`}`;
  return `refusing to compose a Usage for input.${path} (${ends})${more === 0 ? '' : `, and ${more} more`}: ${refusedPairCause[reason]}`;
}

const refusedPairCause: {readonly [reason in RefusedPair['reason']]: string} = {
  'of-cluster-by-namespaced': 'no Usage protects a cluster-scoped resource for a namespaced one',
  'outside-of-namespace': 'it would be outside of the namespace of this XR, which composes nothing there',
  'legacy-namespaced': 'the Usage of this Crossplane names cluster-scoped resources only',
  unserved:
    'this is Crossplane 1, which has other Usages: set `crossplane` in the input (`usageVersion: v1` in one of function-sequencer, `enableV1Mode` in one of function-deletion-protection)',
  'too-many':
    'the next request would be larger than functions take; all else goes on, and what leaves waits as far as this XR sees both',
  circle: 'by Usages of earlier steps the user goes last, so neither could be deleted',
  'former-usage': 'one of an XR of this name that is gone is still there, and goes with what it is used by',
};
