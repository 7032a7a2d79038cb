import {describe, expect, test} from 'vitest';
import type {ApiRequest} from '../../../src/cluster/api/request.ts';
import {applyFunctionOutput} from '../../../src/cluster/crossplane/composite/composite-status.ts';
import {type Condition, conditionOf} from '../../../src/cluster/object.ts';
import {Platform} from './platform.ts';

// What XRs say about themselves, and how that differs between versions.

function ready(crossplane: '1.16' | '1.19' | '1.20' | '2.3' | 'main', watchMs = 0): Platform {
  const platform = new Platform({crossplane, watchMs});
  platform.compose(['A', 'B']);
  platform.order();
  platform.pass(10);
  return platform;
}

const statusWrites = (platform: Platform): readonly ApiRequest[] =>
  platform.writes('App').filter((request) => 'subresource' in request && request.subresource === 'status');

test.each(['1.16', '1.19', '1.20'] as const)(
  'conditions under %s are Synced and Ready, without a generation',
  (version) => {
    const platform = ready(version);
    expect(platform.condition('Responsive')).toBe('absent');
    expect(conditionOf(platform.xr(), 'Ready')).not.toHaveProperty('observedGeneration');
  },
);

test.each(['2.3', 'main'] as const)(
  'conditions under %s have Responsive too, and the generation they are about',
  (version) => {
    const platform = ready(version);
    expect(platform.condition('Responsive')).toBe('True/WatchCircuitClosed');
    const generation = platform.xr()?.metadata.generation;
    expect(conditionOf(platform.xr(), 'Ready')).toHaveProperty('observedGeneration', generation);
  },
);

describe('the status apply', () => {
  const applied = (platform: Platform): readonly boolean[] =>
    statusWrites(platform).flatMap((request) =>
      request.verb === 'patch' ? [JSON.stringify(request.body).includes('conditions')] : [],
    );

  test('before v2 carries no conditions', () => {
    expect(applied(ready('1.20'))).not.toContain(true);
  });

  test('since v2 carries those the reconcile read, so a stale cache puts old ones back for a moment', () => {
    const platform = ready('main', 2);
    expect(applied(platform)).toContain(true);
    expect(platform.history('Ready').slice(0, 4)).toEqual([
      'False/Creating',
      'True/Available',
      'False/Creating',
      'True/Available',
    ]);
  });
});

describe('a reconcile that changes nothing', () => {
  const updatesOfPoll = (version: '1.19' | '2.3'): number => {
    const platform = ready(version);
    platform.mark();
    platform.pass(100);
    return statusWrites(platform).filter(({verb}) => verb === 'update').length;
  };

  test('updates the status all the same before v2', () => {
    expect(updatesOfPoll('1.19')).toBeGreaterThan(0);
  });

  test('leaves the status alone since v2', () => {
    expect(updatesOfPoll('2.3')).toBe(0);
  });
});

describe('an XR that is not ready yet', () => {
  test('says which resources it waits for', () => {
    const platform = new Platform({crossplane: 'main'});
    platform.provider({readyDelayMs: 60_000});
    platform.compose(['D', 'B', 'A', 'C']);
    platform.order();
    platform.pass(5);
    expect(platform.message('Ready')).toBe('Unready resources: A, B, C, and 1 more');
  });

  test('is ready when the pipeline’s resources are, with realtime compositions at once', () => {
    const platform = new Platform({crossplane: 'main'});
    platform.compose(['A']);
    platform.order();
    expect(platform.until(() => platform.condition('Ready') === 'True/Available', 1)).toBe(true);
  });

  test('backs off from one second on without realtime compositions', () => {
    const platform = new Platform({crossplane: '1.19', realtime: false});
    platform.compose(['A']);
    platform.order();
    expect(platform.until(() => platform.condition('Ready') === 'True/Available', 0.9)).toBe(false);
    expect(platform.until(() => platform.condition('Ready') === 'True/Available', 2)).toBe(true);
  });
});

test('a foreground deletion shows the old Ready once more before it shows Deleting', () => {
  const platform = ready('main');
  platform.provider({per: {A: {deleteDelayMs: 30_000}}});
  platform.mark();
  platform.delete(platform.xrRef(), 'Foreground');
  platform.pass(5);
  expect(platform.history('Ready')).toEqual(['True/Available', 'False/Deleting']);
  expect(platform.xr()?.metadata.finalizers).toEqual(['foregroundDeletion']);
});

test('an invalid composed resource leaves the others alone and unsyncs the XR', () => {
  const platform = new Platform({crossplane: 'main'});
  const owner = {apiVersion: 'v1', kind: 'Pod', name: 'x', uid: 'other', controller: true};
  const taken = {apiVersion: 'nop.example.org/v1', kind: 'Nop', metadata: {name: 'taken', ownerReferences: [owner]}};
  platform.controlPlane.session.stop(platform.controlPlane.processes['owner-gc']);
  platform.request({verb: 'create', object: taken, manager: 'somebody'});
  const wanted = {name: 'A', base: {apiVersion: 'nop.example.org/v1', kind: 'Nop', metadata: {name: 'taken'}}};
  platform.compose([wanted, 'B']);
  platform.order();
  platform.pass(5);
  expect(platform.condition('Synced')).toBe('False/ReconcileError');
  expect(platform.message('Synced')).toBe('Unsynced resources: A');
  expect(platform.composed('B')).toHaveLength(1);
});

test('a composed resource without its annotation stops the whole XR, for ever', () => {
  const platform = ready('main');
  const name = platform.one('A').metadata.name;
  platform.patch(
    {apiVersion: 'nop.example.org/v1', kind: 'Nop', name},
    {
      metadata: {annotations: {'crossplane.io/composition-resource-name': null}},
    },
  );
  platform.pass(300);
  expect(platform.message('Synced')).toBe(
    'cannot compose resources: cannot get existing composed resources: encountered composed resource without required "crossplane.io/composition-resource-name" annotation',
  );
});

test('adoption after a restore wipes the managed fields of everybody, and leaves Crossplane as the only manager', () => {
  const platform = ready('main');
  platform.restore();
  platform.provider({enabled: false});
  platform.start();
  platform.pass(5);
  const managers = platform.one('A').metadata.managedFields?.map(({manager}) => manager);
  expect(managers).toEqual([expect.stringMatching(/^apiextensions\.crossplane\.io\/composed\/[0-9a-f]{64}$/)]);
});

test('claim labels on composed resources are empty strings before v2 and absent since', () => {
  const labels = (version: '1.20' | 'main') => ready(version).one('A').metadata.labels;
  expect(labels('1.20')).toEqual({
    'crossplane.io/composite': 'shop',
    'crossplane.io/claim-name': '',
    'crossplane.io/claim-namespace': '',
  });
  expect(labels('main')).toEqual({'crossplane.io/composite': 'shop'});
});

describe('a status that the schema refuses', () => {
  test.each(['1.16', '1.20', '2.3', 'main'] as const)('leaves a new XR without any condition under %s', (version) => {
    const platform = new Platform({crossplane: version, realtime: true});
    platform.compose(['A'], {xrStatus: {note: 7}});
    platform.pass(2);
    platform.order();
    platform.pass(20);
    expect(platform.composed('A')).toHaveLength(1);
    expect(platform.notes().join()).toContain('cannot apply composite resource status');
    expect(platform.condition('Synced')).toBe('absent');
    expect(platform.condition('Ready')).toBe('absent');
  });

  test('leaves another one with what it showed before', () => {
    const platform = new Platform({crossplane: 'main', realtime: true});
    platform.compose(['A']);
    platform.order();
    platform.pass(5);
    platform.compose(['A'], {xrStatus: {note: 7}});
    platform.pass(20);
    expect(platform.notes().join()).toContain('cannot apply composite resource status');
    // What the reconcile before it said, while the new revision was not yet found valid.
    expect(platform.message('Synced')).toContain('does not have a valid function pipeline: pipeline status unknown');
    expect(platform.condition('Ready')).toBe('True/Available');
  });
});

test('what a function says for the claim is kept on an XR that can have one, and on no other', () => {
  const xr = {apiVersion: 'example.org/v1', kind: 'App', metadata: {name: 'shop'}};
  const at = '2026-01-01T00:00:00Z';
  const condition: Condition = {type: 'Database', status: 'True', reason: 'Available', lastTransitionTime: at};
  const statuses = (['legacy', 'modern'] as const).map((schema) => {
    const {value} = applyFunctionOutput(xr, schema, [], [{condition, claimToo: true}]).next();
    return (value as typeof xr & {readonly status: object}).status;
  });
  expect(statuses).toEqual([{conditions: [condition], claimConditionTypes: ['Database']}, {conditions: [condition]}]);
});
