// `${...}` in the strings of a template: where the expressions are, and what they make of the string. A string that is
// one expression takes its value and its type; inside a longer one values are written as text. `$${` is a plain `${`.

import {isList, isObject, type Json} from '../words/json.ts';

type Part = {readonly kind: 'text'; readonly text: string} | {readonly kind: 'cel'; readonly text: string};

type Parts =
  | {readonly kind: 'parts'; readonly parts: readonly Part[]}
  | {readonly kind: 'malformed'; readonly problem: string};

/** The parts of a string, or what is wrong with it. */
export function partsOfText(text: string): Parts {
  const parts: Part[] = [];
  let from = 0;
  for (let at = text.indexOf('${'); at >= 0; at = text.indexOf('${', from)) {
    if (text[at - 1] === '$' && at > from) {
      parts.push({kind: 'text', text: `${text.slice(from, at - 1)}\${`});
      from = at + 2;
      continue;
    }
    const end = endOfExpression(text, at + 2);
    if (end < 0) return {kind: 'malformed', problem: `\${ at character ${at + 1} without its }`};
    if (at > from) parts.push({kind: 'text', text: text.slice(from, at)});
    parts.push({kind: 'cel', text: text.slice(at + 2, end)});
    from = end + 1;
  }
  if (from < text.length) parts.push({kind: 'text', text: text.slice(from)});
  return {kind: 'parts', parts};
}

/** A value as a part of a text, undefined where it has no form that everybody would expect. */
export function asText(value: Json): string | undefined {
  if (value === null || isList(value) || isObject(value)) return undefined;
  return String(value);
}

/** The place of the `}` that ends an expression, -1 if none does: those of maps and of string literals do not. */
function endOfExpression(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (character === '"' || character === "'") {
      at = endOfLiteral(text, at, /[rR]$/.test(text.slice(from, at)));
      if (at < 0) return -1;
    } else if (character === '{') depth++;
    else if (character === '}' && depth-- === 0) return at;
  }
  return -1;
}

/** The place of the quote that ends a string literal, -1 if none does. In raw literals a backslash is itself. */
function endOfLiteral(text: string, from: number, raw: boolean): number {
  const quote = text[from] ?? '"';
  const mark = text.startsWith(quote.repeat(3), from) ? quote.repeat(3) : quote;
  for (let at = from + mark.length; at < text.length; at++) {
    if (text[at] === '\\' && !raw) at++;
    else if (text.startsWith(mark, at)) return at + mark.length - 1;
  }
  return -1;
}
