// The table of a command's options. Reading, `--help` and shell completion all use it. An option that is not in a command's table is bad input.

import {parseArgs} from 'node:util';
import {wrapped} from './wrap.ts';

export interface Option<T = unknown> {
  readonly says: string;
  /** The placeholder of its value in help; absent for a switch. */
  readonly takes?: string;
  readonly many?: boolean;
  /** One letter. */
  readonly short?: string;
  /** A line above it and the options after it. */
  readonly heading?: string;
  /** Accepted, and left out of help. */
  readonly hidden?: boolean;
  readonly read: (given: boolean | string | readonly string[] | undefined, flag: string) => T;
}

type More = Pick<Option, 'short' | 'heading' | 'hidden'>;

/** A switch: it is given or not. */
export function on(says: string, more: More = {}): Option<boolean> {
  return {...more, says, read: (given) => given === true};
}

type Reader<T> = (text: string, flag: string) => T;

const asIs: Reader<string> = (text) => text;

/** An option with a value. `read` may throw a sentence that names the flag. */
export function one<T>(takes: string, says: string, read: Reader<T>, more: More = {}): Option<T | undefined> {
  return {...more, takes, says, read: (given, flag) => (given === undefined ? undefined : read(given as string, flag))};
}

/** An option that may be given more than once. */
export function many<T>(takes: string, says: string, read: Reader<T>, more: More = {}): Option<readonly T[]> {
  const readAll = (given: readonly string[], flag: string) => given.map((text) => read(text, flag));
  return {...more, takes, says, many: true, read: (given, flag) => readAll((given ?? []) as readonly string[], flag)};
}

export function text(takes: string, says: string, more: More = {}): Option<string | undefined> {
  return one(takes, says, asIs, more);
}

/** Text, and what it is where it is not given. */
export function textOr(takes: string, says: string, other: string): Option<string> {
  return {takes, says: `${says} (default "${other}")`, read: (given) => (given as string | undefined) ?? other};
}

export function texts(takes: string, says: string, more: More = {}): Option<readonly string[]> {
  return many(takes, says, asIs, more);
}

export interface Options {
  readonly [name: string]: Option;
}

/** How a command is called. */
export interface CommandLine<O extends Options = Options> {
  /** The program before the name, `tether` by default. */
  readonly program?: string;
  readonly name: string;
  /** The arguments besides options, as help shows them; empty if there are none. */
  readonly takes: string;
  /** The words it may take, where those are no files. */
  readonly words?: readonly string[];
  /** The sentence about the command, after `tether NAME TAKES`. */
  readonly does: string;
  readonly options: O;
  /** More text, between options and example. */
  readonly more?: string;
  readonly example: string;
  readonly exitCodes: string;
}

export type Values<O extends Options> = {readonly [K in keyof O]: ReturnType<O[K]['read']>};

export interface GivenOption {
  readonly name: string;
  readonly value: string;
}

export type Given<O extends Options> =
  | {
      readonly kind: 'given';
      readonly values: Values<O>;
      readonly files: readonly string[];
      /** The names of the options that were given. */
      readonly named: readonly string[];
      /** Every option with a value, in the order in which they were given. */
      readonly order: readonly GivenOption[];
    }
  | {readonly kind: 'help'}
  /** `sentence` says why in lower case. */
  | {readonly kind: 'invalid'; readonly sentence: string; readonly unknown?: string};

/** Reads the arguments after the command's name. Throws what the options' own readers throw. */
export function readOptions<O extends Options>(line: CommandLine<O>, argv: readonly string[]): Given<O> {
  let parsed: {values: {[name: string]: unknown}; positionals: string[]; tokens: readonly Token[]};
  try {
    parsed = parseArgs({
      args: argv.map((arg) => switched(arg, line.options)),
      options: Object.fromEntries([...Object.entries(line.options).map(configOf), helpConfig]),
      allowPositionals: line.takes !== '',
      allowNegative: true,
      tokens: true,
    }) as typeof parsed;
  } catch (error) {
    // Node's sentences name the flag; what follows the first one is advice about dashes.
    const [sentence = ''] = (error as Error).message.split(/\. |\n/);
    const unknown = /^Unknown option '(--[^']*)'/.exec(sentence)?.[1];
    const cause = sentence.replace(/^./, (first) => first.toLowerCase()).replace(/\.$/, '');
    return {kind: 'invalid', sentence: cause, ...(unknown === undefined ? {} : {unknown})};
  }
  if (parsed.values['help'] === true) return {kind: 'help'};
  const values = Object.entries(line.options).map(([name, option]) => {
    return [name, option.read(parsed.values[name] as Parameters<Option['read']>[0], `--${name}`)];
  });
  const named = Object.keys(parsed.values);
  const order = parsed.tokens.flatMap(({name, value}) =>
    name === undefined || value === undefined ? [] : [{name, value}],
  );
  return {kind: 'given', values: Object.fromEntries(values), files: parsed.positionals, named, order};
}

interface Token {
  readonly name?: string;
  readonly value?: string;
}

type Config = [string, {type: 'boolean' | 'string'; short?: string; multiple?: boolean}];

const helpConfig: Config = ['help', {type: 'boolean', short: 'h'}];

function configOf([name, {takes, short, many: multiple = false}]: [string, Option]): Config {
  const type = takes === undefined ? 'boolean' : 'string';
  return [name, {type, multiple, ...(short === undefined ? {} : {short})}];
}

/**
 * A switch with =true or =false as one without a value, as programs in Go read them (alecthomas/kong v1.16.0 `mapper.go`).
 * Any other argument as it is.
 */
function switched(arg: string, options: Options): string {
  const [, name = '', no] = /^--([a-z-]+)=(?:(?:true|1|yes)|(false|0|no))$/i.exec(arg) ?? [];
  const isSwitch = Object.hasOwn(options, name) && options[name]?.takes === undefined;
  if (!isSwitch) return arg;
  return no === undefined ? `--${name}` : `--no-${name}`;
}

/** The flags a shell completes, `--long` and `-s`. */
export function flagsOf({options}: CommandLine): readonly string[] {
  const shown = Object.entries(options).filter(([, {hidden}]) => hidden !== true);
  const flags = shown.flatMap(([name, {short}]) => [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]);
  return [...flags, '--help'];
}

const lineMax = 120;
/** A longer label has a line of its own. */
const labelMax = 30;

export function helpText({program = 'tether', name, takes, does, options, ...others}: CommandLine): string {
  const {more, example, exitCodes} = others;
  const shown = Object.entries(options).filter(([, {hidden}]) => hidden !== true);
  const help: [string, Option] = ['help', on('print this', {short: 'h'})];
  const labels = [...shown, help].map(([flag, option]) => labelOf(flag, option));
  const width = Math.min(labelMax, Math.max(...labels.map((label) => label.length)));
  const rows = [...shown, help].map(([, {heading, says}], index) => {
    const label = labels[index] ?? '';
    const [first = '', ...others] = wrapped('', says, lineMax - width - 4);
    const indent = ' '.repeat(width + 4);
    const head = label.length > width ? `  ${label}\n${indent}` : `  ${label.padEnd(width)}  `;
    const text = [`${head}${first}`, ...others.map((line) => `${indent}${line}`)].join('\n');
    return heading === undefined ? text : `\n${heading}\n\n${text}`;
  });
  const called = [program, name, ...(takes === '' ? [] : [takes])].join(' ');
  const parts = [wrapped('', `${called} ${does}`, lineMax).join('\n'), rows.join('\n')];
  if (more !== undefined) parts.push(more);
  parts.push(`Example: ${example}`, wrapped('', `Exit codes: ${exitCodes}`, lineMax).join('\n'));
  return parts.join('\n\n');
}

function labelOf(flag: string, {short, takes}: Option): string {
  const names = short === undefined ? `--${flag}` : `--${flag}, -${short}`;
  return takes === undefined ? names : `${names} ${takes}`;
}
