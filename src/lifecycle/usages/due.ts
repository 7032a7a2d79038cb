// Decides when a Usage is created: once the XR has the resources that it names. Until then a name is only in the Composition. The
// object of that name may belong to another XR, or to a previous XR and the owner GC is about to delete it: the Usage would keep it
// from being deleted. An observed object without a controller counts if it is proven to be the XR's: the XR's editor may list
// anything. The served kinds of Usages have to be known, too.

import type {Owners} from '../facts/ownership.ts';
import type {Snapshot} from '../words/snapshot.ts';
import type {IsStray} from './stray.ts';
import type {UsageApi} from './usage-api.ts';

/** True if the Usage of that resource name, with these ends, is due. An existing one stays, unless it keeps another XR's object. */
export type IsDue = (usage: string, ends: readonly string[]) => boolean;

export function usagesDue(
  {observed}: Pick<Snapshot, 'observed'>,
  {byName}: Owners,
  isStray: IsStray,
  {isKnown}: UsageApi,
): IsDue {
  const isOwn = (end: string) => {
    const owner = byName.get(end)?.kind;
    return observed.has(end) && (owner === 'ours' || owner === 'unadopted');
  };
  return (usage, ends) => (observed.has(usage) && !isStray(usage)) || (isKnown && ends.every(isOwn));
}
