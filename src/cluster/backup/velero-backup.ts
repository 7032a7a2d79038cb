// A Velero backup: one list for each kind, one after the other, so that it is no snapshot: an object may be saved as it
// was before its owner changed. Objects that are being deleted are left out, their dependents are not.
// Source: vmware-tanzu/velero d30d389b5 pkg/backup/item_collector.go, item_backupper.go.
// Not modelled: volumes, hooks, item actions, resource policies. Nothing in the recorded stories has them.

import type {LabelSelector} from '../api/request.ts';
import {api, type Step} from '../kernel/call.ts';
import {groupOf} from '../object.ts';
import {type Backup, resourceOf, type SavedItem, type SavedKind} from './saved.ts';
import {isSaved} from './velero-object.ts';

export interface VeleroBackupOptions {
  readonly name: string;
  readonly kinds: readonly SavedKind[];
  /** Absent: every namespace. Cluster-scoped objects are always saved. */
  readonly namespaces?: readonly string[];
  readonly selector?: LabelSelector;
}

/** Saves what it is allowed to see; a kind that is not served is passed over. */
export function* veleroBackup({name, kinds, namespaces, selector}: VeleroBackupOptions): Step<Backup> {
  const items: SavedItem[] = [];
  for (const saved of kinds) {
    const {apiVersion, kind} = saved;
    const labels = selector === undefined ? {} : {selector};
    const response = yield* api({verb: 'list', apiVersion, kind, ...labels});
    if (!response.ok) continue;
    for (const object of response.items ?? []) {
      const {namespace} = object.metadata;
      const isInside = namespace === undefined || namespaces === undefined || namespaces.includes(namespace);
      if (isInside && isSaved(object))
        items.push({resource: resourceOf({...saved, group: groupOf(saved.apiVersion)}), object});
    }
  }
  return {name, items};
}
