// Guards as one ordered list: the first that holds decides. The last holds always.

import {unreachable} from '../words/unreachable.ts';

export type Gates<Facts, Answer> = readonly (readonly [
  holds: (facts: Facts) => boolean,
  answer: (facts: Facts) => Answer,
])[];

export function firstOf<Facts, Answer>(gates: Gates<Facts, Answer>, facts: Facts): Answer {
  const [, answer] = gates.find(([holds]) => holds(facts)) ?? unreachable(facts as never);
  return answer(facts);
}
