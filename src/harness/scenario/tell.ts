import {type Drive, FunctionHung} from '../control-plane/session.ts';
import {act} from '../operator/operator.ts';
import {unsynced} from '../oracle/syncing.ts';
import type {Expectation, Step} from './scenario.ts';
import type {Stage, Told} from './stage.ts';
import {unmetNow} from './unmet-now.ts';
import {waitFor} from './wait.ts';

// Carries out the steps of a scenario. What a step could not do, and what did not come true, is a failure with the step's
// place. A story ends with its first failed step: what comes after rests on it, and would only bury the cause. It goes on
// where the step, or whoever runs it, says so; never after a function that hangs.

export interface Failure {
  /** `file:line:column` of the step or expectation. */
  readonly place: string;
  readonly step: string;
  /** The step's number, from 1; absent at the end. */
  readonly stepNumber?: number;
  readonly message: string;
  /** What the control plane itself says of why, uncut: a sentence each. */
  readonly because?: readonly string[];
}

export interface ToldSteps {
  readonly failures: readonly Failure[];
  /** Where the story ended early: the number of steps that were told, the failed one among them. */
  readonly endedAfter?: number;
}

export function* tellSteps(steps: readonly Step[], stage: Stage, keepGoing = false): Drive<ToldSteps> {
  const begun: Told = {stage, actor: 'user', saved: undefined, kinds: [], broken: []};
  const failures: Failure[] = [];
  for (const [index, step] of steps.entries()) {
    stage.beginStep(step);
    begun.actor = step.by ?? 'user';
    const {problems, isHung} = yield* tellStep(step, begun);
    const [number, name] = [index + 1, step.name];
    const told = problems.map(({place, message}) => ({place, step: name, stepNumber: number, message}));
    failures.push(...withCauses(told, isHung ? [] : causesOn(stage)));
    const goesOn = problems.length === 0 || (!isHung && (keepGoing || step.mayFail === true));
    if (!goesOn) return {failures, endedAfter: number};
  }
  return {failures};
}

/** The causes stand once, with the first of the failures they explain. */
export function withCauses(failures: readonly Failure[], causes: readonly string[]): readonly Failure[] {
  const [first, ...rest] = failures;
  const news = causes.filter((cause) => !failures.some(({message}) => message.includes(cause)));
  return first === undefined || news.length === 0 ? failures : [{...first, because: news}, ...rest];
}

/** XRs that say of themselves that they do not sync, and what will never move again. */
export function causesOn({evidence}: Stage): readonly string[] {
  return [...unsynced(evidence.objects()), ...(evidence.stuck?.() ?? [])];
}

interface Problem {
  readonly place: string;
  readonly message: string;
}

function* tellStep(step: Step, told: Told): Drive<{readonly problems: readonly Problem[]; readonly isHung: boolean}> {
  try {
    const problem = yield* doStep(step, told);
    if (problem !== undefined) return {problems: [{place: step.place, message: problem}], isHung: false};
  } catch (error) {
    if (!(error instanceof FunctionHung)) throw error;
    return {problems: [{place: step.place, message: error.message}], isHung: true};
  }
  return {problems: unmetOf(step.expect, told.stage), isHung: false};
}

function* doStep({action, wait}: Step, told: Told): Drive<string | undefined> {
  const problem = action === undefined ? undefined : yield* act(action, told);
  if (problem !== undefined || wait === undefined) return problem;
  return yield* waitFor(wait, told.stage);
}

export function unmetOf(expectations: readonly Expectation[], stage: Stage): readonly Problem[] {
  const here = expectations.filter(({crossplane: only}) => only.length === 0 || only.includes(stage.crossplane));
  return here.flatMap((expectation) => {
    const message = unmetNow(expectation, stage);
    return message === undefined ? [] : [{place: expectation.place, message}];
  });
}
