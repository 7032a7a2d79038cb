// The conditions of managed resources and how they are set: a condition of the same type is replaced whole, transition
// time included, unless nothing but that time differs. A generation counts only where both conditions carry one.
// Source: crossplane/crossplane 2d040d2da apis/core/v2/condition.go:111-200; upjet dbfccb48 pkg/resource/conditions.go.

import type {Json} from '../json.ts';
import type {Condition, KubeObject} from '../object.ts';
import {timestamp} from '../timestamp.ts';

export type ConditionDraft = Omit<Condition, 'lastTransitionTime'> & {
  readonly type: string;
  readonly status: Condition['status'];
  readonly reason: string;
};

export const creating = draft('Ready', 'False', 'Creating');
export const available = draft('Ready', 'True', 'Available');
export const deleting = draft('Ready', 'False', 'Deleting');
export const reconcileSuccess = draft('Synced', 'True', 'ReconcileSuccess');
export const asyncOperationFinished = draft('AsyncOperation', 'True', 'Finished');
export const lastAsyncOperationSucceeded = draft('LastAsyncOperation', 'True', 'Success');

export function reconcileError(message: string): ConditionDraft {
  return draft('Synced', 'False', 'ReconcileError', message);
}

export const reconcilePaused = draft('Synced', 'False', 'ReconcilePaused');

export function lastAsyncOperationFailed(
  reason: 'AsyncCreateFailure' | 'AsyncUpdateFailure' | 'AsyncDeleteFailure',
  message: string,
): ConditionDraft {
  return draft('LastAsyncOperation', 'False', reason, message);
}

/** A copy of the object with the conditions set. */
export function withConditionsSet(
  object: KubeObject,
  conditions: readonly ConditionDraft[],
  nowMs: number,
): KubeObject {
  const next = [...((object.status?.['conditions'] ?? []) as readonly Condition[])];
  for (const condition of conditions) {
    const index = next.findIndex((other) => other.type === condition.type);
    const before = next[index];
    if (before === undefined) next.push({...condition, lastTransitionTime: timestamp(nowMs)});
    else if (!isSame(before, condition)) next[index] = {...condition, lastTransitionTime: timestamp(nowMs)};
  }
  return {...object, status: {...object.status, conditions: next as readonly Json[]}};
}

/** The same conditions as the reconciler marks them: with the generation they were decided on. */
export function atGeneration(object: KubeObject, conditions: readonly ConditionDraft[]): readonly ConditionDraft[] {
  const {generation} = object.metadata;
  return generation === undefined
    ? conditions
    : conditions.map((condition) => ({...condition, observedGeneration: generation}));
}

function draft(type: string, status: Condition['status'], reason: string, message?: string): ConditionDraft {
  return message === undefined ? {type, status, reason} : {type, status, reason, message};
}

function isSame(before: Condition, after: ConditionDraft): boolean {
  const generations = [before.observedGeneration, after.observedGeneration];
  return (
    before.status === after.status &&
    before.reason === after.reason &&
    (before.message ?? '') === (after.message ?? '') &&
    (generations.includes(undefined) || generations[0] === generations[1])
  );
}
