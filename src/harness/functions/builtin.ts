import type {FunctionReply, FunctionService} from '../../cluster/kernel/call.ts';
import {deletionProtection} from './deletion-protection.ts';
import {functionStatic} from './function-static.ts';
import {passing} from './passing.ts';
import {sequencer} from './sequencer.ts';

export type InProcessFunction = (request: Uint8Array, service: FunctionService) => FunctionReply;

/** Functions a scenario may use without a process of their own, by name. Who runs scenarios may know more of them. */
export interface Builtins {
  readonly [name: string]: InProcessFunction;
}

export const builtins: Builtins = {
  'function-static': functionStatic,
  'function-deletion-protection': deletionProtection,
  passing,
  'function-sequencer': sequencer,
};
