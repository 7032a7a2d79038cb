import type {Scenario, Step} from '../scenario.ts';

/**
 * The scenario in every order of the steps it names in `anyOrder`, the written one first. All other steps stay where
 * they are. A scenario that names none runs once.
 */
export function inEveryOrder<S extends Scenario>(scenario: S): readonly S[] {
  const {steps, anyOrder} = scenario;
  if (anyOrder.length === 0) return [scenario];
  const isMoved = ({name}: Step): boolean => anyOrder.includes(name);
  return permutations(steps.filter(isMoved)).map((moved) => {
    const rest = [...moved];
    return {...scenario, steps: steps.map((step) => (isMoved(step) ? (rest.shift() ?? step) : step))};
  });
}

function permutations<T>(list: readonly T[]): readonly (readonly T[])[] {
  if (list.length < 2) return [list];
  return list.flatMap((first, index) => {
    const others = list.filter((_, other) => other !== index);
    return permutations(others).map((rest) => [first, ...rest]);
  });
}
