// Which of the input's orders hold just now: those whose `when` is true. An order that does not hold makes nothing wait;
// what it says about deletion stays for the resources that are there, because a Usage that comes and goes with a
// condition orders nothing (function-sequencer does the same).

import {celProblem, compileCel} from '../cel/cel.ts';
import type {Meter} from '../cel/functions.ts';
import type {Input, InvalidInput} from '../input/input.ts';
import {kindOfValue} from '../input/validate.ts';
import {type Sources, whenVariables} from '../templates/sources.ts';

/** By index of the order. */
export type Holding = readonly boolean[];

/** Whether each order holds, or the first `when` that says neither true nor false. */
export function holdingOrders(
  input: Input,
  sources: Sources,
  meter: Meter,
): {readonly kind: 'holding'; readonly holding: Holding} | InvalidInput {
  const holding: boolean[] = [];
  for (const [index, {when}] of (input.order ?? []).entries()) {
    const answer = when === undefined ? holds(true) : answerTo(when, `order[${index}].when`, sources, meter);
    if (answer.kind === 'invalid-input') return answer;
    holding.push(answer.holds);
  }
  return {kind: 'holding', holding};
}

type Answer = {readonly kind: 'answer'; readonly holds: boolean};

function holds(holds: boolean): Answer {
  return {kind: 'answer', holds};
}

function answerTo(when: string, path: string, sources: Sources, meter: Meter): Answer | InvalidInput {
  const expected = 'an expression that is true or false';
  const invalid = (got: string): InvalidInput => ({kind: 'invalid-input', path, expected, got});
  const program = compileCel(when, whenVariables);
  const outcome = program.kind === 'failed' ? program : program.run(sources, meter);
  switch (outcome.kind) {
    case 'value':
      return typeof outcome.value === 'boolean' ? holds(outcome.value) : invalid(kindOfValue(outcome.value));
    case 'unresolved':
      return invalid(`${outcome.missing}, which is not there: ask has() first`);
    case 'failed':
      return invalid(celProblem(when, outcome));
  }
}
