// The selection of a backup, and the objects that it saved.

import type {GroupVersionKind, KubeObject} from '../object.ts';

export interface SavedKind extends GroupVersionKind {
  /** As in the API's paths: `nopresources`. */
  readonly plural: string;
}

export interface Backup {
  readonly name: string;
  readonly items: readonly SavedItem[];
}

export interface SavedItem {
  /** `plural.group`, or `plural` for core kinds: how tools order and select. */
  readonly resource: string;
  /** The whole object as it was read. */
  readonly object: KubeObject;
}

export function resourceOf({plural, group}: {readonly plural: string; readonly group: string}): string {
  return group === '' ? plural : `${plural}.${group}`;
}
