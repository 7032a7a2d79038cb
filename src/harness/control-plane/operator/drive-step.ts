import type {Call, Step} from '../../../cluster/kernel/call.ts';
import type {Drive} from '../../functions/drive.ts';
import type {Session} from '../session.ts';

/**
 * Runs a tool that is written as steps (a backup, a sync) from outside every process, under the name `actor`. The world
 * goes on between its calls: each takes the `callMs` a request takes.
 */
export function* driveStep<T>(session: Session, actor: string, step: Step<T>, callMs: number): Drive<T> {
  let next = step.next();
  while (!next.done) {
    const call: Call = next.value;
    if (call.to === 'sleep') yield* session.run(session.nowMs + call.forMs);
    if (call.to === 'api') yield* session.run(session.nowMs + callMs);
    next = step.next(answer(session, actor, call));
  }
  return next.value;
}

/** The same in one instant: no process comes in between, and the clock stands. */
export function driveAtOnce<T>(session: Session, actor: string, step: Step<T>): T {
  let next = step.next();
  while (next.done !== true) next = step.next(answer(session, actor, next.value));
  return next.value;
}

function answer(session: Session, actor: string, call: Call): unknown {
  switch (call.to) {
    case 'api':
      return session.submit(actor, call.request);
    case 'now':
      return session.nowMs;
    case 'sleep':
    case 'note':
      return undefined;
    default:
      throw new Error(`a tool outside the processes cannot call ${call.to}`);
  }
}
