// What of an object belongs to somebody: compared in both tellings, once what a control plane writes by itself and what
// a function may add (its own marks) are left out.

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
} from '../../cluster/crossplane/vocabulary.ts';
import {equal, isList, isObject, type Json, type JsonObject} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';

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

/** The first field that differs, as a path with what each telling has there; undefined where none does. */
export function difference(one: KubeObject, other: KubeObject, marks: RegExp): string | undefined {
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

function differing(one: Json | undefined, other: Json | undefined, path: readonly string[]): string | undefined {
  if (isObject(one) && isObject(other)) {
    for (const key of [...new Set([...Object.keys(one), ...Object.keys(other)])].sort()) {
      const found = differing(one[key], other[key], [...path, key]);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (one === other || (one !== undefined && other !== undefined && equal(one, other))) return undefined;
  return `${path.join('.')} is ${shown(one)} with it and ${shown(other)} without`;
}

function shown(value: Json | undefined): string {
  if (value === undefined) return 'absent';
  return isList(value) || isObject(value) ? JSON.stringify(value) : `"${String(value)}"`;
}
