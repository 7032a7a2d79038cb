// What properties are judged by: the stored objects of one state, and what a scenario expects of them.

import type {World} from '../../cluster/kernel/world.ts';
import {remembering} from '../../cluster/memo.ts';
import type {KubeObject} from '../../cluster/object.ts';
import {isSelected, type Selector} from '../control-plane/catalogue.ts';
import {unfinishedDeletions} from '../oracle/deletion.ts';
import {externalCounts} from '../oracle/externals.ts';
import {unsynced} from '../oracle/syncing.ts';
import {objectText} from '../record/words.ts';
import {unmet} from '../scenario/check.ts';
import type {Expectation} from '../scenario/scenario.ts';
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
 * Why the first of the expectations that does not hold does not. Those about what happened on the way
 * (`timeline`, `never`, `untouched`) are left out: a state knows only what is. What is stuck is asked at rest.
 */
export function firstUnmet(
  {crossplane}: SearchedStory,
  {world}: ExploreState,
  expectations: readonly Expectation[],
): string | undefined {
  const evidence = {
    find: (selector: Selector) => objectsIn(world).filter((object) => isSelected(object, selector)),
    objects: () => objectsIn(world),
    timeline: () => [],
    stuck: () => [...unfinishedDeletions(objectsIn(world)).map(objectText), ...unsynced(objectsIn(world))],
    externals: () => externalCounts(world),
  };
  for (const expectation of expectations) {
    const isHere = expectation.crossplane.length === 0 || expectation.crossplane.includes(crossplane);
    if (!isHere || ofTheWay.includes(expectation.what.kind)) continue;
    const message = unmet(expectation, evidence);
    if (message !== undefined) return message;
  }
  return undefined;
}

const ofTheWay: readonly string[] = ['timeline', 'never', 'untouched', 'golden'];
