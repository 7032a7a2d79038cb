// The functions of a test: in this process they are called like those at an address, through the pool.

import {builtins, type InProcessFunction} from '../functions/builtin.ts';
import type {RemoteReply} from '../functions/drive.ts';
import {callTimeoutMs, type FunctionPool, hungText, openFunctions} from '../functions/function-pool.ts';
import type {FunctionSource} from '../functions/function-source.ts';
import type {ReadFunction} from './given.ts';
import type {RunFunction} from './options.ts';

interface Functions {
  readonly [name: string]: ReadFunction;
}

/** As scenarios name them. */
export function sourcesOf(functions: Functions): {readonly [name: string]: FunctionSource} {
  return Object.fromEntries(Object.entries(functions).map(([name, one]) => [name, sourceOf(one)]));
}

/** The names for the simulated control plane, each with the function to ask the pool for. */
export function calledBy(functions: Functions): {readonly [name: string]: InProcessFunction | 'remote'} {
  return Object.fromEntries(Object.entries(functions).map(([name, one]) => [name, ownOf(one) ?? 'remote']));
}

/** Starts and reaches the functions that are not in this process. Throws InputError where one is not there. */
export async function openFunctionsUnderTest(
  functions: Functions,
  folder: string,
  timeoutMs = callTimeoutMs,
): Promise<FunctionPool> {
  const here = new Map(Object.entries(functions).filter((entry): entry is [string, RunFunction] => isHere(entry[1])));
  const elsewhere = Object.fromEntries(Object.entries(sourcesOf(functions)).filter(([name]) => !here.has(name)));
  const pool = await openFunctions({functions: elsewhere, folder}, {callTimeoutMs: timeoutMs});
  return {
    call: (call) => {
      const run = here.get(call.target);
      return run === undefined ? pool.call(call) : answer(call.target, run, call.request, timeoutMs);
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

function sourceOf(one: ReadFunction): FunctionSource {
  return isHere(one) ? {kind: 'address', address: 'in this process'} : one;
}

function ownOf(one: ReadFunction): InProcessFunction | undefined {
  return isHere(one) || one.kind !== 'builtin' ? undefined : builtins[one.name];
}

function isHere(one: ReadFunction): one is RunFunction {
  return typeof one === 'function';
}
