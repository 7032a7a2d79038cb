// Parses a text into its tree, by descent over the grammar.
// google/cel-go v0.26.0 parser/gen/CEL.g4, parser/{parser,macro}.go, ext/comprehensions.go, cel/library.go (optionals). Not
// modelled: cel.bind, which the rules of custom resources do not have; limits on size and depth; the wording of syntax errors,
// which here only have their position.

import {type Token, tokensOf} from './lexer.ts';
import {
  type Entry,
  type Expression,
  type Item,
  type Literal,
  type Macro,
  type Operator,
  SyntaxProblem,
} from './syntax.ts';

/** Throws a SyntaxProblem where the text is no expression. */
export function parse(source: string): Expression {
  const parser = new Parser(tokensOf(source));
  const expression = parser.expression();
  parser.end();
  return expression;
}

const reserved: ReadonlySet<string> = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);
const words: {readonly [word: string]: null | boolean} = {null: null, true: true, false: false};

/** Operators by how tightly they bind, loosest first; all group from the left. */
const levels: readonly (readonly Operator[])[] = [
  ['||'],
  ['&&'],
  ['<', '<=', '>=', '>', '==', '!=', 'in'],
  ['+', '-'],
  ['*', '/', '%'],
];

const intMin = -(2n ** 63n);
const intMax = 2n ** 63n - 1n;

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  end(): void {
    if (this.#token.kind !== 'end') throw this.#unexpected();
  }

  expression(): Expression {
    const condition = this.#binary(0);
    const {at} = this.#token;
    if (!this.#takes('?')) return condition;
    const yes = this.#binary(0);
    this.#expect(':');
    return {kind: 'operation', operator: '?:', args: [condition, yes, this.expression()], at};
  }

  #binary(level: number): Expression {
    const operators = levels[level];
    if (operators === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    for (;;) {
      const token = this.#token;
      const text = token.kind === 'sign' || (token.kind === 'word' && token.escaped !== true) ? token.text : '';
      const operator = operators.find((one) => one === text);
      if (operator === undefined) return left;
      this.#next++;
      left = {kind: 'operation', operator, args: [left, this.#binary(level + 1)], at: token.at};
    }
  }

  #unary(): Expression {
    const {at} = this.#token;
    if (this.#takes('!')) return {kind: 'operation', operator: '!', args: [this.#unary()], at};
    if (!this.#takes('-')) return this.#member();
    const token = this.#token;
    if (token.kind === 'literal' && (typeof token.value === 'bigint' || typeof token.value === 'number')) {
      this.#next++;
      return this.#suffixes(number(-token.value as bigint | number, at));
    }
    return {kind: 'operation', operator: '-_', args: [this.#unary()], at};
  }

  #member(): Expression {
    return this.#suffixes(this.#primary());
  }

  #suffixes(first: Expression): Expression {
    let of = first;
    for (;;) {
      const {at} = this.#token;
      if (this.#takes('.')) of = this.#selected(of, at);
      else if (this.#takes('[')) {
        const optional = this.#takes('?');
        const index = this.expression();
        this.#expect(']');
        of = {kind: 'index', of, index, optional, at};
      } else return of;
    }
  }

  #selected(of: Expression, at: number): Expression {
    const optional = this.#takes('?');
    const token = this.#token;
    if (token.kind !== 'word' || (token.escaped !== true && (token.text in words || token.text === 'in'))) {
      throw this.#unexpected();
    }
    this.#next++;
    const opening = this.#token.at;
    if (optional || token.escaped === true || !this.#takes('(')) {
      return {kind: 'select', of, field: token.text, optional, at};
    }
    const args = this.#list(')', () => this.expression());
    const {text: name} = token;
    return memberMacro(name, of, args, opening) ?? {kind: 'call', name, target: of, args, at: opening};
  }

  #primary(): Expression {
    const token = this.#token;
    const {at} = token;
    if (token.kind === 'literal') {
      this.#next++;
      const {value} = token;
      return typeof value === 'bigint' || typeof value === 'number' ? number(value, at) : {kind: 'literal', value, at};
    }
    if (this.#takes('(')) {
      const inner = this.expression();
      this.#expect(')');
      return inner;
    }
    if (this.#takes('[')) return {kind: 'list', items: this.#list(']', () => this.#item()), at};
    if (this.#takes('{')) return {kind: 'map', entries: this.#list('}', () => this.#entry()), at};
    this.#takes('.');
    return this.#word();
  }

  #word(): Expression {
    const token = this.#token;
    if (token.kind !== 'word' || token.escaped === true || token.text === 'in') throw this.#unexpected();
    const {text: name, at} = token;
    this.#next++;
    const value = Object.hasOwn(words, name) ? words[name] : undefined;
    if (value !== undefined) return {kind: 'literal', value, at};
    const opening = this.#token.at;
    if (!this.#takes('(')) {
      if (reserved.has(name)) throw new SyntaxProblem(at, `reserved identifier: ${name}`);
      return {kind: 'name', name, at};
    }
    const args = this.#list(')', () => this.expression());
    if (name !== 'has' || args.length !== 1) return {kind: 'call', name, target: undefined, args, at: opening};
    const [asked] = args;
    if (asked?.kind !== 'select') throw new SyntaxProblem(at, 'invalid argument to has() macro');
    return {kind: 'has', of: asked.of, field: asked.field, at: opening};
  }

  #item(): Item {
    const optional = this.#takes('?');
    return {value: this.expression(), optional};
  }

  #entry(): Entry {
    const optional = this.#takes('?');
    const key = this.expression();
    this.#expect(':');
    return {key, value: this.expression(), optional};
  }

  /** Up to the closing sign; lists and maps may end in a comma. */
  #list<T>(closing: string, read: () => T): readonly T[] {
    const found: T[] = [];
    while (!this.#takes(closing)) {
      if (found.length > 0) {
        this.#expect(',');
        if (closing !== ')' && this.#takes(closing)) break;
      }
      found.push(read());
    }
    return found;
  }

  get #token(): Token {
    return this.#tokens[this.#next] as Token;
  }

  #takes(sign: string): boolean {
    const token = this.#token;
    if (token.kind !== 'sign' || token.text !== sign) return false;
    this.#next++;
    return true;
  }

  #expect(sign: string): void {
    if (!this.#takes(sign)) throw this.#unexpected();
  }

  #unexpected(): SyntaxProblem {
    const token = this.#token;
    const seen = token.kind === 'end' ? '<EOF>' : token.kind === 'literal' ? String(token.value) : token.text;
    return new SyntaxProblem(token.at, `Syntax error: mismatched input '${seen}'`);
  }
}

function number(value: bigint | number, at: number): Literal {
  if (typeof value === 'bigint' && (value < intMin || value > intMax)) {
    throw new SyntaxProblem(at, 'invalid int literal');
  }
  return {kind: 'literal', value, at};
}

/** By name and number of arguments: how many of them are names, whether one filters. Other calls are no macros. */
const macros: {readonly [signature: string]: readonly [Macro, names: number, filters: boolean] | undefined} = {
  'all/2': ['all', 1, false],
  'exists/2': ['exists', 1, false],
  'exists_one/2': ['existsOne', 1, false],
  'existsOne/2': ['existsOne', 1, false],
  'filter/2': ['filter', 1, false],
  'map/2': ['map', 1, false],
  'map/3': ['map', 1, true],
  'all/3': ['all', 2, false],
  'exists/3': ['exists', 2, false],
  'exists_one/3': ['existsOne', 2, false],
  'existsOne/3': ['existsOne', 2, false],
  'transformList/3': ['transformList', 2, false],
  'transformList/4': ['transformList', 2, true],
  'transformMap/3': ['transformMap', 2, false],
  'transformMap/4': ['transformMap', 2, true],
  'transformMapEntry/3': ['transformMapEntry', 2, false],
  'transformMapEntry/4': ['transformMapEntry', 2, true],
  'optMap/2': ['optMap', 1, false],
  'optFlatMap/2': ['optFlatMap', 1, false],
  'sortBy/2': ['sortBy', 1, false],
};

function memberMacro(name: string, over: Expression, args: readonly Expression[], at: number): Expression | undefined {
  const signature = `${name}/${args.length}`;
  const macro = Object.hasOwn(macros, signature) ? macros[signature] : undefined;
  if (macro === undefined) return undefined;
  const [kind, nameCount, filters] = macro;
  const names = args.slice(0, nameCount).map((arg) => {
    if (arg.kind !== 'name') throw new SyntaxProblem(arg.at, 'argument must be a simple name');
    return arg.name;
  });
  const [filter, body] = filters ? args.slice(nameCount) : [undefined, args[nameCount]];
  return {kind: 'loop', macro: kind, over, names, filter, body: body as Expression, at};
}
