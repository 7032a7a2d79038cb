import {describe, expect, test} from 'vitest';
import type {ProfileName} from '../../../src/cluster/crossplane/profiles.ts';
import {conditionOf, type KubeObject} from '../../../src/cluster/object.ts';
import {Platform} from './platform.ts';

// Claims of legacy XRs.

const claimRef = {apiVersion: 'example.org/v1', kind: 'AppClaim', namespace: 'default', name: 'mine'};
const claimOf = (platform: Platform): KubeObject | undefined => platform.get(claimRef);
const xrsOf = (platform: Platform): readonly KubeObject[] => platform.controlPlane.catalogue.find({kind: 'App'});

function claimed(crossplane: ProfileName, spec = {}): Platform {
  const platform = new Platform({crossplane, scope: 'LegacyCluster', claims: true});
  platform.compose(['A']);
  platform.pass(1);
  platform.mark();
  platform.apply({
    apiVersion: 'example.org/v1',
    kind: 'AppClaim',
    metadata: {name: 'mine', namespace: 'default', labels: {team: 'a', 'kubernetes.io/x': 'y'}},
    spec: {size: 's', compositionRef: {name: 'app'}, ...spec},
  });
  platform.pass(10);
  return platform;
}

describe.each(['1.16', '1.19', '1.20', '2.3', 'main'] as const)('a claim under %s', (version) => {
  test('gets an XR of a name made from its own, and is ready when that is', () => {
    const platform = claimed(version);
    const [xr] = xrsOf(platform);
    expect(xr?.metadata.name).toMatch(/^mine-[a-z0-9]{5}$/);
    expect(xr?.spec).toMatchObject({size: 's', claimRef: {name: 'mine', namespace: 'default'}});
    expect(xr?.metadata.labels).toMatchObject({team: 'a', 'crossplane.io/claim-name': 'mine'});
    expect(xr?.metadata.labels).not.toHaveProperty('kubernetes.io/x');
    expect(conditionOf(claimOf(platform), 'Ready')?.reason).toBe('Available');
    expect(claimOf(platform)?.spec).toMatchObject({
      resourceRef: {kind: 'App', name: xr?.metadata.name},
      compositionRevisionRef: {name: expect.stringMatching(/^app-/)},
    });
    expect(platform.one('A').metadata.labels).toHaveProperty('crossplane.io/claim-namespace', 'default');
  });

  test('tells its XR what changes', () => {
    const platform = claimed(version);
    platform.patch(claimRef, {spec: {size: 'l'}});
    platform.pass(5);
    expect(xrsOf(platform)[0]?.spec).toHaveProperty('size', 'l');
  });

  test('names its XR before the XR exists', () => {
    const platform = claimed(version);
    const kinds = platform.happenings.flatMap(({entry}) =>
      entry.kind === 'api' && entry.actor === 'crossplane'
        ? entry.events.flatMap(({type, object}) => [
            ...(object.kind === 'AppClaim' && JSON.stringify(object.spec).includes('resourceRef') ? ['named'] : []),
            ...(object.kind === 'App' && type === 'ADDED' ? ['created'] : []),
          ])
        : [],
    );
    expect(kinds.slice(0, 2).sort()).toEqual(['created', 'named']);
    expect(kinds[0]).toBe('named');
  });
});

test('v1.16 creates and patches the XR and writes its update policy back; later versions apply it', () => {
  const old = claimed('1.16');
  expect(old.writes('App').some(({verb}) => verb === 'create')).toBe(true);
  expect(claimOf(old)?.spec).toHaveProperty('compositionUpdatePolicy', 'Automatic');
  const now = claimed('main');
  expect(now.writes('App').some(({verb}) => verb === 'create')).toBe(false);
  expect(
    now
      .writes('App')
      .some((request) => 'manager' in request && request.manager === 'apiextensions.crossplane.io/claim'),
  ).toBe(true);
  expect(claimOf(now)?.spec).not.toHaveProperty('compositionUpdatePolicy');
});

describe('deleting a claim', () => {
  function deletedClaim(policy: 'Background' | 'Foreground'): Platform {
    const platform = claimed('2.3', {compositeDeletePolicy: policy});
    platform.provider({per: {A: {deleteDelayMs: 3000}}});
    platform.delete(claimRef);
    return platform;
  }

  test('with policy Background does not wait for anything', () => {
    const platform = deletedClaim('Background');
    expect(platform.until(() => claimOf(platform) === undefined, 1)).toBe(true);
    expect(platform.until(() => xrsOf(platform).length === 0, 1)).toBe(true);
    expect(platform.composed('A')).toHaveLength(1);
  });

  test('with policy Foreground waits until XR and composed resources are gone, and asks once', () => {
    const platform = deletedClaim('Foreground');
    platform.pass(1);
    expect(conditionOf(claimOf(platform), 'Ready')?.reason).toBe('Deleting');
    expect(xrsOf(platform)[0]?.metadata.finalizers).toContain('foregroundDeletion');
    platform.mark();
    expect(platform.until(() => claimOf(platform) === undefined, 60)).toBe(true);
    expect(platform.writes('App').filter(({verb}) => verb === 'delete')).toEqual([]);
    expect(platform.composed('A')).toEqual([]);
  });

  test('follows the default of the XRD', () => {
    const platform = new Platform({
      crossplane: '2.3',
      scope: 'LegacyCluster',
      claims: true,
      xrd: {defaultCompositeDeletePolicy: 'Foreground'},
    });
    platform.apply({
      apiVersion: 'example.org/v1',
      kind: 'AppClaim',
      metadata: {name: 'mine', namespace: 'default'},
      spec: {},
    });
    expect(claimOf(platform)?.spec).toEqual({compositeDeletePolicy: 'Foreground'});
  });
});

test('an XR that is deleted under its claim comes back with the same name and a new uid', () => {
  const platform = claimed('2.3');
  const [before] = xrsOf(platform);
  platform.delete({apiVersion: 'example.org/v1', kind: 'App', name: before?.metadata.name ?? ''});
  platform.pass(10);
  const [after] = xrsOf(platform);
  expect(after?.metadata.name).toBe(before?.metadata.name);
  expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
});

test('a claim does not touch an XR that is bound to another', () => {
  const platform = claimed('main');
  const name = xrsOf(platform)[0]?.metadata.name ?? '';
  platform.apply({
    apiVersion: 'example.org/v1',
    kind: 'AppClaim',
    metadata: {name: 'thief', namespace: 'default'},
    spec: {resourceRef: {apiVersion: 'example.org/v1', kind: 'App', name}},
  });
  platform.pass(5);
  const thief = platform.get({...claimRef, name: 'thief'});
  expect(conditionOf(thief, 'Synced')?.message).toBe(
    `refusing to operate on composite resource "${name}" that is not bound to this claim: bound to claim "mine"`,
  );
});

test('a paused claim does nothing, not even go', () => {
  const platform = claimed('main');
  platform.patch(claimRef, {metadata: {annotations: {'crossplane.io/paused': 'true'}}});
  platform.pass(2);
  platform.delete(claimRef);
  platform.pass(60);
  expect(conditionOf(claimOf(platform), 'Synced')?.reason).toBe('ReconcilePaused');
  expect(xrsOf(platform)).toHaveLength(1);
});
