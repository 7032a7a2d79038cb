// Names that outlive the XR's UID. Crossplane makes up a name from that UID, so a restored XR without resourceRefs creates
// everything a second time (recorded: d-no-refs). The apply takes an object back whose name the pipeline sets (recorded:
// d2-fixed-noreffs-readopt). Only for resources that are still to be created: Crossplane keeps the name of what it observes.

import type {NameFor} from '../facts/named-view.ts';
import {stableName} from '../facts/naming.ts';
import type {Input} from '../input/input.ts';
import {text} from '../words/json.ts';
import type {Snapshot} from '../words/snapshot.ts';

/**
 * Of every resource if the input asks for it; of the templates of the input where Crossplane shows no schemas, which it does from 2.2
 * on. Before that, lost resources are looked for only if the input asks (lookup.ts), so a template alone would make them anew.
 */
export function stableNames({xr, schemas}: Snapshot, {restore, resources = []}: Input): NameFor | undefined {
  const ofTemplates = new Set(schemas === undefined ? resources.map(({name}) => name) : []);
  if (!restore?.stableNames && ofTemplates.size === 0) return undefined;
  return (resourceName, view) => {
    if (!restore?.stableNames && !ofTemplates.has(resourceName)) return undefined;
    const prefix = text(view.field(['metadata', 'generateName'])) || `${xr.name}-`;
    return {name: stableName(xr, resourceName, prefix)};
  };
}
