import type {FunctionReply} from '../../cluster/kernel/call.ts';
import type {Drive, RemoteCall} from '../control-plane/session.ts';
import type {InProcessFunction} from './builtin.ts';

// Functions that a scenario breaks: instead of running they answer with an error, until they are mended.

/** The errors of the functions that are broken now, by function name. */
export type Broken = ReadonlyMap<string, string>;

/** The function, or its error while it is broken. */
export function breakable(name: string, run: InProcessFunction, broken: Broken): InProcessFunction {
  return (request) => {
    const message = broken.get(name);
    return message === undefined ? run(request) : {ok: false, message};
  };
}

/** The same for calls that leave the process. */
export function* breakingRemote<T>(drive: Drive<T>, broken: Broken): Drive<T> {
  let step = drive.next();
  while (!step.done) {
    const message = broken.get(step.value.target);
    step = message === undefined ? yield* passedOn(drive, step.value) : drive.next({ok: false, message});
  }
  return step.value;
}

/** The step after a call whose answer, or error, is that of whoever drives. */
function* passedOn<T>(
  drive: Drive<T>,
  call: RemoteCall,
): Generator<RemoteCall, IteratorResult<RemoteCall, T>, FunctionReply> {
  let reply: FunctionReply;
  try {
    reply = yield call;
  } catch (error) {
    return drive.throw(error);
  }
  return drive.next(reply);
}
