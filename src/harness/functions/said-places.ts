// The places of functions on every command line: --function NAME=HOST:PORT, NAME=COMMAND or NAME=BUILTIN. BUILTIN is one that
// runs in this process (a program of such a name is named with its folder: ./function-static). NAME is the name in Compositions,
// or its end; where both are given, the whole name is meant.

import {InputError} from '../input/input-error.ts';
import {type FunctionSource, targetOf} from './function-source.ts';
import {isNamed} from './pipeline-functions.ts';

export interface SaidPlaces {
  readonly [name: string]: FunctionSource;
}

interface Known {
  /** The functions that pipelines call. */
  readonly called: readonly string[];
  readonly builtins: readonly string[];
}

interface Said {
  readonly name: string;
  readonly place: FunctionSource;
  readonly isWhole: boolean;
}

/** By the name that pipelines call. Throws InputError. */
export function readPlaces(given: readonly string[], {called, builtins}: Known): SaidPlaces {
  const said = given.map((text) => {
    const [short, place] = readPlace(text, builtins);
    const name = nameAmong(short, called);
    return {name, place, isWhole: short === name};
  });
  return Object.fromEntries(
    Map.groupBy(said, ({name}) => name)
      .values()
      .map(onePlace),
  );
}

function onePlace(ofName: readonly Said[]): readonly [name: string, place: FunctionSource] {
  const whole = ofName.filter(({isWhole}) => isWhole);
  const [{name, place}, second] = (whole.length === 0 ? ofName : whole) as [Said, Said?];
  if (second !== undefined) throw new InputError(`--function must say once where "${name}" runs, got it twice`);
  return [name, place];
}

function nameAmong(short: string, called: readonly string[]): string {
  if (called.includes(short)) return short;
  const [found, second] = called.filter((one) => isNamed(one, short));
  if (found !== undefined && second === undefined) return found;
  const problem = second === undefined ? 'which no pipeline calls' : 'as which several end';
  throw new InputError(
    `--function names "${short}", ${problem}: pipelines call ${[...called].sort().join(', ') || 'none'}`,
  );
}

function readPlace(text: string, builtins: readonly string[]): readonly [name: string, FunctionSource] {
  const [, name = '', place = ''] = /^([^=\s]+)=\s*(\S.*)$/s.exec(text.trim()) ?? [];
  if (name === '') {
    throw new InputError(`--function must look like NAME=HOST:PORT or NAME=COMMAND, got "${text}"`);
  }
  if (builtins.includes(place)) return [name, {kind: 'builtin', name: place}];
  return [name, sourceOf(place)];
}

const anyPort = '127.0.0.1:{port}';

/** HOST:PORT, or a command. A command without an address gets the flags that every function has. */
function sourceOf(text: string): FunctionSource {
  const target = targetOf(text);
  if (/^[^\s/]+:\d+$/.test(target)) return {kind: 'address', address: target};
  const command = text.split(/\s+/);
  const listens = command.some((word) => word.includes('{port}') || /^--address\b/.test(word));
  const own = command.join(' ').match(/--address[= ](\S+)/)?.[1];
  const flags = listens ? [] : ['--insecure', '--address', anyPort];
  const address = own === undefined || own.includes('{port}') ? anyPort : own.replace(/^:/, '127.0.0.1:');
  return {kind: 'command', command: [...command, ...flags], address};
}
