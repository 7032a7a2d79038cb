// CEL over JSON values. Numbers are doubles, as in every JSON. A field that is not there is an error, as CEL has it.

import {
  type CelInput,
  type CelList,
  type CelMap,
  celEnv,
  celList,
  celMap,
  isCelError,
  parse,
  plan,
} from '@bufbuild/cel';
import {strings} from '@bufbuild/cel/ext';
import {isList, isObject, type Json} from '../../cluster/json.ts';
import {remembering} from '../../cluster/memo.ts';
import {calledNames, causesOf, freeNames, kindsComparedIn} from './cel-causes.ts';
import {nearest} from './cursor.ts';

const environment = celEnv({funcs: [...strings]});
/** They are no functions once they are read. */
const macros: readonly string[] = ['all', 'exists', 'exists_one', 'filter', 'has', 'map'];

export type CelBindings = {[name: string]: CelInput};

/** A condition: true or false, or why it is neither. */
type Condition = (bindings: CelBindings) => boolean | {readonly problem: string};

export type Compiled =
  | {
      readonly kind: 'condition';
      readonly condition: Condition;
      /** The values that make it false: `self.spec.size is "small"`, a sentence for each side of a comparison. */
      readonly why: (bindings: CelBindings) => readonly string[];
    }
  | {readonly kind: 'no-cel'; readonly problem: string};

/** The text as a condition, or why it is no CEL. With `variables` it may name no others. */
export function celCondition(text: string, variables?: readonly string[]): Compiled {
  try {
    const parsed = parse(text);
    const called = calledNames(parsed.expr).find((name) => environment.funcs.find(name) === undefined);
    if (called !== undefined) return {kind: 'no-cel', problem: unknownFunction(called)};
    const unknown =
      variables === undefined ? undefined : freeNames(parsed.expr).find((name) => !variables.includes(name));
    if (unknown !== undefined) {
      return {kind: 'no-cel', problem: `unknown variable "${unknown}": known are ${variables?.join(', ')}`};
    }
    const evaluate = plan(environment, parsed);
    return {
      kind: 'condition',
      condition: (bindings) => {
        const result: unknown = evaluate(bindings);
        if (typeof result === 'boolean') return result;
        return {problem: isCelError(result) ? result.message : `expected true or false, got ${typeof result}`};
      },
      why: (bindings) => causesOf(parsed, (part) => plan(environment, part)(bindings)),
    };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return {kind: 'no-cel', problem: message.replaceAll(/\s+/g, ' ')};
  }
}

/** CEL itself hears of it where it is called: behind a `||`, or in a macro over an empty list, never. */
function unknownFunction(name: string): string {
  if (macros.includes(name)) return `${name} has other arguments in CEL`;
  const near = nearest(name, [...macros, ...[...environment.funcs].map((one) => one.name)]);
  return `unknown function "${name}"${near === undefined ? '' : `: did you mean "${near}"?`}`;
}

/** The kinds that `objects` are asked for: a misspelled one would make every `all` true. None of what is no CEL. */
export function kindsAskedFor(text: string): readonly string[] {
  try {
    return kindsComparedIn(parse(text).expr, 'objects');
  } catch {
    return [];
  }
}

export function celRecord(record: {readonly [key: string]: CelInput}): CelMap {
  return celMap(new Map(Object.entries(record)));
}

// Objects are immutable, and most of them are the same from state to state.
export const celObjects = remembering((objects: readonly object[]): CelList => celList(objects.map(mapOf)));
const mapOf = remembering((object: object): CelMap => {
  const said = Object.entries(object).filter(([, value]) => value !== undefined);
  return celMap(new Map(said.map(([key, value]) => [key, celValue(value as Json)])));
});

export function celValue(json: Json): CelInput {
  if (isList(json)) return celList(json.map(celValue));
  return isObject(json) ? mapOf(json) : json;
}
