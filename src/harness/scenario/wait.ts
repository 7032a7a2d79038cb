import {shortName} from '../../cluster/object.ts';
import type {ControlPlane} from '../control-plane/control-plane.ts';
import type {Drive} from '../functions/drive.ts';
import {durationText} from '../input/duration.ts';
import type {Unmet} from './check.ts';
import type {Wait} from './scenario.ts';
import type {StepSetting} from './step-setting.ts';
import {unmetNow} from './unmet-now.ts';

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
