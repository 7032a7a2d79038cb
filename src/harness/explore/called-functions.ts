// Functions at an address, called as if they ran in the thread that searches. A search asks for the state after a step
// and cannot wait for a promise; so it runs in a thread of its own, which sleeps until the first thread, where the
// functions' processes and connections are, has made the call. story.ts remembers the answers, so few calls are made.

import {
  isMainThread,
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
  workerData,
} from 'node:worker_threads';
import type {FunctionReply, RemoteCall} from '../../cluster/kernel/call.ts';
import type {InProcessFunction} from '../functions/builtin.ts';
import {FunctionHung, type RemoteReply} from '../functions/drive.ts';
import {type FunctionPool, openFunctions} from '../functions/function-pool.ts';
import type {Scenario} from '../scenario/scenario.ts';
import type {Functions} from './explore.ts';

/** Where functions run; commands among them start in the folder. */
type Placed = Pick<Scenario, 'functions' | 'folder'>;

/** How a thread has functions called: it writes to the port and sleeps until the number changes. */
export interface Caller {
  readonly names: readonly string[];
  readonly port: MessagePort;
  readonly answered: Int32Array<SharedArrayBuffer>;
}

type Message =
  | {readonly kind: 'call'; readonly call: RemoteCall}
  /** Another thread will call, at this port. */
  | {readonly kind: 'join'; readonly caller: Caller};

export interface CallingThread {
  readonly caller?: Caller;
  /** True if the first thread prints its progress on a terminal; no other thread can know. */
  readonly isTerminal?: boolean;
}

const own = (isMainThread ? undefined : (workerData as CallingThread | null)) ?? {};

/** True if progress is printed on a terminal. */
export const isTerminal = own.isTerminal ?? (isMainThread && process.stderr.isTTY === true);

/** True if the scenario's functions must be called for the command, which then runs in another thread. */
export function mustBeCalled(scenario: Placed, here: Functions): boolean {
  return isMainThread && Object.keys(elsewhere(scenario, here)).length > 0;
}

/** Runs the command in a thread of its own and calls functions for it. Answers its exit code. Throws InputError. */
export async function runCalling(
  entry: string,
  argv: readonly string[],
  scenario: Placed,
  here: Functions,
): Promise<number> {
  const functions = elsewhere(scenario, here);
  const pool = await openFunctions({functions, folder: scenario.folder});
  const {caller, port} = newCaller(Object.keys(functions));
  answer(pool, {...caller, port});
  // A reader that stops early, as `head` does, is no failure; only the stream itself shows it for another thread's output.
  process.stdout.on('error', () => undefined);
  try {
    return await new Promise<number>((resolve, reject) => {
      const task: CallingThread = {caller, isTerminal};
      const worker = new Worker(new URL(entry), {argv: [...argv], workerData: task, transferList: [caller.port]});
      worker.on('error', reject);
      worker.on('exit', resolve);
    });
  } finally {
    port.close();
    await pool.close();
  }
}

/** The functions that the first thread calls for this one, none where it does not. */
export function calledFunctions(): Functions {
  const {caller} = own;
  if (caller === undefined) return {};
  return Object.fromEntries(
    caller.names.map((target): [string, InProcessFunction] => [
      target,
      (request, service) => call(caller, {target, service, request, run: ''}),
    ]),
  );
}

/** The same for a thread that this one begins; undefined where nothing is called. */
export function callerForAnother(): Caller | undefined {
  if (own.caller === undefined) return undefined;
  const {caller, port} = newCaller(own.caller.names);
  const message: Message = {kind: 'join', caller: {...caller, port}};
  own.caller.port.postMessage(message, [port]);
  return caller;
}

function elsewhere({functions}: Placed, here: Functions): Placed['functions'] {
  return Object.fromEntries(
    Object.entries(functions).filter(([name, {kind}]) => here[name] === undefined && kind !== 'builtin'),
  );
}

function newCaller(names: readonly string[]): {readonly caller: Caller; readonly port: MessagePort} {
  const {port1, port2} = new MessageChannel();
  return {caller: {names, port: port1, answered: new Int32Array(new SharedArrayBuffer(4))}, port: port2};
}

function answer(pool: FunctionPool, {port, answered}: Caller): void {
  port.on('message', async (message: Message) => {
    if (message.kind === 'join') {
      answer(pool, message.caller);
      return;
    }
    port.postMessage(await pool.call(message.call));
    Atomics.add(answered, 0, 1);
    Atomics.notify(answered, 0);
  });
}

function call({port, answered}: Caller, remoteCall: RemoteCall): FunctionReply {
  const before = Atomics.load(answered, 0);
  const message: Message = {kind: 'call', call: remoteCall};
  port.postMessage(message);
  Atomics.wait(answered, 0, before);
  const answer = receiveMessageOnPort(port) as {readonly message: RemoteReply};
  const reply = answer.message;
  // Every further call would take as long.
  if (!reply.ok && reply.hung !== undefined) throw new FunctionHung(reply.hung);
  return reply;
}
