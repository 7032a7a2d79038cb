import {Prng} from '../../explore/prng.ts';

/** The draws of a generator from a seed. */
export interface Draw {
  below(bound: number): number;
  /** True so many times of a hundred. */
  chance(percent: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** `count` different ones, in the order of the list. */
  some<T>(list: readonly T[], count: number): readonly T[];
  /** One by weight. */
  weighted<T>(list: readonly (readonly [number, T])[]): T;
}

export function drawFrom(seed: bigint, stream: number): Draw {
  const prng = Prng.seeded(seed, stream);
  const below = (bound: number): number => prng.below(bound);
  return {
    below,
    chance: (percent) => below(100) < percent,
    pick: <T>(list: readonly T[]) => list[below(list.length)] as T,
    some: (list, count) => {
      const left = list.map((_, index) => index);
      const chosen: number[] = [];
      while (chosen.length < count && left.length > 0) chosen.push(...left.splice(below(left.length), 1));
      return chosen.sort((one, other) => one - other).map((index) => list[index] as (typeof list)[number]);
    },
    weighted: <T>(list: readonly (readonly [number, T])[]) => {
      let rest = below(list.reduce((total, [weight]) => total + weight, 0));
      for (const [weight, value] of list) {
        if (rest < weight) return value;
        rest -= weight;
      }
      return (list[0] as readonly [number, T])[1];
    },
  };
}
