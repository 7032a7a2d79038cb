// A Velero restore: object by object, each with a get, a create, perhaps a status update, and a patch that puts the saved
// managedFields back. Owner references, uids and status are gone; nothing waits for owners to come first.
// Source: vmware-tanzu/velero d30d389b5 pkg/restore/restore.go restoreItem, processUpdateResourcePolicy,
// updateBackupRestoreLabels.
// Modelled besides: the policy for what exists already, status on demand, missing and terminating namespaces, the wait
// for a restored CRD, merge patches of resource modifiers (below). Not modelled: volumes, pods and service
// accounts with their special cases, other item actions, namespace mapping, hooks, and the lag of the cache it looks for
// existing objects in. Of item actions those for Services and Jobs are in velero-object.ts.

import {mergePatch} from '../api/json-patch.ts';
import type {ApiError, ApiResponse} from '../api/request.ts';
import {equal, type JsonObject} from '../json.ts';
import {api, type Step, sleep} from '../kernel/call.ts';
import {isDeleting, isTrue, type KubeObject, refOf} from '../object.ts';
import type {Backup, SavedItem} from './saved.ts';
import {
  labelBackupName,
  labelRestoreName,
  patchBetween,
  reset,
  restoresStatus,
  toRestore,
  withLabels,
} from './velero-object.ts';
import {includes, type OrderOptions, orderedItems} from './velero-order.ts';

export interface VeleroRestoreOptions extends OrderOptions {
  readonly name: string;
  /** Absent: existing objects are left alone with a warning. */
  readonly existingResourcePolicy?: 'none' | 'update';
  /** Resources (`plural.group`, or `*`) whose status is restored. */
  readonly statusOf?: readonly string[];
  /** Changes made to objects before they are created. */
  readonly modifiers?: readonly ResourceModifier[];
}

interface RestoredItem {
  readonly item: SavedItem;
  readonly action: 'created' | 'updated' | 'skipped' | 'failed';
}

export interface RestoreReport {
  readonly items: readonly RestoredItem[];
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
}

const manager = 'velero-server';
const pollMs = 1_000;
const patienceMs = 600_000;

interface Restore {
  readonly backup: Backup;
  readonly options: VeleroRestoreOptions;
}

type ItemResult = Omit<RestoredItem, 'item'> & {readonly warning?: string; readonly error?: string};

export function* veleroRestore(backup: Backup, options: VeleroRestoreOptions): Step<RestoreReport> {
  const items: RestoredItem[] = [];
  const warnings: string[] = [];
  const errors: string[] = [];
  for (const item of orderedItems(backup, options)) {
    const {action, warning, error} = yield* restoreItem(item, {backup, options});
    items.push({item, action});
    if (warning !== undefined) warnings.push(warning);
    if (error !== undefined) errors.push(error);
  }
  return {items, warnings, errors};
}

function* restoreItem(item: SavedItem, restore: Restore): Step<ItemResult> {
  const {namespace} = item.object.metadata;
  const problem = namespace === undefined ? undefined : yield* ensureNamespace(namespace, restore.backup);
  if (problem !== undefined) return failed(item, problem);
  const names = {backup: restore.backup.name, restore: restore.options.name};
  const {modifiers = []} = restore.options;
  const object = toRestore(item.object, names, (bare) => modified(bare, item.resource, modifiers));
  const found = yield* api({verb: 'get', ref: refOf(object)});
  if (found.ok && found.object !== undefined) return yield* meetExisting(found.object, object, restore.options);
  const created = yield* api({verb: 'create', object, manager});
  if (created.ok && created.object !== undefined) return yield* finish(item, object, created.object, restore);
  if (created.ok || created.reason !== 'AlreadyExists') return failed(item, created);
  const raced = yield* api({verb: 'get', ref: refOf(object)});
  if (raced.ok && raced.object !== undefined) return yield* meetExisting(raced.object, object, restore.options);
  return {action: 'failed', warning: `Unable to retrieve in-cluster version of ${object.metadata.name}`};
}

function failed({resource, object}: SavedItem, answer: ApiResponse): ItemResult {
  const cause = answer.ok ? 'the API server answered without an object' : answer.message;
  return {action: 'failed', error: `error restoring ${resource}/${object.metadata.name}: ${cause}`};
}

function* finish(item: SavedItem, object: KubeObject, created: KubeObject, restore: Restore): Step<ItemResult> {
  const included = includes(restore.options.statusOf ?? [], item.resource);
  const {status} = item.object;
  let current = created;
  let warning: string | undefined;
  if (status !== undefined && restoresStatus(item.object, included)) {
    const updated = yield* updateStatus(object, status, created);
    if (!updated.ok) warning = updated.message;
    else current = updated.object ?? created;
  }
  const {managedFields = null} = object.metadata;
  if (!equal(current.metadata.managedFields ?? null, managedFields)) {
    const body = {metadata: {managedFields}};
    const patched = yield* api({verb: 'patch', type: 'merge', ref: refOf(object), body, manager});
    if (!patched.ok && patched.code !== 404) return {action: 'created', error: patched.message};
    if (!patched.ok) warning = patched.message;
  }
  const problem = yield* waitForCrd(object);
  const warned = warning === undefined ? {} : {warning};
  return problem === undefined ? {action: 'created', ...warned} : {action: 'created', ...warned, error: problem};
}

/** Retries a lost optimistic lock as retry.DefaultRetry does: five times, 10 ms apart. */
function* updateStatus(object: KubeObject, status: JsonObject, created: KubeObject): Step<ApiResponse> {
  let {resourceVersion} = created.metadata;
  for (let tries = 1; ; tries++) {
    const metadata = resourceVersion === undefined ? object.metadata : {...object.metadata, resourceVersion};
    const next = {...object, metadata, status};
    const updated = yield* api({verb: 'update', object: next, manager, subresource: 'status'});
    if (updated.ok || updated.code !== 409 || tries === 5) return updated;
    const read = yield* api({verb: 'get', ref: refOf(object)});
    if (read.ok) resourceVersion = read.object?.metadata.resourceVersion;
    yield* sleep(10);
  }
}

/** Compares with the existing object, except for fields that belong to the cluster, and follows the policy. */
function* meetExisting(found: KubeObject, object: KubeObject, options: VeleroRestoreOptions): Step<ItemResult> {
  const existing = reset(found);
  const labels = object.metadata.labels ?? {};
  const backupName = labels[labelBackupName] ?? '';
  const restoreName = labels[labelRestoreName] ?? '';
  const labelled = withLabels(existing, backupName, restoreName);
  const isSame = equal(labelled, object);
  if (options.existingResourcePolicy !== 'update') {
    if (isSame) return {action: 'skipped'};
    const name = `${object.kind}:${object.metadata.name}`;
    const difference = 'the in-cluster version is different than the backed-up version';
    return {action: 'failed', warning: `could not restore, ${name} already exists. Warning: ${difference}`};
  }
  const unlabelled = withLabels(existing, '', '');
  const patched = yield* patchTo(unlabelled, object);
  if (patched === undefined) return {action: isSame ? 'skipped' : 'updated'};
  yield* patchTo(unlabelled, labelled);
  return {action: 'failed', warning: patched};
}

function* patchTo(from: KubeObject, to: KubeObject): Step<string | undefined> {
  const body = patchBetween(from, to);
  if (body === undefined) return undefined;
  const response = yield* api({verb: 'patch', type: 'merge', ref: refOf(to), body, manager});
  return response.ok ? undefined : response.message;
}

/** Makes the namespace where it is missing, from the backup if it is there; waits for one that is going. */
function* ensureNamespace(name: string, backup: Backup): Step<ApiError | undefined> {
  const ref = {apiVersion: 'v1', kind: 'Namespace', name};
  for (let waitedMs = 0; waitedMs <= patienceMs; waitedMs += pollMs) {
    const found = yield* api({verb: 'get', ref});
    if (found.ok && found.object !== undefined && !isDeleting(found.object)) return undefined;
    if (!found.ok && found.code !== 404) return found;
    if (!found.ok) {
      const saved = backup.items.find(({object}) => object.kind === 'Namespace' && object.metadata.name === name);
      const bare: KubeObject = {apiVersion: 'v1', kind: 'Namespace', metadata: {name}};
      const created = yield* api({verb: 'create', object: saved === undefined ? bare : reset(saved.object), manager});
      return created.ok || created.reason === 'AlreadyExists' ? undefined : created;
    }
    yield* sleep(pollMs);
  }
  const message = `timed out waiting for terminating namespace ${name} to disappear before restoring`;
  return {ok: false, code: 500, reason: 'Timeout', message};
}

function* waitForCrd(object: KubeObject): Step<string | undefined> {
  if (object.kind !== 'CustomResourceDefinition') return undefined;
  for (let waitedMs = 0; waitedMs <= patienceMs; waitedMs += pollMs) {
    const read = yield* api({verb: 'get', ref: refOf(object)});
    const isThere = read.ok && isTrue(read.object, 'Established');
    if (isThere) return undefined;
    yield* sleep(pollMs);
  }
  return `the CRD ${object.metadata.name} is not available to use for custom resources`;
}

// Velero's resource modifiers: what it changes of an object before it creates it, after its metadata was reset and before
// its own labels are put on. Source: vmware-tanzu/velero d30d389b5 pkg/restore/restore.go restoreItem,
// internal/resourcemodifiers/resource_modifiers.go.
// Modelled: the condition groupResource as an exact name, and merge patches. Not modelled: patterns, the other conditions,
// JSON patches and strategic merge patches.

interface ResourceModifier {
  /** `plural.group`. */
  readonly groupResource: string;
  readonly mergePatch: JsonObject;
}

/** Every rule whose condition the object meets, in their order. */
function modified(object: KubeObject, resource: string, modifiers: readonly ResourceModifier[]): KubeObject {
  const meant = modifiers.filter(({groupResource}) => groupResource === resource);
  const changed = meant.reduce((current, {mergePatch: patch}) => mergePatch(current, patch) as KubeObject, object);
  // The API server refuses an object whose metadata a patch took away: it has no name.
  return {...changed, metadata: changed.metadata ?? {}};
}
