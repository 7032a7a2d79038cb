// The frame of every command: reads its options, prints its help, and reports failures in one form.

import type {CommandLine, Options} from '../command-line/option-table.ts';
import type {Builtins} from '../harness/functions/builtin.ts';
import type {Decided} from '../harness/rehearse/plan.ts';
import {complain} from './complain.ts';
import {type GivenOptions, optionsOf} from './options.ts';

export interface CommandContext {
  /** Functions that run in this process, function-tether among them. */
  readonly functions: Builtins;
  /** Decisions of function-tether for a request, by name. */
  readonly explain: (request: Uint8Array) => readonly Decided[];
  /** The URL of the command itself, for worker threads. */
  readonly entry: string;
  /** Where this package is installed. */
  readonly packageFolder: string;
}

/** Answers the exit code. */
export type Command<Context extends readonly unknown[] = [CommandContext]> = (
  argv: readonly string[],
  ...context: Context
) => Promise<number>;

/** `run` may throw InputError. */
export function command<O extends Options, Context extends readonly unknown[]>(
  line: CommandLine<O>,
  run: (given: GivenOptions<O> & {readonly argv: readonly string[]}, ...context: Context) => Promise<number>,
): Command<Context> {
  return async (argv, ...context) => {
    try {
      const given = optionsOf(line, argv);
      return given === undefined ? 0 : await run({...given, argv}, ...context);
    } catch (error) {
      return complain(line.name, error);
    }
  };
}
