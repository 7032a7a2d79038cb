// Every XR that is neither paused nor going is reconciled without an error sooner or later, and the likely reason if a function
// refuses what the simulated cloud shows.

import {groupKindDefined} from '../../../cluster/defined-kinds.ts';
import {at} from '../../../cluster/json.ts';
import {conditionOf, groupOf, isDeleting, type KubeObject} from '../../../cluster/object.ts';
import {isPaused} from '../../../cluster/vocabulary.ts';
import {concealedSentence} from '../../input/conceal/concealed-text.ts';
import {listed} from '../../input/listed.ts';

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

/** A sentence if a function fails and managed resources show an identifier: it has no real provider's form. */
export function foreignForms(objects: readonly KubeObject[]): readonly string[] {
  if (!unsynced(objects).some((one) => one.includes('returned a fatal result'))) return [];
  const shown = objects.filter(({status}) => at(status, ['atProvider', 'id']) !== undefined).map(({kind}) => kind);
  if (shown.length === 0) return [];
  const kinds = listed([...new Set(shown)], 3);
  return [
    `a function fails after the cloud answered: if it parses status.atProvider (${kinds}), give the form of a real provider with \`shows\` under provider.externals, or \`--shows\` of tether init`,
  ];
}
