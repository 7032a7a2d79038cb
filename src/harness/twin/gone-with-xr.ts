// What an XR has goes with it, by the owner GC. What the XR forgot without the function, as under a key whose kind changed, is
// nobody's after a restore, and lives on, maybe beside another one: that is no better. So it is with what a person orphaned and an XR
// of the same name adopted, as its input asked: it goes with that XR, or once that one wants it no more. And so it is with what the XR
// let go without the function, too, and a tool brought back since: its input had it go later.

import type {Ending} from './ending.ts';
import type {Harm, HarmKind} from './harm.ts';
import {isOrphanedAsAsked} from './left-behind.ts';

const ofWhoGoes: readonly HarmKind[] = ['gone', 'destroyed', 'recreated', 'replaced'];

/** Whether the owner GC took it for its XR was gone, or the XR let it go, and without the function it is nobody's, or was brought back. */
export function isGoneWithXr({kind, place, xr}: Harm, w: Ending, wo: Ending): boolean {
  if (!ofWhoGoes.includes(kind) || xr === undefined) return false;
  const {ledger} = w.run;
  const wasLetGo = ledger.letGo(place) > 0;
  const wasTaken = ledger.wasCollected(place);
  if ((wasLetGo || wasTaken) && wo.run.ledger.wasBroughtBack(place)) return !ledger.wasBroughtBack(place);
  if (!wasTaken && !(wasLetGo && isOrphanedAsAsked({xr}, w))) return false;
  const theirs = wo.living.get(place) ?? [];
  return theirs.some(({controller}) => controller === undefined);
}
