// The controllers of Usages in the Crossplane process: one controller and one watch for each kind of Usage, and the goroutine that
// replays a denied delete. crossplane/crossplane 2d040d2da internal/controller/protection/usage/reconciler.go Setup*.

import type {JsonObject} from '../json.ts';
import type {Step} from '../kernel/call.ts';
import type {Controller, Watch} from '../kernel/process.ts';
import {type GroupVersionKind, groupKindOf} from '../object.ts';
import {itself, wakes} from './event-keys.ts';
import {controllerOf} from './intervals.ts';
import type {UsageBehaviour} from './profile.ts';
import {reconciles} from './reconciler.ts';
import {replayDeletion, replayRoutine} from './usage-deletion.ts';
import {reconcileUsage} from './usage-reconcile.ts';

/** Keys are `namespace/name` or `name` of the Usage. */
export function usageControllers(behaviour: UsageBehaviour): readonly Controller[] {
  return behaviour.kinds.map((kind) => {
    const reconcile = reconciles(kind, 'usage', (usage) => reconcileUsage(usage, behaviour));
    return controllerOf(controllerName(kind), reconcile, {timeoutMs: 60_000});
  });
}

/** Every event of a Usage wakes it, its own writes too. Neither end is watched. */
export function usageWatches<M>(behaviour: UsageBehaviour): readonly Watch<M>[] {
  return behaviour.kinds.map(({apiVersion, kind}) => ({
    apiVersion,
    kind,
    controller: controllerName({apiVersion, kind}),
    id: 'usage',
    handle: wakes(itself),
  }));
}

export const usageRoutines: {readonly [name: string]: (input: JsonObject) => Step<void>} = {
  [replayRoutine]: replayDeletion,
};

function controllerName(kind: GroupVersionKind): string {
  return `usage/${groupKindOf(kind).toLowerCase()}`;
}
