// Other turns that a story may take without the function: what comes of them is a matter of the moment there, too, and no
// doing of the function. Each is one thing that nobody decides.

import type {StoryRunOptions} from '../explore/play-story.ts';
import type {Scenario} from '../scenario/scenario.ts';

export interface Race {
  readonly name: string;
  /** Added to the story's seed: what Go leaves open is drawn anew. */
  readonly seed: number;
  readonly shift?: NonNullable<StoryRunOptions['shift']>;
  /** Early steps and faults come after the same writes as with the function. */
  readonly sameMoments?: true;
}

const shifted = (name: string, by: number, seed = 0): Race => ({name, seed, shift: () => by});

export const races: readonly Race[] = [
  {name: 'early steps and faults come after the same writes', seed: 0, sameMoments: true},
  {name: 'the same, drawn anew', seed: 1, sameMoments: true},
  shifted('every step waits until all is at rest', Number.POSITIVE_INFINITY),
  {name: 'maps are walked in another order', seed: 1},
  shifted('a step and a fault come one step later', 1),
  shifted('a step and a fault come one step sooner', -1),
  shifted('a step and a fault come a reconcile later', 8, 2),
  shifted('a step and a fault come a reconcile sooner', -8, 3),
  shifted('a step and a fault come long after', 40),
  shifted('a step and a fault come long before', -40),
];

/** Whether the race changes anything: a story whose steps all come at rest and without faults has one turn for each draw. */
export function isOpen({seed}: Race, {steps}: Scenario): boolean {
  return seed !== 0 || steps.some(({early, faults}) => early !== undefined || faults !== undefined);
}
