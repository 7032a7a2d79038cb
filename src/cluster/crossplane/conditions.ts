// Conditions as Crossplane sets them. crossplane/crossplane 2d040d2da apis/core/v2/condition.go (SetConditions keeps a
// condition that is equal but for its time, so lastTransitionTime is when its content last changed, not its status) and
// crossplane-runtime v2.4.0 pkg/conditions/manager.go (observedGeneration).

import type {Json} from '../json.ts';
import type {Condition, KubeObject} from '../object.ts';
import {timestamp} from '../timestamp.ts';

export interface Mark {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message?: string;
}

export const available: Mark = {type: 'Ready', status: 'True', reason: 'Available'};
export const creating: Mark = {type: 'Ready', status: 'False', reason: 'Creating'};
export const deleting: Mark = {type: 'Ready', status: 'False', reason: 'Deleting'};
export const reconcileSuccess: Mark = {type: 'Synced', status: 'True', reason: 'ReconcileSuccess'};
export const claimWaiting: Mark = {
  type: 'Ready',
  status: 'False',
  reason: 'Waiting',
  message: 'Claim is waiting for composite resource to become Ready',
};
export const reconcilePaused: Mark = {
  type: 'Synced',
  status: 'False',
  reason: 'ReconcilePaused',
  message: 'Reconciliation (including deletion) is paused via the pause annotation',
};

export function reconcileError(message: string): Mark {
  return {type: 'Synced', status: 'False', reason: 'ReconcileError', message};
}

/** Conditions that functions may not set. */
export function isSystemCondition(type: string): boolean {
  return ['Ready', 'Synced', 'Healthy', 'UpToDate', 'Responsive'].includes(type);
}

export function conditionsOf(object: KubeObject): readonly Condition[] {
  const conditions = object.status?.['conditions'];
  return Array.isArray(conditions) ? (conditions as Condition[]) : [];
}

export interface Marking {
  readonly nowMs: number;
  readonly observedGeneration: 'absent' | 'set';
}

/** As controllers that came with v2 mark. */
export const withGeneration = {observedGeneration: 'set'} as const;

/** The object with the marks in its status; the object itself if it has them all. */
export function marked<T extends KubeObject>(object: T, marks: readonly Mark[], how: Marking): T {
  let conditions = conditionsOf(object);
  for (const mark of marks) conditions = setCondition(conditions, conditionFrom(mark, object, how));
  return withConditions(object, conditions);
}

export function withConditions<T extends KubeObject>(object: T, conditions: readonly Condition[]): T {
  if (conditions === object.status?.['conditions']) return object;
  return {...object, status: {...object.status, conditions: conditions as readonly Json[]}};
}

/** The list with `condition` in place of the one of its type, unless both are equal apart from the time. */
export function setCondition(conditions: readonly Condition[], condition: Condition): readonly Condition[] {
  const index = conditions.findIndex((other) => other.type === condition.type);
  if (index < 0) return [...conditions, condition];
  return saysTheSame(conditions[index] as Condition, condition) ? conditions : conditions.with(index, condition);
}

function conditionFrom(mark: Mark, object: KubeObject, how: Marking): Condition {
  const generation = object.metadata.generation;
  return {
    ...mark,
    lastTransitionTime: timestamp(how.nowMs),
    ...(how.observedGeneration === 'set' && generation !== undefined ? {observedGeneration: generation} : {}),
  };
}

function saysTheSame(left: Condition, right: Condition): boolean {
  const same =
    left.status === right.status && left.reason === right.reason && (left.message ?? '') === (right.message ?? '');
  const generations = [left.observedGeneration ?? 0, right.observedGeneration ?? 0];
  return same && (generations.includes(0) || generations[0] === generations[1]);
}
