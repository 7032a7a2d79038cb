// Random small models for comparing searches with the reference. Every command reads and writes what it says, so the
// independence that guarded.ts derives is true.
import fc from 'fast-check';
import {type Command, type GuardedModel, guarded, type Values} from './guarded.ts';

const names = ['a', 'b', 'c', 'd'];
const domain = 3;

interface Recipe {
  readonly reads: string;
  readonly writes: string;
  readonly when: number;
  readonly ownWhen: number;
  readonly effect: 'set' | 'add' | 'copy';
  readonly value: number;
  readonly cost: string | undefined;
}

const recipe: fc.Arbitrary<Recipe> = fc.record({
  reads: fc.constantFrom(...names),
  writes: fc.constantFrom(...names),
  when: fc.nat(domain),
  ownWhen: fc.nat(domain),
  effect: fc.constantFrom('set' as const, 'add' as const, 'copy' as const),
  value: fc.nat(domain - 1),
  cost: fc.option(fc.constantFrom('fault', 'person'), {nil: undefined, freq: 4}),
});

export const randomModel: fc.Arbitrary<GuardedModel> = fc
  .array(recipe, {minLength: 2, maxLength: 6})
  .map((recipes) => guarded({a: 0, b: 0, c: 0, d: 0}, recipes.map(command)));

export const randomBudgets: fc.Arbitrary<Record<string, number>> = fc.record({fault: fc.nat(2), person: fc.nat(2)});

/** A guard of `domain` stands for "always". */
function command({reads, writes, when, ownWhen, effect, value, cost}: Recipe, index: number): Command {
  return {
    key: `command ${index}`,
    reads: [reads],
    writes: [writes],
    when: (values) => (when === domain || values[reads] === when) && (ownWhen === domain || values[writes] === ownWhen),
    effect: (values) => ({[writes]: outcome(values)}),
    ...(cost === undefined ? {} : {cost}),
  };

  function outcome(values: Values): number {
    if (effect === 'set') return value;
    if (effect === 'copy') return values[reads] ?? 0;
    return ((values[writes] ?? 0) + value) % domain;
  }
}
