import {type ParseArgsConfig, parseArgs} from 'node:util';
import {nearest} from '../harness/input/cursor.ts';
import {InputError} from '../harness/input/input-error.ts';

/** The flags and files of `tether COMMAND`. Throws InputError with one sentence that names the flag. */
export function readFlags<T extends ParseArgsConfig>(command: string, config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const known = Object.keys(config.options ?? {}).map((name) => `--${name}`);
    throw new InputError('', `cannot read flags: ${cause(error as Error, known)}; see tether ${command} --help`);
  }
}

/** Node's sentences name the flag; what follows the first one is advice about dashes. */
function cause({message}: Error, known: readonly string[]): string {
  const [sentence = ''] = message.split(/\. |\n/);
  const near = nearest(/^Unknown option '(--[^']*)'/.exec(sentence)?.[1] ?? '', known);
  const advice = near === undefined ? '' : `: did you mean '${near}'?`;
  return sentence.replace(/^./, (first) => first.toLowerCase()) + advice;
}
