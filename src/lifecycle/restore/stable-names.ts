// Names that outlive the XR's UID. Crossplane makes up a name from that UID, so a restored XR without resourceRefs creates
// everything a second time (recorded: d-no-refs). The apply takes an object back whose name the pipeline sets (recorded:
// d2-fixed-noreffs-readopt). Only for resources that are still to be created: Crossplane keeps the name of what it observes.

import {withNames} from '../facts/named-view.ts';
import {stableName} from '../facts/naming.ts';
import type {Input} from '../input/input.ts';
import {text} from '../words/json.ts';
import type {Snapshot} from '../words/snapshot.ts';

/** The snapshot in which every desired resource that is not observed has a name, where the input wants that. */
export function withStableNames(snapshot: Snapshot, input: Input): Snapshot {
  if (!input.restore?.stableNames) return snapshot;
  const {xr} = snapshot;
  return withNames(snapshot, (resourceName, view) => {
    const prefix = text(view.field(['metadata', 'generateName'])) || `${xr.name}-`;
    return {name: stableName(xr, resourceName, prefix)};
  });
}
