// Words, numbers, texts and signs of an expression.
// google/cel-go v0.26.0 parser/gen/CEL.g4 (lexer rules), parser/unescape.go.

import {type LiteralObject, SyntaxProblem} from './syntax.ts';

export type Token =
  | {readonly kind: 'word'; readonly text: string; readonly at: number; readonly escaped?: true}
  | {readonly kind: 'sign'; readonly text: string; readonly at: number}
  | {readonly kind: 'literal'; readonly value: bigint | number | string | LiteralObject; readonly at: number}
  | {readonly kind: 'end'; readonly text: ''; readonly at: number};

const pattern = new RegExp(
  [
    /(?<space>(?:[\t \r\n\f]+|\/\/[^\n]*)+)/,
    /(?<float>(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?))/,
    /(?<uint>(?:0x[0-9a-fA-F]+|\d+)[uU])/,
    /(?<int>0x[0-9a-fA-F]+|\d+)/,
    /(?<text>(?:[bB]?[rR]?|[rR])(?:"""|'''|"|'))/,
    /(?<word>[A-Za-z_]\w*)/,
    /`(?<escaped>[\w./ -]+)`/,
    /(?<sign>==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%])/,
  ]
    .map(({source}) => source)
    .join('|'),
  'y',
);

export function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < source.length) {
    pattern.lastIndex = at;
    const groups = pattern.exec(source)?.groups;
    if (groups === undefined) throw new SyntaxProblem(at, `Syntax error: token recognition error at: '${source[at]}'`);
    const {space, float, uint, int, text, word, escaped, sign} = groups;
    const end = pattern.lastIndex;
    if (text !== undefined) {
      const quoted = readText(source, at, text);
      tokens.push({kind: 'literal', value: quoted.value, at});
      at = quoted.end;
      continue;
    }
    if (float !== undefined) tokens.push({kind: 'literal', value: Number(float), at});
    else if (uint !== undefined) tokens.push({kind: 'literal', value: unsigned(uint, at), at});
    else if (int !== undefined) tokens.push({kind: 'literal', value: BigInt(int), at});
    else if (word !== undefined) tokens.push({kind: 'word', text: word, at});
    else if (escaped !== undefined) tokens.push({kind: 'word', text: escaped, at, escaped: true});
    else if (sign !== undefined) tokens.push({kind: 'sign', text: sign, at});
    else if (space === undefined)
      throw new SyntaxProblem(at, `Syntax error: token recognition error at: '${source[at]}'`);
    at = end;
  }
  tokens.push({kind: 'end', text: '', at: source.length});
  return tokens;
}

function unsigned(text: string, at: number): LiteralObject {
  const value = BigInt(text.slice(0, -1));
  if (value >= 2n ** 64n) throw new SyntaxProblem(at, 'invalid uint literal');
  return {kind: 'uint', value};
}

interface Quoted {
  readonly value: string | LiteralObject;
  readonly end: number;
}

function readText(source: string, start: number, opening: string): Quoted {
  const quote = /["'].*$/.exec(opening)?.[0] ?? '"';
  const prefix = opening.slice(0, opening.length - quote.length).toLowerCase();
  const isRaw = prefix.includes('r');
  const begin = start + opening.length;
  let end = begin;
  while (!source.startsWith(quote, end)) {
    const character = source[end];
    const isCut = character === undefined || (quote.length === 1 && (character === '\n' || character === '\r'));
    if (isCut)
      throw new SyntaxProblem(start, `Syntax error: token recognition error at: '${source.slice(start, end)}'`);
    end += character === '\\' && !isRaw ? 2 : 1;
  }
  const body = source.slice(begin, end);
  const isBytes = prefix.includes('b');
  const parts: readonly Part[] = isRaw ? [{kind: 'text', text: body}] : unescaped(body, start);
  const value: string | LiteralObject = isBytes
    ? {kind: 'bytes', value: parts.flatMap((part) => (part.kind === 'byte' ? [part.byte] : utf8(part.text)))}
    : parts.map((part) => (part.kind === 'byte' ? String.fromCodePoint(part.byte) : part.text)).join('');
  return {value, end: end + quote.length};
}

type Part = {readonly kind: 'text'; readonly text: string} | {readonly kind: 'byte'; readonly byte: number};

const simple: {readonly [letter: string]: string} = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '"': '"',
  "'": "'",
  '\\': '\\',
  '?': '?',
  '`': '`',
};

const escapes = /\\(?:([abfnrtv"'\\?`])|[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2}))|\\/g;

function unescaped(body: string, at: number): readonly Part[] {
  const parts: Part[] = [];
  let last = 0;
  for (const match of body.matchAll(escapes)) {
    const [whole, letter, hex, short, long, octal] = match;
    if (whole === '\\') throw new SyntaxProblem(at, 'unable to unescape string');
    parts.push({kind: 'text', text: body.slice(last, match.index)});
    const point = short ?? long;
    if (letter !== undefined) parts.push({kind: 'text', text: simple[letter] ?? letter});
    else if (point !== undefined) parts.push({kind: 'text', text: String.fromCodePoint(Number.parseInt(point, 16))});
    else
      parts.push({kind: 'byte', byte: hex === undefined ? Number.parseInt(octal ?? '0', 8) : Number.parseInt(hex, 16)});
    last = match.index + whole.length;
  }
  parts.push({kind: 'text', text: body.slice(last)});
  return parts;
}

export function utf8(text: string): readonly number[] {
  return [...text].flatMap((character) => {
    const point = character.codePointAt(0) ?? 0;
    if (point < 0x80) return [point];
    if (point < 0x800) return [0xc0 | (point >> 6), 0x80 | (point & 63)];
    const tail = [0x80 | ((point >> 6) & 63), 0x80 | (point & 63)];
    if (point < 0x10000) return [0xe0 | (point >> 12), ...tail];
    return [0xf0 | (point >> 18), 0x80 | ((point >> 12) & 63), ...tail];
  });
}
