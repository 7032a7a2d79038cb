// Regular expressions of the input: always matched from beginning to end, so that `db` does not mean `db-replica` too
// (function-sequencer adds its anchors only where neither is there), and without a match that could take forever.
//
// Why not the engine at hand: it backtracks, so that a pattern like (a+)+b on a long name would stop the whole function.
// This is Thompson's construction, linear in the name: the set of states after each character. It knows what patterns for
// names need: literals, escapes, ., classes, groups, |, *, +, ?, {m,n}, \d \w \s and their opposites, and anchors at
// the two ends. It does not know look-around and back-references, which no linear engine does; they are errors.

export interface Regex {
  test(text: string): boolean;
}

type Matches = (character: string) => boolean;
/** A state consumes one character that matches, or goes on to others for free; undefined marks the end. */
type State = {readonly matches: Matches; readonly next: number} | {readonly free: readonly number[]};

type Node =
  | {readonly kind: 'character'; readonly matches: Matches}
  | {readonly kind: 'sequence'; readonly nodes: readonly Node[]}
  | {readonly kind: 'choice'; readonly nodes: readonly Node[]}
  | {readonly kind: 'repeat'; readonly node: Node; readonly min: number; readonly max: number};

// A repetition is written out, so nested counts multiply; a name is matched against at most so many states.
const statesMax = 5_000;

/** The expression, undefined where the pattern is none. */
export function regexOf(pattern: string): Regex | undefined {
  const node = parse(pattern.replace(/^\^/, '').replace(/(?<!\\)\$$/, ''));
  if (node === undefined) return undefined;
  const states: State[] = [];
  const accept = add(states, {free: []});
  const start = compile(node, accept, states);
  if (start === undefined) return undefined;
  return {test: (text) => run(states, start, accept, text)};
}

function run(states: readonly State[], start: number, accept: number, text: string): boolean {
  let current = closure(states, [start]);
  for (const character of text) {
    const next: number[] = [];
    for (const index of current) {
      const state = states[index];
      if (state !== undefined && 'matches' in state && state.matches(character)) next.push(state.next);
    }
    current = closure(states, next);
  }
  return current.has(accept);
}

function closure(states: readonly State[], from: readonly number[]): ReadonlySet<number> {
  const reached = new Set<number>();
  const open = [...from];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    if (reached.has(index)) continue;
    reached.add(index);
    const state = states[index];
    if (state !== undefined && 'free' in state) open.push(...state.free);
  }
  return reached;
}

/** Adds the states of a node that goes on to `next`, and returns its first; undefined if they are too many. */
function compile(node: Node, next: number, states: State[]): number | undefined {
  if (states.length > statesMax) return undefined;
  switch (node.kind) {
    case 'character':
      return add(states, {matches: node.matches, next});
    case 'sequence':
      return node.nodes.reduceRight<number | undefined>(
        (following, part) => (following === undefined ? undefined : compile(part, following, states)),
        next,
      );
    case 'choice': {
      const ways = node.nodes.map((way) => compile(way, next, states));
      return ways.includes(undefined) ? undefined : add(states, {free: ways as number[]});
    }
    case 'repeat':
      return compileRepeat(node, next, states);
  }
}

function compileRepeat(node: Node & {readonly kind: 'repeat'}, next: number, states: State[]): number | undefined {
  let first: number | undefined = next;
  if (node.max === Number.POSITIVE_INFINITY) {
    const free: number[] = [next];
    const loop = add(states, {free});
    const body = compile(node.node, loop, states);
    if (body === undefined) return undefined;
    free.push(body);
    first = loop;
  } else {
    for (let i = node.min; i < node.max && first !== undefined; i++) {
      const body: number | undefined = compile(node.node, first, states);
      first = body === undefined ? undefined : add(states, {free: [body, next]});
    }
  }
  for (let i = 0; i < node.min && first !== undefined; i++) first = compile(node.node, first, states);
  return first;
}

function add(states: State[], state: State): number {
  return states.push(state) - 1;
}

/** A reader over the pattern's characters. Every parse function returns undefined where the pattern is wrong. */
interface Reader {
  readonly characters: readonly string[];
  place: number;
}

function parse(pattern: string): Node | undefined {
  const reader: Reader = {characters: [...pattern], place: 0};
  const node = parseChoice(reader, 0);
  return reader.place === reader.characters.length ? node : undefined;
}

function parseChoice(reader: Reader, depth: number): Node | undefined {
  if (depth > 50) return undefined;
  const nodes: Node[] = [];
  do {
    const node = parseSequence(reader, depth);
    if (node === undefined) return undefined;
    nodes.push(node);
  } while (take(reader, '|'));
  return {kind: 'choice', nodes};
}

function parseSequence(reader: Reader, depth: number): Node | undefined {
  const nodes: Node[] = [];
  while (reader.place < reader.characters.length && peek(reader) !== '|' && peek(reader) !== ')') {
    const atom = parseAtom(reader, depth);
    const node = atom === undefined ? undefined : parseRepeat(reader, atom);
    if (node === undefined) return undefined;
    nodes.push(node);
  }
  return {kind: 'sequence', nodes};
}

function parseAtom(reader: Reader, depth: number): Node | undefined {
  const character = next(reader);
  switch (character) {
    case '(': {
      if (take(reader, '?') && !take(reader, ':')) return undefined;
      const node = parseChoice(reader, depth + 1);
      return take(reader, ')') ? node : undefined;
    }
    case '[':
      return asNode(parseClass(reader));
    case '.':
      return {kind: 'character', matches: () => true};
    case '\\':
      return asNode(parseEscape(reader));
    case undefined:
    case '*':
    case '+':
    case '?':
    case '{':
    case '}':
    case ']':
    case '^':
    case '$':
      return undefined;
    default:
      return {kind: 'character', matches: (other) => other === character};
  }
}

function parseRepeat(reader: Reader, node: Node): Node | undefined {
  if (take(reader, '*')) return {kind: 'repeat', node, min: 0, max: Number.POSITIVE_INFINITY};
  if (take(reader, '+')) return {kind: 'repeat', node, min: 1, max: Number.POSITIVE_INFINITY};
  if (take(reader, '?')) return {kind: 'repeat', node, min: 0, max: 1};
  if (!take(reader, '{')) return node;
  const min = parseNumber(reader);
  const max = take(reader, ',') ? (peek(reader) === '}' ? Number.POSITIVE_INFINITY : parseNumber(reader)) : min;
  if (!take(reader, '}') || min === undefined || max === undefined || min > max) return undefined;
  return {kind: 'repeat', node, min, max};
}

function parseNumber(reader: Reader): number | undefined {
  let digits = '';
  while (/^[0-9]$/.test(peek(reader) ?? '') && digits.length < 4) digits += next(reader);
  return digits === '' ? undefined : Number(digits);
}

function parseClass(reader: Reader): Matches | undefined {
  const negated = take(reader, '^');
  const parts: Matches[] = [];
  while (peek(reader) !== ']' || parts.length === 0) {
    const part = parseClassPart(reader);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  next(reader);
  return (character) => parts.some((matches) => matches(character)) !== negated;
}

function parseClassPart(reader: Reader): Matches | undefined {
  const from = next(reader);
  if (from === undefined || from === '[') return undefined;
  if (from === '\\') return parseEscape(reader);
  if (peek(reader) !== '-' || reader.characters[reader.place + 1] === ']') return (character) => character === from;
  next(reader);
  const to = next(reader);
  if (to === undefined || to === '\\' || to < from) return undefined;
  return (character) => character >= from && character <= to;
}

function parseEscape(reader: Reader): Matches | undefined {
  const character = next(reader);
  if (character === undefined) return undefined;
  const named: {readonly [letter: string]: RegExp} = {
    d: /^[0-9]$/,
    D: /^[^0-9]$/u,
    w: /^[A-Za-z0-9_]$/,
    W: /^[^A-Za-z0-9_]$/u,
    s: /^[\t\n\f\r ]$/,
    S: /^[^\t\n\f\r ]$/u,
  };
  const expression = named[character];
  if (expression !== undefined) return (other) => expression.test(other);
  // Letters and digits that mean something elsewhere (\b, \1, \p) mean nothing here.
  return /^[A-Za-z0-9]$/.test(character) ? undefined : (other) => other === character;
}

function asNode(matches: Matches | undefined): Node | undefined {
  return matches === undefined ? undefined : {kind: 'character', matches};
}

function peek({characters, place}: Reader): string | undefined {
  return characters[place];
}

function next(reader: Reader): string | undefined {
  const character = peek(reader);
  reader.place++;
  return character;
}

function take(reader: Reader, character: string): boolean {
  if (peek(reader) !== character) return false;
  reader.place++;
  return true;
}
