// Patterns and rules in CEL that a definition brings: a pattern that Go cannot read, a rule that is no expression or speaks
// of fields that the schema does not know, is refused with the definition.
//
// kubernetes/apiextensions-apiserver v0.34.4 pkg/apis/apiextensions/validation/{validation,cel_validation}.go. Not
// modelled: rules that cost too much or whose types do not fit; rules in parts of an allOf.

import {compile} from '../cel/program.ts';
import {isVisible, withTypeAndMeta} from '../cel/schema-values.ts';
import {goRegex} from '../go-regex.ts';
import {equal, isObject, type Json, type JsonObject} from '../json.ts';
import {remembering} from '../memo.ts';
import {type SchemaRule, type Structural, structuralOf} from '../schema/structural.ts';
import {type FieldError, invalidValue, printedInvalid, required} from './errors.ts';
import {fieldAt} from './field-path.ts';
import {ruleErrorsOf} from './rules.ts';
import {defaultErrors, shapeOf} from './schema-shape.ts';

export function schemaRuleErrors(versions: readonly JsonObject[]): readonly FieldError[] {
  const schemas = versions.map(schemaOf);
  const [first] = schemas;
  // If all versions share one schema, upstream reports its errors once, at the field of the time when there was only one.
  if (first !== undefined && schemas.every((schema) => schema !== undefined && equal(schema, first))) {
    return errorsOf(first, 'spec.validation.openAPIV3Schema');
  }
  return schemas.flatMap((schema, index) =>
    schema === undefined ? [] : errorsOf(schema, `spec.versions[${index}].schema.openAPIV3Schema`),
  );
}

function schemaOf({schema}: JsonObject): JsonObject | undefined {
  const open: Json | undefined = isObject(schema) ? schema['openAPIV3Schema'] : undefined;
  return isObject(open) ? open : undefined;
}

function errorsOf(schema: JsonObject, path: string): readonly FieldError[] {
  const {structure, defaults, keywords, hasStructure} = shapeOf(schema);
  const at = (error: FieldError): FieldError => ({...error, field: `${path}${error.field}`});
  const first = hasStructure ? [...patternErrors(schema, path), ...structure.map(at)].sort(bySentence) : [];
  // Defaults are looked at only where the structure is in order, and rules where the whole schema is.
  const errors = [...first, ...(hasStructure && first.length === 0 ? defaults.map(at) : []), ...keywords.map(at)];
  if (errors.length > 0) return errors;
  const structural = structuralOf(schema);
  if (!structural.hasRules) return [];
  const rules = ruleErrorsBelow(structural, path, true);
  return rules.length > 0
    ? rules
    : defaultErrors(structural, path, (value, one, field) => ruleErrorsOf(one, value, field));
}

function bySentence(left: FieldError, right: FieldError): number {
  return `${left.field}: ${left.message}` < `${right.field}: ${right.message}` ? -1 : 1;
}

function ruleErrorsBelow(structural: Structural, path: string, root: boolean): readonly FieldError[] {
  if (!structural.hasRules || !isVisible(structural)) return [];
  const {rules, properties, items, additionalProperties} = structural;
  const self = root || structural.embeddedResource ? withTypeAndMeta(structural) : structural;
  return [
    ...rules.flatMap((rule, index) => errorsOfRule(rule, self, `${path}.x-kubernetes-validations[${index}]`)),
    ...[...properties].flatMap(([key, child]) => ruleErrorsBelow(child, `${path}.properties[${key}]`, false)),
    ...(items === undefined ? [] : ruleErrorsBelow(items, `${path}.items`, false)),
    ...(typeof additionalProperties === 'object'
      ? ruleErrorsBelow(additionalProperties, `${path}.additionalProperties`, false)
      : []),
  ];
}

function errorsOfRule(rule: SchemaRule, self: Structural, path: string): readonly FieldError[] {
  const {optionalOldSelf, messageExpression, fieldPath} = rule;
  if (rule.message === '' && rule.rule.trim().includes('\n')) {
    return [required(`${path}.message`, 'message must be specified if rule contains line breaks')];
  }
  if (fieldPath !== '' && fieldAt(fieldPath, self) === undefined) {
    return [invalidValue(`${path}.fieldPath`, fieldPath, 'must be a valid path')];
  }
  const program = compile(rule.rule, self, {type: 'bool', optionalOldSelf});
  if (program.kind === 'none') return [printedInvalid(`${path}.rule`, printed(rule), program.problem)];
  if (messageExpression === '') return [];
  const message = compile(messageExpression, self, {type: 'string', optionalOldSelf});
  if (message.kind === 'program') return [];
  const problem = message.problem.replace(
    /^(?:program )?(compilation|instantiation) failed/,
    'messageExpression $1 failed',
  );
  return [printedInvalid(`${path}.messageExpression`, printed(rule), problem)];
}

/** The rule as Go prints it in an error. */
function printed({rule, message, messageExpression, reason, fieldPath, optionalOldSelf}: SchemaRule): string {
  const text = JSON.stringify({
    Rule: rule,
    Message: message,
    MessageExpression: messageExpression,
    Reason: reason ?? null,
    FieldPath: fieldPath,
    OptionalOldSelf: optionalOldSelf ? true : null,
  });
  return text.replaceAll(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
}

// Patterns that a definition brings: one that Go cannot read is refused with the definition.
//
// kubernetes/apiextensions-apiserver v0.34.4 pkg/apiserver/schema/validation.go (validateValueValidation).

/** Where in its schema, as errors name it, and why Go cannot read it. */
interface WrongPattern {
  readonly path: string;
  readonly pattern: string;
  readonly problem: string;
}

function patternErrors(schema: JsonObject, path: string): readonly FieldError[] {
  return wrongPatterns(schema).map((one) => {
    const detail = `must be a valid regular expression, but isn't: ${one.problem}`;
    return invalidValue(`${path}${one.path}.pattern`, one.pattern, detail);
  });
}

const wrongPatterns = remembering((schema: JsonObject) => wrongBelow(structuralOf(schema), ''));

function wrongBelow(structural: Structural, path: string): readonly WrongPattern[] {
  const {properties, items, additionalProperties, checks} = structural;
  const listed = (name: string, parts: readonly Structural[]) =>
    parts.flatMap((part, index) => wrongBelow(part, `${path}.${name}[${index}]`));
  return [
    ...wrongHere(checks.pattern, path),
    ...[...properties].flatMap(([key, child]) => wrongBelow(child, `${path}.properties[${key}]`)),
    ...(items === undefined ? [] : wrongBelow(items, `${path}.items`)),
    ...(typeof additionalProperties === 'object'
      ? wrongBelow(additionalProperties, `${path}.additionalProperties`)
      : []),
    ...listed('allOf', checks.allOf),
    ...listed('anyOf', checks.anyOf),
    ...listed('oneOf', checks.oneOf),
    ...(checks.not === undefined ? [] : wrongBelow(checks.not, `${path}.not`)),
  ];
}

function wrongHere(pattern: string | undefined, path: string): readonly WrongPattern[] {
  if (pattern === undefined) return [];
  const regex = goRegex(pattern);
  return regex.kind === 'none' ? [{path, pattern, problem: regex.problem}] : [];
}
