// Deletions that do not end. Some reasons are visible at once: a pause, a refusal that cannot end, a user that stays. Without a
// visible reason, the time that has passed is one. Sources: crossplane/crossplane-runtime 4e7ed235
// pkg/reconciler/managed/reconciler.go and pkg/reconciler/providerconfig/ reconciler.go; crossplane/crossplane 2d040d2da
// internal/controller/rbac/provider/roles/roles.go (a provider may not delete the usages of its configs: crossplane#6665);
// kubernetes pkg/controller/namespace/deletion.

import {usedOf, usedRef} from '../../cluster/crossplane/usage-object.ts';
import {at, isList} from '../../cluster/json.ts';
import {conditionOf, controllerOf, isDeleting, type KubeObject, refOf} from '../../cluster/object.ts';
import {isCreateIncomplete} from '../../cluster/provider/annotations.ts';
import {isCrossplanesDefinition} from './check-definitions.ts';
import {pausedBy} from './check-pauses.ts';
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
    const by = reconciled.has(object) ? pausedBy(object) : undefined;
    const why = by === undefined ? whyStuck(object, inventory) : {kind: 'paused' as const, by};
    if (why !== undefined) whys.set(object, why);
  }
  // A create with an unknown end is a finding of its own, and keeps what waits for it all the same.
  waitForEach([...whys.keys(), ...leaving.filter(isCreateIncomplete)], leaving, whys);
  const findings = [...whys].map(([object, why]): Finding => findingOf(object, {class: 'deletion-stuck', why}));
  return {findings, notJudged: []};
}

/** Adds each object that waits for one that stays: its namespace, an owner deleted in the foreground, its claim. */
function waitForEach(
  staying: readonly KubeObject[],
  leaving: readonly KubeObject[],
  whys: Map<KubeObject, WhyStuck>,
): void {
  const waiting = new Map<string, KubeObject>();
  for (const object of leaving) {
    const {name, uid, finalizers} = object.metadata;
    if (object.kind === 'Namespace') waiting.set(name, object);
    else if (finalizers?.includes('foregroundDeletion') === true) waiting.set(uid ?? '', object);
    else waiting.set(claimText(object), object);
  }
  const queue = [...staying];
  for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
    const owners = (one.metadata.ownerReferences ?? []).map(({uid}) => uid);
    const keys = [one.metadata.namespace, ...owners, claimTextOf(one)];
    for (const key of keys) {
      const waiter = waiting.get(key ?? '');
      const why = waiter === undefined ? undefined : whys.get(waiter);
      if (waiter === undefined || (why !== undefined && why.kind !== 'late' && why.kind !== 'waits')) continue;
      const others = why?.kind === 'waits' ? why.for : [];
      whys.set(waiter, {kind: 'waits', for: [...others, refOf(one)]});
      if (why === undefined) queue.push(waiter);
    }
  }
}

function claimText({kind, metadata: {namespace = '', name}}: KubeObject): string {
  return [kind, namespace, name].join('/');
}

/** Of the claim that an XR is for. */
function claimTextOf({spec}: KubeObject): string {
  return ['kind', 'namespace', 'name'].map((key) => at(spec, ['claimRef', key])).join('/');
}

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
  // LastAsyncOperation: of upjet, whose client works in the background.
  for (const condition of ['Synced', 'LastAsyncOperation']) {
    const {status, message, reason = 'False'} = conditionOf(object, condition) ?? {};
    if (status === 'False' && (forMs >= refusedMs || isFinal(message))) return {kind: 'refused', condition, reason};
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

/** Deleted in the foreground it waits for its dependents, and a claim for its XR; a Usage denies the deletion of one of them. */
function shieldedOf(object: KubeObject, {objects, usages}: Inventory): WhyStuck | undefined {
  const isForeground = object.metadata.finalizers?.includes('foregroundDeletion') === true;
  const claimed = at(object.spec, ['resourceRef', 'name']);
  if (!isForeground && claimed === undefined) return undefined;
  const protecting = usages.flatMap((usage) => {
    const of = usedOf(usage);
    return isDeleting(usage) || of.name === undefined ? [] : [[addressText(usedRef(usage, of)), usage] as const];
  });
  if (protecting.length === 0) return undefined;
  const byAddress = new Map(protecting);
  for (const one of objects) {
    const isOwned = isForeground && one.metadata.ownerReferences?.some(({uid}) => uid === object.metadata.uid) === true;
    const isDependent = isOwned || (one.metadata.name === claimed && claimTextOf(one) === claimText(object));
    const usage = isDependent && !isDeleting(one) ? byAddress.get(addressText(refOf(one))) : undefined;
    if (usage !== undefined) return {kind: 'protected', of: refOf(one), usage: refOf(usage)};
  }
  return undefined;
}
