// Whether the label crossplane.io/in-use tells the truth. Crossplane's webhook is called for what carries it, and denies a
// deletion if any Usage names the object (crossplane/crossplane 2d040d2da internal/protection/usage/finder.go: by group,
// kind, name and namespace, in all three kinds). The label itself is a word that anybody can write, and one that comes back
// from a backup without its Usage. So all Usages are asked for, wherever one could name the object.
//
// They are asked for only where the answer cannot fail, because an error would stop the XR: a Crossplane that answers
// questions about schemas (v2.2 on), or which the input names, comes with the definitions (cluster/crds; those of Crossplane 1
// alone in v1.16 to v1.20), and lists them itself.

import type {Requirement} from '../edit.ts';
import type {Input} from '../input/input.ts';
import {objectKey, refTo} from '../objects/naming.ts';
import type {ResourceView, Snapshot} from '../snapshot.ts';
import {usedBy} from '../usages/edges.ts';
import {legacyAsked, type UsageApi} from '../usages/usage-api.ts';

const modern = 'protection.crossplane.io/v1beta1';
const legacy = {apiVersion: legacyAsked, kind: 'Usage'};

/** Every kind of Usage that this Crossplane serves, by the name of the requirement; none where that is not known. */
export type UsageKinds = ReadonlyMap<string, {readonly apiVersion: string; readonly kind: string}>;

export function usageKindsOf({schemas}: Snapshot, {crossplane}: Input, {usages}: UsageApi): UsageKinds {
  if (schemas === undefined && crossplane === undefined) return new Map();
  if (schemas === undefined && usages !== modern) return new Map([['all-legacy-usages', legacy]]);
  return new Map([
    ['all-usages', {apiVersion: modern, kind: 'Usage'}],
    ['all-cluster-usages', {apiVersion: modern, kind: 'ClusterUsage'}],
    ['all-legacy-usages', legacy],
  ]);
}

/** Lists of every Usage there is, while something that leaves carries the label. */
export function inUseRequirements(
  {observed}: Snapshot,
  kinds: UsageKinds,
  leaving: ReadonlySet<string>,
): readonly (readonly [string, Requirement])[] {
  if (![...leaving].some((name) => isLabelledInUse(observed.get(name)))) return [];
  return [...kinds].map(([requirement, kind]) => [
    requirement,
    {...kind, namespace: '', match: {kind: 'labels', labels: {}}},
  ]);
}

/** Whether some Usage makes the webhook deny the object's deletion, or may do so. */
export function isInUse(
  view: ResourceView | undefined,
  kinds: UsageKinds,
  {required}: Snapshot,
): 'certainly' | 'maybe' | 'no' {
  if (view === undefined || !isLabelledInUse(view)) return 'no';
  const object = objectKey(refTo(view));
  const answers = [...kinds.keys()].map((requirement) => required.get(requirement));
  if (answers.some((usages) => usages?.some((usage) => usedBy(usage) === object))) return 'certainly';
  return kinds.size === 0 || answers.includes(undefined) ? 'maybe' : 'no';
}

/** The label alone, whether it tells the truth or not. */
export function isLabelledInUse(view: ResourceView | undefined): boolean {
  return view?.field(['metadata', 'labels', 'crossplane.io/in-use']) === 'true';
}
