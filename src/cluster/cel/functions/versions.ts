// Semantic versions.
// kubernetes/apiserver v0.34.4 pkg/cel/library/semverlib.go; semver.org 2.0.0, as blang/semver reads it. Not modelled:
// which part of a text that is no version is wrong, in the sentence of the problem.

import {EvaluationProblem, noSuchOverload, type OpaqueValue, type Value} from '../values.ts';
import {type Calls, comparing, type Methods, opaqueType} from './call.ts';

interface Version {
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly before: readonly string[];
}

const {of, contentOf: versionOf, make} = opaqueType<Version>('kubernetes.Semver');
const number = '(0|[1-9]\\d*)';
const identifier = '(?:0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*)';
const written = new RegExp(
  `^${number}\\.${number}\\.${number}(?:-(${identifier}(?:\\.${identifier})*))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`,
);

function parse(text: string): Version | undefined {
  const match = written.exec(text);
  if (match === null) return undefined;
  const [, major = '0', minor = '0', patch = '0', before] = match;
  return {
    numbers: [BigInt(major), BigInt(minor), BigInt(patch)],
    before: before === undefined ? [] : before.split('.'),
  };
}

/** Without a `v` in front and zeros before numbers, and with the numbers that a short version leaves out. */
function normalised(text: string): string {
  const parts = text.replace(/^v/, '').split('.');
  const three = parts.length > 3 ? [...parts.slice(0, 2), parts.slice(2).join('.')] : parts;
  const plain = three.map((part) => part.replace(/^0+(?=\d)/, ''));
  if (plain.length < 3 && /[+-]/.test(plain.at(-1) ?? '')) return '';
  return [...plain, '0', '0'].slice(0, 3).join('.');
}

function read([text, normalise = false]: readonly Value[]): Version | undefined {
  if (typeof text !== 'string' || typeof normalise !== 'boolean') throw noSuchOverload();
  return parse(normalise ? normalised(text) : text);
}

function order(left: Value | undefined, right: Value | undefined): bigint {
  const [one, other] = [versionOf(left), versionOf(right)];
  for (const [index, mine] of one.numbers.entries()) {
    const theirs = other.numbers[index] ?? 0n;
    if (mine !== theirs) return mine < theirs ? -1n : 1n;
  }
  // A prerelease is less than its release.
  if (one.before.length === 0 || other.before.length === 0) {
    return one.before.length === other.before.length ? 0n : one.before.length === 0 ? 1n : -1n;
  }
  for (const [index, mine] of one.before.entries()) {
    const theirs = other.before[index];
    if (theirs === undefined) return 1n;
    if (mine !== theirs) return isLess(mine, theirs) ? -1n : 1n;
  }
  return one.before.length === other.before.length ? 0n : -1n;
}

function isLess(left: string, right: string): boolean {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(left), /^\d+$/.test(right)];
  if (isNumber && isOtherNumber) return BigInt(left) < BigInt(right);
  return isNumber === isOtherNumber ? left < right : isNumber;
}

export const versionFunctions: Calls = {
  semver: (args): OpaqueValue => {
    const version = read(args);
    if (version === undefined) throw new EvaluationProblem('No Major.Minor.Patch elements found');
    const {numbers, before} = version;
    return make(`${numbers.join('.')}-${before.join('.')}`, version);
  },
  isSemver: (args) => read(args) !== undefined,
};

export const versionMethods: Methods = {
  of,
  calls: {
    major: ([value]) => versionOf(value).numbers[0],
    minor: ([value]) => versionOf(value).numbers[1],
    patch: ([value]) => versionOf(value).numbers[2],
    ...comparing(order),
  },
};
