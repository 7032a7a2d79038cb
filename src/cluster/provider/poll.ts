import type {Outcome} from '../kernel/call.ts';
import type {KubeObject} from '../object.ts';
import {pollIntervalMsOf} from './annotations.ts';
import type {ManagedRun} from './managed-writes.ts';

/** Success with nothing left to do: look again after the poll interval, the object's own where it names one. */
export function pollAgain({settings}: Pick<ManagedRun, 'settings'>, managed: KubeObject): Outcome {
  const asked = settings.runtime.honoursPollAnnotations ? pollIntervalMsOf(managed) : undefined;
  const afterMs = asked === undefined ? settings.pollMs : Math.max(asked, settings.minPollMs);
  return {kind: 'requeue-after', afterMs};
}
