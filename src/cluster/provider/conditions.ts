// The conditions of managed resources, besides those that Crossplane's own controllers set, too, and in the same way.
// Source: crossplane/crossplane 2d040d2da apis/core/v2/condition.go:111-200; upjet dbfccb48 pkg/resource/conditions.go.

import {conditionsOf, type Mark, setCondition, withConditions} from '../crossplane/conditions.ts';
import type {KubeObject} from '../object.ts';
import {timestamp} from '../timestamp.ts';

export type ConditionDraft = Mark & {readonly observedGeneration?: number};

export const asyncOperationFinished: Mark = {type: 'AsyncOperation', status: 'True', reason: 'Finished'};
export const lastAsyncOperationSucceeded: Mark = {type: 'LastAsyncOperation', status: 'True', reason: 'Success'};
export const reconcilePaused: Mark = {type: 'Synced', status: 'False', reason: 'ReconcilePaused'};

export function lastAsyncOperationFailed(
  reason: 'AsyncCreateFailure' | 'AsyncUpdateFailure' | 'AsyncDeleteFailure',
  message: string,
): ConditionDraft {
  return {type: 'LastAsyncOperation', status: 'False', reason, message};
}

/** The object with the conditions set; the object itself if it has them. */
export function withConditionsSet(
  object: KubeObject,
  conditions: readonly ConditionDraft[],
  nowMs: number,
): KubeObject {
  const lastTransitionTime = timestamp(nowMs);
  const next = conditions.reduce((list, one) => setCondition(list, {...one, lastTransitionTime}), conditionsOf(object));
  return withConditions(object, next);
}

/** The same conditions as the reconciler marks them: with the generation they were decided on. */
export function atGeneration(object: KubeObject, conditions: readonly ConditionDraft[]): readonly ConditionDraft[] {
  const {generation} = object.metadata;
  return generation === undefined
    ? conditions
    : conditions.map((condition) => ({...condition, observedGeneration: generation}));
}
