// Patterns that a definition brings: one that Go cannot read is refused with the definition.
//
// kubernetes/apiextensions-apiserver v0.34.4 pkg/apiserver/schema/validation.go (validateValueValidation).

import {goRegex} from '../go-regex.ts';
import type {JsonObject} from '../json.ts';
import {remembering} from '../memo.ts';
import {type Structural, structuralOf} from '../schema/structural.ts';
import {type FieldError, invalidValue} from './errors.ts';

/** Where in its schema, as errors name it, and why Go cannot read it. */
interface WrongPattern {
  readonly path: string;
  readonly pattern: string;
  readonly problem: string;
}

/** Errors of all patterns in the schema at `path`. */
export function patternErrors(schema: JsonObject, path: string): readonly FieldError[] {
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
