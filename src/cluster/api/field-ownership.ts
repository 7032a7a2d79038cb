// Server-side apply as a function of values: from a live object, a new one or a configuration, and the managers so far, the
// object and the managers afterwards.
//
// kubernetes-sigs/structured-merge-diff 15d0754 merge/update.go. Conversion between versions is None, as for every CRD
// of the simulated world: a value is the same in all of them, only its type may differ.

import {equal, type Json, type JsonObject} from '../json.ts';
import {memo} from '../memo.ts';
import {mustConvert, mustConvertForAll, mustConvertToPrune} from './convertible.ts';
import {
  covers,
  difference,
  differenceBelow,
  type FieldSet,
  fieldSetOf,
  intersection,
  noFields,
  sameFields,
  shared,
  union,
} from './field-set.ts';
import {type Manager, type ManagerName, type Managers, managerId} from './managers.ts';
import type {Atom} from './merge-type.ts';
import {reconcileWithType} from './reconcile-type.ts';
import {compareTyped} from './typed-compare.ts';
import {fieldSetOfValue, withNamedFields} from './typed-field-set.ts';
import {mergeTyped, removeFields} from './typed-merge.ts';

/** The types of a kind by apiVersion; a manager of a version that is not there any more is forgotten. */
export interface Typing {
  readonly typeOf: (apiVersion: string) => Atom | undefined;
  /** The fields that a (sub)resource resets, by apiVersion. A write through it gives no manager ownership of them. */
  readonly resetFields: (apiVersion: string) => FieldSet;
}

export interface Conflict {
  readonly id: string;
  readonly manager: ManagerName;
  readonly fields: FieldSet;
}

export interface Applied {
  readonly kind: 'applied';
  /** The live object itself where the configuration changes nothing. */
  readonly object: JsonObject;
  readonly managers: Managers;
  readonly changed: boolean;
}

/**
 * The managers after `next` replaced `live` in a create, update or patch. `manager` takes every field that changed
 * value, and the others lose it.
 */
export function trackUpdate(
  live: JsonObject,
  next: JsonObject,
  apiVersion: string,
  managers: Managers,
  typing: Typing,
): {readonly managers: Managers; readonly taken: FieldSet} {
  mustConvertForAll(live, apiVersion, managers, typing);
  const present = reconcileManagers(managers, typing);
  const change = takeOver(live, next, apiVersion, present, undefined, typing);
  return {managers: change.managers, taken: ownable(change.taken)};
}

export interface Applying {
  readonly name: ManagerName;
  readonly force: boolean;
  /** True if the manager applied this very configuration last time. */
  readonly repeats: boolean;
}

/** The object after `config` is applied by the manager of this name, or the conflicts that forbid it. */
export function applyConfig(
  live: JsonObject,
  config: JsonObject,
  apiVersion: string,
  managers: Managers,
  {name, force, repeats}: Applying,
  typing: Typing,
): Applied | {readonly kind: 'conflicts'; readonly conflicts: readonly Conflict[]} {
  const type = typing.typeOf(apiVersion);
  if (type === undefined) return {kind: 'applied', object: live, managers, changed: false};
  mustConvertForAll(live, apiVersion, managers, typing);
  const present = reconcileManagers(managers, typing);
  const merged = (mergeTyped(live, config, type) ?? {}) as JsonObject;
  const manager = managerId(name);
  const last = present.get(manager);
  const applying = repeats && last !== undefined ? last : applierOf(config, type, apiVersion, name, last, typing);
  const withApplier = applying === last ? present : new Map(present).set(manager, applying);
  if (last !== undefined && last.set.size > 0) mustConvertToPrune(merged, apiVersion, last, withApplier, typing);
  const object = releaseFields(merged, withApplier, applying, last, typing) as JsonObject;
  const change = takeOver(live, object, apiVersion, withApplier, manager, typing);
  if (!force && change.conflicts.length > 0) return {kind: 'conflicts', conflicts: change.conflicts};
  const changed = object !== live && !equal(object, live);
  return {
    kind: 'applied',
    object: changed ? object : live,
    managers: withoutUnownable(change.managers, manager),
    changed,
  };
}

/** The applier as owner of the configured fields. An unchanged record of the manager is reused. */
function applierOf(
  config: JsonObject,
  type: Atom,
  apiVersion: string,
  name: ManagerName,
  last: Manager | undefined,
  typing: Typing,
): Manager {
  const set = differenceBelow(fieldSetOfValue(config, type), typing.resetFields(apiVersion));
  if (last?.apiVersion === apiVersion && sameFields(last.set, ownable(set))) return last;
  return {name, set: shared(set), apiVersion, applied: true, time: last?.time};
}

/** Moves ownership of the changed fields: every manager but `except` loses what the write added, modified or removed. */
function takeOver(
  live: JsonObject,
  next: JsonObject,
  apiVersion: string,
  managers: Managers,
  except: string | undefined,
  typing: Typing,
): {
  readonly managers: Managers;
  readonly conflicts: readonly Conflict[];
  readonly taken: FieldSet;
} {
  const own = changeBetween(live, next, apiVersion, typing);
  if (own === undefined) throw new Error(`cannot compare objects: the kind has no version ${apiVersion}`);
  const changeAt = (version: string) => {
    if (version === apiVersion) return own;
    mustConvert(live, apiVersion, version, typing, 'failed to convert old object: ');
    mustConvert(next, apiVersion, version, typing, 'failed to convert new object: ');
    return changeBetween(live, next, version, typing);
  };
  const conflicts: Conflict[] = [];
  let out: Map<string, Manager> | undefined;
  for (const [id, manager] of managers) {
    const change = id === except ? untouched : changeAt(manager.apiVersion);
    const fields = change === undefined ? noFields : intersection(manager.set, change.taken);
    if (fields.size > 0) conflicts.push({id, manager: manager.name, fields});
    const left = change === undefined ? noFields : difference(difference(manager.set, fields), change.removed);
    if (left === manager.set && left.size > 0) continue;
    out ??= new Map(managers);
    if (left.size === 0) out.delete(id);
    else out.set(id, {...manager, set: shared(left)});
  }
  return {managers: out ?? managers, conflicts, taken: own.taken};
}

/** The fields that a write changed, in the terms of one version and without those it resets. */
interface Change {
  /** Added or given another value. */
  readonly taken: FieldSet;
  readonly removed: FieldSet;
}

const untouched: Change = {taken: noFields, removed: noFields};

function changeBetween(live: JsonObject, next: JsonObject, apiVersion: string, typing: Typing): Change | undefined {
  const type = typing.typeOf(apiVersion);
  if (type === undefined) return undefined;
  if (live === next) return untouched;
  const {added, removed, modified} = compareTyped(live, next, type);
  const reset = typing.resetFields(apiVersion);
  return {taken: differenceBelow(union(modified, added), reset), removed: differenceBelow(removed, reset)};
}

/**
 * Removes fields that the applier applied last time and does not apply now, unless another manager owns them. It first takes out
 * everything the applier had, then puts back what any manager owns now, then what the applier never had. An applier that applies
 * all it applied before, the usual case, costs no look at the object.
 */
function releaseFields(
  merged: Json,
  managers: Managers,
  applying: Manager,
  last: Manager | undefined,
  typing: Typing,
): Json {
  if (last === undefined || covers(applying.set, last.set)) return merged;
  const type = typing.typeOf(last.apiVersion);
  if (type === undefined) return merged;
  const lastNamed = withNamedFields(last.set, type);
  const bare = removeFields(merged, lastNamed, type);
  let pruned = bare;
  for (const [apiVersion, owned] of ownedByVersion(managers, last.apiVersion)) {
    const versioned = typing.typeOf(apiVersion);
    if (versioned === undefined) continue;
    const dropped = difference(
      fieldsWithNames(merged, versioned),
      union(fieldsWithNames(pruned, versioned), withNamedFields(owned, versioned)),
    );
    pruned = removeFields(merged, dropped, versioned);
  }
  const dangling = difference(fieldsWithNames(merged, type), fieldsWithNames(pruned, type));
  return removeFields(merged, intersection(dangling, lastNamed), type);
}

/** The union of all managers' fields, per version, the given version first. */
function ownedByVersion(managers: Managers, first: string): ReadonlyMap<string, FieldSet> {
  const owned = new Map<string, FieldSet>();
  if ([...managers.values()].some(({apiVersion}) => apiVersion === first)) owned.set(first, noFields);
  for (const {apiVersion, set} of managers.values())
    owned.set(apiVersion, union(owned.get(apiVersion) ?? noFields, set));
  return owned;
}

function fieldsWithNames(value: Json, type: Atom): FieldSet {
  return withNamedFields(fieldSetOfValue(value, type), type);
}

const reconciled = memo<Managers, Typing['typeOf']>();

/** Notes that all sets are in terms of the present schema, as the managers after a write are: so every write asks once. */
export function noteReconciled(managers: Managers, {typeOf}: Typing): void {
  reconciled.set(managers, typeOf);
}

/** Sets written under an older schema, in terms of the present one. */
function reconcileManagers(managers: Managers, typing: Typing): Managers {
  if (reconciled.get(managers) === typing.typeOf) return managers;
  let out: Map<string, Manager> | undefined;
  for (const [id, manager] of managers) {
    const type = typing.typeOf(manager.apiVersion);
    const set = type === undefined ? undefined : reconcileWithType(manager.set, type);
    if (set === manager.set) continue;
    out ??= new Map(managers);
    if (set === undefined) out.delete(id);
    else out.set(id, {...manager, set: shared(set)});
  }
  return out ?? managers;
}

function withoutUnownable(managers: Managers, id: string): Managers {
  const manager = managers.get(id);
  if (manager === undefined) return managers;
  const set = ownable(manager.set);
  if (set === manager.set) return managers;
  const out = new Map(managers);
  if (set.size === 0) out.delete(id);
  else out.set(id, {...manager, set: shared(set)});
  return out;
}

/** Metadata and type fields that no manager ever owns. */
const neverOwned = fieldSetOf(
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ['f:metadata', 'f:name'],
  ['f:metadata', 'f:namespace'],
  ['f:metadata', 'f:creationTimestamp'],
  ['f:metadata', 'f:selfLink'],
  ['f:metadata', 'f:uid'],
  ['f:metadata', 'f:clusterName'],
  ['f:metadata', 'f:generation'],
  ['f:metadata', 'f:managedFields'],
  ['f:metadata', 'f:resourceVersion'],
);

function ownable(set: FieldSet): FieldSet {
  return difference(set, neverOwned);
}
