// Regular expressions of the input: RE2 as Go has it, matched from beginning to end, so that `db` does not mean `db-replica`, too.
//
// Why not the engine at hand: it backtracks, so that a pattern like (a+)+b on a long name would stop the whole function.
// @bufbuild/re2 never does; it is what matches() of CEL uses, too. Its cost still depends on the pattern: it makes its states as
// names need them, and a state costs as much as the pattern is long. So patterns are bounded in size, and the work of one call is
// counted (pattern-work.ts).

import {RE2JS} from '@bufbuild/re2';
import {remembered} from '../words/memo.ts';

export interface Regex {
  test(text: string): boolean;
  /** Matches all of these from a fresh start, remembers the answers until the next time, and returns what it cost. */
  learn(texts: readonly string[]): number;
  /** Matches nothing until it learns again. */
  forget(): void;
}

// Steps of the program that a pattern becomes. Counted repetitions are written out in it.
const sizeMax = 1_000;

// An input is read anew in every call, and reading a pattern takes longer than matching it.
const regexes = remembered((pattern: string) => ({regex: compile(pattern)}), 1_000);

/** The expression, undefined where the pattern is none or too large; the same one for the same pattern. */
export function regexOf(pattern: string): Regex | undefined {
  return regexes(pattern).regex;
}

function compile(pattern: string): Regex | undefined {
  const compiled = read(pattern);
  if (compiled === undefined) return undefined;
  const {prog, dfa} = compiled.re2();
  const size = prog.numInst();
  if (size > sizeMax) return undefined;
  let known: ReadonlyMap<string, boolean> = new Map();
  // An XR has the same names from one call to the next.
  let learned: readonly string[] | undefined;
  let cost = 0;
  let isForgotten = false;
  return {
    test: (text) => !isForgotten && (known.get(text) ?? compiled.testExact(text)),
    forget: () => {
      isForgotten = true;
    },
    learn: (texts) => {
      isForgotten = false;
      if (learned !== undefined && isSame(learned, texts)) return cost;
      learned = texts;
      forgetStates(dfa);
      known = new Map(texts.map((text): [string, boolean] => [text, compiled.testExact(text)]));
      const characters = texts.reduce((sum, text) => sum + text.length, 0);
      cost = characters * characterCost + dfa.stateCount * (stateCost + size);
      // The remembered results answer from now on; the states would only take memory.
      forgetStates(dfa);
      return cost;
    },
  };
}

/** As if it had matched nothing yet: @bufbuild/re2 keeps the states of all texts, and its own reset() keeps them, too. */
function forgetStates(dfa: ReturnType<RE2JS['re2']>['dfa']): void {
  dfa.stateCache.clear();
  dfa.startState = null;
  dfa.stateCount = 0;
  dfa.cacheClears = 0;
  dfa.failed = false;
}

// In the time of one step of a program: a character is looked up in a table, a state is an object with a table of its own.
const characterCost = 0.25;
const stateCost = 200;

function read(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return undefined;
  }
}

function isSame(texts: readonly string[], others: readonly string[]): boolean {
  return texts.length === others.length && texts.every((text, index) => text === others[index]);
}
