// The Common Expression Language as a tree. Macros (has, all, exists, ...) have nodes of their own instead of being
// written out as folds, which comes to the same.
//
// google/cel-go v0.26.0 parser/gen/CEL.g4. Not modelled: messages of protocol buffers, which rules of custom resources
// have none of.

export interface Literal {
  readonly kind: 'literal';
  readonly value: null | boolean | bigint | number | string | LiteralObject;
  readonly at: number;
}

/** An unsigned number and bytes, which JavaScript has no other value for. */
export type LiteralObject =
  | {readonly kind: 'uint'; readonly value: bigint}
  | {readonly kind: 'bytes'; readonly value: readonly number[]};

export type Expression =
  | Literal
  | {readonly kind: 'name'; readonly name: string; readonly at: number}
  | {
      readonly kind: 'select';
      readonly of: Expression;
      readonly field: string;
      /** `a.?b` */
      readonly optional: boolean;
      readonly at: number;
    }
  | {readonly kind: 'has'; readonly of: Expression; readonly field: string; readonly at: number}
  | {
      readonly kind: 'index';
      readonly of: Expression;
      readonly index: Expression;
      readonly optional: boolean;
      readonly at: number;
    }
  | {
      readonly kind: 'call';
      readonly name: string;
      readonly target: Expression | undefined;
      readonly args: readonly Expression[];
      readonly at: number;
    }
  | {readonly kind: 'operation'; readonly operator: Operator; readonly args: readonly Expression[]; readonly at: number}
  | {readonly kind: 'list'; readonly items: readonly Item[]; readonly at: number}
  | {readonly kind: 'map'; readonly entries: readonly Entry[]; readonly at: number}
  | Loop;

export type Operator =
  | '?:'
  | '||'
  | '&&'
  | '!'
  | '-_'
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | 'in'
  | '+'
  | '-'
  | '*'
  | '/'
  | '%';

export interface Item {
  readonly value: Expression;
  /** `[?a]`: left out where a is an optional of nothing. */
  readonly optional: boolean;
}

export interface Entry extends Item {
  readonly key: Expression;
}

export type Macro =
  | 'all'
  | 'exists'
  | 'existsOne'
  | 'filter'
  | 'map'
  | 'transformList'
  | 'transformMap'
  | 'transformMapEntry'
  | 'optMap'
  | 'optFlatMap'
  | 'sortBy';

/** A macro over the items of a list, the keys of a map, or what an optional has. */
export interface Loop {
  readonly kind: 'loop';
  readonly macro: Macro;
  readonly over: Expression;
  /** One name: items, or keys of a map. Two: index and item, or key and value. */
  readonly names: readonly string[];
  readonly filter: Expression | undefined;
  readonly body: Expression;
  readonly at: number;
}

/** The expressions right inside this one, as they are written. */
export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'literal':
    case 'name':
      return [];
    case 'select':
    case 'has':
      return [expression.of];
    case 'index':
      return [expression.of, expression.index];
    case 'call':
      return expression.target === undefined ? expression.args : [expression.target, ...expression.args];
    case 'operation':
      return expression.args;
    case 'list':
      return expression.items.map(({value}) => value);
    case 'map':
      return expression.entries.flatMap(({key, value}) => [key, value]);
    default:
      return [expression.over, expression.filter, expression.body].filter((part) => part !== undefined);
  }
}

/** Where a text is no expression, and why. */
export class SyntaxProblem extends Error {
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}
