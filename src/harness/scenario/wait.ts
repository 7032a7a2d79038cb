import type {Drive} from '../functions/drive.ts';
import {durationText} from '../input/duration.ts';
import type {Wait} from './scenario.ts';
import type {StepSetting} from './step-setting.ts';
import {unmetNow} from './unmet-now.ts';

/** Lets virtual time pass as a step says. A sentence where what it waits for does not come. */
export function* waitFor(
  wait: Wait,
  setting: Pick<StepSetting, 'controlPlane' | 'evidence'>,
): Drive<string | undefined> {
  const {controlPlane} = setting;
  const {session} = controlPlane;
  if (wait.kind === 'time') {
    yield* session.run(session.nowMs + wait.ms);
    return undefined;
  }
  const deadlineMs = session.nowMs + wait.timeoutMs;
  if (wait.kind === 'quiet') {
    const beganMs = session.nowMs;
    for (;;) {
      const quietAtMs = Math.max(controlPlane.changedMs, beganMs) + wait.quietMs;
      if (quietAtMs <= session.nowMs) return undefined;
      if (session.nowMs >= deadlineMs)
        return `expected ${durationText(wait.quietMs)} of quiet within ${durationText(wait.timeoutMs)}, got none`;
      yield* session.run(Math.min(quietAtMs, deadlineMs));
    }
  }
  let seen = -1;
  let problem: string | undefined = 'nothing was looked at';
  yield* session.run(deadlineMs, () => {
    // Only a change of the store can change the answer.
    if (session.world.server.revision === seen) return problem === undefined;
    seen = session.world.server.revision;
    problem = unmetNow(wait.expect, setting);
    return problem === undefined;
  });
  return problem === undefined ? undefined : `${problem} within ${durationText(wait.timeoutMs)}`;
}
