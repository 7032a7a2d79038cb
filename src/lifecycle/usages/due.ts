// When a Usage is to be there: once the XR has what it names. Until then a name is only what a Composition says, and the object of
// that name may be another's, or what an XR of before left and the owner GC is about to take: the Usage would keep it from whoever
// may delete it. What is observed without a controller counts where it is proven to be the XR's: its editor may list anything.
// And once it is known which Usages are served.

import type {Owners} from '../facts/ownership.ts';
import type {Snapshot} from '../words/snapshot.ts';
import type {IsStray} from './stray.ts';
import type {UsageApi} from './usage-api.ts';

/** Whether the Usage of that resource name, with these ends, is to be there. One that is there stays, unless it keeps another's. */
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
