import type {FunctionReply, FunctionService} from '../../cluster/kernel/call.ts';
import {answeringOnce} from './answer-once.ts';
import {deletionProtection} from './deletion-protection.ts';
import {functionStatic} from './function-static.ts';
import {passThrough} from './passing.ts';
import {sequencer} from './sequencer.ts';

export type InProcessFunction = (request: Uint8Array, service: FunctionService) => FunctionReply;

/** Functions that a scenario may use without a process of their own, by name. A caller may add more. */
export interface Builtins {
  readonly [name: string]: InProcessFunction;
}

/** Models of foreign programs. They run only if a file names them, and the output notes it. */
export const standIns: readonly string[] = ['function-sequencer', 'function-deletion-protection'];

/** The note about a model in the output. */
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
  'function-static': answeringOnce(functionStatic),
  'function-deletion-protection': answeringOnce(deletionProtection),
  passing: passThrough,
  'function-sequencer': answeringOnce(sequencer),
};

/** Which of the functions in this process a function is: by its name, or by the last part of its package's. */
export function builtinFor(name: string, reference: string, known: readonly string[]): string | undefined {
  return [name, repositoryOf(reference)].find((one) => known.includes(one) && !standIns.includes(one));
}

/** How to ask for the model of a program, if there is one; what follows the reason that it does not run. */
export function standInAdvice(name: string, reference: string): string {
  const found = [name, repositoryOf(reference)].find((one) => standIns.includes(one));
  return found === undefined ? '' : `; --function ${name}=${found} has this tool's model stand in for it`;
}

/** `function-auto-ready` of `registry/owner/function-auto-ready:v1`; empty where nothing is named. */
export function repositoryOf(reference: string): string {
  return /([^/:@]+)(?:[:@][^/]*)?$/.exec(reference)?.[1] ?? '';
}
