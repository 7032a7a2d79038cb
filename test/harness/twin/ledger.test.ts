import {describe, expect, test} from 'vitest';
import type {TraceEntry, World} from '../../../src/cluster/kernel/world.ts';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {managedKind} from '../../../src/cluster/provider/managed-kind.ts';
import {Ledger} from '../../../src/harness/twin/ledger.ts';
import {encodeRequest} from '../../../src/wire/request-encode.ts';

// Who made what, and what was let go: of an App "shop" that composes a Note under the resource name a.

const app: KubeObject = {apiVersion: 'example.org/v1', kind: 'App', metadata: {name: 'shop', uid: 'app-uid'}};
const place = 'App.example.org shop > a (Note.example.org)';

function note(uid: string): KubeObject {
  return {
    apiVersion: 'example.org/v1',
    kind: 'Note',
    metadata: {
      name: 'shop-a',
      uid,
      annotations: {'crossplane.io/composition-resource-name': 'a'},
      ownerReferences: [{...app, name: 'shop', uid: 'app-uid', controller: true}],
    },
  };
}

class Books {
  ledger = new Ledger(['tether'], []);

  constructor() {
    this.api('user', 'ADDED', app);
  }

  api(actor: string, type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubeObject, verb = 'create'): this {
    const ref = {apiVersion: object.apiVersion, kind: object.kind, name: object.metadata.name};
    const request = {verb, ref};
    const entry = {kind: 'api', actor, run: 'shop', request, response: {ok: true}, events: [{type, object}]};
    this.ledger.observe(entry as unknown as TraceEntry, 0);
    return this;
  }

  /** Crossplane calls the function with what the earlier steps want under the resource name a. */
  wants(a: {readonly kind: string} | undefined, xr: KubeObject = app): this {
    const object = {apiVersion: 'example.org/v1', metadata: {}, ...a};
    const request = encodeRequest({
      tag: 'tag',
      observed: {composite: {object: xr as never}, resources: new Map()},
      desired: {resources: new Map(a === undefined ? [] : [['a', {object}]])},
    });
    this.ledger.observe(
      {
        kind: 'function',
        actor: 'crossplane',
        run: xr.metadata.name ?? '',
        target: 'tether',
        request,
        reply: {ok: true, response: new Uint8Array()},
      },
      0,
    );
    return this;
  }
}

const made = () => new Books().wants({kind: 'Note'}).api('crossplane', 'ADDED', note('1'));
const indexOf = ({ledger}: Books, uid: string) => ledger.of(note(uid))?.index;

describe('what Crossplane makes again', () => {
  test('is another object where its XR wants it', () => {
    const books = made().wants({kind: 'Note'}).api('crossplane', 'ADDED', note('2'));
    expect(indexOf(books, '2')).toBe(1);
  });

  test('is none where a hold only meant to keep it, and it was lost just then', () => {
    expect(indexOf(made().wants(undefined).api('crossplane', 'ADDED', note('2')), '2')).toBe(0);
    expect(indexOf(made().wants({kind: 'Bucket'}).api('crossplane', 'ADDED', note('2')), '2')).toBe(0);
  });
});

test('an XR is Synced until it stands still, whatever is written of it later', () => {
  const {ledger} = new Books();
  const say = (atMs: number, status: 'True' | 'False', actor = 'crossplane', message = '') => {
    const object = {...app, status: {conditions: [{type: 'Synced', status, message}]}};
    const request = {verb: 'update', object};
    const entry = {
      kind: 'api',
      actor,
      run: 'shop',
      request,
      response: {ok: true},
      events: [{type: 'MODIFIED', object}],
    };
    ledger.observe(entry as unknown as TraceEntry, atMs);
    return ledger.fork().syncedUntilMs('App.example.org shop');
  };
  expect(say(1, 'True')).toBe(Number.POSITIVE_INFINITY);
  expect(say(2, 'False')).toBe(2);
  expect(say(3, 'False')).toBe(2);
  expect(say(4, 'True', 'editor')).toBe(2);
  expect(say(5, 'True')).toBe(Number.POSITIVE_INFINITY);
  expect(say(6, 'False', 'crossplane', 'Unsynced resources: a')).toBe(Number.POSITIVE_INFINITY);
  expect(say(7, 'False', 'crossplane', 'cannot compose resources')).toBe(7);
  const goes = (type: string) => {
    const events = [{type, object: app}];
    const entry = {
      kind: 'api',
      actor: 'user',
      run: '',
      request: {verb: 'delete', ref: app},
      response: {ok: true},
      events,
    };
    ledger.observe(entry as unknown as TraceEntry, 8);
    return ledger.fork().endedStill('App.example.org shop');
  };
  expect(goes('MODIFIED')).toBe(false);
  expect(goes('DELETED')).toBe(true);
});

test('what the owner GC deletes was collected, and what anybody else deletes was not', () => {
  const collected = (actor: string) =>
    made().api(actor, 'MODIFIED', note('1'), 'delete').ledger.fork().wasCollected(place);
  expect(collected('kube-controller-manager')).toBe(true);
  expect(collected('crossplane')).toBe(false);
  expect(collected('person')).toBe(false);
});

describe('what a disaster takes', () => {
  const lost = () => made().api('disaster', 'DELETED', note('1'), 'delete').api('disaster', 'DELETED', app, 'delete');
  const backup = (books: Books, ...objects: readonly KubeObject[]) => {
    for (const object of objects) books.api('velero', 'ADDED', object);
    return books.ledger.fork();
  };

  test('is what is there, not what was made under its name before etcd was restored', () => {
    const other = (uid: string): KubeObject => {
      const {metadata, ...object} = note(uid);
      return {...object, metadata: {...metadata, annotations: {'crossplane.io/composition-resource-name': 'a-new'}}};
    };
    const books = made().api('crossplane', 'DELETED', note('1'), 'delete').api('crossplane', 'ADDED', other('2'));
    books.api('disaster', 'DELETED', note('1'), 'delete').api('kubectl', 'ADDED', note('3'));
    expect(books.ledger.of(note('3'))?.place).toBe(place);
  });

  test('comes back after its XR where a tool brings the XR first', () => {
    expect(backup(lost(), app, note('2')).cameBackLate(place)).toBe(true);
    expect(backup(lost(), note('2'), app).cameBackLate(place)).toBe(false);
    expect(backup(lost(), note('2')).cameBackLate(place)).toBe(false);
    // What is nobody's since then stays so through the next restore.
    const again = lost().api('velero', 'ADDED', app).api('velero', 'ADDED', note('2'));
    again.api('disaster', 'DELETED', note('2'), 'delete').api('disaster', 'DELETED', app, 'delete');
    expect(backup(again, note('3'), app).cameBackLate(place)).toBe(true);
  });

  test('an XR comes back by itself where a reconcile of Crossplane makes it, and no tool', () => {
    const books = lost();
    expect(backup(books).wasRemade('App.example.org shop')).toBe(false);
    expect(books.api('crossplane', 'ADDED', app).ledger.fork().wasRemade('App.example.org shop')).toBe(true);
    expect(backup(lost(), app).wasRemade('App.example.org shop')).toBe(false);
    // One that another XR composed comes back without its resource name.
    const {annotations: _, ...metadata} = note('2').metadata;
    const bare = (books: Books) => books.api('crossplane', 'ADDED', {...note('2'), metadata}).ledger.fork();
    expect(bare(lost().wants(undefined)).wasRemade(place)).toBe(true);
    expect(bare(made().wants(undefined)).wasRemade(place)).toBe(false);
  });
});

test('the books know when something was made at a place first', () => {
  const books = new Books();
  const makeAt = (atMs: number, uid: string) => {
    const events = [{type: 'ADDED', object: note(uid)}];
    const entry = {
      kind: 'api',
      actor: 'crossplane',
      run: 'shop',
      request: {verb: 'create'},
      response: {ok: true},
      events,
    };
    books.ledger.observe(entry as unknown as TraceEntry, atMs);
    return books.ledger.fork().madeFirstMs(place);
  };
  expect(books.ledger.madeFirstMs(place)).toBe(Number.POSITIVE_INFINITY);
  expect(makeAt(7, '1')).toBe(7);
  expect(makeAt(9, '2')).toBe(7);
});

test('what is made for an XR that is being deleted counts as what is made for one that is gone', () => {
  const going = {...app, metadata: {...app.metadata, deletionTimestamp: '2026-01-01T00:00:00Z'}};
  const books = new Books().api('user', 'MODIFIED', going as KubeObject, 'delete');
  for (const uid of ['1', '2']) books.wants({kind: 'Note'}).api('crossplane', 'ADDED', note(uid));
  expect(indexOf(books, '2')).toBe(0);
});

test('what is made for an XR that is gone already goes at once, and counts as one with what is made next', () => {
  const books = made().api('owner-gc', 'DELETED', note('1'), 'delete');
  const indexAfter = (...uids: readonly string[]) => {
    const {ledger} = books;
    const fork = Object.assign(new Books(), {ledger: ledger.fork()});
    for (const uid of uids) fork.wants({kind: 'Note'}).api('crossplane', 'ADDED', note(uid));
    return indexOf(fork, uids.at(-1) ?? '');
  };
  expect(indexAfter('3', '4', '5')).toBe(3);
  books.api('disaster', 'DELETED', app, 'delete');
  expect(indexAfter('3', '4', '5')).toBe(1);
});

test('nor does it make good what a disaster took: that is what is made for the one that comes back', () => {
  const books = made().api('disaster', 'DELETED', note('1'), 'delete').api('disaster', 'DELETED', app, 'delete');
  books.wants({kind: 'Note'}).api('crossplane', 'ADDED', note('2')).api('owner-gc', 'DELETED', note('2'), 'delete');
  const back = {...app, metadata: {...app.metadata, uid: 'another'}};
  books.api('velero', 'ADDED', back);
  const [owner] = note('3').metadata.ownerReferences ?? [];
  const its = {...note('3'), metadata: {...note('3').metadata, ownerReferences: [{...owner, uid: 'another'}]}};
  books.wants({kind: 'Note'}, back).api('crossplane', 'ADDED', its as KubeObject);
  expect(books.ledger.of(its as KubeObject)?.index).toBe(0);
});

describe('what Crossplane deletes', () => {
  const letGo = (books: Books) => books.api('crossplane', 'MODIFIED', note('1'), 'delete').ledger.letGo(place);

  test('was let go where its XR wants it no more, or wants something else in its place', () => {
    expect(letGo(made().wants(undefined))).toBe(1);
    expect(letGo(made().wants({kind: 'Bucket'}))).toBe(1);
  });

  test('was not let go while it is wanted, or by anybody else', () => {
    expect(letGo(made().wants({kind: 'Note'}))).toBe(0);
    expect(made().wants(undefined).api('person', 'MODIFIED', note('1'), 'delete').ledger.letGo(place)).toBe(0);
  });
});

test('an inner XR that came back under another name asked under both', () => {
  const inner = (name: string) => ({...note(name), metadata: {...note(name).metadata, name}});
  const books = new Books();
  for (const name of ['shop-1', 'shop-2']) {
    books.api('crossplane', 'ADDED', inner(name)).wants({kind: 'Note'}, inner(name));
  }
  expect(books.ledger.asked().get(place)).toHaveLength(2);
});

test('what a person deletes leads to the external resource of its name, and what a controller deletes does not', () => {
  const names = (actor: string, annotations: object) => {
    const object = {...app, metadata: {...app.metadata, annotations}} as KubeObject;
    const request = {verb: 'delete', ref: {apiVersion: app.apiVersion, kind: app.kind, name: 'shop'}};
    const entry = {kind: 'api', actor, run: '', request, response: {ok: true}, events: [{type: 'MODIFIED', object}]};
    const books = new Books();
    books.ledger.observe(entry as unknown as TraceEntry, 0);
    return books.ledger.fork().deletedByHand('App.example.org shop');
  };
  expect(names('person', {'crossplane.io/external-name': 'ext-1'})).toEqual(['ext-1']);
  expect(names('person', {})).toEqual(['shop']);
  expect(names('crossplane', {})).toEqual([]);
  expect(names('disaster', {})).toEqual([]);
});

test('who removes a definition deletes all that is of its kind', () => {
  const names = (actor: string) => {
    const request = {verb: 'delete-collection', apiVersion: app.apiVersion, kind: app.kind};
    const events = [{type: 'MODIFIED', object: app}];
    const entry = {kind: 'api', actor, run: '', request, response: {ok: true}, events};
    const books = new Books();
    books.ledger.observe(entry as unknown as TraceEntry, 0);
    return books.ledger.deletedByHand('App.example.org shop');
  };
  expect(names('kube-apiserver')).toEqual(['shop']);
  expect(names('crossplane')).toEqual([]);
});

test('an XR is asked for too soon by whoever applies it while it is being deleted', () => {
  const going = {...app, metadata: {...app.metadata, deletionTimestamp: '2026-01-01T00:00:00Z'}};
  const asked = (actor: string, response: object, type = 'apply') => {
    const books = new Books();
    const entry = {kind: 'api', actor, run: '', request: {verb: 'patch', type}, response, events: []};
    books.ledger.observe(entry as unknown as TraceEntry, 0);
    return books.ledger.fork().wasAskedTooSoon('App.example.org shop');
  };
  expect(asked('user', {ok: true, object: going})).toBe(true);
  expect(asked('user', {ok: true, object: app})).toBe(false);
  expect(asked('user', {ok: false, message: ''})).toBe(false);
  expect(asked('crossplane', {ok: true, object: going})).toBe(false);
  expect(asked('user', {ok: true, object: going}, 'merge')).toBe(false);
});

describe('a delete that a Usage denies', () => {
  const message = 'admission webhook "nousages.protection.crossplane.io" denied the request';
  const denied = (actor: string, response: object) => {
    const books = new Books();
    const request = {verb: 'delete', ref: {apiVersion: app.apiVersion, kind: app.kind, name: 'shop'}};
    const entry = {kind: 'api', actor, run: '', request, response, events: []};
    books.ledger.observe(entry as unknown as TraceEntry, 0);
    return books.ledger.fork().isDenied('App.example.org shop');
  };

  test('is answered to whoever asked for it', () => {
    expect(denied('person', {ok: false, message})).toBe(true);
    expect(denied('person', {ok: false, message: 'not found'})).toBe(false);
    expect(denied('person', {ok: true})).toBe(false);
  });

  test('and to nobody where a controller did', () => {
    expect(denied('kube-controller-manager', {ok: false, message})).toBe(false);
  });
});

test('an XR waited for a kind that is not served, and says so whenever it is reconciled', () => {
  const {ledger} = new Books();
  const say = (message: string) =>
    ledger.observe(
      {
        kind: 'note',
        actor: 'crossplane',
        run: 'shop',
        note: {type: 'Warning', reason: 'ComposeResources', message, about: {...app, name: 'shop'}},
      },
      0,
    );
  say('cannot get composed resource: notes.example.org "shop" not found');
  expect(ledger.hasWaited('App.example.org shop')).toBe(false);
  say('cannot get composed resource: Timeout: failed waiting for *unstructured.Unstructured Informer to sync');
  expect(ledger.hasWaited('App.example.org shop')).toBe(true);
  expect(ledger.fork().hasWaited('App.example.org shop')).toBe(true);
  expect(ledger.hasWaited('Site.example.org shop')).toBe(false);
});

test('a process that a fault kills did not die by itself', () => {
  const {ledger} = new Books();
  const dies = (message: string) =>
    ledger.observe({kind: 'process', actor: 'provider', change: 'died', message} as unknown as TraceEntry, 0);
  dies('crashed');
  expect(ledger.died).toEqual([]);
  dies('panic: nil map');
  expect(ledger.died).toEqual(['provider: panic: nil map']);
});

test('a function that says that it broke died, however often it says so', () => {
  const {ledger} = new Books();
  const says = (message: string) => ledger.observe({kind: 'note', note: {message}} as unknown as TraceEntry, 0);
  says('cannot plan: an input that is none');
  expect(ledger.died).toEqual([]);
  says('cannot plan: internal error: TypeError');
  says('cannot plan: internal error: TypeError');
  expect(ledger.died).toEqual(['cannot plan: internal error: TypeError']);
});

test('an object leads to the external resource that its provider reads out of the name', () => {
  const kind = managedKind({apiVersion: 'example.org/v1', kind: 'Note', nameFormat: 'eu-central-1/{id}'});
  const leadsTo = (name: string, books = new Ledger([], [kind])) => {
    const {metadata, ...rest} = note('1');
    const annotations = {...metadata.annotations, 'crossplane.io/external-name': name};
    return books.fork().idOf({...rest, metadata: {...metadata, annotations}});
  };
  expect(leadsTo('eu-central-1/ext-3')).toBe('ext-3');
  expect(leadsTo('us-east-1/ext-3')).toBe('us-east-1/ext-3');
  expect(leadsTo('eu-central-1/ext-3', new Ledger([], []))).toBe('eu-central-1/ext-3');
});

test('of two objects of one name the one whose create nobody knows the end of made no external resource after that', () => {
  const books = new Ledger([], []);
  const annotations = {'crossplane.io/external-create-pending': '2026-01-01T00:00:00Z'};
  const bucket = (namespace: string): KubeObject => ({
    apiVersion: 'cloud.example.org/v1',
    kind: 'Bucket',
    metadata: {name: 'data', namespace, uid: namespace, annotations},
  });
  const look = (ids: readonly string[], ...all: readonly KubeObject[]) => {
    const objects = new Map([['Bucket.cloud.example.org', new Map(all.map((one) => [one.metadata.uid, one]))]]);
    const externals = new Map(ids.map((id) => [id, {type: 'Bucket', owner: 'data', id}]));
    books.look({server: {objects}, cloud: {externals, inFlight: new Map()}} as unknown as World);
  };
  const say = (entry: object) => books.observe(entry as unknown as TraceEntry, 0);
  for (const namespace of ['blue', 'green']) {
    const events = [{type: 'ADDED', object: bucket(namespace)}];
    say({kind: 'api', actor: 'user', run: '', request: {verb: 'create'}, response: {ok: true}, events});
    if (namespace === 'blue') say({kind: 'process', actor: 'provider', change: 'died', message: 'crashed'});
    look(namespace === 'blue' ? [] : ['ext-1'], ...(namespace === 'blue' ? ['blue'] : ['blue', 'green']).map(bucket));
  }
  expect(books.externals.get('ext-1')?.place).toBe('Bucket.cloud.example.org green/data');
});

test('of two that are being made at once it is known once one of them says its name', () => {
  const books = new Ledger([], []);
  const bucket = (namespace: string, name?: string): KubeObject => ({
    apiVersion: 'cloud.example.org/v1',
    kind: 'Bucket',
    metadata: {
      name: 'data',
      namespace,
      uid: namespace,
      annotations: {
        'crossplane.io/external-create-pending': '2026-01-01T00:00:00Z',
        ...(name === undefined ? {} : {'crossplane.io/external-name': name}),
      },
    },
  });
  const cloud = {externals: new Map([['ext-1', {type: 'Bucket', owner: 'data', id: 'ext-1'}]]), inFlight: new Map()};
  const look = (...all: readonly KubeObject[]) => {
    const objects = new Map([['Bucket.cloud.example.org', new Map(all.map((one) => [one.metadata.uid, one]))]]);
    books.look({server: {objects}, cloud} as unknown as World);
  };
  for (const namespace of ['blue', 'green']) {
    const events = [{type: 'ADDED', object: bucket(namespace)}];
    const entry = {kind: 'api', actor: 'user', run: '', request: {verb: 'create'}, response: {ok: true}, events};
    books.observe(entry as unknown as TraceEntry, 0);
  }
  look(bucket('blue'), bucket('green'));
  expect(books.externals.size).toBe(0);
  const fork = books.fork();
  for (const one of [books, fork]) expect(one.externals.size).toBe(0);
  look(bucket('blue'), bucket('green', 'ext-1'));
  expect(books.externals.get('ext-1')?.place).toBe('Bucket.cloud.example.org green/data');
});

test('what Crossplane has be the XR that was lost in the middle of its reconcile goes with that one', () => {
  const free = (uid: string): KubeObject => ({...note(uid), metadata: {...note(uid).metadata, ownerReferences: []}});
  const books = new Books().api('crossplane', 'ADDED', note('a-1')).api('disaster', 'DELETED', note('a-1'), 'delete');
  books.api('velero', 'ADDED', free('a-2'));
  expect(books.ledger.isOfLost(place)).toBe(false);
  books.api('crossplane', 'MODIFIED', note('a-2'), 'patch');
  expect(books.ledger.isOfLost(place)).toBe(false);
  books.api('disaster', 'DELETED', app, 'delete');
  books.api('velero', 'MODIFIED', note('a-2'), 'patch');
  expect(books.ledger.isOfLost(place)).toBe(false);
  expect(books.api('crossplane', 'MODIFIED', note('a-2'), 'patch').ledger.isOfLost(place)).toBe(true);
  expect(books.ledger.fork().isOfLost(place)).toBe(true);
});

test('what goes with the definition of its kind is known, though that is there again by the end', () => {
  const going = {...note('a-1'), metadata: {...note('a-1').metadata, deletionTimestamp: '2026-01-01T00:00:00Z'}};
  const books = new Books().api('crossplane', 'ADDED', note('a-1'));
  expect(books.api('user', 'MODIFIED', going, 'delete').ledger.wentWithKind(place)).toBe(false);
  expect(books.api('kube-apiserver', 'MODIFIED', going, 'delete').ledger.wentWithKind(place)).toBe(true);
  expect(books.ledger.fork().wentWithKind(place)).toBe(true);
});

test('what a provider that died left in the middle of a create is so in a backup, too', () => {
  const pending = (uid: string): KubeObject => {
    const annotations = {
      ...note(uid).metadata.annotations,
      'crossplane.io/external-create-pending': '2026-01-01T00:00:00Z',
    };
    return {...note(uid), metadata: {...note(uid).metadata, annotations}};
  };
  const restored = (isStopped: boolean) => {
    const books = new Books().api('crossplane', 'ADDED', pending('a-1'));
    if (isStopped) books.ledger.observe({kind: 'process', actor: 'provider', change: 'stopped'} as TraceEntry, 0);
    const objects = new Map([['Note.example.org', new Map([['shop-a', pending('a-1')]])]]);
    const cloud = {externals: new Map(), inFlight: new Map()};
    books.ledger.look({server: {objects}, cloud} as unknown as World);
    books.api('disaster', 'DELETED', pending('a-1'), 'delete').api('velero', 'ADDED', pending('a-2'));
    return books.ledger;
  };
  expect(restored(true).isCutOff(pending('a-2'))).toBe(true);
  expect(restored(true).isCutOff(note('a-2'))).toBe(false);
  expect(restored(false).isCutOff(pending('a-2'))).toBe(false);
});
