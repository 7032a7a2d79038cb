// A Usage of this XR that keeps another XR's object: a backup with owner references brought its `of` back as the previous XR's. The
// owner GC is denied that object for as long as the Usage exists. This XR cannot apply its own object in its place, for an object
// has one controller. Neither would ever end, so such a Usage leaves, whatever the input declares, but not before a `by` that goes,
// too (removal.ts). It comes again once the XR has the resources that it names (usages.ts).
//
// The controller of an object that the XR does not have is not in the request, so the object is requested by its name: only while
// the XR is not Synced, or not Tethered, for nothing is in the way of another.

import {edgesOf} from '../facts/edges.ts';
import {ownershipOf} from '../facts/ownership.ts';
import type {Scene} from '../input/scene.ts';
import {foreignAnswers, ofObject, questions} from '../questions/registry.ts';
import type {ResourceSelector} from '../words/edit.ts';
import {objectKey} from '../words/references.ts';
import {mayBeInTheWay} from './former.ts';

/** True if an observed Usage, by its resource name, keeps another XR's object. */
export type IsStray = (usage: string) => boolean;

export function strayUsages({snapshot, claim: {uid}}: Scene): IsStray {
  return (usage) =>
    snapshot.required.get(formerOf(usage))?.some((view) => ownershipOf(view, uid).kind === 'stale') === true;
}

/**
 * By requirement name: every `of` of an observed Usage that the XR does not have. An object that the pipeline requires is another's by
 * design: `protect.required` keeps it.
 */
export function strayRequirements({snapshot, api}: Scene): ReadonlyMap<string, ResourceSelector> {
  const requirements = new Map<string, ResourceSelector>();
  if (!mayBeInTheWay(snapshot.xr, api)) return requirements;
  const foreign = [...foreignAnswers(snapshot.required).values()].flat();
  const required = new Set(foreign.map((view) => objectKey(view)));
  for (const {usage, of} of edgesOf(snapshot)) {
    if (snapshot.observed.has(of.resourceName) || required.has(objectKey(of.object))) continue;
    requirements.set(formerOf(usage), ofObject(of.object));
  }
  return requirements;
}

/** The `of` of a Usage, where the XR has none. */
function formerOf(usage: string): string {
  return `${questions.strayOf.prefix}${usage}`;
}
