import {describe, expect, test} from 'vitest';
import {apply, applyStatus, create, jsonPatch, merge, Rig, withMetadata, withSpec} from './given.ts';

describe('the managed fields of an object', () => {
  test('give its creator every field, defaults and parents included', () => {
    const rig = new Rig();
    rig.do(create({size: 1, tags: ['a']}, {metadata: {labels: {l: '1'}}}));
    expect(rig.owners['creator Update']).toEqual([
      'metadata.labels',
      'metadata.labels.l',
      'spec',
      'spec.color',
      'spec.size',
      'spec.tags',
      'spec.tags["a"]',
    ]);
  });

  test('give an updater what it changed, and take that from whoever had it', () => {
    const rig = new Rig();
    rig.do(apply('m1', {size: 1, owner: 'a'}));
    rig.do(merge('user', {spec: {size: 2}}));
    expect(rig.owners).toEqual({'m1 Apply': ['spec.owner'], 'user Update': ['spec.size']});
  });

  // Seen on kube-apiserver 1.35.4: an export with managedFields and without owner references.
  test('of a create leave other managers what it does not create', () => {
    const rig = new Rig();
    const fieldsV1 = {'f:metadata': {'f:ownerReferences': {'k:{"uid":"u1"}': {}}}, 'f:spec': {'f:size': {}}};
    const entry = {
      manager: 'm1',
      operation: 'Apply',
      apiVersion: 'test.example.org/v1',
      fieldsType: 'FieldsV1',
      fieldsV1,
    };
    rig.do(create({size: 1}, {metadata: {managedFields: [entry]}}));
    expect(rig.owners).toEqual({
      'creator Update': ['spec', 'spec.color', 'spec.size'],
      'm1 Apply': ['metadata.ownerReferences[{"uid":"u1"}]'],
    });
  });

  test('take a removed field from everybody', () => {
    const rig = new Rig();
    rig.do(apply('m1', {size: 1, owner: 'a'}));
    rig.do(merge('user', {spec: {owner: null}}));
    expect(rig.owners).toEqual({'m1 Apply': ['spec.size']});
  });

  test('keep what an updater owned before besides what it owns now', () => {
    const rig = new Rig();
    rig.do(create({}));
    rig.do(merge('user', {spec: {size: 2}}));
    rig.do(merge('user', {spec: {owner: 'x'}}));
    expect(rig.owners['user Update']).toEqual(['spec.owner', 'spec.size']);
  });

  test('keep an entry for each subresource of one manager', () => {
    const rig = new Rig();
    rig.do(create({size: 1}, {manager: 'm'}));
    rig.do(merge('m', {status: {phase: 'New'}}, 'status'));
    expect(Object.keys(rig.owners)).toEqual(['m Update', 'm Update/status']);
    expect(rig.owners['m Update/status']).toEqual(['status', 'status.phase']);
  });

  test('are not taken from a client that leaves them out of an update', () => {
    const rig = new Rig();
    rig.do(apply('m1', {size: 1}));
    rig.update('user', (widget) => withMetadata(withSpec(widget, {owner: 'x'}), {managedFields: []}));
    expect(rig.owners).toEqual({'m1 Apply': ['spec.size'], 'user Update': ['spec.owner']});
  });

  test('are wiped by a list of one empty entry, and then nobody is tracked until the next apply', () => {
    const rig = new Rig();
    rig.do(apply('m1', {size: 1}));
    rig.do(jsonPatch('crossplane', [{op: 'replace', path: '/metadata/managedFields', value: [{}]}]));
    expect(rig.widget.metadata.managedFields).toBeUndefined();
    rig.do(merge('user', {spec: {owner: 'x'}}));
    expect(rig.widget.metadata.managedFields).toBeUndefined();
  });

  test('begin anew at that apply, with all that was there before as one manager', () => {
    const rig = new Rig();
    rig.do(create({size: 1, owner: 'x'}));
    rig.do(jsonPatch('crossplane', [{op: 'replace', path: '/metadata/managedFields', value: [{}]}]));
    rig.do(apply('m1', {size: 1}));
    expect(rig.owners).toEqual({
      'before-first-apply Update': ['spec', 'spec.color', 'spec.owner', 'spec.size'],
      'm1 Apply': ['spec.size'],
    });
  });

  test('come in the order Apply before Update, older before newer: patches name them by index', () => {
    const rig = new Rig();
    rig.do(create({owner: 'x'}, {manager: 'z'}));
    rig.nowMs += 1000;
    rig.do(merge('a', {spec: {size: 1}}));
    rig.nowMs += 1000;
    rig.do(apply('m', {nested: {a: 'x'}}));
    expect(rig.widget.metadata.managedFields?.map(({manager}) => manager)).toEqual(['m', 'z', 'a']);
    rig.do(jsonPatch('crossplane', [{op: 'remove', path: '/metadata/managedFields/1'}]));
    expect(rig.widget.metadata.managedFields?.map(({manager}) => manager)).toEqual(['m', 'a']);
  });

  test('can be written by an update, but not by a status update', () => {
    const rig = new Rig();
    rig.do(create({size: 1}));
    const entry = {
      manager: 'invented',
      operation: 'Update',
      apiVersion: 'test.example.org/v1',
      fieldsType: 'FieldsV1',
      fieldsV1: {'f:spec': {'f:size': {}}},
    };
    const invent = (subresource?: 'status') =>
      rig.do(merge('user', {metadata: {managedFields: [entry]}}, subresource)).metadata.managedFields?.[0]?.manager;
    expect(invent('status')).toBe('creator');
    expect(invent()).toBe('invented');
  });

  test('are lost by an update with a status that has no type, though the status itself is ignored', () => {
    const rig = new Rig();
    rig.do(create({size: 1}));
    rig.do(merge('u', {spec: {size: 2}, status: {conditions: [{status: 'True'}]}}));
    expect(rig.widget.spec).toMatchObject({size: 2});
    expect(rig.widget).not.toHaveProperty('status');
    expect(rig.owners).toEqual({});
  });

  test('that make no sense are ignored in an update', () => {
    const rig = new Rig();
    rig.do(apply('m1', {size: 1}));
    rig.do(merge('user', {metadata: {managedFields: [{manager: 'x', operation: 'Guess'}]}}));
    expect(rig.owners).toEqual({'m1 Apply': ['spec.size']});
  });

  test('merge the oldest updaters of a version once there are more than ten', () => {
    const rig = new Rig();
    rig.do(create({}));
    for (let index = 0; index < 12; index++) {
      rig.nowMs += 1000;
      rig.do(merge(`user-${String(index).padStart(2, '0')}`, {spec: {options: {[`o${index}`]: 'v'}}}));
    }
    const managers = rig.widget.metadata.managedFields?.map(({manager}) => manager);
    expect(managers).toHaveLength(10);
    expect(managers?.[0]).toBe('ancient-changes');
    expect(rig.owners['ancient-changes Update']).toContain('spec.options.o0');
    expect(managers).toContain('user-11');
  });

  test('never hold what the server itself writes', () => {
    const rig = new Rig();
    rig.do(apply('m1', {}, {metadata: {labels: {a: 'b'}}}));
    rig.update('user', (widget) => withMetadata(widget, {finalizers: ['example.org/f']}));
    rig.do({verb: 'delete', ref: {apiVersion: 'test.example.org/v1', kind: 'Widget', name: 'w'}});
    rig.do(merge('other', {metadata: {labels: {c: 'd'}}}));
    expect(rig.owners).toEqual({
      'm1 Apply': ['metadata.labels.a', 'spec'],
      'user Update': ['metadata.finalizers', 'metadata.finalizers["example.org/f"]'],
      'other Update': ['metadata.labels.c'],
    });
  });

  test('time a manager when it changes a value, not when it only shares one', () => {
    const rig = new Rig();
    rig.do(apply('m1', {size: 1}));
    rig.nowMs += 60_000;
    rig.do(apply('m2', {size: 1}));
    const times = rig.widget.metadata.managedFields?.map(({manager, time}) => [manager, time]);
    expect(times).toEqual([
      ['m2', undefined],
      ['m1', '2023-11-14T22:13:20Z'],
    ]);
  });

  test('follow a schema in which a list became atomic', () => {
    const rig = new Rig();
    rig.do(apply('m1', {tags: ['a', 'b']}));
    rig.makeAtomic('tags');
    rig.do(apply('m2', {size: 1}));
    expect(rig.owners).toEqual({'m1 Apply': ['spec.tags'], 'm2 Apply': ['spec.size']});
  });

  // As kube-apiserver 1.35 answered.
  test('stay, and no apply is taken, while a field has another type than its schema since', () => {
    const rig = new Rig();
    rig.do(apply('m1', {owner: 'a'}));
    rig.changeField('owner', {type: 'integer'});
    const refusal = {
      code: 500,
      message:
        'failed to create typed live object (/w; test.example.org/v1, Kind=Widget): .spec.owner: expected numeric (int or float), got string',
    };
    expect(rig.refuse(apply('m2', {color: 'red'}))).toMatchObject(refusal);
    expect(rig.refuse(applyStatus('m2', {phase: 'New'}))).toMatchObject(refusal);
    expect(rig.owners).toEqual({'m1 Apply': ['spec.owner']});
    rig.changeField('owner', {type: 'string', maxLength: 0});
    rig.do(apply('m2', {color: 'red'}));
    expect(rig.owners).toEqual({'m1 Apply': ['spec.owner'], 'm2 Apply': ['spec.color']});
  });

  test('are lost by an update of such an object, and no apply begins anew', () => {
    const rig = new Rig();
    rig.do(apply('m1', {owner: 'a'}));
    rig.changeField('owner', {type: 'integer'});
    rig.do(merge('m2', {metadata: {labels: {a: 'b'}}}));
    expect(rig.owners).toEqual({});
    expect(rig.refuse(apply('m1', {owner: 7}, {force: true})).message).toBe(
      'failed to create manager for existing fields: failed to convert new object (/w; test.example.org/v1, Kind=Widget) to smd typed: .spec.owner: expected numeric (int or float), got string',
    );
    rig.do(merge('m2', {spec: {owner: 7}}));
    expect(rig.do(apply('m1', {owner: 7}))).toMatchObject({spec: {owner: 7}});
  });

  test('of a status apply hold the fields of status only', () => {
    const rig = new Rig();
    rig.do(create({size: 1}));
    rig.do(jsonPatch('x', [{op: 'replace', path: '/metadata/managedFields', value: [{}]}]));
    rig.do(applyStatus('m1', {phase: 'New'}));
    expect(rig.owners).toEqual({'m1 Apply/status': ['status.phase']});
  });
});
