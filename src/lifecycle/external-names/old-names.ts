// Gives a new object with a remembered external name the name of the object that had it. lost-names.ts has the reason.

import {withName} from '../facts/named-view.ts';
import type {Input} from '../input/input.ts';
import type {DesiredView, Snapshot} from '../words/snapshot.ts';
import {lostName} from './lost-names.ts';
import {readMemory} from './name-memory.ts';
import type {Seals} from './seal.ts';

/** The snapshot in which what is about to get a remembered external name has the name of the old object. */
export function withOldNames(snapshot: Snapshot, {externalNames}: Input, seals: Seals): Snapshot {
  if (externalNames?.remember === undefined) return snapshot;
  const {observed, desired} = snapshot;
  const unnamed = new Map<string, DesiredView>();
  desired.forEach((view, resourceName) => {
    if (!observed.has(resourceName) && view.name === '') unnamed.set(resourceName, view);
  });
  if (unnamed.size === 0) return snapshot;
  const recalled = readMemory(snapshot, externalNames.remember, seals);
  const named = [...unnamed].flatMap(([resourceName, view]): [string, DesiredView][] => {
    const lost = lostName(recalled, resourceName, undefined, snapshot);
    return lost.kind === 'lost' ? [[resourceName, withName(view, lost.object)]] : [];
  });
  return named.length === 0 ? snapshot : {...snapshot, desired: new Map([...desired, ...named])};
}
