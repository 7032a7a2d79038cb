import {describe, expect, test} from 'vitest';
import type {ApiError} from '../../../src/cluster/api/request.ts';
import type {Admission} from '../../../src/cluster/api/server.ts';
import {serve} from '../../../src/cluster/api/server.ts';
import {create, merge, Rig, remove, startMs, widgets} from './given.ts';

function rigWith(finalizers: readonly string[] = []): Rig {
  const rig = new Rig();
  rig.do(create({}, {metadata: {finalizers}}));
  return rig;
}

describe('a delete', () => {
  test('removes an object without finalizers and answers its last state', () => {
    const rig = rigWith();
    expect(rig.do(remove({propagationPolicy: 'Background'})).metadata.name).toBe('w');
    expect(rig.exists()).toBe(false);
  });

  test('marks an object with finalizers: deletion time, a generation, and it stays', () => {
    const rig = rigWith(['example.org/f']);
    const {metadata} = rig.do(remove());
    expect(metadata).toMatchObject({
      deletionTimestamp: '2023-11-14T22:13:20Z',
      deletionGracePeriodSeconds: 0,
      generation: 2,
      finalizers: ['example.org/f'],
    });
  });

  test('marks it once: a second delete is no write', () => {
    const rig = rigWith(['example.org/f']);
    const {resourceVersion} = rig.do(remove()).metadata;
    rig.nowMs += 60_000;
    expect(rig.do(remove()).metadata.resourceVersion).toBe(resourceVersion);
  });

  test.each([
    {policy: 'Background', had: [], want: undefined},
    {policy: 'Foreground', had: [], want: ['foregroundDeletion']},
    {policy: 'Orphan', had: [], want: ['orphan']},
    {policy: 'Foreground', had: ['example.org/f'], want: ['example.org/f', 'foregroundDeletion']},
    {policy: undefined, had: ['example.org/f', 'foregroundDeletion'], want: ['example.org/f', 'foregroundDeletion']},
    {policy: 'Background', had: ['example.org/f', 'foregroundDeletion'], want: ['example.org/f']},
    {policy: 'Orphan', had: ['foregroundDeletion'], want: ['orphan']},
  ] as const)('with policy $policy leaves finalizers $had as $want', ({policy, had, want}) => {
    const rig = rigWith(had);
    rig.do(remove(policy === undefined ? {} : {propagationPolicy: policy}));
    expect(rig.exists() ? rig.widget.metadata.finalizers : undefined).toEqual(want);
  });

  test('with a later policy replaces the finalizer of an earlier one', () => {
    const rig = rigWith(['example.org/f']);
    rig.do(remove({propagationPolicy: 'Foreground'}));
    rig.do(remove({propagationPolicy: 'Background'}));
    expect(rig.widget.metadata.finalizers).toEqual(['example.org/f']);
  });

  test.each([
    {
      preconditions: {uid: 'other'},
      want: 'the UID in the precondition (other) does not match the UID in record (UID). The object might have been deleted and then recreated',
    },
    {
      preconditions: {resourceVersion: '1'},
      want: 'the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (RV). The object might have been modified',
    },
  ])('with precondition $preconditions is refused', ({preconditions, want}) => {
    const rig = rigWith();
    const {uid = '', resourceVersion = ''} = rig.widget.metadata;
    const error = rig.refuse(remove({preconditions}));
    expect(error).toMatchObject({code: 409, reason: 'Conflict'});
    expect(error.message.replace(uid, 'UID').replace(`(${resourceVersion})`, '(RV)')).toBe(
      `Operation cannot be fulfilled on Widget.test.example.org "w": ${want}`,
    );
    expect(rig.exists()).toBe(true);
  });

  test('with preconditions that hold is carried out', () => {
    const rig = rigWith();
    const {uid = '', resourceVersion = ''} = rig.widget.metadata;
    rig.do(remove({preconditions: {uid, resourceVersion}}));
    expect(rig.exists()).toBe(false);
  });

  test('of what is not there is a 404', () => {
    expect(new Rig().refuse(remove())).toMatchObject({code: 404, reason: 'NotFound'});
  });
});

describe('a delete that a webhook denies', () => {
  const denial: ApiError = {
    ok: false,
    code: 409,
    reason: 'in use',
    message: 'admission webhook denied the request: in use',
  };
  /** Denies every delete, and marks the object once, as the Usage webhook does. */
  const admission: Admission = {
    reviewDelete: (server, object, _, nowMs) => {
      const body = {metadata: {annotations: {attempted: 'yes'}}};
      const ref = {...widgets, name: object.metadata.name};
      const marked = serve(server, {verb: 'patch', type: 'merge', ref, body, manager: 'webhook'}, {nowMs});
      return {server: marked.server, events: marked.events, denial};
    },
  };
  const guarded = () => {
    const rig = rigWith();
    rig.admission = admission;
    return rig;
  };

  test('answers the denial and keeps what the webhook wrote', () => {
    const rig = guarded();
    expect(rig.refuse(remove())).toEqual(denial);
    expect(rig.widget.metadata.annotations).toEqual({attempted: 'yes'});
    expect(rig.events.at(-1)?.type).toBe('MODIFIED');
  });

  test('fails on the resourceVersion first, where the deleter demanded one that the webhook outdated', () => {
    const rig = guarded();
    const {resourceVersion = ''} = rig.widget.metadata;
    const first = rig.refuse(remove({preconditions: {resourceVersion}}));
    expect(first.message).toBe(
      `Operation cannot be fulfilled on widgets.test.example.org "w": StorageError: invalid object, Code: 4, Key: /registry/test.example.org/widgets/w, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${rig.widget.metadata.resourceVersion}`,
    );
    const again = rig.widget.metadata.resourceVersion ?? '';
    expect(rig.refuse(remove({preconditions: {resourceVersion: again}}))).toEqual(denial);
  });

  test('is not even asked about where a precondition fails', () => {
    const rig = guarded();
    rig.refuse(remove({preconditions: {uid: 'other'}}));
    expect(rig.widget.metadata.annotations).toBeUndefined();
  });

  test('is not asked about by the server itself', () => {
    const rig = guarded();
    expect(rig.ask({verb: 'delete-collection', ...widgets, isInternal: true}).ok).toBe(true);
    expect(rig.exists()).toBe(false);
  });

  test('ends a delete of a collection at the first denial', () => {
    const rig = guarded();
    rig.do(create({}, {metadata: {name: 'x'}}));
    expect(rig.refuse({verb: 'delete-collection', ...widgets})).toEqual(denial);
    expect([rig.exists('w'), rig.exists('x')]).toEqual([true, true]);
  });
});

describe('a delete of a collection', () => {
  test('takes what the selector matches and nothing else', () => {
    const rig = new Rig();
    for (const [name, group] of [
      ['a', 'x'],
      ['b', 'y'],
      ['c', 'x'],
    ] as const) {
      rig.do(create({}, {metadata: {name, labels: {group}}}));
    }
    rig.ask({verb: 'delete-collection', ...widgets, selector: {matchLabels: {group: 'x'}}});
    expect(['a', 'b', 'c'].map((name) => rig.exists(name))).toEqual([false, true, false]);
  });

  test('of a namespaced kind needs a namespace: without one the path is not there', () => {
    const rig = new Rig();
    const secret = {apiVersion: 'v1', kind: 'Secret', metadata: {name: 's', namespace: 'default'}};
    rig.do({verb: 'create', object: secret, manager: 'm'});
    const all = {verb: 'delete-collection', apiVersion: 'v1', kind: 'Secret'} as const;
    expect(rig.refuse(all)).toMatchObject({code: 404, message: 'the server could not find the requested resource'});
    expect(rig.ask({...all, namespace: 'default'}).ok).toBe(true);
    expect(
      rig.refuse({verb: 'get', ref: {apiVersion: 'v1', kind: 'Secret', namespace: 'default', name: 's'}}).code,
    ).toBe(404);
  });
});

test('an object that is being deleted can still be written to', () => {
  const rig = rigWith(['example.org/f']);
  rig.do(remove());
  expect(rig.do(merge('u', {metadata: {labels: {a: 'b'}}})).metadata.labels).toEqual({a: 'b'});
  expect(rig.nowMs).toBe(startMs);
});

test('a policy that takes the last finalizer away fails a precondition on the version, whatever that is', () => {
  const rig = rigWith();
  rig.do(remove({propagationPolicy: 'Orphan'}));
  const {resourceVersion = ''} = rig.widget.metadata;
  const request = remove({propagationPolicy: 'Background', preconditions: {resourceVersion}});
  expect(rig.refuse(request)).toMatchObject({code: 409, reason: 'Conflict'});
  expect(rig.refuse(request).message).toContain(
    `ResourceVersion in precondition: , ResourceVersion in object meta: ${resourceVersion}`,
  );
  rig.do(remove({propagationPolicy: 'Background'}));
  expect(rig.exists()).toBe(false);
});
