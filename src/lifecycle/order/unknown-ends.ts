// Names in `usages` that no resource has. An event reports them, and no XR stops: an earlier step may compose the resource later,
// by the status of another one, or may have left it out. A pair on its way out has none: one end leaves, the other may have left
// already.

import {isUsage} from '../facts/edges.ts';
import type {Input} from '../input/input.ts';
import {pairOf} from '../usages/usages.ts';
import type {UnknownName} from '../words/events.ts';
import type {Snapshot} from '../words/snapshot.ts';

export function unknownEnds(snapshot: Snapshot, {usages = [], resources = []}: Input): readonly UnknownName[] {
  let remembered: ReadonlySet<string> | undefined;
  const isRemembered = (name: string) => {
    remembered ??= new Set([...namesOnUsages(snapshot), ...resources.map((made) => made.name)]);
    return remembered.has(name);
  };
  const isUnknown = (name: string, other: string) => {
    if (snapshot.desired.has(name) || snapshot.observed.has(name) || isRemembered(name)) return false;
    return !snapshot.observed.has(other) || snapshot.desired.has(other);
  };
  return usages.flatMap(({of, by, optional}, index): UnknownName[] => {
    if (optional) return [];
    return [
      ...(isUnknown(of, by) ? [{path: `usages[${index}].of`, name: of}] : []),
      ...(isUnknown(by, of) ? [{path: `usages[${index}].by`, name: by}] : []),
    ];
  });
}

function namesOnUsages(snapshot: Snapshot): Set<string> {
  const names = new Set<string>();
  for (const view of snapshot.observed.values()) {
    if (!isUsage(view)) continue;
    const {of, by} = pairOf(view);
    names.add(of).add(by);
  }
  return names;
}
