import {InputError} from '../input/input-error.ts';
import type {FunctionSource} from './function-source.ts';

// Where functions run, as a command line says it: --function NAME=HOST:PORT or NAME=COMMAND.

/** Throws InputError where the text says neither. */
export function readPlace(text: string): readonly [name: string, FunctionSource] {
  const at = text.indexOf('=');
  if (at <= 0 || at === text.length - 1) {
    throw new InputError('', `--function must look like NAME=HOST:PORT or NAME=COMMAND, got "${text}"`);
  }
  return [text.slice(0, at), sourceOf(text.slice(at + 1).trim())];
}

const anyPort = '127.0.0.1:{port}';

/** HOST:PORT, or a command. One that does not say where it listens gets the flags that every function has. */
function sourceOf(text: string): FunctionSource {
  if (/^[^\s/]+:\d+$/.test(text)) return {kind: 'address', address: text};
  const command = text.split(/\s+/);
  const listens = command.some((word) => word.includes('{port}') || /^--address\b/.test(word));
  const own = command.join(' ').match(/--address[= ](\S+)/)?.[1];
  const flags = listens ? [] : ['--insecure', '--address', anyPort];
  const address = own === undefined || own.includes('{port}') ? anyPort : own.replace(/^:/, '127.0.0.1:');
  return {kind: 'command', command: [...command, ...flags], address};
}
