import type {FunctionReply} from '../../cluster/kernel/call.ts';
import {InputError} from '../input/input-error.ts';
import type {FunctionSource, Scenario} from '../scenario/scenario.ts';
import type {RemoteCall} from '../session/session.ts';
import {freePort, isTaken} from './free-port.ts';
import {type FunctionProcess, startFunction} from './function-process.ts';
import {connectFunction, type RemoteFunction} from './grpc-function.ts';

/** The functions of a scenario that are not in process: started, connected, called by name. */
export interface FunctionPool {
  /** `service` is the gRPC service's full name, which depends on the version of Crossplane. */
  call(call: RemoteCall, service: string): Promise<FunctionReply>;
  close(): Promise<void>;
}

type Remote = FunctionSource & {readonly kind: 'address' | 'command'};

const startTimeoutMs = 20_000;
const reachTimeoutMs = 3_000;

/** Throws InputError with one sentence where a function cannot be started or reached. */
export async function openFunctions({
  functions,
  folder,
}: Pick<Scenario, 'functions' | 'folder'>): Promise<FunctionPool> {
  const processes: FunctionProcess[] = [];
  const remotes = new Map<string, RemoteFunction>();
  const close = async (): Promise<void> => {
    for (const remote of remotes.values()) remote.close();
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
    for (const {name, source, child} of begun) remotes.set(name, await reach(name, source, child));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    call: async ({target, request}, service) => {
      const remote = remotes.get(target);
      if (remote === undefined) return {ok: false, message: `no function is named "${target}"`};
      return remote.call(request, service);
    },
    close,
  };
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
  // Else the calls would go to whoever listens there.
  if (await isTaken(source.address)) {
    throw new InputError('', `cannot start function "${name}": ${source.address} is in use by another program`);
  }
  return startFunction(source.command, folder);
}

async function reach(name: string, source: Remote, child: FunctionProcess | undefined): Promise<RemoteFunction> {
  const deadlineMs = Date.now() + (child === undefined ? reachTimeoutMs : startTimeoutMs);
  for (;;) {
    const end = child?.ended();
    if (end !== undefined) throw new InputError('', `cannot start function "${name}": ${end}`);
    try {
      return await connectFunction(source.address, Math.min(1000, Math.max(100, deadlineMs - Date.now())));
    } catch {
      if (Date.now() < deadlineMs) continue;
      throw new InputError('', `cannot reach function "${name}" at ${source.address}: nobody answers there`);
    }
  }
}
