// Decides which of the input's orders hold: those whose `when` is true. An order that does not hold makes nothing wait. Its
// deletion order still applies to existing resources, because a Usage that comes and goes with a condition orders nothing
// (function-sequencer does the same).
//
// If a `when` is neither true nor false, its order holds: a resource waits, and no XR stops for a missing value or one that others
// write. An input of function-sequencer is refused, as there.

import type {Input, InvalidInput} from '../input/input.ts';
import type {Meter} from '../templates/cel/functions.ts';
import {type Sources, whenVariables} from '../templates/sources.ts';
import {evaluateBoolean, expectedBoolean} from '../templates/value.ts';

/** Whether each order holds, by its index, or the first mistake. `undecided`: values that are neither true nor false; their orders hold. */
export function holdingOrders(
  {order = []}: Input,
  sources: Sources,
  meter: Meter,
  isStrict: boolean,
):
  | {readonly kind: 'holding'; readonly holding: readonly boolean[]; readonly undecided: readonly InvalidInput[]}
  | InvalidInput {
  const holding: boolean[] = [];
  const undecided: InvalidInput[] = [];
  for (const [index, {when}] of order.entries()) {
    const path = `order[${index}].when`;
    const answer =
      when === undefined
        ? ({kind: 'value', value: true} as const)
        : evaluateBoolean(when, path, {variables: whenVariables, sources, meter});
    if (answer.kind === 'invalid-input') return answer;
    holding.push(answer.kind === 'unresolved' || answer.value === true);
    if (answer.kind !== 'unresolved') continue;
    const {cause} = answer;
    const got = cause.kind === 'missing' ? `${cause.field}, which is not there: ask has() first` : cause.got;
    const problem: InvalidInput = {kind: 'invalid-input', path, expected: expectedBoolean, got};
    if (isStrict) return problem;
    undecided.push(problem);
  }
  return {kind: 'holding', holding, undecided};
}
