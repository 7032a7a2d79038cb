import {describe, expect, test} from 'vitest';
import {childName, composedManager, isValidName, randomName} from '../../../src/cluster/crossplane/object-names.ts';
import {sha256} from '../../../src/hash/sha256.ts';
import {Platform} from './platform.ts';

test.each([
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  ['a'.repeat(119), '31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb'],
])('sha256 of %j is what FIPS 180-4 says', (text, hash) => {
  expect(sha256(text)).toBe(hash);
});

test('the field manager of composed resources hashes name and kind of the XR, as recorded', () => {
  const manager = composedManager('apiextensions.crossplane.io/composed', {
    apiVersion: 'ref.example.org/v1',
    kind: 'XLegacy',
    name: 'basic',
  });
  expect(manager).toBe(
    'apiextensions.crossplane.io/composed/a51656964cfe4c00cbc9110da67eef4e0196ba773c1ee2d8ceb2e771bd369088',
  );
});

describe('the name of a child', () => {
  test('is the parent and twelve digits', () => {
    expect(childName('shop-', 'uid', 'db')).toBe(`shop-${sha256('uiddb').slice(0, 12)}`);
    expect(childName('shop', 'uid', 'db')).toBe(childName('shop-', 'uid', 'db'));
  });

  test('is cut to 63 characters and keeps the hyphen before the digits', () => {
    const name = childName(`${'x'.repeat(70)}-`, 'uid', 'db');
    expect(name).toHaveLength(63);
    expect(name).toMatch(/^x{50}-[0-9a-f]{12}$/);
  });
});

test('a random suffix has five characters of Kubernetes’ alphabet and follows from the seed', () => {
  expect(randomName('shop-', 'one')).toMatch(/^shop-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  expect(randomName('shop-', 'one')).toBe(randomName('shop-', 'one'));
  expect(randomName('shop-', 'one')).not.toBe(randomName('shop-', 'two'));
});

test('names are subdomains; those of RBAC kinds may have colons', () => {
  const role = {apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role'};
  expect(isValidName('a.b-c', role)).toBe(true);
  expect(isValidName('system:app', role)).toBe(true);
  expect(isValidName('system:app', {apiVersion: 'v1', kind: 'Secret'})).toBe(false);
  expect(isValidName('Upper', role)).toBe(false);
});

describe('a composed resource that is deleted and made again', () => {
  function again(crossplane: '1.16' | '1.20' | '2.3' | 'main'): readonly [string, string] {
    const platform = new Platform({crossplane});
    platform.compose(['A']);
    platform.order();
    platform.pass(5);
    const before = platform.one('A').metadata.name;
    platform.delete({apiVersion: 'nop.example.org/v1', kind: 'Nop', name: before});
    platform.pass(120);
    return [before, platform.one('A').metadata.name];
  }

  test.each(['1.16', '1.20'] as const)('gets a new random name under %s', (crossplane) => {
    const [before, after] = again(crossplane);
    expect(after).not.toBe(before);
    expect(after).toMatch(/^shop-[a-z0-9]{5}$/);
  });

  test.each(['2.3', 'main'] as const)('keeps its name under %s, which follows from the XR’s uid', (crossplane) => {
    const [before, after] = again(crossplane);
    expect(after).toBe(before);
    expect(after).toMatch(/^shop-[0-9a-f]{12}$/);
  });
});

test('after a restore without resourceRefs the new uid gives new names, so everything is there twice', () => {
  const platform = new Platform({crossplane: 'main'});
  platform.compose(['A']);
  platform.order();
  platform.pass(5);
  platform.restore();
  platform.patch(platform.xrRef(), {spec: {crossplane: {resourceRefs: null}}});
  platform.start();
  platform.pass(5);
  expect(platform.composed('A')).toHaveLength(2);
  expect(platform.refs()).toHaveLength(1);
});

test('an explicit name is found again by server-side apply, even when resourceRefs are lost', () => {
  const platform = new Platform({crossplane: 'main'});
  const named = {name: 'A', base: {apiVersion: 'nop.example.org/v1', kind: 'Nop', metadata: {name: 'my-db'}, spec: {}}};
  platform.compose([named]);
  platform.order();
  platform.pass(5);
  platform.restore();
  platform.patch(platform.xrRef(), {spec: {crossplane: {resourceRefs: null}}});
  platform.start();
  platform.pass(5);
  expect(platform.one('A').metadata.ownerReferences).toHaveLength(1);
});

test('before v2 a composed resource has the XR’s generateName even where its name is given', () => {
  const generateName = (crossplane: '1.20' | 'main') => {
    const platform = new Platform({crossplane});
    platform.compose([{name: 'A', base: {apiVersion: 'nop.example.org/v1', kind: 'Nop', metadata: {name: 'my-db'}}}]);
    platform.order();
    platform.pass(5);
    return platform.one('A').metadata.generateName;
  };
  expect(generateName('1.20')).toBe('shop-');
  expect(generateName('main')).toBeUndefined();
});

test('a name that Kubernetes would not take is refused with the resource it is for', () => {
  const platform = new Platform({crossplane: 'main'});
  platform.compose([{name: 'A', base: {apiVersion: 'nop.example.org/v1', kind: 'Nop', metadata: {name: 'My_Db'}}}]);
  platform.order();
  platform.pass(5);
  expect(platform.message('Synced')).toBe(
    'cannot compose resources: cannot apply composed resource "A" because it has an invalid name "My_Db". Must be a valid RFC 1123 subdomain name.',
  );
});
