// What the Crossplane process runs for Usages: one controller and one watch for each kind of Usage, and the goroutine
// that replays a denied delete. crossplane/crossplane 2d040d2da internal/controller/protection/usage/reconciler.go Setup*.

import type {JsonObject} from '../json.ts';
import type {Step} from '../kernel/call.ts';
import {type Controller, keyOf, type Watch} from '../kernel/process.ts';
import {type GroupVersionKind, groupKindOf} from '../object.ts';
import type {UsageBehaviour} from './profile.ts';
import {reconciles} from './reconciler.ts';
import {replayDeletion, replayRoutine} from './usage-deletion.ts';
import {reconcileUsage} from './usage-reconcile.ts';

/** crossplane-runtime pkg/ratelimiter/default.go NewController. */
const backoff = {baseMs: 1_000, maxMs: 60_000};

/** Keys are `namespace/name` or `name` of the Usage. */
export function usageControllers(behaviour: UsageBehaviour): readonly Controller[] {
  return behaviour.kinds.map((kind) => ({
    name: controllerName(kind),
    reconcile: reconciles(kind, 'usage', (usage) => reconcileUsage(usage, behaviour)),
    backoff,
    timeoutMs: 60_000,
  }));
}

/** Every event of a Usage wakes it, its own writes too. Neither end is watched. */
export function usageWatches<M>(behaviour: UsageBehaviour): readonly Watch<M>[] {
  return behaviour.kinds.map(({apiVersion, kind}) => ({
    apiVersion,
    kind,
    controller: controllerName({apiVersion, kind}),
    id: 'usage',
    handle: ({object}) => ({keys: [{key: keyOf(object.metadata)}]}),
  }));
}

export const usageRoutines: {readonly [name: string]: (input: JsonObject) => Step<void>} = {
  [replayRoutine]: replayDeletion,
};

function controllerName(kind: GroupVersionKind): string {
  return `usage/${groupKindOf(kind).toLowerCase()}`;
}
