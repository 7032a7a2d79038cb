// Velero's changes to one object. The lists of names are upstream's.
// Source: vmware-tanzu/velero d30d389b5 pkg/restore/restore.go resetMetadata, resetStatus, addRestoreLabels, removeRestoreLabels,
// determineRestoreStatus; pkg/restore/merge_service_account.go generatePatch; pkg/backup/item_backupper.go itemInclusionChecks.
// Velero keeps everything else: labels, annotations, finalizers, managedFields and spec, so also resourceRefs, claimRef and
// external names.

import {equal, isList, isObject, type Json, type JsonObject, without} from '../json.ts';
import {groupKindOf, type KubeObject} from '../object.ts';
import {withoutServerFields} from './server-fields.ts';

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
export function patchBetween(from: JsonObject, to: JsonObject): JsonObject | undefined {
  const patch: {[key: string]: Json} = {};
  for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const [before, after] = [from[key], to[key]];
    if (after === undefined) patch[key] = null;
    else if (isObject(before) && isObject(after)) {
      const inner = patchBetween(before, after);
      if (inner !== undefined) patch[key] = inner;
    } else if (!equal(before, after)) patch[key] = after;
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}

// Velero's changes to Kubernetes' own kinds before it restores them: a Service gets a new cluster IP and new node ports, and a Job
// selects its pods by its new uid.
//
// Source: vmware-tanzu/velero 1d1ac9f23 pkg/restore/actions/service_action.go, 31e140919 pkg/restore/actions/job_action.go. Not
// modelled: node ports that the user asked for (kept), and the actions for pods, accounts, volumes and role bindings, which do not
// change composed resources here.

function asActionsLeaveIt(object: KubeObject): KubeObject {
  const {spec} = object;
  if (spec === undefined) return object;
  switch (groupKindOf(object)) {
    case 'Service':
      return {...object, spec: serviceSpec(spec)};
    case 'Job.batch':
      return {...object, spec: jobSpec(spec)};
    default:
      return object;
  }
}

function serviceSpec(spec: JsonObject): JsonObject {
  const headless = spec['clusterIP'] === 'None';
  const bare = headless ? spec : ['clusterIP', 'clusterIPs'].reduce<JsonObject>(without, spec);
  const ports = bare['ports'];
  if (!isList(ports) || bare['type'] === 'ExternalName') return bare;
  return {...bare, ports: ports.map((port): Json => (isObject(port) ? without(port, 'nodePort') : port))};
}

const uidLabels = ['controller-uid', 'batch.kubernetes.io/controller-uid'];

function jobSpec(spec: JsonObject): JsonObject {
  const selector = withoutUid(spec['selector'], 'matchLabels');
  const template = spec['template'];
  const metadata = isObject(template) ? withoutUid(template['metadata'], 'labels') : undefined;
  return {
    ...spec,
    ...(selector === undefined ? {} : {selector}),
    ...(isObject(template) && metadata !== undefined ? {template: {...template, metadata}} : {}),
  };
}

function withoutUid(value: Json | undefined, field: string): JsonObject | undefined {
  const labels = isObject(value) ? value[field] : undefined;
  if (!isObject(value) || !isObject(labels)) return undefined;
  return {...value, [field]: uidLabels.reduce<JsonObject>(without, labels)};
}
