// The functions of a scenario that are not in this process: commands that are started for it, addresses that must answer.
// All of them are there before the first step, or there is one sentence. A function that let its time go by once, or whose server is
// gone, is not called again: one that hangs costs one timeout, and no story passes because nothing is composed any more.

import {createServer} from 'node:net';
import {status} from '@grpc/grpc-js';
import type {RemoteCall} from '../../cluster/kernel/call.ts';
import {durationText} from '../input/duration.ts';
import {InputError} from '../input/input-error.ts';
import type {RemoteReply} from './drive.ts';
import {type FunctionProcess, startFunction} from './function-process.ts';
import type {FunctionSource} from './function-source.ts';
import {connectFunction, type RemoteFunction} from './grpc-function.ts';

/** The functions of a scenario that are not in process: started, connected, called by name. */
export interface FunctionPool {
  call(call: RemoteCall): Promise<RemoteReply>;
  close(): Promise<void>;
}

export interface PoolOptions {
  /** The default time that a function may take to answer. */
  readonly callTimeoutMs?: number;
  /** Called with the name of the awaited function, and with undefined when the wait ends. */
  readonly waitsFor?: (what: string | undefined) => void;
}

/** A function that runs, and how it is called. */
interface Reached {
  readonly remote: RemoteFunction;
  readonly address: string;
  readonly child: FunctionProcess | undefined;
  readonly timeoutMs: number;
  /** Set where it did not answer once, or is gone: it is not called again. */
  hung?: string;
}

type Remote = Exclude<FunctionSource, {readonly kind: 'builtin'}>;

/** For functions without a time limit of their own. */
export const callTimeoutMs = 10_000;
const startTimeoutMs = 20_000;
const reachTimeoutMs = 3_000;

export interface CalledFunctions {
  readonly functions: {readonly [name: string]: FunctionSource};
  /** Where commands run. */
  readonly folder: string;
}

/** Throws InputError with one sentence where a function cannot be started or reached. */
export async function openFunctions(
  {functions, folder}: CalledFunctions,
  options: PoolOptions = {},
): Promise<FunctionPool> {
  const processes: FunctionProcess[] = [];
  const remotes = new Map<string, Reached>();
  const close = async (): Promise<void> => {
    for (const {remote} of remotes.values()) remote.close();
    await Promise.all(processes.map((one) => one.stop()));
  };
  try {
    const begun: {name: string; source: Remote; child: FunctionProcess | undefined}[] = [];
    for (const [name, written] of Object.entries(functions)) {
      if (written.kind === 'builtin') continue;
      const source = await withPort(written);
      const child = source.kind === 'command' ? await start(name, source, folder) : undefined;
      if (child !== undefined) processes.push(child);
      begun.push({name, source, child});
    }
    for (const {name, source, child} of begun) {
      options.waitsFor?.(`function "${name}" to answer at ${source.address}`);
      const timeoutMs = source.timeoutMs ?? options.callTimeoutMs ?? callTimeoutMs;
      const {address} = source;
      remotes.set(name, {remote: await reach(name, source, child), address, child, timeoutMs});
    }
  } catch (error) {
    await close();
    throw error;
  } finally {
    options.waitsFor?.(undefined);
  }
  return {
    call: async (call) => {
      const reached = remotes.get(call.target);
      return reached === undefined ? unnamed(call) : callOne(reached, call);
    },
    close,
  };
}

export type OpenFunctions = typeof openFunctions;

/** Opens each function once for all pools that it opens, until it is closed. One that failed is opened anew for the next pool. */
export function keptFunctions(): {readonly open: OpenFunctions; readonly close: () => Promise<void>} {
  const kept = new Map<string, {readonly pool: Promise<FunctionPool>; hasFailed: boolean}>();
  return {
    open: async ({functions, folder}, options) => {
      const calls = new Map<string, FunctionPool['call']>();
      for (const [name, source] of Object.entries(functions)) {
        if (source.kind === 'builtin') continue;
        const key = JSON.stringify([name, source, folder]);
        const before = kept.get(key);
        if (before?.hasFailed) await (await before.pool).close();
        const opening = () => openFunctions({functions: {[name]: source}, folder}, options);
        const one = before?.hasFailed === false ? before : {pool: opening(), hasFailed: false};
        kept.set(key, one);
        const pool = await one.pool;
        calls.set(name, async (call) => {
          const reply = await pool.call(call);
          one.hasFailed ||= !reply.ok;
          return reply;
        });
      }
      return {call: async (call) => calls.get(call.target)?.(call) ?? unnamed(call), close: async () => undefined};
    },
    close: async () => {
      const pools = await Promise.allSettled([...kept.values()].map(({pool}) => pool));
      await Promise.all(pools.map((one) => (one.status === 'fulfilled' ? one.value.close() : undefined)));
    },
  };
}

function unnamed({target}: RemoteCall): RemoteReply {
  return {ok: false, message: `no function is named "${target}"`};
}

async function callOne(reached: Reached, {target, service, request}: RemoteCall): Promise<RemoteReply> {
  const {remote, timeoutMs, hung} = reached;
  if (hung !== undefined) return {ok: false, message: hung, hung};
  const reply = await remote.call({service, request, timeoutMs});
  if (reply.ok) return reply;
  const {message} = reply;
  const why = reply.isLate ? hungText(target, timeoutMs) : await goneText(reached, target, reply.code);
  if (why === undefined) return {ok: false, message};
  reached.hung = why;
  return {ok: false, message, hung: why};
}

/** A function may answer UNAVAILABLE, and a connection may break: undefined if a server answers there still. */
async function goneText(
  {address, child}: Reached,
  name: string,
  code: status | undefined,
): Promise<string | undefined> {
  if (code !== status.UNAVAILABLE) return undefined;
  try {
    (await connectFunction(address, reachTimeoutMs)).close();
    return undefined;
  } catch {
    return `function "${name}" went away: ${child?.ended() ?? `no server answers at ${address} any more`}`;
  }
}

export function hungText(name: string, timeoutMs: number): string {
  return `function "${name}" did not answer within ${durationText(timeoutMs)}`;
}

const portPlaceholder = '{port}';

/** `{port}` in the address and the command of a function is a free port, so that two runs at once do not meet. */
async function withPort(source: Remote): Promise<Remote> {
  if (!source.address.includes(portPlaceholder)) return source;
  const port = String(await freePort());
  const fill = (text: string): string => text.replaceAll(portPlaceholder, port);
  const address = fill(source.address);
  return source.kind === 'command' ? {...source, address, command: source.command.map(fill)} : {...source, address};
}

async function start(name: string, source: Remote & {kind: 'command'}, folder: string): Promise<FunctionProcess> {
  // Otherwise the calls would go to a foreign program that listens there.
  if (await isPortTaken(source.address)) {
    throw new InputError(`cannot start function "${name}": ${source.address} is in use by another program`);
  }
  return startFunction(source.command, folder);
}

async function reach(name: string, source: Remote, child: FunctionProcess | undefined): Promise<RemoteFunction> {
  const patienceMs = source.kind === 'command' ? (source.startTimeoutMs ?? startTimeoutMs) : reachTimeoutMs;
  const deadlineMs = Date.now() + patienceMs;
  for (;;) {
    const end = child?.ended();
    if (end !== undefined) throw new InputError(`cannot start function "${name}": ${end}`);
    try {
      return await connectFunction(source.address, Math.min(1000, Math.max(100, deadlineMs - Date.now())));
    } catch {
      if (Date.now() < deadlineMs) continue;
      const advice = child === undefined ? '' : ` after ${durationText(patienceMs)}; \`startTimeout\` gives it longer`;
      throw new InputError(`cannot reach function "${name}" at ${source.address}: no server answers there${advice}`);
    }
  }
}

/** A free port of this machine. */
export function freePort(): Promise<number> {
  return listening(0, '127.0.0.1');
}

/** True if a program listens at `host:port` already; false for an address that cannot be listened on. */
export async function isPortTaken(address: string): Promise<boolean> {
  const match = /^(?:\[?([^\]]*?)\]?):(\d+)$/.exec(address);
  if (match === null) return false;
  const [, host = '', port = ''] = match;
  try {
    await listening(Number(port), host === '' ? '127.0.0.1' : host);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  }
}

function listening(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : port));
    });
  });
}
