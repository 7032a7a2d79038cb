// Every XR that is neither paused nor going is reconciled without an error sooner or later.

import {groupKindDefined} from '../../cluster/defined-kinds.ts';
import {conditionOf, groupOf, isDeleting, type KubeObject} from '../../cluster/object.ts';
import {isPaused} from '../../cluster/paused.ts';
import {concealedSentence} from '../conceal/concealed-text.ts';

/** The XRs that do not sync, each with its message. */
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
          : `is not synced: ${withAdvice(concealedSentence(synced.message ?? synced.reason))}`;
      return [`${xr.kind} "${xr.metadata.name}" ${says}`];
    });
}

/** Advice for the fixtures of a test, if Crossplane cannot compose a kind because none of them defines it. */
function withAdvice(message: string): string {
  const kind = /no matches for kind "([^"]+)"/.exec(message)?.[1];
  if (kind === undefined) return message;
  const needs = 'with the category "managed" if a provider is to make it, and the subresource status';
  return `${message}; add the CustomResourceDefinition of ${kind} to \`fixtures\`, ${needs}`;
}
