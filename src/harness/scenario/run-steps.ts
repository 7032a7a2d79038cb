// Carries out the steps of a scenario. A step that could not be carried out, or an expectation that did not come true, is a
// failure with the step's place. A story ends with its first failed step: later steps rest on it, and would only bury the cause.
// It goes on if the step or the caller allows it; never after a function that hangs. The action and the wait of a step that
// may fail are no failures of the story, but their problems are kept.

import {Operator, problemOf} from '../control-plane/operator/operator.ts';
import {idleManaged, pausedByHand} from '../control-plane/oracle/idle.ts';
import {foreignForms, unsynced} from '../control-plane/oracle/syncing.ts';
import {type Drive, FunctionHung} from '../functions/drive.ts';
import type {Difference, Unmet} from './check.ts';
import type {Expectation, Step} from './scenario.ts';
import {type StepSetting, unmetNow, waitFor} from './wait.ts';

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
  /** The problems of steps that may fail. */
  readonly allowed: readonly Failure[];
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
  const allowed: Failure[] = [];
  for (const [index, step] of steps.entries()) {
    beginStep(step);
    const ran = yield* runStep(step, operator, setting);
    const [number, name] = [index + 1, step.name];
    const inStep = (problems: readonly Problem[]) =>
      problems.map((problem) => ({...problem, step: name, stepNumber: number}));
    const failed = inStep(ran.problems);
    if (failed.length > 0) failures.push(...withCauses(failed, ran.isHung ? [] : causesOn(setting)));
    allowed.push(...inStep(ran.allowed));
    const goesOn = failed.length === 0 || (!ran.isHung && (keepGoing || step.mayFail === true));
    if (!goesOn) return {failures, allowed, endedAfter: number};
  }
  return {failures, allowed};
}

/** The causes stand once, with the first of the failures they explain. */
export function withCauses(failures: readonly Failure[], causes: readonly string[]): readonly Failure[] {
  const [first, ...rest] = failures;
  const news = causes.filter((cause) => !failures.some(({message}) => message.includes(cause)));
  return first === undefined || news.length === 0 ? failures : [{...first, because: news}, ...rest];
}

/** XRs that do not sync and the likely reason, objects without a provider or paused, and objects that will never move again. */
export function causesOn({evidence}: StepSetting): readonly string[] {
  const objects = evidence.objects();
  return [
    ...unsynced(objects),
    ...foreignForms(objects),
    ...idleManaged(objects),
    ...pausedByHand(objects),
    ...(evidence.stuck?.() ?? []),
  ];
}

interface Problem extends Unmet {
  readonly place: string;
}

interface RanStep {
  readonly problems: readonly Problem[];
  /** The action and the wait of a step that may fail. */
  readonly allowed: readonly Problem[];
  readonly isHung: boolean;
}

function* runStep(step: Step, operator: Operator, setting: StepSetting): Drive<RanStep> {
  const {place, expect, mayFail = false} = step;
  try {
    const problem = yield* doStep(step, operator, setting);
    const failed = problem === undefined ? [] : [{place, ...problem}];
    return {
      problems: problem === undefined || mayFail ? unmetOf(expect, setting) : failed,
      allowed: mayFail ? failed : [],
      isHung: false,
    };
  } catch (error) {
    if (!(error instanceof FunctionHung)) throw error;
    return {problems: [{place, message: error.message}], allowed: [], isHung: true};
  }
}

/** A step that may fail waits, whatever came of its action. */
function* doStep(
  {action, wait, by, mayFail}: Step,
  operator: Operator,
  setting: StepSetting,
): Drive<Unmet | undefined> {
  const message = action === undefined ? undefined : problemOf(yield* operator.carryOut(action, by));
  const problem = message === undefined ? undefined : {message};
  if (wait === undefined || (problem !== undefined && mayFail !== true)) return problem;
  const unmet = yield* waitFor(wait, setting);
  return problem ?? unmet;
}

export function unmetOf(expectations: readonly Expectation[], setting: StepSetting): readonly Problem[] {
  const here = expectations.filter(({crossplane: only}) => only.length === 0 || only.includes(setting.crossplane));
  return here.flatMap((expectation) => {
    const problem = unmetNow(expectation, setting);
    return problem === undefined ? [] : [{place: expectation.place, ...problem}];
  });
}
