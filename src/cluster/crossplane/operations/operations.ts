// What the Crossplane process runs where it is started with --enable-operations.
// crossplane/crossplane 2d040d2da internal/controller/ops/ops.go and the constructors beside it. Operations and
// CronOperations are woken by what changes their generation, so by no annotation: a CronOperation that somebody pauses
// makes one more Operation.

import type {WatchEvent} from '../../api/request.ts';
import {type Controller, type EventContext, keyOf, type Watch} from '../../kernel/process.ts';
import {controllerOf} from '../../object.ts';
import {backoffDefault, reconcileTimeoutMs} from '../intervals.ts';
import type {Profile} from '../profile.ts';
import {kindCronOperation, kindOperation, kindWatchOperation} from '../vocabulary.ts';
import {reconcileCronOperation} from './cron-operation.ts';
import {reconcileOperation} from './operation.ts';
import {reconcileWatchOperation} from './watch-operation.ts';

const names = {
  operation: 'ops/operation.ops.crossplane.io',
  cron: 'ops/cronoperation.ops.crossplane.io',
  watch: 'watchoperation/watchoperation.ops.crossplane.io',
} as const;

export function operationControllers(profile: Profile): readonly Controller[] {
  const controller = (name: string, reconcile: Controller['reconcile']): Controller => {
    return {name, reconcile, backoff: backoffDefault, timeoutMs: reconcileTimeoutMs};
  };
  return [
    controller(names.operation, reconcileOperation(profile)),
    controller(names.cron, reconcileCronOperation()),
    controller(names.watch, reconcileWatchOperation(profile)),
  ];
}

export function operationWatches<M>(): readonly Watch<M>[] {
  return [
    {...kindOperation, controller: names.operation, id: 'operations', handle: wakesByGeneration},
    {...kindCronOperation, controller: names.cron, id: 'cron operations', handle: wakesByGeneration},
    {...kindOperation, controller: names.cron, id: 'operations', handle: wakesOwner(kindCronOperation.kind)},
    {...kindWatchOperation, controller: names.watch, id: 'watch operations', handle: wakesItself},
    {...kindOperation, controller: names.watch, id: 'operations', handle: wakesOwner(kindWatchOperation.kind)},
  ];
}

function wakesItself({object}: WatchEvent) {
  return {keys: [{key: keyOf(object.metadata)}]};
}

function wakesByGeneration<M>(event: WatchEvent, {before}: EventContext<M>) {
  const same = event.type === 'MODIFIED' && before?.metadata.generation === event.object.metadata.generation;
  return same ? {keys: []} : wakesItself(event);
}

function wakesOwner(kind: string) {
  return ({object}: WatchEvent) => {
    const owner = controllerOf(object);
    return {keys: owner?.kind === kind ? [{key: owner.name}] : []};
  };
}
