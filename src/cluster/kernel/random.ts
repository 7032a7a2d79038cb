// The world's seeded randomness: mulberry32 (public domain, Tommy Ettinger 2017), one 32-bit word of state. It need not
// be strong, only repeatable, small enough to live in every state, and well spread for small bounds.

export interface Drawn {
  readonly random: number;
  readonly value: number;
}

/** A number in [0, bound) and the next state. */
export function draw(random: number, bound: number): Drawn {
  const next = (random + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(next ^ (next >>> 15), next | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  const unit = ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  return {random: next, value: Math.floor(unit * bound)};
}
