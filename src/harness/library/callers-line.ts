// Errors of the library stand at the line of the test that called it, as those of assertion libraries do: V8 keeps ten
// frames of a stack, and below a dozen of ours the test's own would not be among them.

import {InputError} from '../input/input-error.ts';

/** The function, with the stack of what it refuses beginning where it was called. Errors of others keep theirs. */
export function refusingAtCaller<A extends readonly unknown[], R>(call: (...args: A) => R): (...args: A) => R {
  const called = (...args: A): R => {
    const site: {stack?: string} = {};
    Error.captureStackTrace(site, called);
    const moved = (error: unknown): unknown => (error instanceof InputError ? movedTo(site, error) : error);
    try {
      const result = call(...args);
      if (!(result instanceof Promise)) return result;
      return result.catch((error: unknown) => {
        throw moved(error);
      }) as R;
    } catch (error) {
      throw moved(error);
    }
  };
  return called;
}

function movedTo({stack = ''}: {readonly stack?: string}, error: InputError): InputError {
  const [, ...frames] = stack.split('\n');
  error.stack = [`${error.name}: ${error.message}`, ...frames].join('\n');
  return error;
}
