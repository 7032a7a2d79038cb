// The managedFields of a request: which managers it starts from, whom it makes an owner, and what it writes back.
//
// kubernetes/apimachinery eed236ce pkg/util/managedfields/internal: fieldmanager.go (which managers count, the reset),
// skipnonapplied.go (before-first-apply), managedfieldsupdater.go (times), buildmanagerinfo.go, capmanagers.go,
// conflict.go. Not modelled: lastappliedmanager.go, the hand-over from kubectl's client-side apply annotation; no
// controller of the simulated world is called kubectl.

import {equal, type JsonObject} from '../json.ts';
import {memo} from '../memo.ts';
import type {KubeObject, ManagedFieldsEntry} from '../object.ts';
import {UnconvertibleProblem} from './convertible.ts';
import {badRequest, plainError} from './errors.ts';
import {applyConfig, type Conflict, noteReconciled, type Typing, trackUpdate} from './field-ownership.ts';
import {pathsOf, printPath, shared, union} from './field-set.ts';
import {
  capUpdaters,
  decodeManagers,
  encodeManagers,
  isReset,
  type Manager,
  type ManagerName,
  type Managers,
  managerId,
  noManagers,
} from './managers.ts';
import type {Atom} from './merge-type.ts';
import type {ApiError} from './request.ts';
import {printProblems, typeProblems} from './typed-validate.ts';

export interface Writer {
  readonly manager: string;
  readonly apiVersion: string;
  readonly subresource: 'status' | undefined;
  /** RFC 3339. */
  readonly now: string;
  readonly typing: Typing;
  /** The empty body of an object of the kind. */
  readonly empty: JsonObject;
}

/** `next` with the managedFields it has after `writer` stored it over `live`; `live` is undefined for a create. */
export function trackWrite(live: KubeObject | undefined, next: KubeObject, writer: Writer): KubeObject {
  const before = managersBefore(live, next, writer.subresource !== undefined);
  // An update does not start tracking again once no manager is tracked; only an apply does.
  if (before.size === 0 && live !== undefined) return withManagedFields(next, undefined);
  // A part without a type cannot be tracked, so no field is, even if the rest of the server does not look at that part.
  if (hasUntypedPart(next, writer) || (live !== undefined && hasUntypedPart(live, writer)))
    return withManagedFields(next, undefined);
  const managers = converted(() => trackedBy(live ?? emptyOf(next, writer), next, before, writer, writer.manager));
  return withManagedFields(next, typeof managers === 'string' ? undefined : encoded(managers, writer));
}

/**
 * `live` with a configuration applied, or why not. `live` is undefined where the apply creates the object. Only what the
 * apply changes is completed.
 */
export function applyWrite(
  live: KubeObject | undefined,
  config: KubeObject,
  {force, complete}: {readonly force: boolean; readonly complete: (object: KubeObject) => KubeObject},
  writer: Writer,
): KubeObject | ApiError {
  const decoded = decodeManagers(live?.metadata.managedFields);
  if (decoded === undefined) return plainError('failed to decode managed fields');
  if ((config.metadata as JsonObject)['managedFields'] !== undefined && config.metadata.managedFields !== null) {
    return badRequest('metadata.managedFields must be nil');
  }
  const type = writer.typing.typeOf(writer.apiVersion);
  const name = nameOf(writer, writer.manager, 'Apply');
  const id = managerId(name);
  const repeats = isRepeated(decoded.get(id), config, type);
  const refused = type === undefined ? undefined : typeRefusal(live, config, type, {repeats, before: decoded});
  if (refused !== undefined) return refused;
  const base = live ?? emptyOf(config, writer);
  const before =
    decoded.size === 0 && live !== undefined
      ? trackedBy(emptyOf(config, writer), base, decoded, writer, 'before-first-apply')
      : decoded;
  const applied = converted(() =>
    applyConfig(base, config, writer.apiVersion, before, {name, force, repeats}, writer.typing),
  );
  if (typeof applied === 'string') return plainError(applied);
  if (applied.kind === 'conflicts') return conflictError(applied.conflicts);
  const managers = applied.changed ? stamped(applied.managers, id, writer.now) : applied.managers;
  const manager = managers.get(id);
  if (manager !== undefined && !repeats) configurations.set(manager, {config, type});
  const object = applied.object as KubeObject;
  const result = applied.changed || live === undefined ? complete(object) : object;
  return withManagedFields(result, encoded(managers, writer));
}

/** The tracked managers, or the message if the object cannot be converted to a manager's version. */
function converted<T>(track: () => T): T | string {
  try {
    return track();
  } catch (error) {
    if (error instanceof UnconvertibleProblem) return error.message;
    throw error;
  }
}

function encoded(managers: Managers, {typing}: Writer): readonly ManagedFieldsEntry[] | undefined {
  if (managers.size > 0) noteReconciled(managers, typing);
  return encodeManagers(managers);
}

/** The writer's record as an applier in managedFields; undefined if it owns nothing. */
export function managerOf(object: KubeObject, writer: Writer): Manager | undefined {
  return decodeManagers(object.metadata.managedFields)?.get(managerId(nameOf(writer, writer.manager, 'Apply')));
}

/** The configuration that a manager applied last, and its type. Controllers apply the same one at every reconcile. */
const configurations = memo<Manager, {readonly config: KubeObject; readonly type: Atom | undefined}>();

function isRepeated(manager: Manager | undefined, config: KubeObject, type: Atom | undefined): boolean {
  const last = manager === undefined ? undefined : configurations.get(manager);
  return last !== undefined && last.type === type && equal(last.config, config);
}

/**
 * True if the main resource's schema does not look at a part that has no type, such as the status, or lets it be because it is as it
 * was before the schema changed.
 */
function hasUntypedPart(object: KubeObject, {apiVersion, typing}: Writer): boolean {
  const type = typing.typeOf(apiVersion);
  return type !== undefined && typeProblems(object, type, true).length > 0;
}

function managersBefore(live: KubeObject | undefined, next: KubeObject, isSubresource: boolean): Managers {
  const lives = () => decodeManagers(live?.metadata.managedFields) ?? noManagers;
  if (isSubresource) return lives();
  const sent = next.metadata.managedFields as readonly JsonObject[] | undefined;
  if (isReset(sent)) return noManagers;
  const managers = decodeManagers(sent);
  // Clients that know nothing of managedFields must not wipe them by leaving them out.
  return managers === undefined || managers.size === 0 ? lives() : managers;
}

function trackedBy(live: KubeObject, next: KubeObject, before: Managers, writer: Writer, manager: string): Managers {
  const {managers, taken} = trackUpdate(live, next, writer.apiVersion, before, writer.typing);
  if (taken.size === 0) return capUpdaters(managers);
  const name = nameOf(writer, manager, 'Update');
  const id = managerId(name);
  const had = managers.get(id);
  const set = shared(had === undefined ? taken : union(taken, had.set));
  const owner: Manager = {name, set, apiVersion: writer.apiVersion, applied: false, time: writer.now};
  return capUpdaters(new Map(managers).set(id, owner));
}

function nameOf({apiVersion, subresource}: Writer, manager: string, operation: 'Apply' | 'Update'): ManagerName {
  return {manager: manager === '' ? 'unknown' : manager, operation, apiVersion, subresource};
}

function stamped(managers: Managers, id: string, time: string): Managers {
  const manager = managers.get(id);
  return manager === undefined || manager.time === time ? managers : new Map(managers).set(id, {...manager, time});
}

function emptyOf({apiVersion, kind}: KubeObject, {empty}: Writer): KubeObject {
  return {...empty, apiVersion, kind} as unknown as KubeObject;
}

function withManagedFields(object: KubeObject, entries: readonly ManagedFieldsEntry[] | undefined): KubeObject {
  const {metadata} = object;
  if (metadata?.managedFields === entries) return object;
  if (entries !== undefined) return {...object, metadata: {...metadata, managedFields: entries}};
  const {managedFields: _, ...rest} = metadata;
  return {...object, metadata: rest as KubeObject['metadata']};
}

/** A schema that changes leaves stored objects as they are: they may have no type any more. */
function typeRefusal(
  live: KubeObject | undefined,
  config: KubeObject,
  type: Atom,
  {repeats, before}: {readonly repeats: boolean; readonly before: Managers},
): ApiError | undefined {
  const standing = live === undefined ? [] : typeProblems(live, type, true);
  if (live !== undefined && standing.length > 0 && before.size === 0) {
    const failed = 'failed to create manager for existing fields: failed to convert new object';
    return plainError(`${failed} ${fullName(live)} to smd typed: ${printProblems(standing)}`);
  }
  const problems = repeats ? [] : typeProblems(config, type, false);
  if (problems.length > 0)
    return plainError(`failed to create typed patch object ${fullName(config)}: ${printProblems(problems)}`);
  if (live === undefined || standing.length === 0) return undefined;
  return plainError(`failed to create typed live object ${fullName(live)}: ${printProblems(standing)}`);
}

function fullName({apiVersion, kind, metadata}: KubeObject): string {
  const {namespace = '', name = ''} = metadata as {readonly namespace?: string; readonly name?: string};
  return `(${namespace}/${name}; ${apiVersion}, Kind=${kind})`;
}

function conflictError(conflicts: readonly Conflict[]): ApiError {
  const sorted = [...conflicts].sort((left, right) => (left.id < right.id ? -1 : 1));
  const causes = sorted.flatMap(({manager, fields}) =>
    pathsOf(fields).map((path) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${printManager(manager)}`,
      field: printPath(path),
    })),
  );
  return {ok: false, code: 409, reason: 'Conflict', message: conflictMessage(sorted, causes), causes};
}

function conflictMessage(
  conflicts: readonly Conflict[],
  causes: readonly {readonly message: string; readonly field: string}[],
): string {
  const [only] = causes;
  if (causes.length === 1 && only !== undefined) return `Apply failed with 1 conflict: ${only.message}: ${only.field}`;
  const lines = conflicts.flatMap(({manager, fields}) => [
    `conflicts with ${printManager(manager)}:`,
    ...pathsOf(fields).map((path) => `- ${printPath(path)}`),
  ]);
  return `Apply failed with ${causes.length} conflicts: ${lines.join('\n')}`;
}

function printManager({manager, operation, apiVersion, subresource}: ManagerName): string {
  const name = JSON.stringify(manager);
  const withSubresource = subresource === undefined ? name : `${name} with subresource ${JSON.stringify(subresource)}`;
  return operation === 'Update' ? `${withSubresource} using ${apiVersion}` : withSubresource;
}
