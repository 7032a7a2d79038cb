import type {WatchEvent} from '../api/request.ts';
import {type Enqueue, type EventContext, keyOf, type Watch} from '../kernel/process.ts';
import {controllerOf, type KubeObject} from '../object.ts';

/** The keys an object maps to. */
export type Maps<M> = (object: KubeObject, context: EventContext<M>) => readonly string[];

// As EnqueueRequestsFromMapFunc: an update is mapped for the old object and for the new one.
export function wakes<M>(maps: Maps<M>): Watch<M>['handle'] {
  return (event, context) => ({keys: unique(objectsOf(event, context).flatMap((object) => maps(object, context)))});
}

export function objectsOf<M>(event: WatchEvent, {before}: EventContext<M>): readonly KubeObject[] {
  return event.type === 'MODIFIED' && before !== undefined ? [before, event.object] : [event.object];
}

export function unique(keys: readonly string[]): readonly Enqueue[] {
  return (keys.length < 2 ? keys : [...new Set(keys)]).map((key) => ({key}));
}

export function itself({metadata}: KubeObject): readonly string[] {
  return [keyOf(metadata)];
}

/** Maps an object to its controller of a kind. */
export function controlledBy(kind: string): (object: KubeObject) => readonly string[] {
  return (object) => {
    const owner = controllerOf(object);
    return owner?.kind === kind ? [owner.name] : [];
  };
}
