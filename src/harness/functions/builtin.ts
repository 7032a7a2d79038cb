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

/** Models of programs that others wrote. They run where somebody asks for them by name, and the output says so. */
export const standIns: readonly string[] = ['function-sequencer', 'function-deletion-protection'];

/** What the output says of them. */
export function standInNote(name: string, standIn: string): string {
  return `function "${name}" is not the program: this tool's model of ${standIn} stands in for it`;
}

/** Of functions by name. */
export function standInNotes(functions: {
  readonly [name: string]: {readonly kind: string; readonly name?: string};
}): readonly string[] {
  return Object.entries(functions).flatMap(([name, {kind, name: standIn = ''}]) =>
    kind === 'builtin' && standIns.includes(standIn) ? [standInNote(name, standIn)] : [],
  );
}

export const builtins: Builtins = {
  'function-static': functionStatic,
  'function-deletion-protection': deletionProtection,
  passing,
  'function-sequencer': sequencer,
};
