// The questions to Crossplane: a row each. Its name is how its answer is known again among those of the earlier
// steps. The room that needs an answer asks for it and reads it; plan/situation.ts brings all questions together, and asking.ts
// leaves out those that could stop the XR.
//
// A new question is a row here, its requirements among those of plan/situation.ts, the read in its room, and a case in
// test/lifecycle/questions/unanswered.test.ts, which holds it to its row.

import {labelResource} from '../facts/marks.ts';
import {labelOf} from '../facts/metadata.ts';
import {memoryName} from '../facts/naming.ts';
import type {Decision} from '../words/decision.ts';
import type {ResourceSelector} from '../words/edit.ts';
import {sortedMap} from '../words/json.ts';
import {memoized} from '../words/memo.ts';
import {groupOf, type Kind, type ObjectRef, objectKey} from '../words/references.ts';
import type {ResourceView, Snapshot} from '../words/snapshot.ts';

interface Question {
  /** Names of its requirements begin so; a name without a dash at its end is the whole name. */
  readonly prefix: string;
  readonly unserved: Unserved;
}

/**
 * Of a kind that is not served, or is not known to be. ask: it always is. hold: no answer, until a person gives one. none: answered
 * with no object. skip: answered with no object, and not asked before it is known.
 */
export type Unserved = 'ask' | 'hold' | 'none' | 'skip';

export const questions = {
  /** The ConfigMap of remembered external names, if it is not observed. Meanwhile only Usages are created. */
  memory: {prefix: memoryName, unserved: 'ask'},
  /**
   * The object that had the external name, if a resource with a remembered name is desired and not observed.
   * Meanwhile the resource is not created.
   */
  remembered: {prefix: 'remembered-', unserved: 'ask'},
  /**
   * Usages with this XR's label, if a Usage of a former XR may be in the way. Meanwhile Usages are made as if
   * there were none.
   */
  formerUsages: {prefix: 'former-', unserved: 'ask'},
  /**
   * The `by` of a Usage, if `by` is not observed, and the Usage or its `of` leaves. Meanwhile `by` counts as
   * there: Usage and `of` stay.
   */
  by: {prefix: 'by-of-', unserved: 'hold'},
  /**
   * Objects of a kind with this XR's label, if the XR may have lost some (restore/lookup.ts). Meanwhile no resource of
   * the kind is created.
   */
  lost: {prefix: 'lost-', unserved: 'none'},
  /**
   * The object in the place of a new one, if the input has external names written or the XR has composed before, and
   * `lost` is not asked. Meanwhile the resource is not created.
   */
  place: {prefix: 'place-of-', unserved: 'none'},
  /**
   * The other XR of an exchange, and its object, if a rule of `give` or `take` selects something. Meanwhile the
   * exchange stays where it is.
   */
  otherSide: {prefix: 'handover-', unserved: 'none'},
  /**
   * The `of` of a Usage, which the XR does not have, if the XR is not Synced, or something was refused. Meanwhile
   * the Usage stays.
   */
  strayOf: {prefix: 'former-of-', unserved: 'none'},
  /**
   * As `otherSide`, if a mark on an object names the other XR, and no rule does. Meanwhile the exchange stays where it
   * is.
   */
  otherSideByMark: {prefix: 'handover-', unserved: 'skip'},
  /**
   * Twenty objects at most that an older backup left behind, if the condition names them. Meanwhile the condition
   * goes on naming them.
   */
  leftBehind: {prefix: 'left-behind-', unserved: 'skip'},
} satisfies {readonly [name: string]: Question};

export type QuestionName = keyof typeof questions;

const all = Object.keys(questions) as QuestionName[];
const treated = (unserved: Unserved) => all.filter((name) => questions[name].unserved === unserved);
/** The questions by what happens if their kind is not served. */
export const byUnserved = {ask: treated('ask'), hold: treated('hold'), none: treated('none'), skip: treated('skip')};

/** The name of a question's requirement about something. */
export function requirementOf(question: QuestionName, about: string): string {
  return `${questions[question].prefix}${about}`;
}

/** Lost resources of one kind. */
export function lookupOf({apiVersion, kind}: Kind): string {
  return requirementOf('lost', `${kind}.${groupOf(apiVersion)}`);
}

export function ofObject({apiVersion, kind, namespace, name}: ObjectRef): ResourceSelector {
  return {apiVersion, kind, namespace, match: {kind: 'name', name}};
}

const prefixes = Object.values(questions).map(({prefix}) => prefix);

/** The answers to what an earlier step, or the WatchOperation, requires, and not this function; sorted by requirement name. */
export function foreignAnswers(required: Snapshot['required']): Snapshot['required'] {
  return sortedMap([...required].filter(([name]) => isForeign(name)));
}

/** True if an earlier step, or the WatchOperation, requires it, and not this function. */
export function isForeign(requirement: string): boolean {
  return !prefixes.some((prefix) => (prefix.endsWith('-') ? requirement.startsWith(prefix) : requirement === prefix));
}

/** The name of the question about a kind: its schema. */
export function schemaName({apiVersion, kind}: Kind): string {
  return `kind-${kind}.${apiVersion}`;
}

// The results of the lookups of lost resources, indexed once for a plan: a restore of five hundred resources asks five hundred
// times, and every answer has five hundred objects.

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
