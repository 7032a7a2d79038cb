// The controllers of a Crossplane process that was started with --enable-operations.
// crossplane/crossplane 2d040d2da internal/controller/ops/ops.go and the constructors beside it. A change of its generation wakes
// an Operation or a CronOperation, so no annotation does: a CronOperation that is paused makes one more Operation.

import type {WatchEvent} from '../../api/request.ts';
import type {Controller, EventContext, Watch} from '../../kernel/process.ts';
import {kindCronOperation, kindOperation, kindWatchOperation} from '../../vocabulary.ts';
import {controlledBy, itself, unique, wakes} from '../event-keys.ts';
import {controllerOf} from '../intervals.ts';
import type {Profile} from '../profile.ts';
import {reconcileCronOperation} from './cron-operation.ts';
import {reconcileOperation} from './operation.ts';
import {reconcileWatchOperation} from './watch-operation.ts';

const names = {
  operation: 'ops/operation.ops.crossplane.io',
  cron: 'ops/cronoperation.ops.crossplane.io',
  watch: 'watchoperation/watchoperation.ops.crossplane.io',
} as const;

export function operationControllers(profile: Profile): readonly Controller[] {
  return [
    controllerOf(names.operation, reconcileOperation(profile)),
    controllerOf(names.cron, reconcileCronOperation()),
    controllerOf(names.watch, reconcileWatchOperation(profile)),
  ];
}

export function operationWatches<M>(): readonly Watch<M>[] {
  return [
    {...kindOperation, controller: names.operation, id: 'operations', handle: wakesByGeneration},
    {...kindCronOperation, controller: names.cron, id: 'cron operations', handle: wakesByGeneration},
    {...kindOperation, controller: names.cron, id: 'operations', handle: wakesOwner(kindCronOperation.kind)},
    {...kindWatchOperation, controller: names.watch, id: 'watch operations', handle: wakes(itself)},
    {...kindOperation, controller: names.watch, id: 'operations', handle: wakesOwner(kindWatchOperation.kind)},
  ];
}

function wakesByGeneration<M>({type, object}: WatchEvent, {before}: EventContext<M>) {
  const same = type === 'MODIFIED' && before?.metadata.generation === object.metadata.generation;
  return {keys: same ? [] : unique(itself(object))};
}

function wakesOwner(kind: string) {
  const owner = controlledBy(kind);
  return ({object}: WatchEvent) => ({keys: unique(owner(object))});
}
