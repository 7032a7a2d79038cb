// The evidence for properties: the stored objects of one state, and the expectations of a scenario.

import type {World} from '../../cluster/kernel/world.ts';
import {remembering} from '../../cluster/memo.ts';
import type {KubeObject} from '../../cluster/object.ts';
import {isSelected, type Selector} from '../control-plane/catalogue.ts';
import {unfinishedDeletions} from '../control-plane/oracle/deletion.ts';
import {externalCounts, externalsIn} from '../control-plane/oracle/externals.ts';
import {unsynced} from '../control-plane/oracle/syncing.ts';
import {objectText} from '../control-plane/record/words.ts';
import {unmetExpectation} from '../scenario/check.ts';
import type {Expectation} from '../scenario/scenario.ts';
import type {NamedState} from '../scenario/state-condition.ts';
import type {ExploreState} from './explore-state.ts';
import type {SearchedStory} from './story.ts';

/** Every stored object. */
export function objectsIn({server}: World): readonly KubeObject[] {
  return allObjects(server.objects);
}

const allObjects = remembering((objects: World['server']['objects']): readonly KubeObject[] =>
  [...objects.values()].flatMap((table) => [...table.values()]),
);

/**
 * The reason of the first expectation that fails. Expectations about the way (`timeline`, `never`, `untouched`) are left out:
 * a state has no history. `stuck` is checked at rest.
 */
export function firstUnmet(
  story: SearchedStory,
  state: ExploreState,
  expectations: readonly Expectation[],
): string | undefined {
  const {crossplane} = story;
  const {world} = state;
  const evidence = {
    ...namedState(story, state),
    find: (selector: Selector) => objectsIn(world).filter((object) => isSelected(object, selector)),
    timeline: () => [],
    stuck: () => [...unfinishedDeletions(objectsIn(world)).map(objectText), ...unsynced(objectsIn(world))],
    externals: () => externalCounts(world),
    externalList: () => externalsIn(world),
  };
  for (const expectation of expectations) {
    const isHere = expectation.crossplane.length === 0 || expectation.crossplane.includes(crossplane);
    if (!isHere || ofTheWay.includes(expectation.what.kind)) continue;
    const problem = unmetExpectation(expectation, evidence);
    if (problem !== undefined) return problem.message;
  }
  return undefined;
}

/** The names that CEL of a scenario may use, for a state of the search. */
export function namedState({moves}: SearchedStory, {world, made, memory: {stopped}}: ExploreState): NamedState {
  return {
    objects: () => objectsIn(world),
    externals: () => externalsIn(world),
    counts: () => externalCounts(world),
    made: () => made.map((move) => moves[move]?.step.name ?? ''),
    stopped: () => stopped,
  };
}

const ofTheWay: readonly string[] = ['timeline', 'never', 'untouched', 'golden'];
