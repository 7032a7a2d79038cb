// The results of the lookups of lost resources, indexed once for a plan: a restore of five hundred resources asks five hundred
// times, and every answer has five hundred objects.

import {labelResource} from '../facts/marks.ts';
import {labelOf} from '../facts/metadata.ts';
import {objectKey, refTo} from '../facts/naming.ts';
import {sortedMap} from '../words/json.ts';
import type {ObjectRef} from '../words/references.ts';
import type {ResourceView, Snapshot} from '../words/snapshot.ts';

export interface Answers {
  /** The objects of an answer that are observed under no resource name, undefined while it was not answered. */
  lost(requirement: string): readonly ResourceView[] | undefined;
  /** Those of them that carry this value of our label for resource names. */
  labelled(requirement: string, label: string): readonly ResourceView[];
  /** The object among all answers, undefined if none has it. */
  object(ref: ObjectRef): ResourceView | undefined;
}

export function answersIn({observed, required}: Pick<Snapshot, 'observed' | 'required'>): Answers {
  const observedKeys = once(() => new Set([...observed.values()].map(keyOf)));
  const lost = memoized((requirement) => required.get(requirement)?.filter((view) => !observedKeys().has(keyOf(view))));
  const byLabel = memoized((requirement) =>
    Map.groupBy(lost(requirement) ?? [], (view) => labelOf(view, labelResource)),
  );
  const byKey = once(() => {
    const objects = new Map<string, ResourceView>();
    // Of one object in two versions always the same one is taken, in whatever order the request has the answers.
    for (const view of [...sortedMap(required).values()].flat()) {
      if (!objects.has(keyOf(view))) objects.set(keyOf(view), view);
    }
    return objects;
  });
  return {
    lost,
    labelled: (requirement, label) => byLabel(requirement).get(label) ?? [],
    object: (ref) => byKey().get(objectKey(ref)),
  };
}

function keyOf(view: ResourceView): string {
  return objectKey(refTo(view));
}

function once<T>(make: () => T): () => T {
  let made: {readonly value: T} | undefined;
  return () => {
    made ??= {value: make()};
    return made.value;
  };
}

function memoized<T>(make: (requirement: string) => T): (requirement: string) => T {
  const made = new Map<string, T>();
  return (requirement) => {
    if (!made.has(requirement)) made.set(requirement, make(requirement));
    return made.get(requirement) as T;
  };
}
