// Watches: from a resourceVersion on, with bookmarks. The server keeps only the last changes. A watch from further back is refused,
// and its client must list again. Bookmarks spare a quiet watch this: they carry the current resourceVersion.
//
// kubernetes/apiserver v0.34.4 pkg/storage/cacher/watch_cache.go (getAllEventsSinceLocked), cache_watcher.go (convertToWatchEvent,
// bookmarks, initial-events-end). Not modelled: field selectors, timeouts of a watch, and the wait of a watch from a revision to
// come, since revisions are given out by one store.

import {addressOf, type GroupVersionKind, groupKindOf, type KubeObject} from '../object.ts';
import type {ApiError, LabelSelector, WatchEvent} from './request.ts';
import {matches} from './selectors.ts';

export interface WatchRequest extends GroupVersionKind {
  /** Absent: every namespace. */
  readonly namespace?: string;
  readonly selector?: LabelSelector;
  /** The last one the client saw. '' or '0': what there is, as ADDED events, and then what changes. */
  readonly resourceVersion: string;
  readonly allowWatchBookmarks?: boolean;
  /** Sends all present objects, then a bookmark that marks their end, then changes: client-go's streamed list. */
  readonly sendInitialEvents?: boolean;
}

/** No change: the watch has come as far as this resourceVersion. */
interface Bookmark {
  readonly type: 'BOOKMARK';
  readonly resourceVersion: string;
  /** The object of a bookmark carries annotation k8s.io/initial-events-end. */
  readonly endsInitialEvents: boolean;
}

export type WatchAnswer = {readonly ok: true; readonly events: readonly (WatchEvent | Bookmark)[]} | ApiError;

interface Change {
  readonly event: WatchEvent;
  /** The object before the change: with it, a selector sees which objects begin or cease to match. */
  readonly before: KubeObject | undefined;
}

/** The recent changes from which the server answers watches. */
export interface WatchCache {
  readonly objects: ReadonlyMap<string, KubeObject>;
  /** Oldest first, at most `capacity`. */
  readonly changes: readonly Change[];
  readonly revision: number;
  /** The oldest revision a watch can go on from. */
  readonly oldest: number;
  readonly capacity: number;
}

/** A cache that was just filled by a list at `revision`. */
export function watchCache(objects: readonly KubeObject[], revision: number, capacity = 100): WatchCache {
  const byKey = new Map(objects.map((object) => [addressOf(object), object]));
  return {objects: byKey, changes: [], revision, oldest: revision, capacity};
}

/** The cache after these changes; the oldest ones are forgotten where there are too many. */
export function withEvents(cache: WatchCache, events: readonly WatchEvent[]): WatchCache {
  if (events.length === 0) return cache;
  const objects = new Map(cache.objects);
  const added = events.map((event): Change => {
    const key = addressOf(event.object);
    const before = objects.get(key);
    if (event.type === 'DELETED') objects.delete(key);
    else objects.set(key, event.object);
    return {event, before};
  });
  const all = [...cache.changes, ...added];
  const forgotten = all.slice(0, Math.max(all.length - cache.capacity, 0));
  return {
    ...cache,
    objects,
    changes: all.slice(forgotten.length),
    revision: events.at(-1)?.revision ?? cache.revision,
    oldest: forgotten.at(-1)?.event.revision ?? cache.oldest,
  };
}

/** The events of a watch up to now; 410 if it would begin with a change that is forgotten. */
export function watch(cache: WatchCache, request: WatchRequest): WatchAnswer {
  const {resourceVersion, allowWatchBookmarks = false, sendInitialEvents = false} = request;
  const from = resourceVersion === '' ? 0 : Number(resourceVersion);
  const bookmarks = allowWatchBookmarks ? [bookmarkAt(cache, sendInitialEvents)] : [];
  if (sendInitialEvents || from === 0) return {ok: true, events: [...initialEvents(cache, request), ...bookmarks]};
  if (from < cache.oldest) return expired(from, cache.oldest);
  const later = cache.changes.filter(({event}) => event.revision > from);
  return {ok: true, events: [...later.flatMap((change) => eventFor(change, request)), ...bookmarks]};
}

function bookmarkAt({revision}: WatchCache, endsInitialEvents: boolean): Bookmark {
  return {type: 'BOOKMARK', resourceVersion: String(revision), endsInitialEvents};
}

function initialEvents({objects}: WatchCache, request: WatchRequest): readonly WatchEvent[] {
  return [...objects.values()]
    .filter((object) => isWanted(object, request))
    .map((object) => ({type: 'ADDED', object, revision: Number(object.metadata.resourceVersion ?? 0)}));
}

/** A change in the words of one watch: an object that matches no more is deleted for it, as it was when it did. */
function eventFor({event, before}: Change, request: WatchRequest): readonly WatchEvent[] {
  const {object, revision} = event;
  const was = before !== undefined && isWanted(before, request);
  const is = event.type !== 'DELETED' && isWanted(object, request);
  if (is) return [{type: was ? 'MODIFIED' : 'ADDED', object, revision}];
  if (!was && !(event.type === 'DELETED' && before === undefined && isWanted(object, request))) return [];
  if (event.type === 'DELETED') return [event];
  const last = {...before, metadata: {...before?.metadata, resourceVersion: String(revision)}} as KubeObject;
  return [{type: 'DELETED', object: last, revision}];
}

function isWanted(object: KubeObject, {apiVersion, kind, namespace, selector}: WatchRequest): boolean {
  if (groupKindOf(object) !== groupKindOf({apiVersion, kind})) return false;
  return (namespace === undefined || object.metadata.namespace === namespace) && matches(object, selector);
}

function expired(from: number, oldest: number): ApiError {
  return {ok: false, code: 410, reason: 'Expired', message: `too old resource version: ${from} (${oldest})`};
}
