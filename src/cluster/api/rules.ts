import {equal, isList, isObject, type Json} from '../json.ts';
import type {KubeObject} from '../object.ts';
import {type FieldError, invalidValue} from './errors.ts';

// Validation rules that upstream writes in CEL, as functions of `self` and `oldSelf`. A rule is asked of every value at
// its field, as far as there is one; a rule about a change only where there was one before. A value that an update left
// as it was is not held to a rule.
//
// kubernetes/apiextensions-apiserver 1aa2717a5 pkg/apiserver/schema/cel/validation.go,
// pkg/registry/customresource/validator.go (rules wait for the errors of the schema to go).

export interface Rule {
  /** From the root; `[]` stands for every item of a list, as in `spec.pipeline[].credentials[]`. */
  readonly field: string;
  readonly message: string;
  readonly holds: (self: Json, oldSelf: Json | undefined) => boolean;
  /** The rule speaks of oldSelf, so it says nothing of a value that is new. */
  readonly ofChange?: true;
}

/** What breaks the rules; one sentence where the object's shape is too wrong to ask them. */
export function ruleErrors(
  rules: readonly Rule[],
  next: KubeObject,
  old: KubeObject | undefined,
  shapeErrors: readonly FieldError[],
): readonly FieldError[] {
  if (rules.length === 0) return none;
  if (shapeErrors.some(({type}) => blocking.has(type))) return [unchecked];
  return rules.flatMap((rule) => {
    const broken = valuesAt({field: '', self: next, oldSelf: old}, stepsOf(rule.field)).filter((value) =>
      isBroken(rule, value),
    );
    return broken.map(({field, self}) => invalidValue(field, typeName(self), rule.message));
  });
}

const none: readonly FieldError[] = [];

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

interface Value {
  readonly field: string;
  readonly self: Json;
  readonly oldSelf: Json | undefined;
}

function isBroken({holds, ofChange}: Rule, {self, oldSelf}: Value): boolean {
  if (oldSelf === undefined ? ofChange === true : equal(self, oldSelf)) return false;
  return !holds(self, oldSelf);
}

function stepsOf(field: string): readonly string[] {
  return field.split(/\.|(?=\[\])/);
}

function valuesAt(value: Value, [step, ...rest]: readonly string[]): readonly Value[] {
  if (step === undefined) return [value];
  const {field, self, oldSelf} = value;
  if (step === '[]') {
    if (!isList(self)) return [];
    const before = isList(oldSelf) ? oldSelf : [];
    return self.flatMap((item, index) => {
      const was = before.find((other) => equal(other, item));
      return valuesAt({field: `${field}[${index}]`, self: item, oldSelf: was}, rest);
    });
  }
  if (!isObject(self) || !Object.hasOwn(self, step)) return [];
  const was = isObject(oldSelf) && Object.hasOwn(oldSelf, step) ? oldSelf[step] : undefined;
  return valuesAt({field: field === '' ? step : `${field}.${step}`, self: self[step] as Json, oldSelf: was}, rest);
}

/** The type of the schema, which is what a broken rule prints of the value. */
function typeName(value: Json): string {
  if (isList(value)) return 'array';
  return typeof value === 'number' ? 'integer' : typeof value;
}
