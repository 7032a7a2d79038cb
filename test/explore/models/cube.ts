// Steps that each set one bit, most of them independent, entered by several ways in; the order of the actions depends on
// the state. Only with such orders do sleeping actions come to rely on each other in a circle.
import type {Model} from '../../../src/explore/model.ts';
import {Prng} from '../../../src/explore/prng.ts';

export interface CubeAction {
  readonly key: string;
  readonly to?: number;
  readonly bit?: number;
}

const outsideState = -1;

/** A cube of 4 to 6 dimensions with 2 to 6 ways in, the same for the same salt. */
export function randomCube(salt: number): Model<number, CubeAction> {
  const prng = Prng.seeded(BigInt(salt));
  const bits = 4 + prng.below(3);
  const ways = Array.from({length: 2 + prng.below(5)}, () => prng.below(1 << bits));
  const dependent = Array.from({length: bits * bits}, () => prng.below(6) === 0);
  return {
    initial: () => outsideState,
    actions: (state) => {
      if (state === outsideState) return ways.map((to, index) => ({key: `way ${index}`, to}));
      const unset = Array.from({length: bits}, (_, bit) => bit).filter((bit) => (state & (1 << bit)) === 0);
      const order = Prng.seeded(BigInt(salt), state + 1);
      return unset
        .map((bit) => ({key: `set ${bit}`, bit, position: order.next()}))
        .sort((a, b) => a.position - b.position);
    },
    next: (state, {to, bit}) => to ?? state | (1 << (bit ?? 0)),
    fingerprint: (state) => state,
    key: ({key}) => key,
    describe: ({key}) => key,
    independent: (_state, {bit: a}, {bit: b}) =>
      a !== undefined && b !== undefined && dependent[Math.min(a, b) * bits + Math.max(a, b)] !== true,
  };
}
