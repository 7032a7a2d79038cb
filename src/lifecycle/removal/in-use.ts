// Whether the label crossplane.io/in-use tells the truth. Crossplane's webhook is called for what carries it, and denies a
// deletion if any Usage names the object (crossplane/crossplane 2d040d2da internal/protection/usage/finder.go: by group,
// kind, name and namespace, in all three kinds). The label itself is a word that anybody can write, and one that comes back
// from a backup without its Usage. So all Usages are asked for, wherever one could name the object.
//
// They are asked for only where the answer cannot fail, because an error would stop the XR: a Crossplane that answers
// questions about schemas (v2.2 on) comes with the definitions of all three kinds (cluster/crds), and lists them itself.

import type {Requirement} from '../edit.ts';
import {objectKey, refTo} from '../objects/naming.ts';
import type {ResourceView, Snapshot} from '../snapshot.ts';
import {usedBy} from '../usages/edges.ts';

const kinds: readonly (readonly [requirement: string, apiVersion: string, kind: string])[] = [
  ['all-usages', 'protection.crossplane.io/v1beta1', 'Usage'],
  ['all-cluster-usages', 'protection.crossplane.io/v1beta1', 'ClusterUsage'],
  ['all-legacy-usages', 'apiextensions.crossplane.io/v1beta1', 'Usage'],
];

/** Lists of every Usage there is, while something that leaves carries the label. */
export function inUseRequirements(
  {observed, schemas}: Snapshot,
  leaving: ReadonlySet<string>,
): ReadonlyMap<string, Requirement> {
  const isAsked = schemas !== undefined && [...leaving].some((name) => isLabelledInUse(observed.get(name)));
  if (!isAsked) return new Map();
  return new Map(
    kinds.map(([requirement, apiVersion, kind]) => [
      requirement,
      {apiVersion, kind, namespace: '', match: {kind: 'labels', labels: {}}},
    ]),
  );
}

/** Whether some Usage may make the webhook deny the object's deletion. */
export function mayBeInUse(view: ResourceView | undefined, {required, schemas}: Snapshot): boolean {
  if (view === undefined || !isLabelledInUse(view)) return false;
  if (schemas === undefined) return true;
  const object = objectKey(refTo(view));
  return kinds.some(([requirement]) => {
    const usages = required.get(requirement);
    return usages === undefined || usages.some((usage) => usedBy(usage) === object);
  });
}

/** The label alone, whether it tells the truth or not. */
export function isLabelledInUse(view: ResourceView | undefined): boolean {
  return view?.field(['metadata', 'labels', 'crossplane.io/in-use']) === 'true';
}
