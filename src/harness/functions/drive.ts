// Function calls that leave the process. A long run is a generator that hands out the calls for which this process has no
// answer. So one scenario runs either at once (in-process functions only) or awaiting functions at their addresses, from the
// same code.

import type {FunctionReply, RemoteCall} from '../../cluster/kernel/call.ts';
import {InputError} from '../input/input-error.ts';

/** The reply to a call that left the process. */
export type RemoteReply =
  | {readonly ok: true; readonly response: Uint8Array}
  /** `hung`: why the function is not called again: it did not answer in time, or is gone. */
  | {readonly ok: false; readonly message: string; readonly hung?: string};

/**
 * A function did not answer in time, or is gone. Crossplane would go on and ask again; here the story ends, because every further
 * call would take as long, or come to nothing.
 */
export class FunctionHung extends InputError {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'FunctionHung';
  }
}

export type Drive<T> = Generator<RemoteCall, T, FunctionReply>;

/** Runs a drive whose functions are all in process. */
export function driveHere<T>(drive: Drive<T>): T {
  const step = drive.next();
  if (!step.done) throw new Error(`function "${step.value.target}" is not in process`);
  return step.value;
}

/** Runs a drive, asking `call` for every function that is not in process. One that hangs is thrown into the drive. */
export async function driveWith<T>(drive: Drive<T>, call: (call: RemoteCall) => Promise<RemoteReply>): Promise<T> {
  let step = drive.next();
  while (!step.done) {
    const reply = await call(step.value);
    const hung = reply.ok ? undefined : reply.hung;
    step = hung === undefined ? drive.next(reply) : drive.throw(new FunctionHung(hung));
  }
  return step.value;
}
