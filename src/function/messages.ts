// The sentences of a whole plan: the condition, the events. Those of one decision are in the table of reasons
// (src/lifecycle/words/reasons.ts).

import type {InvalidInput} from '../lifecycle/input/input.ts';
import type {Plan} from '../lifecycle/plan/plan.ts';
import {leftBehindSentence} from '../lifecycle/restore/left-behind.ts';
import {type Decision, decisionSentence, type Hold} from '../lifecycle/words/decision.ts';
import type {RefusedPair} from '../lifecycle/words/edit.ts';
import {eventSentence, type Transition, unknownName} from '../lifecycle/words/events.ts';
import {composed, expectedText, list, listedMax, named, quoted} from '../lifecycle/words/phrases.ts';
import {restoreCause} from '../lifecycle/words/reasons.ts';

/** Why the whole XR stops: the input does not fit. */
export function invalidInputSentence(problem: InvalidInput): string {
  const place = problem.path === '' ? 'input' : `input.${problem.path}`;
  return `cannot use ${place}: ${expectedText(problem)}`;
}

/** The message of the XR condition: what is not as the pipeline wants it, and who waits for whom. */
export function conditionSentence(plan: Plan): string {
  const unknown = plan.unknownNames.slice(0, listedMax).map(unknownName);
  const undecided = plan.undecided
    .slice(0, listedMax)
    .map(({path, ...rest}) => `input.${path} is taken as true: ${expectedText(rest)}`);
  const unmatched = plan.unmatched
    .slice(0, 1)
    .map(({path, ...rest}) => `input.${path} selects nothing: ${expectedText(rest)}`);
  const leaving = plan.transitions
    .filter(({kind}) => kind === 'config-leaves')
    .slice(0, listedMax)
    .map((transition) => transitionSentence(transition, undefined));
  return [stateSentence(plan), ...outgrownSentence(plan), ...unmatched, ...leaving, ...unknown, ...undecided].join(
    '; ',
  );
}

/** The message if every resource is as the pipeline wants it, and all of the input has an effect. */
export const nothingToReport = 'every composed resource is as the pipeline wants it';

function outgrownSentence({outgrown}: Plan): readonly string[] {
  if (outgrown === undefined) return [];
  const {questions, words} = outgrown;
  const asked = questions === 1 ? '1 question is' : `${questions} questions are`;
  return [
    `the answers of Crossplane were too large for one message: ${asked} ${words}; see whether others have large objects with the label tether.fn.crossplane.io/composite of this XR`,
  ];
}

function stateSentence({condition, decisions, refusedPairs, leftBehind, awaited}: Plan): string {
  if (condition.status === 'True') {
    const retained = [...decisions].filter(([, {kind}]) => kind === 'retain').map(([name]) => quoted(name));
    const kept = retained.length === 0 ? '' : `; retaining ${list(retained.sort())}, by removal policy`;
    return `${nothingToReport}${kept}`;
  }
  // A move has one sentence, although it has several resource names.
  const sentences = [
    ...new Set([
      ...refusedPairs.map(refusedPairSentence),
      ...condition.resources.flatMap((name) => {
        const decision = decisions.get(name);
        if (decision === undefined) return [];
        return [waitsForRestore(decision) ? restoringSentence(decision, decisions) : decisionSentence(name, decision)];
      }),
    ]),
  ];
  const more = sentences.length - listedMax;
  if (sentences.length === 0 && awaited.length > 0) sentences.push(restoreCause(awaited));
  // Complete, because the next reconcile reads them here.
  const listed = [
    ...sentences.slice(0, listedMax),
    ...(more > 0 ? [`and ${more} more`] : []),
    ...leftBehind.map(leftBehindSentence),
  ];
  return listed.join('; ');
}

type Restoring = Hold & {readonly reason: 'restore-in-progress'};

function waitsForRestore(decision: Decision): decision is Restoring {
  return decision.kind === 'hold' && decision.reason === 'restore-in-progress';
}

/** All that waits for one restore, in one sentence: it waits for the same. */
function restoringSentence({awaited}: Restoring, decisions: Plan['decisions']): string {
  const names = [...decisions].flatMap(([name, one]) => (waitsForRestore(one) ? [quoted(name)] : []));
  return `holding composed resource${names.length === 1 ? '' : 's'} ${list(names)}: ${restoreCause(awaited)}`;
}

/** One event: something begins or ends in this reconcile. `decision` is that of the same resource. */
export function transitionSentence(transition: Transition, decision: Decision | undefined): string {
  const {kind, resourceName} = transition;
  return eventSentence(transition, () =>
    decision === undefined ? `${kind} ${composed(resourceName)}` : decisionSentence(resourceName, decision),
  );
}

function refusedPairSentence({path, of, by, reason, more = 0}: RefusedPair): string {
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
  'former-usage': 'one of an XR of this name that is gone is still there, and goes with what it is used by',
};
