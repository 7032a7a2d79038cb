// Dining philosophers: each takes one fork, then the other, eats, and puts both back.
import {type Command, type GuardedModel, guarded, type Values} from './guarded.ts';

/** `polite`: the last one takes the forks in the other order, so that no circle of waiting closes. */
export function philosophers(count: number, polite: boolean, meals = Number.POSITIVE_INFINITY): GuardedModel {
  const start: Record<string, number> = {};
  for (let id = 0; id < count; id++) {
    start[`fork${id}`] = 0;
    start[`hand${id}`] = 0;
    start[`meals${id}`] = 0;
  }
  return guarded(start, Array.from({length: count}, (_, id) => commands(id, count, polite, meals)).flat());
}

function commands(id: number, count: number, polite: boolean, meals: number): Command[] {
  const own = `fork${id}`;
  const next = `fork${(id + 1) % count}`;
  const [first, second] = polite && id === count - 1 ? [next, own] : [own, next];
  const hand = `hand${id}`;
  const eaten = `meals${id}`;
  return [
    {
      key: `take first ${id}`,
      reads: [eaten],
      writes: [first, hand],
      when: (values) => values[hand] === 0 && values[first] === 0 && (values[eaten] ?? 0) < meals,
      effect: () => ({[first]: 1, [hand]: 1}),
    },
    {
      key: `take second ${id}`,
      writes: [second, hand],
      when: (values) => values[hand] === 1 && values[second] === 0,
      effect: () => ({[second]: 1, [hand]: 2}),
    },
    {
      key: `put back ${id}`,
      writes: [own, next, hand, eaten],
      when: (values) => values[hand] === 2,
      effect: (values) => ({
        [own]: 0,
        [next]: 0,
        [hand]: 0,
        [eaten]: Number.isFinite(meals) ? (values[eaten] ?? 0) + 1 : 0,
      }),
    },
  ];
}

/** Somebody holds a fork and cannot go on. */
export function hungry(values: Values): string | undefined {
  const waiting = Object.keys(values).filter((name) => name.startsWith('hand') && values[name] === 1);
  return waiting.length === 0 ? undefined : `${waiting.length} wait for their second fork`;
}
