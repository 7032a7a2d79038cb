// The side that gives. It offers what it has and keeps it as it is; it lets go only when the other XR's object is seen to
// observe the same external resource, or to have it already, and releases only when that object is seen with policies of its own,
// in order, and says that it took it. What `protect` keeps here is let go only to what a Usage keeps there.
//
// What was let go gets its policies back only when nothing over there has policies of its own, and never while it is being
// deleted: the provider would delete the external resource after all.
//
// Who takes the rule away in the middle stops the exchange, and does not say that the external resource is to go, which the
// other XR may observe by now: what no step desires any more stays until the rule is back or the XR's annotation names it.

import {externalNameOf, isCreating} from '../../external-names/external-names.ts';
import {canOrphan} from '../../facts/external-policies.ts';
import {isLabelledInUse} from '../../facts/in-use-label.ts';
import {isDeleting} from '../../facts/ownership.ts';
import type {ExchangeUntil} from '../../words/exchange-steps.ts';
import type {ResourceView} from '../../words/snapshot.ts';
import {anotherResource, hasLetGo, onlyObserves, synced} from '../proofs.ts';
import {type OtherSide, objectOf} from './other-side.ts';
import {type Mark, markOn, names} from './partner-mark.ts';

export type Given =
  | {readonly kind: 'stay'; readonly reason: 'offering' | 'letting-go' | 'taking-back'; readonly until: ExchangeUntil}
  /** It leaves, and what the pipeline desires under its name is not made. */
  | {readonly kind: 'leave'}
  /** As if there were no rule. */
  | {readonly kind: 'none'};

/** What a rule says that allows the exchange. */
export interface Allowed {
  readonly dryRun: boolean;
  /** Whether another rule is about the resource, too, so that nothing begins. */
  readonly isRivalled: boolean;
  /** The external name that the new object is to have, '' where there is none yet. */
  readonly newName: string;
  /** The rule itself says what is the same, because the providers write names and ids differently. */
  readonly isNamed: boolean;
}

export interface GiveQuestion {
  readonly view: ResourceView;
  /** Whether an earlier step desires it. */
  readonly isWanted: boolean;
  /** Whether a person named it as one that may leave. */
  readonly isConfirmed: boolean;
  /** Whether the other XR says that it desires this very object. */
  readonly isSameThere: boolean;
  /** Whether a Usage of `protect` keeps it. */
  readonly isProtected: boolean;
  /** This XR, and the resource name here: what the other object's mark has to name. */
  readonly xr: ResourceView;
  readonly resourceName: string;
  /** Undefined where no rule gives it, any more. */
  readonly allowed: Allowed | undefined;
  readonly mark: Mark | undefined;
  readonly other: OtherSide;
}

export function giving(question: GiveQuestion): Given {
  const {view, allowed, mark, other} = question;
  const isLetGo = mark !== undefined && hasLetGo(view);
  if (isDeleting(view)) return isLetGo ? {kind: 'leave'} : {kind: 'none'};
  if (allowed === undefined) return takingBack(question, isLetGo);
  if (allowed.isRivalled && !isLetGo) return {kind: 'stay', reason: 'offering', until: 'one-rule'};
  const until = obstacleTo(question);
  // The new object is made once the rule is no dry run.
  if (allowed.dryRun && !isLetGo) {
    return {
      kind: 'stay',
      reason: 'offering',
      until: until === undefined || until === 'other-object' ? 'dry-run' : until,
    };
  }
  const object = objectOf(other);
  if (!isLetGo) {
    const mayLetGo = until === undefined || (until === 'other-takes' && isTakenAlready(question));
    return {kind: 'stay', reason: mayLetGo ? 'letting-go' : 'offering', until: until ?? 'let-go'};
  }
  if (until !== undefined) return {kind: 'stay', reason: 'letting-go', until};
  if (object === undefined || markOn(object)?.stage !== 'taken') {
    return {kind: 'stay', reason: 'letting-go', until: 'taken'};
  }
  return {kind: 'leave'};
}

/** Why the other XR has not proven that it has the same external resource. */
function obstacleTo({
  view,
  xr,
  resourceName,
  isProtected,
  isSameThere,
  allowed,
  other,
}: GiveQuestion): ExchangeUntil | undefined {
  if (!canOrphan(view)) return 'cannot-let-go';
  if (externalNameOf(view) === '' || allowed === undefined || allowed.newName === '') return 'external-name';
  if (isCreating(view)) return 'created';
  if (other.kind === 'pending') return 'answered';
  if (other.xr === undefined) return 'other-xr';
  if (isDeleting(other.xr)) return 'other-xr-deleting';
  const {object} = other;
  if (object === undefined && isSameThere) return 'same-object';
  if (object === undefined) return other.labelled.length > 0 ? 'proven' : 'other-object';
  if (isDeleting(object)) return 'other-deleting';
  if (!names(markOn(object), xr, resourceName)) return 'other-takes';
  if (!isSame(view, object, allowed)) return 'same-resource';
  if (isProtected && !isLabelledInUse(object)) return 'other-protected';
  return synced(object) === 'True' ? undefined : 'other-synced';
}

/**
 * Whether the other XR has it, with policies of its own, and says of nobody that it takes it: a backup of before the exchange brought
 * this one back. Both would delete the external resource, so this one lets go; it is released only when the other XR takes it again.
 */
function isTakenAlready({view, allowed, other}: GiveQuestion): boolean {
  const object = objectOf(other);
  if (object === undefined || hasLetGo(object) || synced(object) !== 'True') return false;
  return allowed !== undefined && isSame(view, object, allowed);
}

/** No rule gives it any more. What was let go waits until nobody over there could delete the external resource. */
function takingBack({mark, other, isWanted, isConfirmed}: GiveQuestion, isLetGo: boolean): Given {
  if (mark === undefined) return {kind: 'none'};
  const isStopped = !isWanted && !isConfirmed;
  if (!isLetGo) return isStopped ? {kind: 'stay', reason: 'offering', until: 'rule-to-give'} : {kind: 'none'};
  if (other.kind === 'pending') return {kind: 'stay', reason: 'taking-back', until: 'answered'};
  const isHeldThere = other.labelled.some((object) => !onlyObserves(object));
  if (isHeldThere) return {kind: 'stay', reason: 'taking-back', until: 'given-back'};
  // Released it would leave an external resource behind that nothing leads to.
  const isAlone = other.labelled.length === 0;
  return isStopped && isAlone ? {kind: 'stay', reason: 'taking-back', until: 'rule-to-give'} : {kind: 'none'};
}

/** Whether both lead to one external resource: by the name, and unless both providers tell an identity, and not the same one. */
export function isSame(old: ResourceView, fresh: ResourceView, {newName, isNamed}: Allowed): boolean {
  return externalNameOf(fresh) === newName && (isNamed || anotherResource(old, fresh) === undefined);
}
