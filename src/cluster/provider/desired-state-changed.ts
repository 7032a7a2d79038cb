// The event filter of generated controllers: changes of labels, spec (by generation) and annotations wake the
// controller, status and finalizers do not, and of the annotations those for a pending or a failed create do not either.
// So removing external-create-pending by hand, as the refusal's message asks for, wakes nothing by itself.
// Source: crossplane/crossplane-runtime 4e7ed235 pkg/resource/predicates.go:55-125.

import type {WatchEvent} from '../api/request.ts';
import {remembering} from '../memo.ts';
import type {KubeObject} from '../object.ts';
import {annotationCreateFailed, annotationCreatePending} from '../vocabulary.ts';
import {annotationsOf} from './annotations.ts';

const ignoredAnnotations: readonly string[] = [annotationCreateFailed, annotationCreatePending];

/** True if the event wakes the controller. `before`: the object as the cache had it. */
export function wakes(event: WatchEvent, before: KubeObject | undefined): boolean {
  if (event.type !== 'MODIFIED' || before === undefined) return true;
  const {metadata} = event.object;
  return (
    metadata.generation !== before.metadata.generation ||
    differ(metadata.labels ?? {}, before.metadata.labels ?? {}) ||
    differ(watchedAnnotations(event.object), watchedAnnotations(before))
  );
}

const watchedAnnotations = remembering((object: KubeObject): {readonly [key: string]: string} =>
  Object.fromEntries(Object.entries(annotationsOf(object)).filter(([key]) => !ignoredAnnotations.includes(key))),
);

function differ(left: {readonly [key: string]: string}, right: {readonly [key: string]: string}): boolean {
  const keys = Object.keys(left);
  return keys.length !== Object.keys(right).length || keys.some((key) => left[key] !== right[key]);
}
