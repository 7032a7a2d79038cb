// One edit gives a resource another resource name, and its author wrote the external name under both. The external resource of an
// object that leaves is not deleted while the pipeline desires it under another name. In doubt the object stays, and that is told.

import {describe, expect, test} from 'vitest';
import type {JsonObject} from '../../src/cluster/json.ts';
import {bucket, composition, type Group, type Resource, type Story, tell} from './small-move.ts';

/** A Bucket with an external name of its author's, and perhaps an object name. */
function named(name: string, external: string, object = '', spec: JsonObject = {}, group: Group = 'old'): Resource {
  const annotations = {'crossplane.io/external-name': external};
  return bucket(name, group, {metadata: {annotations, ...(object === '' ? {} : {name: object})}}, spec);
}

const there = {forProvider: {region: 'there'}};
const confirming: JsonObject = {
  patch: {
    kind: 'App',
    name: 'shop',
    type: 'merge',
    body: {metadata: {annotations: {'tether.fn.crossplane.io/confirm-removal': 'a'}}},
  },
};

const edit = (crossplane: string, before: readonly Resource[], after: readonly Resource[], more?: Partial<Story>) =>
  tell({crossplane, before, after, inputAfter: {}, ...more});
/** The external name by resource name. */
const living = (told: ReturnType<typeof tell>) =>
  Object.fromEntries(
    told.buckets.map(({metadata}) => [
      metadata['annotations']?.['crossplane.io/composition-resource-name'],
      metadata['annotations']?.['crossplane.io/external-name'],
    ]),
  );

describe.each(['main', '2.3', '1.20', '1.16'])('on Crossplane %s', (crossplane) => {
  // Version 1.16 has no conditions of functions.
  const settled = crossplane === '1.16' ? 'no condition Tethered' : '';

  test('the object goes to the name that desires its external resource', () => {
    const told = edit(crossplane, [named('a', 'acme')], [named('b', 'acme')]);
    expect(told.externals).toMatchObject({creates: 1, deletes: 0});
    expect(living(told)).toEqual({b: 'acme'});
    expect(told.history?.versions.some(({type, object}) => type === 'DELETED' && object.kind === 'Bucket')).toBe(false);
    expect(told.tethered).toBe(settled);
  });

  test.each([{}, {handover: [{from: {resources: ['a']}, to: {resource: 'b'}}]}])(
    'another object name: the old object goes, its external resource does not, with or without a rule',
    (inputAfter) => {
      const told = edit(crossplane, [named('a', 'acme', 'one')], [named('b', 'acme', 'two')], {inputAfter});
      expect(told.externals).toMatchObject({creates: 1, deletes: 0});
      expect(told.buckets.map(({metadata}) => metadata.name)).toEqual(['two']);
      expect(told.tethered).toBe(settled);
    },
  );

  test('and back again', () => {
    const before = [named('a', 'acme', 'one')];
    const back = [{apply: composition({}, before, {}), wait: '20m'}];
    const told = edit(crossplane, before, [named('b', 'acme', 'two')], {afterwards: back});
    expect(told.externals).toMatchObject({creates: 1, deletes: 0});
    expect(told.buckets.map(({metadata}) => metadata.name)).toEqual(['one']);
    expect(told.tethered).toBe(settled);
  });

  test('two objects with one external name: one goes, and leaves it to the other', () => {
    const told = edit(crossplane, [named('a', 'acme'), named('b', 'acme')], [named('b', 'acme')]);
    expect(told.externals).toMatchObject({creates: 1, deletes: 0});
    expect(living(told)).toEqual({b: 'acme'});
    expect(told.tethered).toBe(settled);
  });

  test.each(['one', 'three'])(
    'two objects with one external name: both go for a third name, in the object %s',
    (object) => {
      const before = [named('a', 'acme', 'one'), named('b', 'acme', 'two')];
      const told = edit(crossplane, before, [named('c', 'acme', object)]);
      expect(told.externals).toMatchObject({creates: 1, deletes: 0});
      expect(told.buckets.map(({metadata}) => metadata.name)).toEqual([object]);
      expect(living(told)).toEqual({c: 'acme'});
      expect(told.tethered).toBe(settled);
    },
  );

  test('a list that loses its first item keeps the external resource of its last', () => {
    const before = [named('0', 'x'), named('1', 'y'), named('2', 'z')];
    const told = edit(crossplane, before, [named('0', 'y'), named('1', 'z')]);
    expect(told.externals).toMatchObject({creates: 3, deletes: 0});
    expect(living(told)).toEqual({0: 'y', 1: 'z'});
    expect(told.tethered).toBe(settled);
  });

  test.each([
    ['spec.forProvider', there],
    ['spec.providerConfigRef', {providerConfigRef: {name: 'other'}}],
  ])('with another %s the old object stays, until its removal is confirmed', (field, spec) => {
    const [before, after] = [[named('a', 'acme'), bucket('c', 'old')], [named('b', 'acme', '', spec)]];
    const told = edit(crossplane, before, after);
    // A template may compose the other one by the object under its new name.
    expect(told.externals).toMatchObject({creates: 2, deletes: 0});
    expect(living(told)).toMatchObject({a: 'acme', c: expect.anything()});
    if (crossplane !== '1.16') expect(told.tethered).toContain(`has its external name, but another ${field}`);
    const end = edit(crossplane, before, after, {afterwards: [{...confirming, wait: '20m'}]});
    expect(living(end)).toEqual({b: 'acme'});
    expect(end.externals).toMatchObject({creates: 3, deletes: 2});
  });

  test('with another group of its kind the old object stays, until its removal is confirmed', () => {
    const [before, after] = [[named('a', 'acme')], [named('b', 'acme', '', {}, 'new')]];
    const told = edit(crossplane, before, after);
    expect(told.externals).toMatchObject({creates: 1, deletes: 0});
    expect(living(told)).toEqual({a: 'acme'});
    if (crossplane !== '1.16') expect(told.tethered).toContain('has its external name, but another apiVersion');
    const end = edit(crossplane, before, after, {afterwards: [{...confirming, wait: '20m'}]});
    expect(living(end)).toEqual({b: 'acme'});
  });

  test('an object in another region leaves as without function-tether', () => {
    const told = edit(crossplane, [named('a', 'acme'), named('b', 'acme', '', there)], [named('b', 'acme', '', there)]);
    expect(told.externals.deletes).toBeGreaterThan(0);
    expect(living(told)).toEqual({b: 'acme'});
    expect(told.tethered).toBe(settled);
  });

  test('an object whose kind cannot leave it stays, if it cannot have the other object name', () => {
    const plain = (name: string, object: string) => [named(name, 'acme', object, {}, 'plain')];
    const told = edit(crossplane, plain('a', 'one'), plain('b', 'two'));
    expect(living(told)).toEqual({a: 'acme'});
    if (crossplane !== '1.16') expect(told.tethered).toContain('no object changes its name');
  });
});

test.each(['main', '1.20'])('an edit in the middle gives another region: Crossplane %s', (crossplane) => {
  const told = edit(crossplane, [named('a', 'acme', 'one')], [named('b', 'acme', 'two')], {
    soon: true,
    afterwards: [{apply: composition({}, [named('b', 'acme', 'two', there)], {}), wait: '20m'}],
  });
  expect(told.externals).toMatchObject({creates: 1, deletes: 0});
  expect(told.buckets.map(({metadata}) => metadata.name).sort()).toEqual(['one', 'two']);
  expect(told.tethered).toContain('the desired resource has another spec.forProvider than the old one');
});

test.each(['main', '2.3', '1.20', '1.16'])(
  'the edit is taken back before the provider lets the object go: Crossplane %s',
  (crossplane) => {
    const before = [named('a', 'acme', 'one')];
    const told = edit(crossplane, before, [named('b', 'acme', 'two')], {
      meanwhile: [{stop: 'provider'}],
      afterwards: [
        {apply: composition({}, before, {}), wait: '5m'},
        {start: 'provider', wait: '20m'},
      ],
    });
    expect(told.externals).toMatchObject({creates: 1, deletes: 0});
    expect(living(told)).toEqual({a: 'acme'});
  },
);

test.each(['main', '2.3', '1.20'])('a backup of before the edit comes back after it: Crossplane %s', (crossplane) => {
  const before = [named('a', 'acme', 'one')];
  const told = edit(crossplane, before, [named('b', 'acme', 'two')], {
    meanwhile: [{backup: {tool: 'velero', kinds: ['App', 'Bucket']}}],
    afterwards: [{stop: 'crossplane'}, {wipe: {}}, {restore: {}}, {start: 'crossplane', wait: '20m'}],
  });
  expect(told.externals).toMatchObject({creates: 1, deletes: 0});
  expect(living(told)).toEqual({b: 'acme'});
});
