import type {FunctionReply} from '../../cluster/kernel/call.ts';
import {InputError} from '../input/input-error.ts';
import type {FunctionSource, Scenario} from '../scenario/scenario.ts';
import type {RemoteCall} from '../session/session.ts';
import {type FunctionProcess, startFunction} from './function-process.ts';
import {connectFunction, type RemoteFunction} from './grpc-function.ts';

/** The functions of a scenario that are not in process: started, connected, called by name. */
export interface FunctionPool {
  call(call: RemoteCall): Promise<FunctionReply>;
  close(): Promise<void>;
}

const startTimeoutMs = 20_000;
const reachTimeoutMs = 3_000;

/** Throws InputError with one sentence where a function cannot be started or reached. */
export async function openFunctions(
  {functions, folder}: Pick<Scenario, 'functions' | 'folder'>,
  service: string,
): Promise<FunctionPool> {
  const processes: FunctionProcess[] = [];
  const remotes = new Map<string, RemoteFunction>();
  const close = async (): Promise<void> => {
    for (const remote of remotes.values()) remote.close();
    await Promise.all(processes.map((one) => one.stop()));
  };
  try {
    const started = Object.entries(functions).map(([name, source]) => {
      if (source.kind !== 'command') return {name, source, child: undefined};
      const child = startFunction(source.command, folder);
      processes.push(child);
      return {name, source, child};
    });
    for (const {name, source, child} of started) {
      if (source.kind !== 'builtin') remotes.set(name, await reach(name, source, child, service));
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    call: async ({target, request}) => {
      const remote = remotes.get(target);
      return remote === undefined ? {ok: false, message: `no function is named "${target}"`} : remote.call(request);
    },
    close,
  };
}

async function reach(
  name: string,
  source: FunctionSource & {readonly address: string},
  child: FunctionProcess | undefined,
  service: string,
): Promise<RemoteFunction> {
  const deadlineMs = Date.now() + (child === undefined ? reachTimeoutMs : startTimeoutMs);
  for (;;) {
    const end = child?.ended();
    if (end !== undefined) {
      throw new InputError('', `cannot start function "${name}": its command ended with ${end}`);
    }
    try {
      return await connectFunction(source.address, service, Math.min(1000, Math.max(100, deadlineMs - Date.now())));
    } catch {
      if (Date.now() < deadlineMs) continue;
      throw new InputError('', `cannot reach function "${name}" at ${source.address}: nobody answers there`);
    }
  }
}
