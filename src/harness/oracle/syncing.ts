// Every XR that is neither paused nor going is reconciled without an error sooner or later.

import {groupKindDefined} from '../../cluster/defined-kinds.ts';
import {conditionOf, groupOf, isDeleting, type KubeObject} from '../../cluster/object.ts';
import {isPaused} from '../../cluster/paused.ts';
import {concealedSentence} from '../conceal/concealed-text.ts';

/** The XRs that do not sync, each with what they say. */
export function unsynced(objects: readonly KubeObject[]): readonly string[] {
  const kinds = objects.filter(({kind}) => kind === 'CompositeResourceDefinition').map(groupKindDefined);
  return objects
    .filter((object) => kinds.includes(`${object.kind}.${groupOf(object.apiVersion)}`))
    .filter((object) => !isDeleting(object) && !isPaused(object))
    .flatMap((xr) => {
      const synced = conditionOf(xr, 'Synced');
      if (synced?.status === 'True') return [];
      const says =
        synced === undefined
          ? 'was never reconciled'
          : `is not synced: ${concealedSentence(synced.message ?? synced.reason)}`;
      return [`${xr.kind} "${xr.metadata.name}" ${says}`];
    });
}
