// The rules in CEL (x-kubernetes-validations) of a schema, evaluated for every value they belong to. A rule with oldSelf runs only
// if there is an old value. An update that leaves a value alone is forgiven every violation but those of rules with oldSelf.
//
// kubernetes/apiextensions-apiserver v0.34.4 pkg/apiserver/schema/cel/validation.go, pkg/registry/customresource/strategy.go (rules
// wait for the errors of the schema to go). Not modelled: what rules cost, and that too much of it is refused.

import {compile, type NoProgram, type Program} from '../cel/program.ts';
import {celValue, isVisible, plainValue, withTypeAndMeta} from '../cel/schema-values.ts';
import {attempt, EvaluationProblem, none, optionalOf, type Value} from '../cel/values.ts';
import {isList, isObject, type Json, type JsonObject} from '../json.ts';
import {memo} from '../memo.ts';
import type {KubeObject} from '../object.ts';
import type {SchemaRule, Structural} from '../schema/structural.ts';
import {type Correlation, child, formerItem, isUnchanged} from './correlation.ts';
import {duplicate, type FieldError, forbiddenField, invalidValue, required} from './errors.ts';
import {fieldAt} from './field-path.ts';

/** Violations of the rules. If the shape of the object is too wrong to evaluate them, one sentence. */
export function ruleErrors(
  structural: Structural | undefined,
  next: KubeObject,
  old: KubeObject | undefined,
  shapeErrors: readonly FieldError[],
): readonly FieldError[] {
  if (structural === undefined || !structural.hasRules) return nothing;
  if (shapeErrors.some(({type}) => blocking.has(type))) return [unchecked];
  const whole: Correlation | undefined = old === undefined ? undefined : {now: next, before: old, structural};
  return errorsAt({path: '', schema: structural, node: structural, root: true, now: next, before: old, same: [whole]});
}

/** Of a value by itself that has the shape of its schema. */
export function ruleErrorsOf(schema: Structural, now: Json, path: string): readonly FieldError[] {
  if (!schema.hasRules) return nothing;
  return errorsAt({path, schema, node: schema, root: false, now, before: undefined, same: [undefined]});
}

const nothing: readonly FieldError[] = [];

const unchecked: FieldError = {
  type: 'FieldValueInvalid',
  field: '<nil>',
  message:
    'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
};

const blocking: ReadonlySet<FieldError['type']> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

interface Place {
  readonly path: string;
  /** Where the rules are written: the schema of the value, or a part of its allOf. */
  readonly schema: Structural;
  /** The schema of the value. */
  readonly node: Structural;
  /** A whole object, of which rules see the kind and the names. */
  readonly root: boolean;
  readonly now: Json;
  readonly before: Json | undefined;
  /** This value and its former self, then the nearest value around it that has one; undefined where there is none. */
  readonly same: readonly [Correlation | undefined, (Correlation | undefined)?];
}

function errorsAt(place: Place): readonly FieldError[] {
  const {schema, now, same} = place;
  if (now === null || !schema.hasRules) return nothing;
  const errors = schema.rules.length === 0 ? [] : askedOnce(place);
  for (const part of schema.checks.allOf) {
    errors.push(...errorsAt({...place, schema: part, same: [undefined, same[1]]}));
  }
  if (isList(now)) errors.push(...itemErrors(place, now));
  else if (isObject(now)) errors.push(...fieldErrors(place, now));
  return errors;
}

/** The schema whose rules held of the value. Values never change, so they hold of it for good, but for those about changes. */
const held = memo<object, Structural>();

function askedOnce(place: Place): FieldError[] {
  const {schema, now} = place;
  if (typeof now !== 'object' || now === null) return [...ownErrors(place)];
  if (held.get(now) === schema) return [];
  const errors = [...ownErrors(place)];
  // A violation that was forgiven is no success, so it is not remembered as one.
  if (errors.length === 0 && !schema.rules.some(isAboutChanges) && !isLeftAlone(place)) held.set(now, schema);
  return errors;
}

/** Of a rule that was asked. */
function isAboutChanges(rule: SchemaRule): boolean {
  const program = compiled.get(rule)?.program;
  return program?.kind === 'program' && program.usesOldSelf;
}

function itemErrors({path, schema, node, before, same}: Place, now: readonly Json[]): readonly FieldError[] {
  if (schema.items === undefined || node.items === undefined || !schema.items.hasRules) return nothing;
  const [items, nodeItems] = [schema.items, node.items];
  const formerOf = formerItem(node, isList(before) ? before : undefined);
  return now.flatMap((item, index) =>
    errorsAt({
      path: `${path}[${index}]`,
      schema: items,
      node: nodeItems,
      root: nodeItems.embeddedResource,
      now: item,
      before: formerOf(item),
      same: within(same, index),
    }),
  );
}

function fieldErrors({path, schema, node, before, same, root}: Place, now: JsonObject): readonly FieldError[] {
  const was = isObject(before) ? before : undefined;
  return Object.keys(now).flatMap((key) => {
    const own = schema.properties.get(key);
    const more = schema.additionalProperties;
    const below = own ?? (typeof more === 'object' ? more : undefined);
    if (below === undefined || !below.hasRules) return nothing;
    const nodeMore = typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined;
    const nodeBelow = own === undefined ? nodeMore : node.properties.get(key);
    if (nodeBelow === undefined || !isVisible(nodeBelow)) return nothing;
    // A kind that changed its version is not compared: both are read in one.
    const isType = root && path === '' && (key === 'apiVersion' || key === 'kind');
    return errorsAt({
      path: own === undefined ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`,
      schema: below,
      node: nodeBelow,
      root: nodeBelow.embeddedResource,
      now: now[key] as Json,
      before: was !== undefined && Object.hasOwn(was, key) ? was[key] : undefined,
      same: isType ? [undefined] : within(same, key),
    });
  });
}

function within([current, around]: Place['same'], step: string | number): Place['same'] {
  return current === undefined ? [undefined, around] : [child(current, step), current];
}

/** True if the update changed neither the value nor, without an old value, the nearest value around it that has one. */
function isLeftAlone({same: [current, around]}: Pick<Place, 'same'>): boolean {
  return isUnchanged(current ?? around);
}

interface Compiled {
  readonly rule: SchemaRule;
  readonly program: Program | NoProgram;
  readonly message: Program | undefined;
  /** The path that the error names, below the value. */
  readonly below: string | undefined;
}

const compiled = memo<SchemaRule, Compiled>();

function compiledRule(rule: SchemaRule, structural: Structural): Compiled {
  const known = compiled.get(rule);
  if (known !== undefined) return known;
  const {optionalOldSelf, messageExpression, fieldPath} = rule;
  const program = compile(rule.rule, structural, {type: 'bool', optionalOldSelf});
  const message =
    messageExpression === '' ? undefined : compile(messageExpression, structural, {type: 'string', optionalOldSelf});
  const made: Compiled = {
    rule,
    program,
    message: message?.kind === 'program' ? message : undefined,
    below: fieldPath === '' ? undefined : fieldAt(fieldPath, structural),
  };
  compiled.set(rule, made);
  return made;
}

function* ownErrors({path, schema, node, root, now, before, same}: Place): Generator<FieldError> {
  const structural = root ? withTypeAndMeta(node) : node;
  const field = path === '' ? '<nil>' : path;
  const isSame = isLeftAlone({same});
  const former = before === null ? undefined : before;
  for (const rule of schema.rules) {
    if (rule.rule.trim() === '') continue;
    const {program, message, below} = compiledRule(rule, structural);
    if (program.kind === 'none') {
      yield invalidValue(field, node.type, `rule compile error: ${program.problem}`);
      continue;
    }
    if (program.usesOldSelf && former === undefined && !rule.optionalOldSelf) continue;
    const ask = (asked: Program) =>
      attempt(() => asked.run(celValue(now, structural), oldSelfOf(rule, asked, former, structural)));
    const verdict = ask(program);
    if (verdict === true) continue;
    if (verdict instanceof EvaluationProblem) {
      yield invalidValue(field, node.type, problemText(verdict.message, rule));
      continue;
    }
    // A violation in a value that the update left alone is forgiven, except by a rule with oldSelf.
    if (!program.usesOldSelf && isSame) continue;
    const said = message === undefined ? undefined : messageFrom(ask(message));
    const place = below === undefined ? field : path === '' ? below : `${path}.${below}`;
    yield errorFor(rule, place, node.type, said ?? messageOf(rule));
  }
}

/** The value of oldSelf in a rule; undefined if the rule does not use it. */
function oldSelfOf(
  {optionalOldSelf}: SchemaRule,
  {usesOldSelf}: Program,
  former: Json | undefined,
  structural: Structural,
): Value | undefined {
  if (!usesOldSelf) return undefined;
  if (!optionalOldSelf) return former === undefined ? undefined : celValue(former, structural);
  return former === undefined ? none : optionalOf(plainValue(former));
}

function problemText(problem: string, rule: SchemaRule): string {
  if (!problem.startsWith('no such overload')) return `${problem} evaluating rule: ${shortText(rule)}`;
  return `'${problem}': call arguments did not match a supported operator, function or macro signature for rule: ${shortText(rule)}`;
}

function shortText({message, rule}: SchemaRule): string {
  return (message === '' ? rule : message).trim();
}

function messageOf(rule: SchemaRule): string {
  return rule.message === '' ? `failed rule: ${shortText(rule)}` : rule.message.trim();
}

const messageMax = 5 * 1024;

/** The result of a messageExpression, if it is one line of text. */
function messageFrom(value: Value | EvaluationProblem): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' || text.includes('\n') || text.length > messageMax ? undefined : text;
}

function errorFor({reason}: SchemaRule, field: string, type: string, detail: string): FieldError {
  switch (reason) {
    case 'FieldValueForbidden':
      return forbiddenField(field, detail);
    case 'FieldValueRequired':
      return required(field, detail);
    case 'FieldValueDuplicate':
      return duplicate(field, type);
    default:
      return invalidValue(field, type, detail);
  }
}
