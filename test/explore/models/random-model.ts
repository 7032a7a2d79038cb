// Random small models for comparing searches with the reference. Guards are loose and footprints small, so that many paths
// of different lengths meet in the same states: that is where a search can go wrong.
import fc from 'fast-check';
import {type Command, type GuardedModel, guarded, type Values} from './guarded.ts';

const names = ['a', 'b', 'c', 'd', 'e'];
const domain = 3;
const anyValue = -1;

interface Recipe {
  readonly reads: string;
  readonly writes: string;
  /** The values that the variables read and written must have; `anyValue` for no matter. */
  readonly when: number;
  readonly ownWhen: number;
  readonly effect: 'set' | 'add' | 'copy';
  readonly value: number;
  readonly cost: string | undefined;
}

const guard = fc.constantFrom(anyValue, anyValue, 0, 1, 2);

const recipe: fc.Arbitrary<Recipe> = fc.record({
  reads: fc.constantFrom(...names),
  writes: fc.constantFrom(...names),
  when: guard,
  ownWhen: guard,
  effect: fc.constantFrom('set' as const, 'set' as const, 'add' as const, 'copy' as const),
  value: fc.nat(domain - 1),
  cost: fc.option(fc.constantFrom('fault', 'person'), {nil: undefined, freq: 3}),
});

export const randomModel: fc.Arbitrary<GuardedModel> = fc
  .tuple(fc.array(recipe, {minLength: 3, maxLength: 9}), fc.nat(30))
  .map(([recipes, salt]) => {
    const model = guarded({a: 0, b: 0, c: 0, d: 0, e: 0}, recipes.map(command));
    return salt === 0 ? model : {...model, actions: (values) => reordered(model.actions(values), values, salt)};
  });

/**
 * The actions in an order that depends on the state, so that the first of them is not the same everywhere.
 */
function reordered(commands: readonly Command[], values: Values, salt: number): Command[] {
  const position = (command: Command): number => {
    let hash = salt;
    for (const name of names) hash = (hash * 31 + (values[name] ?? 0) + 7) % 10_007;
    for (const letter of command.key) hash = (hash * 37 + letter.charCodeAt(0)) % 10_007;
    return hash;
  };
  return [...commands].sort((x, y) => position(x) - position(y));
}

export const randomBudgets: fc.Arbitrary<Record<string, number>> = fc.record({fault: fc.nat(2), person: fc.nat(2)});

function command({reads, writes, when, ownWhen, effect, value, cost}: Recipe, index: number): Command {
  const readsOther = when !== anyValue || effect === 'copy';
  return {
    key: `command ${index}`,
    reads: readsOther ? [reads] : [],
    writes: [writes],
    when: (values) =>
      (when === anyValue || values[reads] === when) && (ownWhen === anyValue || values[writes] === ownWhen),
    effect: (values) => ({[writes]: outcome(values)}),
    ...(cost === undefined ? {} : {cost}),
  };

  function outcome(values: Values): number {
    if (effect === 'set') return value;
    if (effect === 'copy') return values[reads] ?? 0;
    return ((values[writes] ?? 0) + value) % domain;
  }
}
