// Decides which of the input's orders hold: those whose `when` is true. An order that does not hold makes nothing wait. Its
// deletion order still applies to existing resources, because a Usage that comes and goes with a condition orders nothing
// (function-sequencer does the same).
//
// If a `when` is neither true nor false, its order holds: a resource waits, and no XR stops for a missing value or one that others
// write. An input of function-sequencer is refused, as there.

import type {Input, InvalidInput} from '../input/input.ts';
import {kindOfValue} from '../input/validate.ts';
import {celProblem, compileCel} from '../templates/cel/cel.ts';
import type {Meter} from '../templates/cel/functions.ts';
import {type Sources, whenVariables} from '../templates/sources.ts';

/** By index of the order. */
export type Holding = readonly boolean[];

/** Whether each order holds, or the first mistake. `undecided`: values that are neither true nor false; their orders hold. */
export function holdingOrders(
  input: Input,
  sources: Sources,
  meter: Meter,
  isStrict: boolean,
): {readonly kind: 'holding'; readonly holding: Holding; readonly undecided: readonly InvalidInput[]} | InvalidInput {
  const holding: boolean[] = [];
  const undecided: InvalidInput[] = [];
  for (const [index, {when}] of (input.order ?? []).entries()) {
    const answer = when === undefined ? holds(true) : answerTo(when, `order[${index}].when`, sources, meter);
    if (answer.kind === 'invalid-input') return answer;
    if (answer.kind === 'undecided' && isStrict) return answer.problem;
    if (answer.kind === 'undecided') undecided.push(answer.problem);
    holding.push(answer.kind === 'undecided' || answer.holds);
  }
  return {kind: 'holding', holding, undecided};
}

type Answer = {readonly kind: 'answer'; readonly holds: boolean};
type Undecided = {readonly kind: 'undecided'; readonly problem: InvalidInput};

function holds(holds: boolean): Answer {
  return {kind: 'answer', holds};
}

function answerTo(when: string, path: string, sources: Sources, meter: Meter): Answer | Undecided | InvalidInput {
  const expected = 'an expression that is true or false';
  const invalid = (got: string): InvalidInput => ({kind: 'invalid-input', path, expected, got});
  const undecided = (got: string): Undecided => ({kind: 'undecided', problem: invalid(got)});
  const program = compileCel(when, whenVariables);
  if (program.kind === 'failed') return invalid(celProblem(when, program));
  const outcome = program.run(sources, meter);
  switch (outcome.kind) {
    case 'value':
      return typeof outcome.value === 'boolean' ? holds(outcome.value) : undecided(kindOfValue(outcome.value));
    case 'unresolved':
      return undecided(`${outcome.missing}, which is not there: ask has() first`);
    case 'failed':
      return undecided(celProblem(when, outcome));
  }
}
