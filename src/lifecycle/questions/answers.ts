// The results of the lookups of lost resources, indexed once for a plan: a restore of five hundred resources asks five hundred
// times, and every answer has five hundred objects.

import {labelResource} from '../facts/marks.ts';
import {labelOf} from '../facts/metadata.ts';
import type {Decision} from '../words/decision.ts';
import {sortedMap} from '../words/json.ts';
import {memoized} from '../words/memo.ts';
import {type ObjectRef, objectKey} from '../words/references.ts';
import type {ResourceView, Snapshot} from '../words/snapshot.ts';

export interface Answers {
  /** The objects of an answer that are observed under no resource name, undefined while it was not answered. */
  lost(requirement: string): readonly ResourceView[] | undefined;
  /** Those of them that carry this value of our label for resource names. */
  labelled(requirement: string, label: string): readonly ResourceView[];
  /** The object among all answers, undefined if none has it. */
  object(ref: ObjectRef): ResourceView | undefined;
}

/** The object that the lookup found for the resource of a decision. */
export function foundBy(decision: Decision, answers: Answers): ResourceView | undefined {
  const isFound = (decision.kind === 'adopt' || decision.kind === 'hold') && decision.reason === 'found-by-label';
  return isFound ? answers.object(decision.object) : undefined;
}

export function answersIn({observed, required}: Pick<Snapshot, 'observed' | 'required'>): Answers {
  const observedKeys = memoized((all: Snapshot['observed']) => new Set([...all.values()].map(objectKey)));
  const others = memoized((views: readonly ResourceView[]) =>
    views.filter((view) => !observedKeys(observed).has(objectKey(view))),
  );
  const lost = (requirement: string) => {
    const views = required.get(requirement);
    return views && others(views);
  };
  const byLabel = memoized((requirement: string) =>
    Map.groupBy(lost(requirement) ?? [], (view) => labelOf(view, labelResource)),
  );
  const byKey = memoized((all: Snapshot['required']) => {
    const objects = new Map<string, ResourceView>();
    // Of one object in two versions always the same one is taken, in whatever order the request has the answers.
    for (const view of [...sortedMap(all).values()].flat()) {
      if (!objects.has(objectKey(view))) objects.set(objectKey(view), view);
    }
    return objects;
  });
  return {
    lost,
    labelled: (requirement, label) => byLabel(requirement).get(label) ?? [],
    object: (ref) => byKey(required).get(objectKey(ref)),
  };
}
