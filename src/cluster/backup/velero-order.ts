// The order of a restore: some resources first, the rest by name of resource, some last; within a resource by namespace
// and name. Owners do not come before what they own: nopresources.nop.example.org comes before xapps.ref.example.org.
// Source: vmware-tanzu/velero d30d389b5 pkg/restore/restore.go getOrderedResources; pkg/cmd/server/config/config.go
// defaultRestorePriorities. Upstream ranges over a map of namespaces within a resource; here they are sorted.

import {compareText} from '../json.ts';
import type {Backup, SavedItem} from './saved.ts';

const defaultPriorities: readonly string[] = [
  'customresourcedefinitions.apiextensions.k8s.io',
  'namespaces',
  'storageclasses.storage.k8s.io',
  'persistentvolumes',
  'persistentvolumeclaims',
  'clusterroles.rbac.authorization.k8s.io',
  'roles.rbac.authorization.k8s.io',
  'serviceaccounts',
  'clusterrolebindings.rbac.authorization.k8s.io',
  'rolebindings.rbac.authorization.k8s.io',
  'secrets',
  'configmaps',
  'limitranges',
  'priorityclasses.scheduling.k8s.io',
  'pods',
  'replicasets.apps',
  'clusterclasses.cluster.x-k8s.io',
  'endpoints',
  'services',
];

const lastResources: readonly string[] = [
  'clusterbootstraps.run.tanzu.vmware.com',
  'clusters.cluster.x-k8s.io',
  'clusterresourcesets.addons.cluster.x-k8s.io',
  'apps.kappctrl.k14s.io',
  'packageinstalls.packaging.carvel.dev',
];

// pkg/controller/restore_controller.go nonRestorableResources.
const neverRestored: readonly string[] = [
  'nodes',
  'events',
  'events.events.k8s.io',
  'backups.velero.io',
  'restores.velero.io',
  'resticrepositories.velero.io',
  'csinodes.storage.k8s.io',
  'volumeattachments.storage.k8s.io',
  'backuprepositories.velero.io',
];

/** Resources that Velero names by itself. */
export const namedResources: readonly string[] = [...defaultPriorities, ...lastResources, ...neverRestored];

/** Of a list of resources. */
export const everything = '*';

export interface OrderOptions {
  /** Resources to restore; absent: all that were saved. */
  readonly resources?: readonly string[];
  readonly exclude?: readonly string[];
  /** Resources to restore first, in this order, as --restore-resource-priorities. */
  readonly priorities?: readonly string[];
}

/** The items to restore, in order. */
export function orderedItems(backup: Backup, options: OrderOptions): readonly SavedItem[] {
  const first = options.priorities ?? defaultPriorities;
  return backup.items
    .filter(({resource}) => isWanted(resource, options))
    .sort((left, right) => {
      const byPlace = placeOf(left.resource, first) - placeOf(right.resource, first);
      return byPlace || compareText(left.resource, right.resource) || compareText(pathOf(left), pathOf(right));
    });
}

function isWanted(resource: string, {resources = [everything], exclude = []}: OrderOptions): boolean {
  return includes(resources, resource) && !includes(exclude, resource) && !neverRestored.includes(resource);
}

/** True if a list of resources of Velero names one, or everything (pkg/util/collections includes_excludes.go). */
export function includes(resources: readonly string[], resource: string): boolean {
  return resources.includes(everything) || resources.includes(resource);
}

function placeOf(resource: string, first: readonly string[]): number {
  const [early, late] = [first.indexOf(resource), lastResources.indexOf(resource)];
  if (early >= 0) return early;
  return late < 0 ? first.length : first.length + 1 + late;
}

function pathOf({object}: SavedItem): string {
  return `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
}
