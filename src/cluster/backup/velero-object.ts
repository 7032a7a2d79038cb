// Velero's changes to one object. The lists of names are upstream's.
// Source: vmware-tanzu/velero d30d389b5 pkg/restore/restore.go resetMetadata, resetStatus, addRestoreLabels, removeRestoreLabels,
// determineRestoreStatus; pkg/restore/merge_service_account.go generatePatch; pkg/backup/item_backupper.go itemInclusionChecks.
// Velero keeps everything else: labels, annotations, finalizers, managedFields and spec, so also resourceRefs, claimRef and
// external names.

import {equal, isObject, type Json, type JsonObject} from '../json.ts';
import type {KubeObject} from '../object.ts';
import {withoutServerFields} from './server-fields.ts';
import {asActionsLeaveIt} from './velero-actions.ts';

const dropped = ['generateName', 'selfLink', 'ownerReferences'];

export const labelBackupName = 'velero.io/backup-name';
export const labelRestoreName = 'velero.io/restore-name';
const labelExclude = 'velero.io/exclude-from-backup';
const annotationRestoreStatus = 'velero.io/restore-status';

/** Objects that are being deleted, or labelled so, are not saved. */
export function isSaved({metadata}: KubeObject): boolean {
  return metadata.labels?.[labelExclude] !== 'true' && metadata.deletionTimestamp === undefined;
}

/** The object without what belongs to one cluster, and without status. */
export function reset(object: KubeObject): KubeObject {
  return withoutServerFields(object, dropped);
}

export interface RestoreNames {
  readonly backup: string;
  readonly restore: string;
}

/** The object that Velero creates from a saved one; `modify` applies the resource modifiers of the restore. */
export function toRestore(
  object: KubeObject,
  {backup, restore}: RestoreNames,
  modify: (object: KubeObject) => KubeObject = (same) => same,
): KubeObject {
  return withLabels(modify(asActionsLeaveIt(reset(object))), backup, restore);
}

export function withLabels(object: KubeObject, backupName: string, restoreName: string): KubeObject {
  const names = {[labelBackupName]: labelValue(backupName), [labelRestoreName]: labelValue(restoreName)};
  return {...object, metadata: {...object.metadata, labels: {...object.metadata.labels, ...names}}};
}

/** As label.GetValidName, but for the hash it ends a too long name with: names here are short. */
function labelValue(name: string): string {
  return name.slice(0, 63);
}

/** True if status is restored: an annotation on the object overrides the restore's setting. */
export function restoresStatus(object: KubeObject, included: boolean): boolean {
  const wanted = object.metadata.annotations?.[annotationRestoreStatus]?.trim().toLowerCase();
  return wanted === 'true' || (wanted !== 'false' && included);
}

/** A JSON merge patch that makes `from` into `to`; undefined where they are equal. */
export function mergePatch(from: JsonObject, to: JsonObject): JsonObject | undefined {
  const patch: {[key: string]: Json} = {};
  for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const [before, after] = [from[key], to[key]];
    if (after === undefined) patch[key] = null;
    else if (isObject(before) && isObject(after)) {
      const inner = mergePatch(before, after);
      if (inner !== undefined) patch[key] = inner;
    } else if (!equal(before, after)) patch[key] = after;
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}
