// Peterson's lock for two threads ("Myths about the mutual exclusion problem", 1981). Threads: 0 outside, 1 has raised
// the flag, 2 waits, 3 is inside.
import {type Command, type GuardedModel, guarded} from './guarded.ts';

/** `turns: false` forgets the turn: both may wait for ever. `flags: false` forgets to look at the flag: both get in. */
export function peterson(options: {readonly turns?: boolean; readonly flags?: boolean} = {}): GuardedModel {
  const {turns = true, flags = true} = options;
  return guarded(
    {at0: 0, at1: 0, flag0: 0, flag1: 0, turn: 0},
    [0, 1].flatMap((id) => commands(id, turns, flags)),
  );
}

function commands(id: number, turns: boolean, flags: boolean): Command[] {
  const other = 1 - id;
  const at = `at${id}`;
  return [
    {
      key: `raise ${id}`,
      writes: [at, `flag${id}`],
      when: (values) => values[at] === 0,
      effect: () => ({[at]: 1, [`flag${id}`]: 1}),
    },
    {
      key: `yield ${id}`,
      writes: [at, 'turn'],
      when: (values) => values[at] === 1,
      effect: () => ({[at]: 2, turn: other}),
    },
    {
      key: `enter ${id}`,
      reads: [`flag${other}`, 'turn'],
      writes: [at],
      when: (values) =>
        values[at] === 2 && (!flags || values[`flag${other}`] === 0 || (turns && values['turn'] === id)),
      effect: () => ({[at]: 3}),
    },
    {
      key: `leave ${id}`,
      writes: [at, `flag${id}`],
      when: (values) => values[at] === 3,
      effect: () => ({[at]: 0, [`flag${id}`]: 0}),
    },
  ];
}
