// Errors of an expression before it runs: fields that its schema does not have, unknown names and functions.
//
// google/cel-go v0.26.0 checker/{checker,errors}.go. Not modelled: which overload of a function takes which types, but for equality
// (a call that fits none is an error when it runs, not before); errors after the first; and the estimate of a rule's cost.

import type {Structural} from '../schema/structural.ts';
import {dotted, isTypeName} from './evaluate.ts';
import {functions, methods} from './functions.ts';
import {unescapedName} from './names.ts';
import {isVisible, withTypeAndMeta} from './schema-values.ts';
import {type Expression, type Loop, SyntaxProblem} from './syntax.ts';

/** As far as the schema determines it. */
type Type =
  | {readonly kind: 'schema'; readonly structural: Structural}
  | {readonly kind: 'list'; readonly item: Type}
  | {readonly kind: 'optional'; readonly of: Type}
  | {readonly kind: 'simple'; readonly name: string}
  | {readonly kind: 'any'};

const any: Type = {kind: 'any'};
const bool: Type = {kind: 'simple', name: 'bool'};

interface Bound {
  readonly name: string;
  readonly type: Type;
  readonly outer: Bound | undefined;
}

/** Which simple type the expression surely has, undefined where that is not known. Throws a SyntaxProblem. */
export function checkedType(
  expression: Expression,
  structural: Structural,
  optionalOldSelf: boolean,
): string | undefined {
  const self: Type = {kind: 'schema', structural};
  const old: Type = optionalOldSelf ? {kind: 'optional', of: self} : self;
  const scope: Bound = {name: 'self', type: self, outer: {name: 'oldSelf', type: old, outer: undefined}};
  const type = settled(typeOf(expression, scope));
  return type.kind === 'simple' ? type.name : type.kind === 'schema' ? type.structural.type : undefined;
}

/** A schema of a scalar as the simple type it is. */
function settled(type: Type): Type {
  if (type.kind !== 'schema') return type;
  const {structural} = type;
  if (structural.intOrString) return any;
  const name = scalars[structural.type];
  return name === undefined ? type : {kind: 'simple', name: name === 'string' ? textType(structural.format) : name};
}

const scalars: {readonly [type: string]: string} = {
  string: 'string',
  boolean: 'bool',
  integer: 'int',
  number: 'double',
};

function textType(format: string): string {
  if (format === 'duration') return 'google.protobuf.Duration';
  if (format === 'date' || format === 'date-time') return 'google.protobuf.Timestamp';
  return format === 'byte' ? 'bytes' : 'string';
}

function typeOf(expression: Expression, scope: Bound | undefined): Type {
  switch (expression.kind) {
    case 'literal':
      return {kind: 'simple', name: literalType(expression.value)};
    case 'name':
      return nameType(expression, scope);
    case 'select':
      return selectType(expression, scope);
    case 'has':
      fieldType(typeOf(expression.of, scope), expression.field, expression.at);
      return bool;
    case 'index': {
      const of = typeOf(expression.of, scope);
      typeOf(expression.index, scope);
      return expression.optional ? {kind: 'optional', of: itemType(of)} : itemType(of);
    }
    case 'call':
      return callType(expression, scope);
    case 'operation': {
      const {operator, args, at} = expression;
      const types = args.map((arg) => settled(typeOf(arg, scope)));
      if (operator === '==' || operator === '!=') comparable(operator, types, at);
      return operationType(operator, types);
    }
    case 'list':
      for (const {value} of expression.items) typeOf(value, scope);
      return {kind: 'list', item: any};
    case 'map':
      for (const {key, value} of expression.entries) {
        typeOf(key, scope);
        typeOf(value, scope);
      }
      return any;
    default:
      return loopType(expression, scope);
  }
}

function literalType(value: unknown): string {
  if (value === null) return 'null_type';
  const names: {readonly [type: string]: string} = {boolean: 'bool', bigint: 'int', number: 'double', string: 'string'};
  return names[typeof value] ?? (value as {readonly kind: string}).kind;
}

function nameType({name, at}: Extract<Expression, {kind: 'name'}>, scope: Bound | undefined): Type {
  for (let one = scope; one !== undefined; one = one.outer) if (one.name === name) return one.type;
  if (isTypeName(name)) return any;
  throw undeclared(name, at);
}

function undeclared(name: string, at: number): SyntaxProblem {
  return new SyntaxProblem(at, `undeclared reference to '${name}' (in container '')`);
}

function selectType(expression: Extract<Expression, {kind: 'select'}>, scope: Bound | undefined): Type {
  const path = dotted(expression);
  if (path !== undefined && isTypeName(path)) return any;
  const of = typeOf(expression.of, scope);
  const field = fieldType(of.kind === 'optional' ? of.of : of, expression.field, expression.at);
  return expression.optional || of.kind === 'optional' ? {kind: 'optional', of: field} : field;
}

function fieldType(of: Type, field: string, at: number): Type {
  const type = settled(of.kind === 'optional' ? of.of : of);
  if (type.kind === 'any') return any;
  if (type.kind !== 'schema' || type.structural.type !== 'object') {
    const name = type.kind === 'simple' ? type.name : 'list';
    throw new SyntaxProblem(at, `type '${name}' does not support field selection`);
  }
  const structural = type.structural.embeddedResource ? withTypeAndMeta(type.structural) : type.structural;
  const {properties, additionalProperties} = structural;
  if (typeof additionalProperties === 'object') return {kind: 'schema', structural: additionalProperties};
  const name = unescapedName(field);
  const property = name === undefined ? undefined : properties.get(name);
  if (property === undefined || !isVisible(property)) throw new SyntaxProblem(at, `undefined field '${field}'`);
  return {kind: 'schema', structural: property};
}

function itemType(of: Type): Type {
  if (of.kind === 'list') return of.item;
  if (of.kind !== 'schema') return any;
  const {items, additionalProperties} = of.structural;
  if (items !== undefined) return {kind: 'schema', structural: items};
  return typeof additionalProperties === 'object' ? {kind: 'schema', structural: additionalProperties} : any;
}

function callType(expression: Extract<Expression, {kind: 'call'}>, scope: Bound | undefined): Type {
  const {name, target, args, at} = expression;
  for (const arg of args) typeOf(arg, scope);
  if (target === undefined) {
    if (!functions.has(name)) throw undeclared(name, at);
    return resultType(name);
  }
  const path = dotted(target);
  if (path !== undefined && functions.has(`${path}.${name}`)) return any;
  const of = typeOf(target, scope);
  if (name === 'or' || name === 'orValue') return of.kind === 'optional' && name === 'orValue' ? any : of;
  if (!methods.has(name)) throw undeclared(name, at);
  if (name === 'value' && of.kind === 'optional') return of.of;
  return resultType(name);
}

const results: {readonly [name: string]: string} = {
  size: 'int',
  int: 'int',
  uint: 'uint',
  double: 'double',
  string: 'string',
  bool: 'bool',
  contains: 'bool',
  startsWith: 'bool',
  endsWith: 'bool',
  matches: 'bool',
  hasValue: 'bool',
  isIP: 'bool',
  isCIDR: 'bool',
  isURL: 'bool',
  isQuantity: 'bool',
  lowerAscii: 'string',
  upperAscii: 'string',
  trim: 'string',
  replace: 'string',
  substring: 'string',
  format: 'string',
  join: 'string',
  find: 'string',
};

function resultType(name: string): Type {
  const result = Object.hasOwn(results, name) ? results[name] : undefined;
  return result === undefined ? any : {kind: 'simple', name: result};
}

const scalarTypes: ReadonlySet<string> = new Set(['bool', 'double', 'int', 'string']);

/** Values of two types are equal to nothing but an oversight. */
function comparable(operator: string, types: readonly Type[], at: number): void {
  const names = types.map((type) => (type.kind === 'simple' && scalarTypes.has(type.name) ? type.name : undefined));
  if (names.includes(undefined) || names[0] === names[1]) return;
  throw new SyntaxProblem(at, `found no matching overload for '_${operator}_' applied to '(${names.join(', ')})'`);
}

function operationType(operator: string, [first = any, second = any, third = any]: readonly Type[]): Type {
  if (operator === '?:') {
    return second.kind === 'simple' && third.kind === 'simple' && second.name === third.name ? second : any;
  }
  if (operator === '+') {
    return first.kind === 'simple' && first.name !== 'google.protobuf.Duration' ? first : any;
  }
  return ['-', '*', '/', '%', '-_'].includes(operator) ? any : bool;
}

function loopType(loop: Loop, scope: Bound | undefined): Type {
  const over = typeOf(loop.over, scope);
  const types = namesTypes(loop, over);
  const inner = loop.names.reduce<Bound | undefined>(
    (outer, name, index) => ({name, type: types[index] ?? any, outer}),
    scope,
  );
  if (loop.filter !== undefined) typeOf(loop.filter, inner);
  const body = typeOf(loop.body, inner);
  switch (loop.macro) {
    case 'all':
    case 'exists':
    case 'existsOne':
      return bool;
    case 'filter':
      return {kind: 'list', item: types[0] ?? any};
    case 'map':
    case 'transformList':
      return {kind: 'list', item: body};
    case 'optMap':
      return {kind: 'optional', of: body};
    default:
      return any;
  }
}

function namesTypes({macro, names}: Loop, over: Type): readonly Type[] {
  if (macro === 'optMap' || macro === 'optFlatMap') return [over.kind === 'optional' ? over.of : any];
  // A field that the schema leaves open may be a list or a map.
  if (over.kind === 'any') return [any, any];
  const isMap = over.kind === 'schema' && over.structural.type === 'object';
  const key: Type = {kind: 'simple', name: 'string'};
  if (names.length === 1) return [isMap ? key : itemType(over)];
  return [isMap ? key : {kind: 'simple', name: 'int'}, itemType(over)];
}
