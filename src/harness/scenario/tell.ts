import type {Drive} from '../session/session.ts';
import {act} from './act.ts';
import {unmet} from './check.ts';
import type {Expectation, Step} from './scenario.ts';
import type {Stage, Told} from './stage.ts';
import {waitFor} from './wait.ts';

// Carries out the steps of a scenario. What a step could not do, and what did not come true, is a failure with the step's
// place; the story goes on, as it does for an operator.

export interface Failure {
  /** `file:line:column` of the step or expectation. */
  readonly place: string;
  readonly step: string;
  /** The step's number, from 1; absent at the end. */
  readonly stepNumber?: number;
  readonly message: string;
}

export function* tellSteps(steps: readonly Step[], stage: Stage): Drive<readonly Failure[]> {
  const told: Told = {stage, saved: undefined, kinds: [], broken: []};
  const failures: Failure[] = [];
  for (const [index, step] of steps.entries()) {
    stage.beginStep(step);
    const fail = (message: string, place = step.place): void => {
      failures.push({place, step: step.name, stepNumber: index + 1, message});
    };
    if (step.action !== undefined) {
      const problem = yield* act(step.action, told);
      if (problem !== undefined) fail(problem);
    }
    if (step.wait !== undefined) {
      const problem = yield* waitFor(step.wait, stage);
      if (problem !== undefined) fail(problem);
    }
    for (const {place, message} of unmetOf(step.expect, stage)) fail(message, place);
  }
  return failures;
}

export function unmetOf(
  expectations: readonly Expectation[],
  {evidence, crossplane}: Stage,
): readonly {readonly place: string; readonly message: string}[] {
  const here = expectations.filter((one) => one.crossplane.length === 0 || one.crossplane.includes(crossplane));
  return here.flatMap((expectation) => {
    const message = unmet(expectation, evidence);
    return message === undefined ? [] : [{place: expectation.place, message}];
  });
}
