// Threads that add one to a shared counter in two steps, read and write: the lost update.
import {type Command, type GuardedModel, guarded, type Values} from './guarded.ts';

/** `locked`: the read waits for a lock that the write gives back. Thread states: 0 start, 1 has read, 2 done. */
export function counter(threads: number, locked: boolean): GuardedModel {
  const ids = Array.from({length: threads}, (_, id) => id);
  const start: Record<string, number> = {total: 0, lock: 0};
  for (const id of ids) {
    start[`at${id}`] = 0;
    start[`seen${id}`] = 0;
  }
  return guarded(
    start,
    ids.flatMap((id) => commands(id, locked)),
  );
}

function commands(id: number, locked: boolean): Command[] {
  const at = `at${id}`;
  const seen = `seen${id}`;
  return [
    {
      key: `read ${id}`,
      reads: ['total'],
      writes: locked ? [at, seen, 'lock'] : [at, seen],
      when: (values) => values[at] === 0 && (!locked || values['lock'] === 0),
      effect: (values) => ({[at]: 1, [seen]: values['total'] ?? 0, ...(locked ? {lock: 1} : {})}),
    },
    {
      key: `write ${id}`,
      reads: [seen],
      writes: locked ? [at, 'total', 'lock'] : [at, 'total'],
      when: (values) => values[at] === 1,
      effect: (values) => ({[at]: 2, total: (values[seen] ?? 0) + 1, ...(locked ? {lock: 0} : {})}),
    },
  ];
}

export function lostUpdates(threads: number): (values: Values) => string | undefined {
  return (values) => (values['total'] === threads ? undefined : `counted ${values['total']} of ${threads}`);
}
