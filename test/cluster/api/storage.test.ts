import {describe, expect, test} from 'vitest';
import {installKind} from '../../../src/cluster/api/server.ts';
import {apply, create, jsonPatch, merge, Rig, widget, widgetKind, widgets, withMetadata, withSpec} from './given.ts';

describe('an object in the store', () => {
  test('is born with a uid, a creation time, generation 1 and no status', () => {
    const rig = new Rig();
    const {metadata, status} = rig.do(create({size: 1}, {status: {phase: 'Done'}}));
    expect(metadata.generation).toBe(1);
    expect(metadata.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(metadata.creationTimestamp).toBe('2023-11-14T22:13:20Z');
    expect(status).toBeUndefined();
  });

  test('has another uid every time, and the same in every run', () => {
    const uids = (rig: Rig) => ['a', 'b'].map((name) => rig.do(create({}, {metadata: {name}})).metadata.uid);
    const [first, second] = uids(new Rig());
    expect(first).not.toBe(second);
    expect(uids(new Rig())).toEqual([first, second]);
  });

  test('does not take uid, times and deletion from its creator', () => {
    const metadata = {
      uid: 'mine',
      creationTimestamp: '2001-01-01T00:00:00Z',
      deletionTimestamp: '2001-01-01T00:00:00Z',
    };
    const made = new Rig().do(create({}, {metadata})).metadata;
    expect([made.uid === 'mine', made.creationTimestamp, made.deletionTimestamp]).toEqual([
      false,
      '2023-11-14T22:13:20Z',
      undefined,
    ]);
  });

  test('cannot be made twice, and not with a resourceVersion', () => {
    const rig = new Rig();
    rig.do(create({}));
    expect(rig.refuse(create({}))).toMatchObject({
      code: 409,
      reason: 'AlreadyExists',
      message: 'widgets.test.example.org "w" already exists',
    });
    expect(rig.refuse(create({}, {metadata: {name: 'x', resourceVersion: '1'}})).message).toBe(
      'resourceVersion should not be set on objects to be created',
    );
    // But first it must be sound, and only then is the name looked for.
    expect(rig.refuse(create({size: 'x'}, {metadata: {name: 'x', resourceVersion: '1'}})).code).toBe(422);
    expect(rig.refuse(create({}, {metadata: {resourceVersion: '1'}})).code).toBe(500);
  });

  test('still takes the name while it is being deleted', () => {
    const rig = new Rig();
    rig.do(create({}, {metadata: {finalizers: ['example.org/f']}}));
    rig.do({verb: 'delete', ref: {...widgets, name: 'w'}});
    expect(rig.refuse(create({})).message).toBe('object is being deleted: widgets.test.example.org "w" already exists');
  });

  test('gets a name of its own from generateName: five letters that are no words', () => {
    const rig = new Rig();
    const make = () => {
      const object = {...widgets, metadata: {generateName: 'gen-'}, spec: {}} as never;
      return rig.do({verb: 'create', object, manager: 'm'}).metadata.name;
    };
    const names = Array.from({length: 50}, make);
    expect(new Set(names).size).toBe(50);
    for (const name of names) expect(name).toMatch(/^gen-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });

  test('keeps no empty maps and lists in its metadata, and nothing it does not know', () => {
    const metadata = {labels: {}, annotations: {}, finalizers: [], ownerReferences: [], unknown: 1};
    const made = new Rig().do(create({}, {metadata})).metadata;
    expect(Object.keys(made).sort()).toEqual([
      'creationTimestamp',
      'generation',
      'managedFields',
      'name',
      'resourceVersion',
      'uid',
    ]);
  });

  test('counts a generation for a change of spec, not of metadata or status', () => {
    const rig = new Rig();
    rig.do(create({size: 1}));
    const generations = [
      merge('u', {metadata: {labels: {a: 'b'}}}),
      merge('u', {status: {phase: 'New'}}, 'status'),
      merge('u', {spec: {size: 2}}),
      merge('u', {spec: {size: 2}}),
    ].map((request) => rig.do(request).metadata.generation);
    expect(generations).toEqual([1, 1, 2, 2]);
  });

  test('keeps its resourceVersion and tells nobody where an update changes nothing', () => {
    const rig = new Rig();
    const {resourceVersion} = rig.do(create({size: 1})).metadata;
    const events = rig.events.length;
    rig.nowMs += 60_000;
    rig.update('other', (object) => object);
    rig.do(merge('other', {spec: {size: 1}}));
    expect(rig.widget.metadata.resourceVersion).toBe(resourceVersion);
    expect(rig.events).toHaveLength(events);
  });

  test('is not there after a create that is only tried, nor another after such an update', () => {
    const rig = new Rig();
    const object = {...widgets, metadata: {name: 'w'}, spec: {size: 1}};
    const tried = {verb: 'create', object, manager: 'u', dryRun: true} as const;
    expect(rig.do(tried).metadata.uid).toBeDefined();
    expect(rig.refuse({verb: 'get', ref: {...widgets, name: 'w'}})).toMatchObject({code: 404});
    const stored = rig.do(create({size: 1}));
    const events = rig.events.length;
    const update = {verb: 'update', object: withSpec(stored, {size: 2}), manager: 'u', dryRun: true} as const;
    expect(rig.do(update).spec).toMatchObject({size: 2});
    expect(rig.widget).toEqual(stored);
    expect(rig.events).toHaveLength(events);
    expect(rig.refuse(tried)).toMatchObject({code: 409});
  });

  test('cannot be updated from an old version', () => {
    const rig = new Rig();
    const old = rig.do(create({size: 1}));
    rig.do(merge('u', {spec: {size: 2}}));
    const stale = rig.refuse({verb: 'update', object: withSpec(old, {size: 3}), manager: 'u'});
    expect(stale).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message:
        'Operation cannot be fulfilled on widgets.test.example.org "w": the object has been modified; please apply your changes to the latest version and try again',
    });
  });

  test.each([
    {
      name: 'NoResourceVersion',
      metadata: {resourceVersion: ''},
      code: 422,
      message:
        'widgets.test.example.org "w" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    },
    {
      name: 'UidOfAnother',
      metadata: {uid: 'other'},
      code: 409,
      message:
        'Operation cannot be fulfilled on widgets.test.example.org "w": StorageError: invalid object, Code: 4, Key: /registry/test.example.org/widgets/w, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object meta: UID',
    },
  ])('cannot be updated with $name', ({metadata, code, message}) => {
    const rig = new Rig();
    const uid = rig.do(create({})).metadata.uid ?? '';
    const error = rig.refuse({verb: 'update', object: withMetadata(rig.widget, metadata), manager: 'u'});
    expect([error.code, error.message.replace(uid, 'UID')]).toEqual([code, message]);
  });

  test('of a built-in kind can be updated without a resourceVersion', () => {
    const rig = new Rig();
    const secret = {apiVersion: 'v1', kind: 'Secret', metadata: {name: 's', namespace: 'default'}, data: {a: 'YQ=='}};
    rig.do({verb: 'create', object: secret, manager: 'm'});
    const object = rig.do({verb: 'update', object: {...secret, data: {b: 'Yg=='}}, manager: 'm'});
    expect(object).toMatchObject({data: {b: 'Yg=='}, type: 'Opaque'});
    expect(object.metadata.generation).toBeUndefined();
  });

  test('does not change through the wrong subresource', () => {
    const rig = new Rig();
    rig.do(create({size: 1}));
    rig.do(merge('u', {status: {phase: 'New'}, spec: {size: 2}, metadata: {labels: {a: 'b'}}}, 'status'));
    expect(rig.widget).toMatchObject({spec: {size: 1}, status: {phase: 'New'}});
    expect(rig.widget.metadata.labels).toBeUndefined();
    rig.do(merge('u', {status: {phase: 'Done'}, spec: {size: 2}}));
    expect(rig.widget).toMatchObject({spec: {size: 2}, status: {phase: 'New'}});
  });

  test('goes with the update that takes its last finalizer, once it is being deleted', () => {
    const rig = new Rig();
    rig.do(create({}, {metadata: {finalizers: ['example.org/a', 'example.org/b']}}));
    rig.do({verb: 'delete', ref: {...widgets, name: 'w'}});
    rig.do(merge('u', {metadata: {finalizers: ['example.org/b']}}));
    expect(rig.exists()).toBe(true);
    expect(rig.do(merge('u', {metadata: {finalizers: null}})).metadata.name).toBe('w');
    expect(rig.exists()).toBe(false);
    expect(rig.events.at(-1)).toMatchObject({type: 'DELETED', object: {metadata: {name: 'w'}}});
  });

  test('is told to watchers in the order of revisions, each event with the revision of its object', () => {
    const rig = new Rig();
    rig.do(create({size: 1}));
    rig.do(merge('u', {spec: {size: 2}}));
    rig.do({verb: 'delete', ref: {...widgets, name: 'w'}});
    expect(rig.events.map(({type}) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
    expect(rig.events.map(({revision, object}) => String(revision) === object.metadata.resourceVersion)).toEqual([
      true,
      true,
      true,
    ]);
    expect(rig.server.revision).toBe(rig.events.at(-1)?.revision);
  });

  test('is the same in a state that was left behind: states do not see each other', () => {
    const rig = new Rig();
    rig.do(create({size: 1}));
    const fork = new Rig();
    fork.server = rig.server;
    rig.do(merge('u', {spec: {size: 2}}));
    rig.do({verb: 'delete', ref: {...widgets, name: 'w'}});
    expect(fork.widget.spec).toMatchObject({size: 1});
  });

  test('is found by label, in the order of names', () => {
    const rig = new Rig();
    for (const name of ['c', 'a', 'b']) {
      const labels = name === 'b' ? {} : {group: 'x'};
      rig.do(create({}, {metadata: {name, labels}}));
    }
    const response = rig.ask({verb: 'list', ...widgets, selector: {matchLabels: {group: 'x'}}});
    expect(response.ok && response.items?.map(({metadata}) => metadata.name)).toEqual(['a', 'c']);
  });

  test('is read with the defaults of the schema of today', () => {
    const rig = new Rig();
    rig.do(create({size: 1}));
    const [version] = widgetKind.versions;
    const schema = {
      type: 'object',
      properties: {spec: {type: 'object', properties: {shape: {type: 'string', default: 'round'}}}},
    };
    rig.server = installKind(rig.server, {...widgetKind, versions: [{...version, schema} as never]});
    expect(rig.widget.spec).toEqual({shape: 'round'});
  });

  test('must be named as the request says', () => {
    const rig = new Rig();
    const body = widget({metadata: {name: 'other'}});
    const request = {verb: 'patch', type: 'apply', ref: {...widgets, name: 'w'}, body, manager: 'm'} as const;
    expect(rig.refuse(request)).toMatchObject({code: 400, reason: 'BadRequest'});
    expect(rig.refuse({...apply('m', {}), body: {...body, kind: 'Gadget'}} as never).message).toBe(
      'invalid object type: test.example.org/v1, Kind=Gadget',
    );
  });

  test('stays what it is and where it is, whatever a patch says', () => {
    const rig = new Rig();
    rig.do(create({size: 1}));
    expect(rig.refuse(merge('m', {kind: 'Gadget'})).message).toBe(
      'Widget.test.example.org "w" is invalid: kind: Invalid value: "Gadget": must be Widget',
    );
    expect(rig.refuse(merge('m', {metadata: {name: null}}))).toMatchObject({
      code: 400,
      message: 'the name of the object (w based on URL) was undeterminable: name must be provided',
    });
    expect(rig.refuse(merge('m', {metadata: {resourceVersion: 'x'}}))).toMatchObject({
      code: 500,
      message: 'strconv.ParseUint: parsing "x": invalid syntax',
    });
    expect(rig.refuse(merge('m', [] as never))).toMatchObject({code: 400, reason: 'BadRequest'});
    rig.do(merge('m', {metadata: {selfLink: '/w'}}));
    expect(rig.widget.metadata).not.toHaveProperty('selfLink');
  });

  test('is refused with owners that name nobody, one sentence a field', () => {
    const rig = new Rig();
    const owner = {apiVersion: 'a/b/c', kind: 'K', name: '', uid: 'u'};
    expect(rig.refuse(create({}, {metadata: {ownerReferences: [owner]}})).causes).toEqual([
      {
        reason: 'FieldValueInvalid',
        message: 'Invalid value: "a/b/c": version must not be empty',
        field: 'metadata.ownerReferences.apiVersion',
      },
      {
        reason: 'FieldValueInvalid',
        message: 'Invalid value: "": must not be empty',
        field: 'metadata.ownerReferences.name',
      },
    ]);
  });

  test('reads a null in a list of its metadata as an empty one', () => {
    const rig = new Rig();
    rig.do(create({size: 1}));
    expect(rig.refuse(merge('m', {metadata: {finalizers: [null]}})).message).toContain('metadata.finalizers');
    rig.do(jsonPatch('m', [{op: 'replace', path: '/metadata/managedFields', value: [null]}]));
    expect(rig.widget.metadata).not.toHaveProperty('managedFields');
  });

  test('that is no object at all is a bad request', () => {
    const rig = new Rig();
    for (const object of [null, 'x', {kind: 'Widget'}, {...widgets, metadata: 'x'}]) {
      expect(rig.refuse({verb: 'create', object: object as never, manager: 'm'})).toMatchObject({code: 400});
    }
  });
});
