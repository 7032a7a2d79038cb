// The link of a managed resource to its external resource: crossplane/crossplane-runtime 4e7ed235
// pkg/reconciler/managed/reconciler.go. The name is the one link; a resource that was created and never named is created again.

import {at} from '../../cluster/json.ts';
import {conditionOf, groupKindOf, isDeleting, isTrue, type KubeObject, refOf} from '../../cluster/object.ts';
import {annotationsOf, externalNameOf, isCreateIncomplete} from '../../cluster/provider/annotations.ts';
import {deletesExternal} from '../../cluster/provider/policies.ts';
import {annotationCreatePending, annotationCreateSucceeded} from '../../cluster/vocabulary.ts';
import {concealedText} from '../input/conceal/concealed-text.ts';
import type {Fault} from './class-words.ts';
import {allowsAction, externalIdentityOf, hasOtherExternal, shownName} from './external-identity.ts';
import {addressText, type Finding, findingOf, type Judged} from './finding.ts';
import type {Inventory} from './inventory.ts';

/** An asynchronous create learns the name late; a synchronous one has ended by then. */
const patienceMs = 5 * 60_000;

export function checkExternalNames({managed, nowMs}: Inventory): Judged {
  const sharing = new Map<string, KubeObject[]>();
  for (const object of managed) {
    const identity = externalIdentityOf(object);
    if (identity !== undefined) sharing.set(identity, [...(sharing.get(identity) ?? []), object]);
  }
  const shared = [...sharing.values()].filter((group) => group.length > 1).flatMap(sharedOf);
  const faults = managed.flatMap((object) => {
    const fault = isCreateIncomplete(object) ? pendingFault(object, nowMs) : nameFault(object, nowMs);
    return fault === undefined ? [] : [{object, fault}];
  });
  const written = faults.filter(({object, fault}) => fault.class === 'create-twice' && !hasLived(object));
  const single = faults.filter((one) => !written.includes(one)).map(({object, fault}) => findingOf(object, fault));
  const what = 'managed resources with a status that no control plane wrote: they have no uid and no time of creation';
  const count = written.length;
  return {findings: [...shared, ...single], notJudged: count === 0 ? [] : [{what, count}]};
}

/** False for what a person wrote: a manifest, or the input of a test. */
function hasLived({metadata}: KubeObject): boolean {
  return metadata.uid !== undefined || metadata.creationTimestamp !== undefined;
}

/**
 * One finding for all that share. Two kinds of a cloud that lead to one external resource are a move from one provider to the
 * other, and sound as long as one alone may delete it.
 */
function sharedOf(sharing: readonly KubeObject[]): readonly Finding[] {
  const kinds = Map.groupBy(sharing, groupKindOf);
  const group = kinds.size === sharing.length ? sharing.filter(deletesExternal) : sharing;
  const [first, ...others] = group.toSorted((left, right) =>
    addressText(refOf(left)) < addressText(refOf(right)) ? -1 : 1,
  );
  return first === undefined || others.length === 0
    ? []
    : [findingOf(first, {class: 'external-name-shared', externalName: shownName(first), with: others.map(refOf)})];
}

function pendingFault(object: KubeObject, nowMs: number): Fault | undefined {
  const forMs = nowMs - Date.parse(annotationsOf(object)[annotationCreatePending] ?? '');
  return forMs >= patienceMs ? {class: 'create-pending', forMs, isDeleting: isDeleting(object)} : undefined;
}

function nameFault(object: KubeObject, nowMs: number): Fault | undefined {
  if (isDeleting(object)) return undefined;
  if (externalNameOf(object) !== '') return hasOtherExternal(object) ? differsFault(object) : undefined;
  if (!allowsAction('Create', object))
    return allowsAction('Observe', object) ? {class: 'external-name-missing'} : undefined;
  const known = whyKnown(object, nowMs);
  return known === undefined ? undefined : {class: 'create-twice', known};
}

function differsFault(object: KubeObject): Fault {
  const id = concealedText(String(at(object.status, ['atProvider', 'id'])));
  return {class: 'external-name-differs', externalName: shownName(object), id};
}

/** An asynchronous create that failed is tried again, and has made nothing. */
function isUnderWay(object: KubeObject): boolean {
  return conditionOf(object, 'LastAsyncOperation')?.status === 'False';
}

/** The evidence that the external resource exists. */
function whyKnown(object: KubeObject, nowMs: number): 'created' | 'ready' | 'id-in-status' | undefined {
  if (isTrue(object, 'Ready')) return 'ready';
  const id = at(object.status, ['atProvider', 'id']);
  if (typeof id === 'string' && id !== '') return 'id-in-status';
  if (isUnderWay(object)) return undefined;
  const sinceMs = nowMs - Date.parse(annotationsOf(object)[annotationCreateSucceeded] ?? '');
  return sinceMs >= patienceMs ? 'created' : undefined;
}
