import {isDeleting, type KubeObject} from '../../cluster/object.ts';
import {isPaused} from './paused.ts';

// A deletion that was accepted must come to an end by itself. One that is still under way when nothing will happen any
// more waits for ever. Paused objects are somebody's decision.

export function unfinishedDeletions(objects: readonly KubeObject[]): readonly KubeObject[] {
  return objects.filter((object) => isDeleting(object) && !isPaused(object));
}
