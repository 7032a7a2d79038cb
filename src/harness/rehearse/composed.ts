// The objects of each XR: those that it controls, those that it lists, and unowned ones whose label and resource name were made
// for it.

import {composedManager} from '../../cluster/crossplane/object-names.ts';
import {isObject} from '../../cluster/json.ts';
import {addressOf, controllerOf, groupKindOf, groupOf, type KubeObject} from '../../cluster/object.ts';
import {annotationResourceName, managerComposedPrefix} from '../../cluster/vocabulary.ts';
import {isXr} from '../control-plane/standing/xrs.ts';
import {listedRefs} from '../input/listed-refs.ts';

export interface Composed {
  readonly xr: KubeObject;
  readonly resources: readonly KubeObject[];
}

/** By the address of the XR; claims are none of them. */
export function composedBy(objects: readonly KubeObject[]): ReadonlyMap<string, Composed> {
  const xrs = objects.filter((object) => isXr(object, objects) && !isClaim(object));
  // One that was never in a cluster has no uid, and controls nothing.
  const byUid = new Map(xrs.flatMap((xr) => (xr.metadata.uid === undefined ? [] : [[xr.metadata.uid, addressOf(xr)]])));
  const listed = new Map(xrs.flatMap((xr) => listedBy(xr).map((address) => [address, addressOf(xr)] as const)));
  const byName = Map.groupBy(xrs, ({metadata}) => `${metadata.namespace ?? ''}/${metadata.name}`);
  const found = new Map<string, {readonly xr: KubeObject; readonly resources: KubeObject[]}>();
  for (const xr of xrs) found.set(addressOf(xr), {xr, resources: []});
  for (const object of objects) {
    const owner =
      byUid.get(controllerOf(object)?.uid ?? '') ?? listed.get(addressOf(object)) ?? madeFor(object, byName);
    if (owner !== undefined && owner !== addressOf(object)) found.get(owner)?.resources.push(object);
  }
  return found;
}

/**
 * The label names an XR and not its kind. The manager of the fields has both, so it decides among several. Without it, none is
 * chosen.
 */
function madeFor({metadata}: KubeObject, byName: ReadonlyMap<string, readonly KubeObject[]>): string | undefined {
  const name = metadata.labels?.['crossplane.io/composite'];
  if (name === undefined || metadata.annotations?.[annotationResourceName] === undefined) {
    return undefined;
  }
  const named = [...new Set([`${metadata.namespace ?? ''}/${name}`, `/${name}`])].flatMap((at) => byName.get(at) ?? []);
  const managers = new Set(metadata.managedFields?.map(({manager}) => manager));
  const wrote = named.filter((xr) =>
    managers.has(composedManager(managerComposedPrefix, {...xr, name: xr.metadata.name})),
  );
  const [only, second] = wrote.length > 0 ? wrote : named;
  return only === undefined || second !== undefined ? undefined : addressOf(only);
}

/** A claim refers to its XR; an XR lists what it composes. */
function isClaim({spec}: KubeObject): boolean {
  return isObject(spec?.['resourceRef']);
}

function listedBy(xr: KubeObject): readonly string[] {
  return listedRefs(xr).map(({apiVersion, kind, name, namespace = xr.metadata.namespace ?? ''}) => {
    return `${groupKindOf({apiVersion, kind})} ${namespace}/${name}`;
  });
}

/**
 * Groups that are there before and after any disaster: Kubernetes' own (a new cluster has its own roles, leases and flow
 * schemas), and what a platform reinstalls instead of restoring. Velero restores nothing of its own
 * (vmware-tanzu/velero d30d389b5 pkg/controller/restore_controller.go nonRestorableResources).
 */
function isOfPlatform(group: string): boolean {
  return !group.includes('.') || group.endsWith('.k8s.io') || platformGroups.includes(group);
}

const platformGroups = ['apiextensions.crossplane.io', 'pkg.crossplane.io', 'velero.io'];

/** The kinds that are lost with a cluster, and those of them of which people write the objects, not Crossplane. */
export interface LostKinds {
  readonly lost: readonly string[];
  readonly written: readonly string[];
}

/** Lost are those of every group but the platform's, and of the platform's what XRs compose. */
export function lostKinds(objects: readonly KubeObject[]): LostKinds {
  const resources = [...composedBy(objects).values()].flatMap((one) => one.resources);
  const composed = new Set(resources.map(groupKindOf));
  const gone = objects.filter(
    (object) =>
      !isOfPlatform(groupOf(object.apiVersion)) || composed.has(groupKindOf(object)) || object.kind === 'Usage',
  );
  const written = gone.filter((object) => !composed.has(groupKindOf(object)) && controllerOf(object) === undefined);
  return {lost: kindsOf(gone), written: kindsOf(written)};
}

function kindsOf(objects: readonly KubeObject[]): readonly string[] {
  return [...new Set(objects.map(({kind}) => kind))];
}
