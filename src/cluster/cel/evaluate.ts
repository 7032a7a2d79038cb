// Evaluates an expression. It throws an EvaluationProblem if there is no result; only && and || (and so all and exists) can do
// without one side.
//
// google/cel-go v0.26.0 interpreter/{interpretable,attributes}.go, cel/library.go, ext/{comprehensions,lists}.go. Not modelled:
// costs and their limits.

import {functions, methods} from './functions.ts';
import {operate} from './operators.ts';
import type {Expression, Item, Loop} from './syntax.ts';
import {
  attempt,
  compare,
  EvaluationProblem,
  isEqual,
  isKind,
  itemsOf,
  type ListValue,
  listOf,
  type MapValue,
  mapOf,
  none,
  noSuchOverload,
  optionalOf,
  type Value,
} from './values.ts';

export interface Scope {
  readonly name: string;
  readonly value: Value;
  readonly outer: Scope | undefined;
}

const types: ReadonlyMap<string, string> = new Map([
  ...['bool', 'bytes', 'double', 'int', 'list', 'map', 'null_type', 'string', 'type', 'uint', 'optional_type'].map(
    (name) => [name, name] as const,
  ),
  ['google.protobuf.Duration', 'google.protobuf.Duration'],
  ['google.protobuf.Timestamp', 'google.protobuf.Timestamp'],
  ['net.IP', 'net.IP'],
  ['net.CIDR', 'net.CIDR'],
]);

export function isTypeName(name: string): boolean {
  return types.has(name);
}

export function evaluate(expression: Expression, scope: Scope | undefined): Value {
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'name':
      return named(expression.name, scope);
    case 'select': {
      const path = dotted(expression);
      if (path !== undefined && types.has(path) && !isBound(path, scope)) return {kind: 'type', name: path};
      return selected(evaluate(expression.of, scope), expression.field, expression.optional);
    }
    case 'has':
      return has(evaluate(expression.of, scope), expression.field);
    case 'index':
      return indexed(evaluate(expression.of, scope), evaluate(expression.index, scope), expression.optional);
    case 'call':
      return called(expression, scope);
    case 'operation':
      return operated(expression, scope);
    case 'list':
      return listOf(expression.items.flatMap((item) => present(item, scope)));
    case 'map':
      return made(expression, scope);
    case 'loop':
      return looped(expression, scope);
    default:
      return unreachable(expression);
  }
}

function unreachable(expression: never): never {
  throw new Error(`no such expression: ${JSON.stringify(expression)}`);
}

function named(name: string, scope: Scope | undefined): Value {
  for (let one = scope; one !== undefined; one = one.outer) if (one.name === name) return one.value;
  const type = types.get(name);
  if (type === undefined) throw new EvaluationProblem(`no such attribute(s): ${name}`);
  return {kind: 'type', name: type};
}

function isBound(path: string, scope: Scope | undefined): boolean {
  const [first] = path.split('.');
  for (let one = scope; one !== undefined; one = one.outer) if (one.name === first) return true;
  return false;
}

/** `a.b.c` where the expression is nothing but names. */
export function dotted(expression: Expression): string | undefined {
  if (expression.kind === 'name') return expression.name;
  if (expression.kind !== 'select' || expression.optional) return undefined;
  const of = dotted(expression.of);
  return of === undefined ? undefined : `${of}.${expression.field}`;
}

/** The value at a key or index; undefined if there is none. Throws if the value has no keys or indexes. */
function lookUp(of: Value, key: Value): Value | undefined {
  if (isKind(of, 'map')) return of.find(key);
  if (!isKind(of, 'list')) throw missingKey(key);
  const index = typeof key === 'bigint' ? Number(key) : isKind(key, 'uint') ? Number(key.value) : key;
  if (typeof index !== 'number' || !Number.isInteger(index)) {
    throw new EvaluationProblem(`unsupported index value ${printed(key)} in list`);
  }
  return index >= 0 && index < of.size ? of.at(index) : undefined;
}

function missingKey(key: Value): EvaluationProblem {
  return new EvaluationProblem(`no such key: ${printed(key)}`);
}

function printed(key: Value): string {
  return isKind(key, 'uint') ? String(key.value) : typeof key === 'object' ? 'null' : String(key);
}

function indexed(of: Value, key: Value, optional: boolean): Value {
  // A lookup in an optional looks in its value and returns an optional.
  if (isKind(of, 'optional')) {
    const found = of.value === undefined ? undefined : lookUp(of.value, key);
    return found === undefined ? none : optionalOf(found);
  }
  if (optional && !isKind(of, 'map') && !isKind(of, 'list')) throw noSuchOverload();
  const found = lookUp(of, key);
  if (optional) return found === undefined ? none : optionalOf(found);
  if (found !== undefined) return found;
  throw isKind(of, 'list') ? new EvaluationProblem(`index out of bounds: ${printed(key)}`) : missingKey(key);
}

function selected(of: Value, field: string, optional: boolean): Value {
  return indexed(of, field, optional);
}

function has(of: Value, field: string): boolean {
  const within = isKind(of, 'optional') ? of.value : of;
  if (within === undefined) return false;
  if (!isKind(within, 'map')) throw missingKey(field);
  return within.find(field) !== undefined;
}

function called(expression: Extract<Expression, {kind: 'call'}>, scope: Scope | undefined): Value {
  const {name, target, args} = expression;
  const evaluated = () => args.map((arg) => evaluate(arg, scope));
  if (target === undefined) return (functions.get(name) ?? unknownFunction)(evaluated());
  const path = dotted(target);
  const qualified = path === undefined || isBound(path, scope) ? undefined : functions.get(`${path}.${name}`);
  if (qualified !== undefined) return qualified(evaluated());
  if (name === 'or' || name === 'orValue') return otherwise(name, evaluate(target, scope), args[0], scope);
  return (methods.get(name) ?? unknownFunction)([evaluate(target, scope), ...evaluated()]);
}

function unknownFunction(): never {
  throw noSuchOverload();
}

/** `a.or(b)` and `a.orValue(b)` look at b only where a has nothing. */
function otherwise(name: string, of: Value, other: Expression | undefined, scope: Scope | undefined): Value {
  if (!isKind(of, 'optional') || other === undefined) throw noSuchOverload();
  if (of.value === undefined) return evaluate(other, scope);
  return name === 'or' ? of : of.value;
}

function operated({operator, args}: Extract<Expression, {kind: 'operation'}>, scope: Scope | undefined): Value {
  const [first, second, third] = args as readonly [Expression, Expression, Expression];
  switch (operator) {
    case '&&':
      return either(
        () => evaluate(first, scope),
        () => evaluate(second, scope),
        false,
      );
    case '||':
      return either(
        () => evaluate(first, scope),
        () => evaluate(second, scope),
        true,
      );
    case '?:': {
      const condition = evaluate(first, scope);
      if (typeof condition !== 'boolean') throw noSuchOverload();
      return evaluate(condition ? second : third, scope);
    }
    default:
      return operate(
        operator,
        args.map((arg) => evaluate(arg, scope)),
      );
  }
}

/** `decisive` on one side answers, whatever the other side has: a problem, too. */
function either(left: () => Value, right: () => Value, decisive: boolean): boolean {
  const one = attempt(left);
  if (one === decisive) return decisive;
  const other = attempt(right);
  if (other === decisive) return decisive;
  if (one instanceof EvaluationProblem) throw one;
  if (other instanceof EvaluationProblem) throw other;
  if (typeof one !== 'boolean' || typeof other !== 'boolean') throw noSuchOverload();
  return !decisive;
}

function present({value, optional}: Item, scope: Scope | undefined): readonly Value[] {
  const found = evaluate(value, scope);
  if (!optional) return [found];
  if (!isKind(found, 'optional')) {
    throw new EvaluationProblem('cannot initialize optional list element from non-optional value');
  }
  return found.value === undefined ? [] : [found.value];
}

function made({entries}: Extract<Expression, {kind: 'map'}>, scope: Scope | undefined): MapValue {
  const found: (readonly [Value, Value])[] = [];
  for (const entry of entries) {
    const key = evaluate(entry.key, scope);
    const [value] = present(entry, scope);
    if (value === undefined) continue;
    if (found.some(([one]) => isEqual(one, key)))
      throw new EvaluationProblem(`insert failed: key ${printed(key)} already exists`);
    found.push([key, value]);
  }
  return mapOf(found);
}

function looped(loop: Loop, scope: Scope | undefined): Value {
  const over = evaluate(loop.over, scope);
  const {macro, body} = loop;
  if (macro === 'optMap' || macro === 'optFlatMap') {
    if (!isKind(over, 'optional')) throw noSuchOverload();
    if (over.value === undefined) return none;
    const value = evaluate(body, bound(loop, [over.value], scope));
    return macro === 'optMap' ? optionalOf(value) : value;
  }
  const rounds = roundsOver(over, loop.names.length).map((values) => bound(loop, values, scope));
  switch (macro) {
    case 'all':
      return folded(rounds, body, false);
    case 'exists':
      return folded(rounds, body, true);
    case 'existsOne':
      return rounds.filter((round) => isTrue(body, round)).length === 1;
    case 'filter':
      return listOf(rounds.filter((round) => isTrue(body, round)).map((round) => round.value));
    case 'map':
    case 'transformList':
      return listOf(filtered(loop, rounds).map((round) => evaluate(body, round)));
    case 'transformMap':
      return mapOf(filtered(loop, rounds).map((round) => [(round.outer as Scope).value, evaluate(body, round)]));
    case 'transformMapEntry':
      return merged(filtered(loop, rounds).map((round) => evaluate(body, round)));
    case 'sortBy':
      return sortedBy(
        over,
        rounds.map((round) => evaluate(body, round)),
      );
    default:
      return macro;
  }
}

function bound({names}: Loop, values: readonly Value[], scope: Scope | undefined): Scope {
  return names.reduce<Scope | undefined>(
    (outer, name, index) => ({name, value: values[index] as Value, outer}),
    scope,
  ) as Scope;
}

/** The values of a loop's names in each round: an item or a key, or both an index or key and its value. */
function roundsOver(over: Value, names: number): readonly (readonly Value[])[] {
  if (isKind(over, 'list')) {
    return itemsOf(over).map((item, index) => (names === 1 ? [item] : [BigInt(index), item]));
  }
  if (!isKind(over, 'map')) throw noSuchOverload();
  return over.keys().map((key) => (names === 1 ? [key] : [key, over.find(key) as Value]));
}

/** `all` and `exists`: a round that is decisive answers, even after one that has a problem. */
function folded(rounds: readonly Scope[], body: Expression, decisive: boolean): boolean {
  let result: Value | EvaluationProblem = !decisive;
  for (const round of rounds) {
    const before: Value | EvaluationProblem = result;
    result = attempt(() =>
      either(
        () => {
          if (before instanceof EvaluationProblem) throw before;
          return before;
        },
        () => evaluate(body, round),
        decisive,
      ),
    );
    if (result === decisive) return decisive;
  }
  if (result instanceof EvaluationProblem) throw result;
  return !decisive;
}

function isTrue(expression: Expression, scope: Scope): boolean {
  const value = evaluate(expression, scope);
  if (typeof value !== 'boolean') throw noSuchOverload();
  return value;
}

function filtered({filter}: Loop, rounds: readonly Scope[]): readonly Scope[] {
  return filter === undefined ? rounds : rounds.filter((round) => isTrue(filter, round));
}

function merged(maps: readonly Value[]): MapValue {
  const entries: (readonly [Value, Value])[] = [];
  for (const map of maps) {
    if (!isKind(map, 'map')) throw noSuchOverload();
    for (const key of map.keys()) {
      if (entries.some(([one]) => isEqual(one, key)))
        throw new EvaluationProblem(`insert failed: key ${printed(key)} already exists`);
      entries.push([key, map.find(key) as Value]);
    }
  }
  return mapOf(entries);
}

function sortedBy(over: Value, keys: readonly Value[]): ListValue {
  const items = itemsOf(over as ListValue);
  const order = keys.map((_, index) => index).sort((left, right) => compare(keys[left] as Value, keys[right] as Value));
  return listOf(order.map((index) => items[index] as Value));
}
