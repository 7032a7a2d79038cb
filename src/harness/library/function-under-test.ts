import type {RemoteReply} from '../control-plane/session.ts';
import {builtins, type InProcessFunction} from '../functions/builtin.ts';
import {callTimeoutMs, type FunctionPool, hungText, openFunctions} from '../functions/function-pool.ts';
import type {FunctionSource} from '../functions/function-source.ts';
import {InputError} from '../input/input-error.ts';

/**
 * A function as bytes: a RunFunctionRequest in, a RunFunctionResponse out, as they would go over the wire. Any SDK can
 * decode and encode them; what it throws becomes the gRPC error that Crossplane would see.
 */
export type RunFunction = (request: Uint8Array) => Uint8Array | Promise<Uint8Array>;

/**
 * Where a function runs: in this process; at a gRPC address, served without TLS; started by the harness with `command`
 * and reached at `address`, where `{port}` in both is a free port; or one of the harness's own: `function-static`, which
 * composes what its input lists, `function-sequencer`, `function-deletion-protection`, and `passing`.
 */
export type FunctionUnderTest =
  | RunFunction
  | ({readonly address: string} & CallLimit)
  | ({readonly address: string; readonly command: readonly string[]; readonly startTimeoutMs?: number} & CallLimit)
  | {readonly builtin: string};

interface CallLimit {
  /** How long a call may take, in real milliseconds; 10 s where absent. After it the story ends. */
  readonly timeoutMs?: number;
}

export interface FunctionsUnderTest {
  /** By the names that Compositions call them. */
  readonly [name: string]: FunctionUnderTest;
}

/** As scenarios name them. A function of this process is called like one at an address: through the pool. */
export function sourcesOf(functions: FunctionsUnderTest): {readonly [name: string]: FunctionSource} {
  return Object.fromEntries(Object.entries(functions).map(([name, one]) => [name, sourceOf(one)]));
}

/** What the simulated control plane is to call itself, and what it is to ask the pool for. */
export function calledBy(functions: FunctionsUnderTest): {readonly [name: string]: InProcessFunction | 'remote'} {
  return Object.fromEntries(Object.entries(functions).map(([name, one]) => [name, ownOf(name, one) ?? 'remote']));
}

/** Starts and reaches the functions that are not in this process. Throws InputError where one is not there. */
export async function openFunctionsUnderTest(
  functions: FunctionsUnderTest,
  folder: string,
  timeoutMs = callTimeoutMs,
): Promise<FunctionPool> {
  const here = new Map(Object.entries(functions).filter((entry): entry is [string, RunFunction] => isHere(entry[1])));
  const elsewhere = Object.fromEntries(Object.entries(sourcesOf(functions)).filter(([name]) => !here.has(name)));
  const pool = await openFunctions({functions: elsewhere, folder}, {callTimeoutMs: timeoutMs});
  return {
    call: (call, service) => {
      const run = here.get(call.target);
      return run === undefined ? pool.call(call, service) : answer(call.target, run, call.request, timeoutMs);
    },
    close: () => pool.close(),
  };
}

async function answer(name: string, run: RunFunction, request: Uint8Array, timeoutMs: number): Promise<RemoteReply> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs);
  });
  try {
    const response = await Promise.race([run(request), late]);
    if (response !== undefined) return {ok: true, response};
    const sentence = hungText(name, timeoutMs);
    return {ok: false, message: sentence, hung: sentence};
  } catch (error) {
    return {ok: false, message: error instanceof Error ? error.message : String(error)};
  } finally {
    clearTimeout(timer);
  }
}

function sourceOf(one: FunctionUnderTest): FunctionSource {
  if (isHere(one)) return {kind: 'address', address: 'in this process'};
  if ('builtin' in one) return {kind: 'builtin', name: one.builtin};
  const limit = one.timeoutMs === undefined ? {} : {timeoutMs: one.timeoutMs};
  if (!('command' in one)) return {kind: 'address', address: one.address.replace(/^dns:\/\/\//, ''), ...limit};
  const {command, address, startTimeoutMs} = one;
  return {kind: 'command', command, address, ...limit, ...(startTimeoutMs === undefined ? {} : {startTimeoutMs})};
}

function ownOf(name: string, one: FunctionUnderTest): InProcessFunction | undefined {
  if (isHere(one) || !('builtin' in one)) return undefined;
  const own = builtins[one.builtin];
  if (own !== undefined) return own;
  const known = Object.keys(builtins).join(', ');
  throw new InputError('', `function "${name}" must be one of the builtins ${known}, got "${one.builtin}"`);
}

function isHere(one: FunctionUnderTest): one is RunFunction {
  return typeof one === 'function';
}
