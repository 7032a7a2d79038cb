import {describe, expect, test} from 'vitest';
import {type WatchAnswer, type WatchCache, watch, watchCache, withEvents} from '../../../src/cluster/api/watch.ts';
import {create, merge, Rig, remove, widgetKind, widgets} from './given.ts';

// What a client's watch is told: type and name, and which write since the beginning it was.

const red = {metadata: {labels: {color: 'red'}}};
const withRed = {selector: {matchLabels: {color: 'red'}}};

/** A server whose changes go to a watch cache of so many changes. */
class Watched {
  readonly rig = new Rig(widgetKind, {...widgetKind, kind: 'Gadget', plural: 'gadgets'});
  readonly #capacity: number;
  readonly #begin = this.rig.server.revision;

  constructor(capacity = 100) {
    this.#capacity = capacity;
  }

  get cache(): WatchCache {
    return withEvents(watchCache([], this.#begin, this.#capacity), this.rig.events);
  }

  /** The resourceVersion after so many writes; of now, where nothing is said. */
  version(writes = this.rig.events.length): string {
    return String(this.#begin + writes);
  }

  watch(request: Partial<Parameters<typeof watch>[1]>): WatchAnswer {
    return watch(this.cache, {...widgets, resourceVersion: '0', ...request});
  }

  told(request: Partial<Parameters<typeof watch>[1]>): readonly string[] {
    const answer = this.watch(request);
    if (!answer.ok) throw new Error(answer.message);
    return answer.events.map((event) => {
      const isBookmark = event.type === 'BOOKMARK';
      const version = isBookmark ? event.resourceVersion : event.object.metadata.resourceVersion;
      const what = isBookmark ? (event.endsInitialEvents ? 'end' : 'here') : event.object.metadata.name;
      return `${event.type} ${what} ${Number(version) - this.#begin}`;
    });
  }
}

describe('a watch', () => {
  test('from a resourceVersion is told what changed since, and nothing of other kinds', () => {
    const server = new Watched();
    server.rig.do(create({size: 1}));
    const since = server.version();
    server.rig.do({verb: 'create', object: {...widgets, kind: 'Gadget', metadata: {name: 'g'}}, manager: 'm'});
    server.rig.do(merge('m', {spec: {size: 2}}));
    server.rig.do(remove());
    expect(server.told({resourceVersion: since})).toEqual(['MODIFIED w 3', 'DELETED w 4']);
    expect(server.told({resourceVersion: server.version()})).toEqual([]);
  });

  test.each(['', '0'])('from resourceVersion "%s" is told what there is first', (resourceVersion) => {
    const server = new Watched();
    server.rig.do(create({size: 1}));
    server.rig.do(merge('m', {spec: {size: 2}}));
    expect(server.told({resourceVersion})).toEqual(['ADDED w 2']);
  });

  test('by label sees an object come and go as its labels change', () => {
    const server = new Watched();
    const since = server.version();
    server.rig.do(create({size: 1}));
    server.rig.do(merge('m', red));
    server.rig.do(merge('m', {spec: {size: 2}}));
    server.rig.do(merge('m', {metadata: {labels: {color: 'blue'}}}));
    server.rig.do(remove());
    expect(server.told({...withRed, resourceVersion: since})).toEqual(['ADDED w 2', 'MODIFIED w 3', 'DELETED w 4']);
    const gone = server.watch({...withRed, resourceVersion: since});
    const last = gone.ok ? gone.events.at(-1) : undefined;
    // It is told of as it was when it still matched, with the resourceVersion of the change.
    expect(last).toMatchObject({object: {metadata: {labels: {color: 'red'}}, spec: {size: 2}}});
  });

  test('of one namespace is told of no other', () => {
    const kind = {...widgetKind, namespaced: true};
    const rig = new Rig(kind);
    for (const namespace of ['default', 'kube-system']) {
      rig.do({verb: 'create', object: {...widgets, metadata: {name: 'w', namespace}}, manager: 'm'});
    }
    const cache = withEvents(watchCache([], 1), rig.events);
    const answer = watch(cache, {...widgets, namespace: 'kube-system', resourceVersion: '1'});
    expect(answer.ok && answer.events.map((event) => 'object' in event && event.object.metadata.namespace)).toEqual([
      'kube-system',
    ]);
  });

  test('is refused where the changes it missed are forgotten, and must list again', () => {
    const server = new Watched(2);
    server.rig.do(create({size: 1}));
    const since = server.version();
    for (const size of [2, 3, 4]) server.rig.do(merge('m', {spec: {size}}));
    expect(server.watch({resourceVersion: since})).toEqual({
      ok: false,
      code: 410,
      reason: 'Expired',
      message: `too old resource version: ${since} (${server.version(2)})`,
    });
    // From the oldest one that is left it goes on.
    expect(server.told({resourceVersion: server.version(2)})).toEqual(['MODIFIED w 3', 'MODIFIED w 4']);
  });
});

describe('a bookmark', () => {
  test('tells a quiet watch how far it has come, so that others’ changes do not push it out', () => {
    const server = new Watched(2);
    server.rig.do(create({size: 1}));
    let [withBookmarks, without] = [server.version(), server.version()];
    for (const name of ['a', 'b', 'c', 'd']) {
      server.rig.do({verb: 'create', object: {...widgets, kind: 'Gadget', metadata: {name}}, manager: 'm'});
      const answer = server.watch({resourceVersion: withBookmarks, allowWatchBookmarks: true});
      const last = answer.ok ? answer.events.at(-1) : undefined;
      if (last?.type === 'BOOKMARK') withBookmarks = last.resourceVersion;
      without = server.watch({resourceVersion: without}).ok ? without : 'broken';
    }
    server.rig.do(merge('m', {spec: {size: 2}}));
    expect(without).toBe('broken');
    expect(server.told({resourceVersion: withBookmarks})).toEqual(['MODIFIED w 6']);
  });

  test('comes only where the client allows it', () => {
    const server = new Watched();
    expect(server.told({resourceVersion: server.version()})).toEqual([]);
    expect(server.told({resourceVersion: server.version(), allowWatchBookmarks: true})).toEqual(['BOOKMARK here 0']);
  });

  test('ends a list that came as a watch', () => {
    const server = new Watched();
    server.rig.do(create({size: 1}));
    expect(server.told({sendInitialEvents: true, allowWatchBookmarks: true})).toEqual(['ADDED w 1', 'BOOKMARK end 1']);
  });
});
