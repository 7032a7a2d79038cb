import type {WatchEvent} from '../../src/cluster/api/request.ts';
import {watch, watchCache, withEvents} from '../../src/cluster/api/watch.ts';
import {type GroupVersionKind, groupKindOf} from '../../src/cluster/object.ts';

// The recorder's own eyes: a watch per kind that goes on, at every look, from where its last bookmark left it.

export interface RecorderWatch {
  /** The API server tells its watch cache of changes. */
  readonly changed: (events: readonly WatchEvent[]) => void;
  /** What all watches were told since the last look, oldest first. */
  readonly look: () => readonly WatchEvent[];
}

/** More changes than happen between two looks. */
const capacity = 1_000_000;

export function recorderWatch(): RecorderWatch {
  let cache = watchCache([], 1, capacity);
  let fresh: WatchEvent[] = [];
  const kinds = new Map<string, {readonly kind: GroupVersionKind; resourceVersion: string}>();
  const lookAt = (watched: {readonly kind: GroupVersionKind; resourceVersion: string}): readonly WatchEvent[] => {
    const answer = watch(cache, {
      apiVersion: watched.kind.apiVersion,
      kind: watched.kind.kind,
      resourceVersion: watched.resourceVersion,
      allowWatchBookmarks: true,
    });
    if (!answer.ok) throw new Error(`the recorder's watch broke: ${answer.message}`);
    return answer.events.flatMap((event) => {
      if (event.type !== 'BOOKMARK') return [event];
      watched.resourceVersion = event.resourceVersion;
      return [];
    });
  };
  return {
    changed: (events) => {
      fresh.push(...events);
      for (const {object, revision} of events) {
        const key = groupKindOf(object);
        if (kinds.has(key)) continue;
        // A kind that is new is watched from just before its first change.
        kinds.set(key, {kind: object, resourceVersion: String(revision - 1)});
      }
    },
    look: () => {
      cache = withEvents(cache, fresh);
      fresh = [];
      return [...kinds.values()].flatMap(lookAt).sort((left, right) => left.revision - right.revision);
    },
  };
}
