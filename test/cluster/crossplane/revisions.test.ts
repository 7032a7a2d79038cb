import {describe, expect, test} from 'vitest';
import {conditionOf} from '../../../src/cluster/object.ts';
import {functionStatic} from '../../../src/harness/functions/function-static.ts';
import {Platform} from './platform.ts';

// Compositions, their revisions, and when XRs follow.

const revisions = (platform: Platform) => platform.controlPlane.catalogue.find({kind: 'CompositionRevision'});
const contentOf = (platform: Platform): unknown => platform.one('A').spec?.['of'];
const saying = (of: string) => [{name: 'A', base: {apiVersion: 'nop.example.org/v1', kind: 'Nop', spec: {of}}}];

function twoContents(crossplane: '1.16' | '1.19' | '1.20' | '2.3' | 'main'): Platform {
  const platform = new Platform({crossplane});
  platform.compose(saying('one'));
  platform.order();
  platform.pass(5);
  platform.compose(saying('two'));
  platform.pass(5);
  expect(contentOf(platform)).toBe('two');
  return platform;
}

test('every content has one revision, numbered in the order of use', () => {
  const platform = twoContents('main');
  platform.compose(saying('one'));
  platform.pass(5);
  const numbers = revisions(platform).map(({spec}) => spec?.['revision']);
  expect([...numbers].sort()).toEqual([2, 3]);
});

describe('an edit back to older content', () => {
  test.each(['1.16', '1.19', '1.20'] as const)('reaches XRs only with their next poll under %s', (version) => {
    const platform = twoContents(version);
    platform.compose(saying('one'));
    platform.pass(3);
    expect(contentOf(platform)).toBe('two');
    platform.pass(70);
    expect(contentOf(platform)).toBe('one');
  });

  test.each(['2.3', 'main'] as const)('reaches them at once under %s', (version) => {
    const platform = twoContents(version);
    platform.compose(saying('one'));
    platform.pass(1);
    expect(contentOf(platform)).toBe('one');
  });
});

describe('a new revision', () => {
  test('makes the XR fail for a moment since v2: it is chosen before it is found valid', () => {
    const platform = twoContents('main');
    platform.mark();
    platform.compose(saying('three'));
    platform.pass(5);
    expect(platform.history('Synced')).toEqual([
      'True/ReconcileSuccess',
      'False/ReconcileError',
      'True/ReconcileSuccess',
    ]);
    expect(platform.notes().join()).toContain('does not have a valid function pipeline: pipeline status unknown');
  });

  test('is used at once before v2, and has no conditions', () => {
    const platform = twoContents('1.20');
    platform.mark();
    platform.compose(saying('three'));
    platform.pass(5);
    expect(platform.history('Synced')).toEqual(['True/ReconcileSuccess']);
    expect(revisions(platform).every(({status}) => status === undefined)).toBe(true);
  });
});

test('an XR with policy Manual stays on its revision', () => {
  const platform = new Platform({crossplane: 'main'});
  platform.compose(saying('one'));
  platform.order('shop', {}, {compositionUpdatePolicy: 'Manual'});
  platform.pass(5);
  platform.compose(saying('two'));
  platform.pass(90);
  expect(contentOf(platform)).toBe('one');
  platform.order('shop', {}, {compositionUpdatePolicy: 'Automatic'});
  platform.pass(5);
  expect(contentOf(platform)).toBe('two');
});

test('an XR with a revision selector takes the latest revision with these labels', () => {
  const platform = new Platform({crossplane: 'main'});
  platform.compose(saying('one'));
  platform.patch(
    {apiVersion: 'apiextensions.crossplane.io/v1', kind: 'Composition', name: 'app'},
    {
      metadata: {labels: {channel: 'stable'}},
    },
  );
  platform.pass(2);
  platform.order('shop', {}, {compositionRevisionSelector: {matchLabels: {channel: 'stable'}}});
  platform.pass(5);
  platform.patch(
    {apiVersion: 'apiextensions.crossplane.io/v1', kind: 'Composition', name: 'app'},
    {
      metadata: {labels: {channel: 'fast'}},
    },
  );
  platform.compose(saying('two'));
  platform.pass(5);
  expect(contentOf(platform)).toBe('one');
});

test('the revision is chosen with a merge patch of the whole XR before v1.20, with an update after', () => {
  const choice = (version: '1.19' | '1.20') => {
    const platform = new Platform({crossplane: version});
    platform.compose(saying('one'));
    platform.mark();
    platform.order();
    platform.pass(5);
    const [first] = platform
      .writes('App')
      .filter((request) => JSON.stringify(request).includes('compositionRevisionRef'));
    return first?.verb === 'patch' ? `patch ${first.type}` : first?.verb;
  };
  expect(choice('1.19')).toBe('patch merge');
  expect(choice('1.20')).toBe('update');
});

test('revisions that a restore left without owner are adopted again', () => {
  const platform = twoContents('main');
  const [revision] = revisions(platform);
  const ref = {
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind: 'CompositionRevision',
    name: revision?.metadata.name ?? '',
  };
  platform.patch(ref, {metadata: {ownerReferences: null}});
  platform.compose(saying('three'));
  platform.pass(5);
  expect(platform.get(ref)?.metadata.ownerReferences).toHaveLength(1);
});

test('a function without the composition capability makes the revision invalid since v2', () => {
  const platform = new Platform({crossplane: 'main', functions: {'function-ops': functionStatic}});
  const ref = {apiVersion: 'pkg.crossplane.io/v1', kind: 'FunctionRevision', name: 'function-ops-000000000001'};
  platform.request({
    verb: 'patch',
    type: 'merge',
    ref,
    body: {status: {capabilities: ['operation']}},
    manager: 'user',
    subresource: 'status',
  });
  platform.pipeline([{step: 'ops', functionRef: {name: 'function-ops'}}]);
  platform.order();
  platform.pass(5);
  expect(conditionOf(revisions(platform)[0], 'ValidPipeline')?.reason).toBe('MissingCapabilities');
  expect(platform.message('Synced')).toContain('is missing required capabilities: composition');
});

test('a Composition’s type is fixed since v1.17', () => {
  const retype = (version: '1.16' | '1.19') => {
    const platform = twoContents(version);
    return platform.patch(
      {apiVersion: 'apiextensions.crossplane.io/v1', kind: 'Composition', name: 'app'},
      {
        spec: {compositeTypeRef: {kind: 'Other'}},
      },
    ).code;
  };
  expect(retype('1.16')).toBe(200);
  expect(retype('1.19')).toBe(422);
});
