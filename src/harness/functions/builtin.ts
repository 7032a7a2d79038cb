import type {FunctionReply} from '../../cluster/kernel/call.ts';
import {functionStatic} from './function-static.ts';
import {passing} from './passing.ts';

export type InProcessFunction = (request: Uint8Array) => FunctionReply;

/** Functions a scenario may use without a process of their own. */
export const builtins: {readonly [name: string]: InProcessFunction} = {
  'function-static': functionStatic,
  passing,
};

export const builtinNames: readonly string[] = Object.keys(builtins);
