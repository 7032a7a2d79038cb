// Deletions that do not end. Some reasons are visible at once: a pause, a refusal that cannot end, a user that stays. Without a
// visible reason, the time that has passed is one. Sources: crossplane/crossplane-runtime 4e7ed235
// pkg/reconciler/managed/reconciler.go and pkg/reconciler/providerconfig/ reconciler.go; crossplane/crossplane 2d040d2da
// internal/controller/rbac/provider/roles/roles.go (a provider may not delete the usages of its configs: crossplane#6665);
// kubernetes pkg/controller/namespace/deletion.

import {usedOf, usedRef} from '../../cluster/crossplane/usage-object.ts';
import {at, isList} from '../../cluster/json.ts';
import {conditionOf, controllerOf, isDeleting, type KubeObject, refOf} from '../../cluster/object.ts';
import {isCreateIncomplete} from '../../cluster/provider/annotations.ts';
import {isPaused} from '../../cluster/vocabulary.ts';
import {isCrossplanesDefinition} from './check-definitions.ts';
import type {WhyStuck} from './class-words.ts';
import {isConfig, isStale, isUsageOf} from './config-usages.ts';
import {addressText, type Finding, findingOf, type Judged} from './finding.ts';
import type {Inventory} from './inventory.ts';

/** A refused deletion is tried again within minutes; one that is not refused may take its cloud an hour. */
const refusedMs = 5 * 60_000;
const patienceMs = 60 * 60_000;

export function checkDeletions(inventory: Inventory): Judged {
  const {managed, claims, xrs, objects} = inventory;
  const reconciled = new Set([...managed, ...claims, ...xrs.map(({object}) => object)]);
  const leaving = objects.filter((object) => isDeleting(object) && isJudged(object, inventory));
  const whys = new Map<KubeObject, WhyStuck>();
  for (const object of leaving) {
    const why = isPaused(object) && reconciled.has(object) ? pausing : whyStuck(object, inventory);
    if (why !== undefined) whys.set(object, why);
  }
  // A create with an unknown end is a finding of its own, and keeps a namespace all the same.
  const staying = [...whys.keys(), ...leaving.filter(isCreateIncomplete)];
  for (const namespace of leaving.filter((one) => one.kind === 'Namespace' && !whys.has(one))) {
    const inside = staying.filter(({metadata}) => metadata.namespace === namespace.metadata.name);
    if (inside.length > 0) whys.set(namespace, {kind: 'waits', for: inside.map(refOf)});
  }
  const findings = [...whys].map(([object, why]): Finding => findingOf(object, {class: 'deletion-stuck', why}));
  return {findings, notJudged: []};
}

const pausing: WhyStuck = {kind: 'paused'};

/** Definitions and Usages have findings of their own. */
function isJudged(object: KubeObject, {usages}: Inventory): boolean {
  if (object.kind === 'Namespace' && object.apiVersion === 'v1') return true;
  return (object.metadata.finalizers ?? []).length > 0 && !isCrossplanesDefinition(object) && !usages.includes(object);
}

function whyStuck(object: KubeObject, inventory: Inventory): WhyStuck | undefined {
  if (isCreateIncomplete(object)) return undefined;
  const inUse = isConfig(object) ? usersOf(object, inventory) : undefined;
  if (inUse !== undefined) return inUse;
  const shielded = shieldedOf(object, inventory);
  if (shielded !== undefined) return shielded;
  const forMs = inventory.nowMs - Date.parse(object.metadata.deletionTimestamp ?? '');
  const synced = conditionOf(object, 'Synced');
  if (synced?.status === 'False' && (forMs >= refusedMs || isFinal(synced.message))) {
    return {kind: 'refused', reason: synced.reason ?? 'False'};
  }
  return forMs >= patienceMs ? {kind: 'late', finalizers: finalizersOf(object), forMs} : undefined;
}

/** A refusal that no further try can change: the usage of a config cannot be made in a namespace that is going. */
function isFinal(message: string | undefined): boolean {
  return /because it is being terminated/.test(message ?? '');
}

function finalizersOf({metadata, spec}: KubeObject): readonly string[] {
  const own = at(spec, ['finalizers']);
  return metadata.finalizers ?? (isList(own) ? own.map(String) : []);
}

/**
 * The objects that keep a config: usages without a controller, which no provider may delete, and users that no deletion
 * reached.
 */
function usersOf(config: KubeObject, inventory: Inventory): WhyStuck | undefined {
  const usages = inventory.objects.filter((one) => isUsageOf(one, config));
  const ownerless = usages.filter((usage) => isStale(usage, inventory));
  if (ownerless.length > 0) return {kind: 'ownerless', usages: ownerless.map(refOf)};
  const users = usages.flatMap((usage) => {
    const controller = controllerOf(usage);
    if (controller === undefined) return [];
    const {apiVersion, kind, name} = controller;
    const {namespace} = usage.metadata;
    const user = inventory.get(
      namespace === undefined ? {apiVersion, kind, name} : {apiVersion, kind, namespace, name},
    );
    return user === undefined || isDeleting(user) ? [] : [refOf(user)];
  });
  return users.length > 0 ? {kind: 'waits', for: users} : undefined;
}

/** Deleted in the foreground it waits for its dependents; a Usage denies the deletion of one of them. */
function shieldedOf(object: KubeObject, {objects, usages}: Inventory): WhyStuck | undefined {
  if (object.metadata.finalizers?.includes('foregroundDeletion') !== true) return undefined;
  const protecting = usages.flatMap((usage) => {
    const of = usedOf(usage);
    return isDeleting(usage) || of.name === undefined ? [] : [[addressText(usedRef(usage, of)), usage] as const];
  });
  if (protecting.length === 0) return undefined;
  const byAddress = new Map(protecting);
  for (const one of objects) {
    const isDependent = one.metadata.ownerReferences?.some(({uid}) => uid === object.metadata.uid) === true;
    const usage = isDependent && !isDeleting(one) ? byAddress.get(addressText(refOf(one))) : undefined;
    if (usage !== undefined) return {kind: 'protected', of: refOf(one), usage: refOf(usage)};
  }
  return undefined;
}
