// The waits of a step: for a time, for rest, for what is to come true; and which expectations are not met now.

import type {Json} from '../../cluster/json.ts';
import {shortName} from '../../cluster/object.ts';
import type {ControlPlane} from '../control-plane/control-plane.ts';
import {fillPlaceholders} from '../control-plane/operator/placeholders.ts';
import type {Drive} from '../functions/drive.ts';
import {durationText} from '../input/duration.ts';
import {type Evidence, type Unmet, unmetExpectation} from './check.ts';
import type {Expectation, Expected, Wait} from './scenario.ts';

/** Lets virtual time pass as a step asks; returns the reason if the awaited event did not come. */
export function* waitFor(
  wait: Wait,
  setting: Pick<StepSetting, 'controlPlane' | 'evidence'>,
): Drive<Unmet | undefined> {
  const {controlPlane} = setting;
  const {session} = controlPlane;
  if (wait.kind === 'time') {
    yield* session.run(session.nowMs + wait.ms);
    return undefined;
  }
  if (wait.kind === 'quiet') {
    const message = yield* waitForQuiet(wait, controlPlane);
    return message === undefined ? undefined : {message};
  }
  const deadlineMs = session.nowMs + wait.timeoutMs;
  let seen = -1;
  let problem: Unmet | undefined = {message: 'nothing was looked at'};
  yield* session.run(deadlineMs, () => {
    // Only a change of the store can change the answer.
    if (session.world.server.revision === seen) return problem === undefined;
    seen = session.world.server.revision;
    problem = unmetNow(wait.expect, setting);
    return problem === undefined;
  });
  if (problem === undefined) return undefined;
  return {...problem, message: `${problem.message} within ${durationText(wait.timeoutMs)}`};
}

/** Lets virtual time pass until nothing changed for so long. A sentence if that does not come. */
export function* waitForQuiet(
  {quietMs, timeoutMs}: Pick<Wait & {readonly kind: 'quiet'}, 'quietMs' | 'timeoutMs'>,
  controlPlane: ControlPlane,
): Drive<string | undefined> {
  const {session} = controlPlane;
  const beganMs = session.nowMs;
  const deadlineMs = beganMs + timeoutMs;
  for (;;) {
    const quietAtMs = Math.max(controlPlane.changedMs, beganMs) + quietMs;
    if (quietAtMs <= session.nowMs) return undefined;
    if (session.nowMs >= deadlineMs) {
      const {changed} = controlPlane;
      const last = changed === undefined ? '' : `: ${shortName(changed)} changed last`;
      return `expected ${durationText(quietMs)} of quiet within ${durationText(timeoutMs)}, got none${last}`;
    }
    yield* session.run(Math.min(quietAtMs, deadlineMs));
  }
}

/** Why an expectation does not hold at this moment, its placeholders filled with what lives now; undefined where it holds. */
export function unmetNow(
  {what}: Expectation,
  {evidence, controlPlane}: Pick<StepSetting, 'controlPlane' | 'evidence'>,
): Unmet | undefined {
  // Ranges may be without end, which JSON does not have; no text stands in them.
  const filled = fillPlaceholders(what as unknown as Json, controlPlane.catalogue);
  return filled.ok
    ? unmetExpectation({what: filled.value as unknown as Expected}, evidence)
    : {message: filled.problem};
}

/** Where steps are carried out, and what expectations can ask. */
export interface StepSetting {
  readonly controlPlane: ControlPlane;
  readonly evidence: Evidence;
  /** The version that the run is of, whatever it is upgraded to. */
  readonly crossplane: string;
  /** How long a request of a backup tool takes, where it is not what it takes in every story. */
  readonly toolCallMs?: number | undefined;
}
