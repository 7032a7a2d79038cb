// Usages whose ends are gone, and those that wait to be deleted. A Usage protects its `of` whether its `by` exists or not.

import {usedOf, usedRef, usingOf, usingRef} from '../../cluster/crossplane/usage-object.ts';
import {isDeleting, type KubeObject, type ResourceRef} from '../../cluster/object.ts';
import {type Finding, findingOf, findingsOfEach, type Judged} from './finding.ts';
import type {Inventory} from './inventory.ts';

/** Longer than the retries of a healthy Crossplane. */
const patienceMs = 5 * 60_000;

export function checkUsages(inventory: Inventory): Judged {
  const what = 'Usages with an end of a kind or in a namespace that the source does not have';
  return findingsOfEach(inventory.usages, (usage) => checkUsage(usage, inventory), what);
}

function checkUsage(usage: KubeObject, inventory: Inventory): Finding | 'unknown' | undefined {
  const [used, using] = [usedOf(usage), usingOf(usage)];
  // A selector that was not resolved names nothing yet.
  const of = used.name === undefined ? undefined : usedRef(usage, used);
  const by = using?.name === undefined ? undefined : usingRef(usage, using);
  if (isDeleting(usage)) return checkDeleting(usage, by, inventory);
  const ends = [of, by].map((ref) => (ref === undefined ? 'there' : stateOf(ref, inventory)));
  const [ofState, byState] = ends;
  if (of !== undefined && ofState === 'gone') return findingOf(usage, {class: 'usage-of-gone', of});
  if (of !== undefined && by !== undefined && byState === 'gone')
    return findingOf(usage, {class: 'usage-by-gone', of, by});
  return ends.includes('unknown') ? 'unknown' : undefined;
}

function checkDeleting(usage: KubeObject, by: ResourceRef | undefined, {nowMs, get}: Inventory): Finding | undefined {
  const {deletionTimestamp = '', finalizers = []} = usage.metadata;
  if (finalizers.length === 0 || !(nowMs - Date.parse(deletionTimestamp) >= patienceMs)) return undefined;
  const waitsFor = by !== undefined && get(by) !== undefined ? by : undefined;
  return findingOf(usage, {class: 'usage-stuck', by: waitsFor, finalizers});
}

/** A namespaced Usage may protect what has no namespace. */
function stateOf(ref: ResourceRef, {get, isComplete}: Inventory): 'there' | 'gone' | 'unknown' {
  const {namespace: _, ...cluster} = ref;
  if (get(ref) !== undefined || get(cluster) !== undefined) return 'there';
  return isComplete(ref) ? 'gone' : 'unknown';
}
