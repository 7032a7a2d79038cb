// Shared by the options of all commands: the sentence for a mistake, and the kinds of values.

import {availableParallelism} from 'node:os';
import {profiles} from '../cluster/crossplane/profiles.ts';
import {type CommandLine, type Given, helpText, many, type Options, readOptions} from '../command-line/option-table.ts';
import {alignedRows} from '../command-line/tables.ts';
import {profileNamed} from '../harness/control-plane/profile-names.ts';
import {nearest} from '../harness/input/cursor.ts';
import {InputError} from '../harness/input/input-error.ts';
import {counted} from '../harness/input/listed.ts';
import {type Classes, countOf, severities} from '../harness/report/class-findings.ts';
import {print} from './print.ts';

/** Crossplane versions; empty for those that the command takes by itself. */
export const crossplane = many(
  'VERSION',
  `only this version (${Object.keys(profiles).join(', ')}); may be given more than once`,
  profileNamed,
);

export type GivenOptions<O extends Options> = Given<O> & {readonly kind: 'given'};

/** The options and files that were given; undefined where help was asked for, which is printed. Throws InputError. */
export function optionsOf<O extends Options>(
  line: CommandLine<O>,
  argv: readonly string[],
): GivenOptions<O> | undefined {
  const given = readOptions(line, argv);
  switch (given.kind) {
    case 'given':
      checkCount(line, given.files.length);
      return given;
    case 'help':
      print(helpText(line));
      return undefined;
    case 'invalid': {
      const known = Object.keys(line.options).map((name) => `--${name}`);
      const near = nearest(given.unknown ?? '', known);
      const advice = near === undefined ? '' : `: did you mean '${near}'?`;
      throw new InputError(
        `cannot read flags: ${given.sentence}${advice}; see ${line.program ?? 'tether'} ${line.name} --help`,
      );
    }
  }
}

/** Throws InputError for more or fewer arguments than the line takes: `[PATH]` is one at most, `FILE...` one or more. */
function checkCount({name, takes}: CommandLine, got: number): void {
  const words = takes.split(' ').filter((word) => word !== '');
  const least = words.filter((word) => !word.startsWith('[')).length;
  if (got >= least && (got <= words.length || takes.includes('...'))) return;
  throw new InputError(`tether ${name} takes ${takes}, got ${counted(got, 'argument')}; see tether ${name} --help`);
}

/** Throws InputError for an option that the one named does not heed. */
export function checkBeside(named: readonly string[], option: string, heeded: readonly string[]): void {
  if (!named.includes(option)) return;
  const other = named.find((one) => one !== option && !heeded.includes(one));
  if (other === undefined) return;
  const list = heeded.map((one) => `--${one}`);
  const words = list.length > 1 ? `${list.slice(0, -1).join(', ')} and ${list.at(-1)}` : (list[0] ?? 'no other option');
  throw new InputError(`--${option} goes with ${words}, got --${other}, which it cannot follow`);
}

/** Throws InputError for an option that does nothing without another. */
export function checkNeeds(named: readonly string[], option: string, other: string): void {
  if (!named.includes(option) || named.includes(other)) return;
  throw new InputError(`--${option} does nothing without --${other}`);
}

export function count(text: string, flag: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  throw new InputError(`${flag} must be a whole number, got "${text}"`);
}

export function positive(text: string, flag: string): number {
  if (/^0*[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new InputError(`${flag} must be a whole number above 0, got "${text}"`);
}

/** A number of threads, or `all` there is room for. */
export function threads(text: string, flag: string): number {
  return text === 'all' ? availableParallelism() : positive(text, flag);
}

/** A word of --fail-on, beside severities and classes: something could not be judged. */
const unjudged = 'not-judged';

/** The option that names findings, by severity or class, for which the exit code is 3. */
export function failOn(classes: Classes) {
  return many(
    'WHAT',
    `exit with 3 if a finding has this severity or a worse one (${severities.join(', ')}), or this class, or with ${unjudged} if anything could not be judged; none by default, may be given more than once`,
    someOf(...severities, ...Object.keys(classes), unjudged),
  );
}

/** The classes, for help. */
export function classesText(classes: Classes): string {
  const rows = Object.entries(classes).map(([name, {severity, title}]) => [name, `${severity}: ${title}`]);
  return ['Classes:', ...alignedRows(rows).map((line) => `  ${line}`)].join('\n');
}

/** 3 if `on` names a finding, or what was not judged. */
export function exitCodeOf(
  classes: Classes,
  findings: Parameters<typeof countOf>[1],
  notJudged: readonly unknown[],
  on: readonly string[],
): number {
  return countOf(classes, findings, on) > 0 || (on.includes(unjudged) && notJudged.length > 0) ? 3 : 0;
}

/** Words with commas between them, or `none`. */
export function someOf<T extends string>(...known: readonly T[]): (text: string, flag: string) => readonly T[] {
  const read = oneOf(...known);
  return (text, flag) => (text === 'none' ? [] : text.split(',').map((word) => read(word, flag)));
}

export function oneOf<T extends string>(...known: readonly T[]): (text: string, flag: string) => T {
  return (text, flag) => {
    const found = known.find((word) => word === text);
    if (found !== undefined) return found;
    throw new InputError(`${flag} must be one of ${known.join(', ')}, got "${text}"`);
  };
}
