// Carries out the steps of a scenario. A step that could not be carried out, or an expectation that did not come true, is a
// failure with the step's place. A story ends with its first failed step: later steps rest on it, and would only bury the cause.
// It goes on if the step or the caller allows it; never after a function that hangs.

import {type Drive, FunctionHung} from '../functions/drive.ts';
import {Operator, problemOf} from '../operator/operator.ts';
import {idleManaged} from '../oracle/idle.ts';
import {foreignForms, unsynced} from '../oracle/syncing.ts';
import type {Difference, Unmet} from './check.ts';
import type {Expectation, Step} from './scenario.ts';
import type {StepSetting} from './step-setting.ts';
import {unmetNow} from './unmet-now.ts';
import {waitFor} from './wait.ts';

export interface Failure {
  /** `file:line:column` of the step or expectation. */
  readonly place: string;
  readonly step: string;
  /** The step's number, from 1; absent at the end. */
  readonly stepNumber?: number;
  readonly message: string;
  /** The expected fields beside the fields of the object, if the expectation is about fields. */
  readonly difference?: Difference;
  /** The reasons that the control plane itself gives, uncut: a sentence each. */
  readonly because?: readonly string[];
}

export interface RunOfSteps {
  readonly failures: readonly Failure[];
  /** Where the run ended early: the number of steps that were carried out, the failed one among them. */
  readonly endedAfter?: number;
}

export function* runSteps(
  steps: readonly Step[],
  setting: StepSetting,
  {beginStep, keepGoing}: {readonly beginStep: (step: Step) => void; readonly keepGoing: boolean},
): Drive<RunOfSteps> {
  const {controlPlane, toolCallMs} = setting;
  const operator = new Operator(controlPlane, toolCallMs === undefined ? {} : {toolCallMs});
  const failures: Failure[] = [];
  for (const [index, step] of steps.entries()) {
    beginStep(step);
    const {problems, isHung} = yield* runStep(step, operator, setting);
    const [number, name] = [index + 1, step.name];
    const failed = problems.map((problem) => ({...problem, step: name, stepNumber: number}));
    if (failed.length > 0) failures.push(...withCauses(failed, isHung ? [] : causesOn(setting)));
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

/** XRs that do not sync and the likely reason, objects without a provider, and objects that will never move again. */
export function causesOn({evidence}: StepSetting): readonly string[] {
  const objects = evidence.objects();
  return [...unsynced(objects), ...foreignForms(objects), ...idleManaged(objects), ...(evidence.stuck?.() ?? [])];
}

interface Problem extends Unmet {
  readonly place: string;
}

function* runStep(
  step: Step,
  operator: Operator,
  setting: StepSetting,
): Drive<{readonly problems: readonly Problem[]; readonly isHung: boolean}> {
  const {place} = step;
  try {
    const problem = yield* doStep(step, operator, setting);
    return {problems: problem === undefined ? unmetOf(step.expect, setting) : [{place, ...problem}], isHung: false};
  } catch (error) {
    if (!(error instanceof FunctionHung)) throw error;
    return {problems: [{place, message: error.message}], isHung: true};
  }
}

function* doStep({action, wait, by}: Step, operator: Operator, setting: StepSetting): Drive<Unmet | undefined> {
  const message = action === undefined ? undefined : problemOf(yield* operator.carryOut(action, by));
  if (message !== undefined) return {message};
  if (wait === undefined) return undefined;
  return yield* waitFor(wait, setting);
}

export function unmetOf(expectations: readonly Expectation[], setting: StepSetting): readonly Problem[] {
  const here = expectations.filter(({crossplane: only}) => only.length === 0 || only.includes(setting.crossplane));
  return here.flatMap((expectation) => {
    const problem = unmetNow(expectation, setting);
    return problem === undefined ? [] : [{place: expectation.place, ...problem}];
  });
}
