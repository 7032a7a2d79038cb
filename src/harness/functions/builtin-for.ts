import {standIns} from './builtin.ts';

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
