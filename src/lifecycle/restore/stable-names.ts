// Names that outlive the XR's UID. Crossplane makes up a name from that UID, so a restored XR without resourceRefs creates
// everything a second time (recorded: d-no-refs). The apply takes an object back whose name the pipeline sets (recorded:
// d2-fixed-noreffs-readopt). Only for resources that are still to be created: Crossplane keeps the name of what it observes.

import type {NameFor} from '../facts/named-view.ts';
import {stableName} from '../facts/naming.ts';
import type {Input} from '../input/input.ts';
import {text} from '../words/json.ts';
import type {ResourceView} from '../words/snapshot.ts';

export function stableNames(xr: ResourceView, {restore}: Input): NameFor | undefined {
  if (!restore?.stableNames) return undefined;
  return (resourceName, view) => {
    const prefix = text(view.field(['metadata', 'generateName'])) || `${xr.name}-`;
    return {name: stableName(xr, resourceName, prefix)};
  };
}
