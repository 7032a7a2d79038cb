// Regular expressions as the API server has them: Go's regexp, which is RE2. It never backtracks and has neither look-around nor
// back references. Its errors are the ones with which the API server refuses a definition.
//
// By re2js, a translation of Go's package that also returns the position of a match. The policy's own patterns use another library
// (@bufbuild/re2), so that one mistake is not in both. Not modelled: two groups of one name, which Go allows and re2js refuses.

import {RE2JS, RE2JSException} from 're2js';

export type GoRegex =
  | {
      readonly kind: 'regex';
      /** True if the text contains a match. */
      readonly test: (text: string) => boolean;
      /** The matches in the text, from left to right; a negative `most` is no limit. */
      readonly findAll: (text: string, most: number) => readonly string[];
    }
  | {readonly kind: 'none'; readonly problem: string};

const known = new Map<string, GoRegex>();

/** The pattern compiled once: schemas have few, and values are many. */
export function goRegex(pattern: string): GoRegex {
  const before = known.get(pattern);
  if (before !== undefined) return before;
  const compiled = compile(pattern);
  known.set(pattern, compiled);
  return compiled;
}

function compile(pattern: string): GoRegex {
  try {
    const regex = RE2JS.compile(pattern);
    return {
      kind: 'regex',
      test: (text) => regex.test(text),
      findAll: (text, most) => (most === 0 ? [] : (regex.re2().findAll(text, most) ?? [])),
    };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    // Go names the piece that is wrong, also where there is none.
    const {message} = error;
    return {kind: 'none', problem: message.includes('`') ? message : `${message}: \`\``};
  }
}
