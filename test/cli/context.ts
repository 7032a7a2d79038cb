import type {CommandContext} from '../../src/cli/command.ts';
import {type Builtins, builtins} from '../../src/harness/functions/builtin.ts';

/** What a command is given where it runs in the test's own process. */
export function contextWith(functions: Builtins = builtins, packageFolder = '/'): CommandContext {
  return {functions, explain: () => [], entry: import.meta.url, packageFolder};
}
