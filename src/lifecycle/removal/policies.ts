// The input's rules for a resource that leaves: the policies, the approval, and the budget.
//
// Orphan: the object's policies that delete are changed first, and it is released once that is seen in observed. The same happens to
// an object whose external resource is desired under another resource name.

import {isUsage} from '../facts/edges.ts';
import {canOrphan, deletesExternal, isEverything, namesakesOf} from '../facts/external-policies.ts';
import {annotatedNames, annotationOf, withAnnotations} from '../facts/metadata.ts';
import {isSetAside, memoryName} from '../facts/naming.ts';
import {isDeleting} from '../facts/ownership.ts';
import type {Input} from '../input/input.ts';
import type {Ruled} from '../input/scene.ts';
import {matches, type Selector} from '../input/selector.ts';
import type {Decision} from '../words/decision.ts';
import {asObject, at, isList, type Json, type JsonObject, text} from '../words/json.ts';
import type {ResourceView, Snapshot} from '../words/snapshot.ts';

type Policy = NonNullable<NonNullable<Input['removal']>['policies']>[number];

/** The policy's decision against releasing an observed resource, undefined if it allows the release. */
export function heldByPolicy(resourceName: string, {snapshot, input}: Ruled): Decision | undefined {
  const view = snapshot.observed.get(resourceName);
  // The ConfigMap of remembered names is no resource of the Composition's: it goes once nothing is remembered in it.
  if (view === undefined || (resourceName === memoryName && view.kind === 'ConfigMap')) return undefined;
  const missed = missedBy(resourceName, view, snapshot, input);
  const policy = missed === undefined ? policyOf(resourceName, view, input) : 'Confirm';
  if (policy === 'Retain') return {kind: 'retain'};
  if (policy === 'Confirm' && !isConfirmed(resourceName, snapshot))
    return {kind: 'hold', reason: 'awaiting-approval', missed};
  const isDesired = () => namesakesOf(resourceName, view, snapshot).some(({differs}) => differs === undefined);
  if (policy !== 'Orphan' && !isDesired()) return undefined;
  if (!canOrphan(view)) return {kind: 'refuse', reason: 'cannot-orphan'};
  return deletesExternal(view) ? {kind: 'hold', reason: 'orphan-first'} : undefined;
}

/**
 * The hold for everything that leaves, if more is on its way out than the budget allows: resources that the earlier steps no longer
 * desire, and those that any client is deleting. Resources that Crossplane has deleted already are forgotten, so a later edit
 * counts anew. A resource that stays anyway does not count: a policy keeps it, or it `isKept`. A confirmed one does, so that
 * confirming some of them lets none of the others go.
 */
export function overBudget(
  leaving: ReadonlySet<string>,
  ruled: Ruled,
  isKept: (resourceName: string) => boolean,
): Decision | undefined {
  const budget = ruled.input.removal?.budget;
  if (budget === undefined) return undefined;
  let counted = 0;
  let going = 0;
  ruled.snapshot.observed.forEach((view, name) => {
    if (isUsage(view) || isSetAside(name, view)) return;
    counted++;
    if (isDeleting(view) || (leaving.has(name) && !staysByPolicy(name, ruled) && !isKept(name))) going++;
  });
  const {resources = Number.POSITIVE_INFINITY, percent = 100} = budget;
  if (going <= resources && going * 100 <= percent * counted) return undefined;
  return {kind: 'hold', reason: 'over-budget', leaving: going, observed: counted};
}

/** True if its policy keeps it until a person acts. */
export function staysByPolicy(resourceName: string, ruled: Ruled): boolean {
  const held = heldByPolicy(resourceName, ruled);
  return held !== undefined && !(held.kind === 'hold' && held.reason === 'orphan-first');
}

/**
 * True if the XR's annotation names the resource: then the budget does not hold it, although it counts. NAME@UID
 * confirms that object alone, so the confirmation is used up when the object is gone.
 */
export function isConfirmed(resourceName: string, snapshot: Pick<Snapshot, 'xr' | 'observed'>): boolean {
  return annotatedNames(snapshot.xr, 'confirm-removal').has(resourceName) || isObjectConfirmed(resourceName, snapshot);
}

/** True if the annotation names this very object, as NAME@UID. A restore may bring the annotation back, and each object has a new UID. */
export function isObjectConfirmed(resourceName: string, {xr, observed}: Pick<Snapshot, 'xr' | 'observed'>): boolean {
  const uid = observed.get(resourceName)?.uid ?? '';
  return uid !== '' && annotatedNames(xr, 'confirm-removal').has(`${resourceName}@${uid}`);
}

/** True if it is desired again after it let its external resource go: by the policy Orphan, or for another resource name. */
export function isOrphaned(resourceName: string, view: ResourceView, {snapshot, input}: Ruled): boolean {
  const wanted = snapshot.desired.get(resourceName);
  if (wanted === undefined || !canOrphan(view) || deletesExternal(view)) return false;
  return deletesExternal(wanted) || hasOrphanPolicy(resourceName, view, input);
}

/** True if a resource with the policy Orphan is desired and not observed: an earlier one of that name may still be on its way out. */
export function isOrphanWanted({snapshot: {desired, observed}, input}: Ruled): boolean {
  if (input.removal?.policies?.some(({policy}) => policy === 'Orphan') !== true) return false;
  return [...desired].some(([name, view]) => !observed.has(name) && hasOrphanPolicy(name, view, input));
}

export function hasOrphanPolicy(resourceName: string, view: ResourceView | undefined, input: Input): boolean {
  return view !== undefined && policyOf(resourceName, view, input) === 'Orphan';
}

/** A body of the object, changed so that its provider lets the external resource live when the object is deleted. */
export function withOrphanPolicies(body: JsonObject, view: ResourceView): JsonObject {
  const spec = asObject(body['spec']);
  const field = (name: string) => spec[name] ?? view.field(['spec', name]);
  const policies = field('managementPolicies');
  const changed: {[key: string]: JsonObject[string]} = {};
  if (text(field('deletionPolicy')) !== '') changed['deletionPolicy'] = 'Orphan';
  if (isList(policies) && (changed['deletionPolicy'] === undefined || !isEverything(policies))) {
    changed['managementPolicies'] = policies.includes('*')
      ? ['Observe', 'Create', 'Update', 'LateInitialize']
      : policies.filter((policy) => policy !== 'Delete');
  }
  return withPolicies(body, view, changed);
}

/** On an object: its policies that we set, by comma. They were other ones, or none, before. */
export const annotationPolicies = 'tether.fn.crossplane.io/policies';

/** A body of the object with other policies. `view`: the object as it is, if it is there. */
export function withPolicies(body: JsonObject, view: ResourceView | undefined, policies: JsonObject): JsonObject {
  const isOther = (name: string) => JSON.stringify(policies[name]) !== JSON.stringify(view?.field(['spec', name]));
  const noted =
    at(body, ['metadata', 'annotations', annotationPolicies]) ?? (view && annotationOf(view, annotationPolicies));
  const names = new Set([...policiesIn(noted), ...Object.keys(policies).filter(isOther)]);
  const changed = {...body, spec: {...asObject(body['spec']), ...policies}};
  return names.size === 0 ? changed : withAnnotations(changed, {[annotationPolicies]: [...names].sort().join()});
}

/** The policies of an object that is given none. */
export const usualPolicies = {deletionPolicy: 'Delete', managementPolicies: ['*']} as const;

type PolicyField = keyof typeof usualPolicies;

/** The names in a note of policies. A writer of it cannot name other fields. */
export const policiesIn = (note: Json | undefined) =>
  text(note)
    .split(',')
    .filter((name): name is PolicyField => Object.hasOwn(usualPolicies, name));

/**
 * The place of the first rule that would keep this resource but for a slip in it: a policy that no other comes before, or a protection.
 * Then a person confirms its removal.
 */
function missedBy(
  resourceName: string,
  view: ResourceView,
  snapshot: Snapshot,
  {removal: {policies = []} = {}, protect: {resources = []} = {}}: Input,
): string | undefined {
  const isFor = ({match}: {readonly match?: Selector}) => matches(match, resourceName, view);
  const mayBeFor = ({match}: {readonly match?: Selector}) => matches(match, resourceName, view, snapshot);
  const isMissed = (rule: Policy | undefined) => rule !== undefined && rule.policy !== 'Delete' && !isFor(rule);
  const index = policies.findIndex(mayBeFor);
  if (isMissed(policies[index])) return `input.removal.policies[${index}]`;
  const protecting = resources.some(isFor) ? -1 : resources.findIndex(mayBeFor);
  return protecting < 0 ? undefined : `input.protect.resources[${protecting}]`;
}

function policyOf(resourceName: string, view: ResourceView, input: Input): Policy['policy'] {
  const rule = input.removal?.policies?.find(({match}) => matches(match, resourceName, view));
  // A Usage has nothing outside the cluster that could be left behind.
  return rule === undefined || (rule.policy === 'Orphan' && isUsage(view)) ? 'Delete' : rule.policy;
}
