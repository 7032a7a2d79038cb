// Texts: contains and its kin, the extension of CEL for strings, and Kubernetes' find and findAll. Characters are counted,
// not UTF-16 units.
//
// google/cel-go v0.26.0 ext/strings.go (version 2), ext/formatting.go; kubernetes/apiserver v0.34.4
// pkg/cel/library/regex.go. Not modelled: format() with verbs other than %s, %d and %f.

import {type GoRegex, goRegex} from '../../go-regex.ts';
import {EvaluationProblem, isKind, itemsOf, listOf, noSuchOverload, type Value} from '../values.ts';
import type {Call, Methods} from './call.ts';
import {textOf} from './conversions.ts';

function text(value: Value | undefined): string {
  if (typeof value !== 'string') throw noSuchOverload();
  return value;
}

/** An index, with its original number for the error message. */
interface Index {
  readonly place: number;
  readonly said: bigint;
}

function index(value: Value | undefined): Index {
  if (typeof value !== 'bigint') throw noSuchOverload();
  return {place: Number(value), said: value};
}

function test(check: (target: string, arg: string) => boolean): Call {
  return ([target, arg]) => check(text(target), text(arg));
}

export const matches: Call = test((target, pattern) => compiled(pattern).test(target));

function compiled(pattern: string): Extract<GoRegex, {kind: 'regex'}> {
  const regex = goRegex(pattern);
  if (regex.kind === 'none') throw new EvaluationProblem(regex.problem);
  return regex;
}

function found(target: string, pattern: string, most: number): readonly string[] {
  return compiled(pattern).findAll(target, most);
}

/** The place in a text, or right behind it. */
function within(characters: readonly string[], {place, said}: Index): number {
  if (place < 0 || place > characters.length) throw new EvaluationProblem(`index out of range: ${said}`);
  return place;
}

function substring([target, from, to]: readonly Value[]): string {
  const characters = [...text(target)];
  const start = index(from);
  if (to === undefined) return characters.slice(within(characters, start)).join('');
  const end = index(to);
  if (start.said > end.said) {
    throw new EvaluationProblem(`invalid substring range. start: ${start.said}, end: ${end.said}`);
  }
  return characters.slice(within(characters, start), within(characters, end)).join('');
}

function indexOf([target, wanted, from]: readonly Value[]): bigint {
  const [characters, sought] = [[...text(target)], [...text(wanted)]];
  const start = from === undefined ? 0 : index(from).place;
  if (sought.length === 0) return BigInt(start);
  if (start < 0) throw new EvaluationProblem(`index out of range: ${start}`);
  for (let place = start; place + sought.length <= characters.length; place++) {
    if (sought.every((character, offset) => characters[place + offset] === character)) return BigInt(place);
  }
  return -1n;
}

function lastIndexOf([target, wanted, from]: readonly Value[]): bigint {
  const [characters, sought] = [[...text(target)], [...text(wanted)]];
  if (sought.length === 0) return from === undefined ? BigInt(characters.length) : (from as bigint);
  const start = from === undefined ? characters.length - 1 : index(from).place;
  if (start < 0 && from !== undefined) throw new EvaluationProblem(`index out of range: ${start}`);
  if (start >= characters.length) return -1n;
  for (let place = Math.min(start, characters.length - sought.length); place >= 0; place--) {
    if (sought.every((character, offset) => characters[place + offset] === character)) return BigInt(place);
  }
  return -1n;
}

function split([target, separator, most]: readonly Value[]): Value {
  const parts = splitBy(text(target), text(separator));
  const limit = most === undefined ? -1 : index(most).place;
  if (limit === 0) return listOf([]);
  if (limit < 0 || parts.length <= limit) return listOf(parts);
  return listOf([...parts.slice(0, limit - 1), parts.slice(limit - 1).join(text(separator))]);
}

function splitBy(target: string, separator: string): readonly string[] {
  return separator === '' ? [...target] : target.split(separator);
}

function replace([target, from, to, most]: readonly Value[]): string {
  const [old, next] = [text(from), text(to)];
  const limit = most === undefined ? -1 : index(most).place;
  const parts = old === '' ? ['', ...text(target), ''] : text(target).split(old);
  return parts.reduce((whole, part, place) => {
    if (place === 0) return part;
    return `${whole}${limit < 0 || place <= limit ? next : old}${part}`;
  }, '');
}

function ascii(pattern: RegExp, change: (letter: string) => string): Call {
  return ([target]) => text(target).replaceAll(pattern, change);
}

function format([target, args]: readonly Value[]): string {
  if (!isKind(args, 'list')) throw noSuchOverload();
  let next = 0;
  return text(target).replaceAll(
    /%(?:%|(\.\d+)?([a-zA-Z]))/g,
    (verb, precision: string | undefined, letter: string) => {
      if (verb === '%%') return '%';
      if (next >= args.size) throw new EvaluationProblem(`index ${next} out of range`);
      return formatted(args.at(next++), letter, precision);
    },
  );
}

function formatted(value: Value, letter: string, precision: string | undefined): string {
  if (letter === 's') return shown(value);
  if (letter === 'd' && typeof value === 'bigint') return String(value);
  if (letter === 'd' && isKind(value, 'uint')) return String(value.value);
  if (letter === 'f' && typeof value === 'number') return value.toFixed(Number(precision?.slice(1) ?? 6));
  throw new EvaluationProblem(`could not parse formatting clause: unrecognized formatting clause "${letter}"`);
}

export const quote: Call = ([target]) => {
  const escaped = [...text(target)].map((sign) => escapes[sign] ?? sign);
  return `"${escaped.join('')}"`;
};

const escapes: {readonly [sign: string]: string} = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

function shown(value: Value): string {
  if (value === null) return 'null';
  if (isKind(value, 'list')) return `[${itemsOf(value).map(quoted).join(', ')}]`;
  if (!isKind(value, 'map')) return textOf(value);
  const entries = value.keys().map((key) => `${quoted(key)}:${quoted(value.find(key) ?? null)}`);
  return `{${entries.sort().join(', ')}}`;
}

function quoted(value: Value): string {
  return typeof value === 'string' ? JSON.stringify(value) : shown(value);
}

export const textMethods: Methods = {
  of: (target) => typeof target === 'string',
  calls: {
    contains: test((target, arg) => target.includes(arg)),
    startsWith: test((target, arg) => target.startsWith(arg)),
    endsWith: test((target, arg) => target.endsWith(arg)),
    matches,
    find: ([target, pattern]) => found(text(target), text(pattern), 1)[0] ?? '',
    findAll: ([target, pattern, most]) =>
      listOf(found(text(target), text(pattern), most === undefined ? -1 : index(most).place)),
    charAt: ([target, place]) => {
      const characters = [...text(target)];
      return characters[within(characters, index(place))] ?? '';
    },
    indexOf,
    lastIndexOf,
    lowerAscii: ascii(/[A-Z]/g, (letter) => letter.toLowerCase()),
    upperAscii: ascii(/[a-z]/g, (letter) => letter.toUpperCase()),
    replace,
    split,
    substring,
    trim: ([target]) => text(target).trim(),
    format,
  },
};
