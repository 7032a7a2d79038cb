// The side that gives. It offers its object and keeps it as it is. It lets go once the other XR's object is observed to observe the
// same external resource, or to have it already. It releases once that object has policies of its own, is Synced, and has the mark
// `taken`. An object that `protect` keeps here is let go only if a Usage keeps the other one.
//
// After that, the object gets its policies back only if no object of the other XR has policies of its own. It never gets them back
// while it is being deleted: the provider would delete the external resource after all.
//
// Without its rule an exchange stops. That does not ask for the external resource to go, which the other XR may observe by now. So an
// object that no step desires any more stays until the rule is back or the XR's annotation names the object.

import {externalNameOf, isCreating} from '../../external-names/external-names.ts';
import {canOrphan} from '../../facts/external-policies.ts';
import {isLabelledInUse} from '../../facts/in-use-label.ts';
import {isDeleting} from '../../facts/ownership.ts';
import type {ExchangeObstacle} from '../../words/obstacles.ts';
import type {ResourceView} from '../../words/snapshot.ts';
import {anotherResource, hasLetGo, onlyObserves, synced} from '../proofs.ts';
import {type OtherSide, objectOf} from './other-side.ts';
import {isMarkFor, type Mark, markOn} from './partner-mark.ts';

export type Given =
  | {
      readonly kind: 'stay';
      readonly reason: 'offering' | 'letting-go' | 'taking-back';
      readonly stopped?: ExchangeObstacle | undefined;
    }
  /** It leaves, and the desired resource of its name is not created. */
  | {readonly kind: 'leave'}
  /** As if there were no rule. */
  | {readonly kind: 'none'};

/** The terms of a rule that allows the exchange. */
export interface Allowed {
  readonly dryRun: boolean;
  /** True if another rule names the resource, too, so that nothing begins. */
  readonly isRivalled: boolean;
  /** The external name that the new object is to have, '' if there is none yet. */
  readonly newName: string;
  /** True if the rule itself decides identity, because the two providers write names and ids differently. */
  readonly isNamed: boolean;
}

export interface GiveQuestion {
  readonly view: ResourceView;
  /** True if an earlier step desires it. */
  readonly isWanted: boolean;
  /** True if a person confirmed that it may leave. */
  readonly isConfirmed: boolean;
  /** True if the other XR's condition shows that it desires this very object. */
  readonly isSameThere: boolean;
  /** The Usage of `protect` that keeps it. */
  readonly usage: string | undefined;
  /** This XR, and the resource name here: what the other object's mark has to name. */
  readonly xr: ResourceView;
  readonly resourceName: string;
  /** Undefined if no rule gives it (any more). */
  readonly allowed: Allowed | undefined;
  readonly mark: Mark | undefined;
  readonly other: OtherSide;
}

export function givingState(question: GiveQuestion): Given {
  const {view, allowed, mark, other} = question;
  const isLetGo = mark !== undefined && hasLetGo(view);
  if (isDeleting(view)) return isLetGo ? {kind: 'leave'} : {kind: 'none'};
  if (allowed === undefined) return takingBack(question, isLetGo);
  if (allowed.isRivalled && !isLetGo) return {kind: 'stay', reason: 'offering', stopped: {kind: 'rivals'}};
  const stopped = obstacleTo(question, allowed);
  // The new object is created once the rule is no dry run.
  if (allowed.dryRun && !isLetGo) {
    const isReady = stopped === undefined || (stopped.kind === 'not-there' && stopped.what === 'object');
    return {kind: 'stay', reason: 'offering', stopped: isReady ? {kind: 'dry-run'} : stopped};
  }
  const object = objectOf(other);
  if (isLetGo && stopped === undefined && object !== undefined && markOn(object)?.stage === 'taken')
    return {kind: 'leave'};
  const mayLetGo = isLetGo || stopped === undefined || (stopped.kind === 'other-rule' && isTakenAlready(question));
  return {kind: 'stay', reason: mayLetGo ? 'letting-go' : 'offering', stopped};
}

/** The obstacle to letting go: the other XR has not proven that it has the same external resource. */
function obstacleTo(
  {view, xr, resourceName, usage, isSameThere, other}: GiveQuestion,
  allowed: Allowed,
): ExchangeObstacle | undefined {
  if (!canOrphan(view)) return {kind: 'no-policies', whose: 'old'};
  if (externalNameOf(view) === '' || allowed.newName === '') return {kind: 'no-external-name'};
  if (isCreating(view)) return {kind: 'still-creating'};
  if (other.kind === 'pending') return {kind: 'unanswered'};
  if (other.xr === undefined) return {kind: 'not-there', what: 'xr'};
  if (isDeleting(other.xr)) return {kind: 'deleting', whose: 'xr'};
  const {object} = other;
  if (object === undefined && isSameThere) return {kind: 'same-object'};
  if (object === undefined) return other.labelled.length > 0 ? {kind: 'unproven'} : {kind: 'not-there', what: 'object'};
  if (isDeleting(object)) return {kind: 'deleting', whose: 'new'};
  if (!isMarkFor(markOn(object), xr, resourceName)) return {kind: 'other-rule', does: 'takes'};
  const another = otherResource(view, object, allowed);
  if (another !== undefined) return another;
  if (usage !== undefined && !isLabelledInUse(object)) return {kind: 'unprotected', usage};
  return synced(object) === 'True' ? undefined : {kind: 'not-synced'};
}

/**
 * True if the other XR's object has policies of its own and no mark: a backup from before the exchange brought this one back. Both
 * would delete the external resource, so this one lets go. It is released once the other XR takes it again.
 */
function isTakenAlready({view, allowed, other}: GiveQuestion): boolean {
  const object = objectOf(other);
  if (object === undefined || hasLetGo(object) || synced(object) !== 'True') return false;
  return allowed !== undefined && otherResource(view, object, allowed) === undefined;
}

/** No rule gives it any more. Once let go, it waits until no object of the other XR could delete the external resource. */
function takingBack({mark, other, isWanted, isConfirmed}: GiveQuestion, isLetGo: boolean): Given {
  if (mark === undefined) return {kind: 'none'};
  const isStopped = !isWanted && !isConfirmed;
  if (!isLetGo) return isStopped ? {kind: 'stay', reason: 'offering', stopped: {kind: 'dropped'}} : {kind: 'none'};
  if (other.kind === 'pending') return {kind: 'stay', reason: 'taking-back', stopped: {kind: 'unanswered'}};
  const isHeldThere = other.labelled.some((object) => !onlyObserves(object));
  if (isHeldThere) return {kind: 'stay', reason: 'taking-back'};
  // Released, it would leave an external resource behind that no object leads to.
  const isAlone = other.labelled.length === 0;
  return isStopped && isAlone ? {kind: 'stay', reason: 'taking-back', stopped: {kind: 'dropped'}} : {kind: 'none'};
}

/** The field by which the two lead to different external resources: the name, or an identity that both providers report. */
export function otherResource(old: ResourceView, fresh: ResourceView, {newName, isNamed}: Allowed) {
  if (externalNameOf(fresh) !== newName) return {kind: 'another-resource', field: 'the external name'} as const;
  return isNamed ? undefined : anotherResource(old, fresh);
}
