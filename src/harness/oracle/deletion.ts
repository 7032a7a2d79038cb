import {isDeleting, type KubeObject} from '../../cluster/object.ts';
import {isPaused} from './paused.ts';

// A deletion that was accepted must come to an end by itself. One that is still under way when nothing will happen any
// more waits for ever. Paused objects are somebody's decision.

export function unfinishedDeletions(objects: readonly KubeObject[]): readonly KubeObject[] {
  return objects.filter((object) => isDeleting(object) && !isPaused(object) && !isCreateIncomplete(object));
}

const createPending = 'crossplane.io/external-create-pending';
const createEnds = ['crossplane.io/external-create-succeeded', 'crossplane.io/external-create-failed'];

/** Whether the provider began a create and never said how it ended. */
function isCreateIncomplete({metadata: {annotations = {}}}: KubeObject): boolean {
  const pending = annotations[createPending];
  // RFC 3339 in UTC: text order is time order.
  return pending !== undefined && createEnds.every((end) => (annotations[end] ?? '') < pending);
}
