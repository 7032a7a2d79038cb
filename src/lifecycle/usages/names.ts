// The names of the Usages of one plan. Ours have one name for everything, made of the XR, both ends and the API of the Usage. Under
// an input of another function they have that function's names, so that a live XR that is switched to function-tether, or back,
// keeps its Usages. Under other names they would come and go, and composed GC comes before the apply.
//
// Source: crossplane-contrib/function-sequencer c283338 fn.go (generateObservedUsages, GenerateV2Usage), name.go;
// crossplane-contrib/function-deletion-protection 966a356 fn.go (ProtectComposedResources, ProtectComposite,
// ProtectRequiredResources, GenerateV2Usage). Their names contain neither group nor namespace and are cut short, so two Usages may
// want the same one (function-sequencer#146): then the later of them has ours. They contain neither API nor kind of the Usage: if
// one of another kind has the name, because Crossplane was upgraded or an end has another scope, the new one has ours until that is
// gone. Under one name Crossplane would forget the old one without deleting it (identity.ts).

import {digestOf, isAskable, readable} from '../facts/naming.ts';
import type {UsageNaming} from '../input/input.ts';
import type {Scene} from '../input/scene.ts';
import type {UsageApi} from '../input/usage-api.ts';
import {type End, groupOf, isSameKind, type ObjectRef, objectKey} from '../words/references.ts';
import type {ResourceView, Snapshot} from '../words/snapshot.ts';

export interface UsageName {
  readonly resourceName: string;
  readonly objectName: string;
}

/** The name of the Usage in which `by`, or a reason, protects `of`. The same ends have the same name. */
export type NameUsage = (of: End, by: End | undefined) => UsageName;

export function usageNames({naming, snapshot, api}: Pick<Scene, 'naming' | 'snapshot' | 'api'>): NameUsage {
  const taken = new Map<string, string>();
  const isFree = ({resourceName, objectName}: UsageName, own: string, namespace: string): boolean => {
    // An earlier step composes it itself: the function that we replace is still in the pipeline.
    if (snapshot.desired.has(resourceName)) return false;
    // The name of an end may have a colon, as of a ClusterRole, or a dot where it is cut off. Such a Usage would stop the XR.
    if (!isAskable({namespace, name: objectName})) return false;
    const there = snapshot.observed.get(resourceName);
    const made = {apiVersion: api.usages, kind: usageKind(namespace, api)};
    if (there !== undefined && !isSameKind(there, made)) return false;
    return [`resource ${resourceName}`, `object ${objectName}`].every((name) => (taken.get(name) ?? own) === own);
  };
  return (of, by) => {
    const {xr} = snapshot;
    const own = by === undefined ? protectionName(xr, of.object, api) : usageName(xr, of.object, by.object, api);
    const theirs = theirName(naming, of, by, snapshot);
    if (theirs === undefined || !isFree(theirs, own, usageNamespace(of.object, by?.object)))
      return {resourceName: own, objectName: own};
    taken.set(`resource ${theirs.resourceName}`, own).set(`object ${theirs.objectName}`, own);
    return theirs;
  };
}

/** The kind of a Usage in a namespace, or in none (''). Crossplane 1 has one kind, and that in none. */
export function usageKind(namespace: string, {usages}: UsageApi): 'Usage' | 'ClusterUsage' {
  return namespace === '' && usages === 'protection.crossplane.io/v1beta1' ? 'ClusterUsage' : 'Usage';
}

/** The namespace of a Usage: it looks for `by` in its own, and finds a cluster-scoped `by` from any. */
export function usageNamespace(of: ObjectRef, by: ObjectRef | undefined): string {
  return by === undefined || by.namespace === '' ? of.namespace : by.namespace;
}

function theirName(
  naming: UsageNaming,
  of: End,
  by: End | undefined,
  {xr}: Pick<Snapshot, 'xr'>,
): UsageName | undefined {
  switch (naming) {
    case 'function-tether':
      return undefined;
    case 'function-sequencer':
      return by === undefined ? undefined : sequencerName(of, by);
    case 'function-deletion-protection':
      return by === undefined ? deletionProtectionName(of, objectKey(of.object) === objectKey(xr)) : undefined;
  }
}

function sequencerName(of: End, by: End): UsageName | undefined {
  // Theirs is always in the namespace of `of`, where it does not find such a `by`.
  if (by.object.namespace !== '' && by.object.namespace !== of.object.namespace) return undefined;
  const name = `${by.object.kind}-${by.object.name}-${of.object.kind}-${of.object.name}`;
  return {
    resourceName: `${by.resourceName}-${of.resourceName}-usage`,
    objectName: shortened(name.toLowerCase(), 'dependency'),
  };
}

function deletionProtectionName({resourceName, object}: End, isXr: boolean): UsageName {
  const {kind, namespace, name} = object;
  const objectName = shortened(`${kind}-${name}`.toLowerCase(), 'fn-protection');
  if (isXr) return {resourceName: `xr-${name}-usage`.toLowerCase(), objectName};
  // An object that is not composed is a required resource.
  if (resourceName === '') {
    return {resourceName: `${kind}-${name}-${namespace}-required-resource-fn-protection`, objectName};
  }
  return {resourceName: `${resourceName}-usage`, objectName};
}

/** Both functions' GenerateName. Names of Kubernetes are ASCII, so characters are bytes. */
function shortened(name: string, suffix: string): string {
  const end = `${digestOf(name).slice(0, 6)}-${suffix}`;
  const whole = `${name}-${end}`;
  if (whole.length <= 63) return whole;
  const front = name.slice(0, 63 - end.length - 1);
  return front.endsWith('-') ? `${front}${end}` : `${front}-${end}`;
}

/**
 * The object name, and resource name, of the Usage of an XR in which `by` uses `of`. It is readable in front, and exact behind: the
 * XR and both ends are hashed with group, kind, namespace and name. So no two pairs ever share one Usage, and no two XRs, of which
 * Crossplane would let only the first one have it and would stop at the other. Nor do two APIs of Usages: under one resource name,
 * Crossplane would create the new Usage and forget the old one without deleting it.
 */
function usageName(xr: ResourceView, of: ObjectRef, by: ObjectRef, api: UsageApi): string {
  const hash = digestOf(`${objectKey(xr)} ${objectKey(of)} ${objectKey(by)}${apiOf(api)}`).slice(0, 12);
  return `${readable(by.name)}-uses-${readable(of.name)}-${hash}`;
}

/**
 * The object name, and resource name, of the Usage with which an XR protects `of` for a reason. An Operation has no XR and
 * owns nothing, so what two of them protect has one Usage.
 */
export function protectionName(xr: ResourceView | undefined, of: ObjectRef, api: UsageApi): string {
  const composer = xr === undefined ? '' : `${objectKey(xr)} `;
  return `protect-${readable(of.name)}-${digestOf(`${composer}${objectKey(of)}${apiOf(api)}`).slice(0, 12)}`;
}

/** The part of the hash for the API of a Usage: empty for the current one. Its kind follows from the ends. */
export function apiOf({usages}: UsageApi): string {
  return usages === 'protection.crossplane.io/v1beta1' ? '' : ` ${groupOf(usages)}`;
}
