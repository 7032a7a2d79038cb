// What of an object belongs to somebody: compared in both runs, once what a control plane writes by itself and what
// a function may add (its own marks) are left out.

import {equal, isList, isObject, type Json, type JsonObject} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';
import {
  annotationCreateFailed,
  annotationCreatePending,
  annotationCreateSucceeded,
  annotationDeletionAttempt,
  annotationExternalName,
  annotationResourceName,
  labelClaimName,
  labelClaimNamespace,
  labelComposite,
  labelInUse,
} from '../../cluster/vocabulary.ts';
import {concealedAt} from '../conceal/concealed.ts';

/** Written by Crossplane, a backup tool or the provider as they go. */
const ownAnnotations = [
  annotationCreatePending,
  annotationCreateSucceeded,
  annotationCreateFailed,
  annotationExternalName,
  annotationResourceName,
  'kubectl.kubernetes.io/last-applied-configuration',
  annotationDeletionAttempt,
];
const ownLabels = [
  labelInUse,
  labelComposite,
  labelClaimName,
  labelClaimNamespace,
  'velero.io/backup-name',
  'velero.io/restore-name',
];
const ownSpec = ['resourceRefs', 'crossplane', 'compositionRef', 'compositionRevisionRef'];

/** A field that differs. */
export interface Difference {
  /** `spec.forProvider.size` */
  readonly field: string;
  /** What each run has there. */
  readonly values: readonly [Json | undefined, Json | undefined];
  /** The same in words. */
  readonly text: string;
  /** Whether only the first has it. */
  readonly isAdded: boolean;
}

/** Every field that differs, in the order of their names; a list is one field. */
export function differences(one: KubeObject, other: KubeObject, marks: RegExp): readonly Difference[] {
  return differing(shownOf(one, marks), shownOf(other, marks), []);
}

function shownOf(object: KubeObject, marks: RegExp): JsonObject {
  const {metadata, apiVersion: _, kind: __, status: ___, ...rest} = object;
  const {labels = {}, annotations = {}} = metadata;
  const {spec, ...others} = rest;
  const kept = spec === undefined ? {} : {spec: without(spec, ownSpec, undefined)};
  return {
    ...(others as JsonObject),
    ...kept,
    metadata: {labels: without(labels, ownLabels, marks), annotations: without(annotations, ownAnnotations, marks)},
  };
}

function without(fields: JsonObject, own: readonly string[], marks: RegExp | undefined): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !own.includes(key) && marks?.test(key) !== true));
}

function differing(one: Json | undefined, other: Json | undefined, path: readonly string[]): readonly Difference[] {
  if (isObject(one) && isObject(other)) {
    const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
    return keys.flatMap((key) => differing(one[key], other[key], [...path, key]));
  }
  if (one === other || (one !== undefined && other !== undefined && equal(one, other))) return [];
  const field = path.join('.');
  const [withIt, without] = [one, other].map((value) => shown(value && concealedAt(field, value)));
  const text = `${field} is ${withIt} with it and ${without} without`;
  return [{field, values: [one, other], text, isAdded: other === undefined}];
}

function shown(value: Json | undefined): string {
  if (value === undefined) return 'absent';
  return isList(value) || isObject(value) ? JSON.stringify(value) : `"${String(value)}"`;
}
