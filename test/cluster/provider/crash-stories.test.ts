import {describe, expect, test} from 'vitest';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {externalNameOf} from '../../../src/cluster/provider/annotations.ts';
import {managedKind} from '../../../src/cluster/provider/managed-kind.ts';
import {runtimeVersions} from '../../../src/cluster/provider/runtime-version.ts';
import {openWorld, type WorldOptions} from './provider-world.ts';

const apiVersion = 'rds.aws.upbound.io/v1beta1';
const ready = ['Ready=True/Available', 'Synced=True/ReconcileSuccess'];
const refused = ['Ready=False/Creating', 'Synced=False/ReconcileError'];
const noLateInit = ['Observe', 'Create', 'Update', 'Delete'];

interface Story extends Partial<Omit<WorldOptions, 'kinds'>> {
  readonly client?: 'sync' | 'async';
  readonly policies?: readonly string[];
  readonly deterministic?: boolean;
  readonly waitsForState?: boolean;
}

function openStory({
  client = 'sync',
  policies = ['*'],
  deterministic = false,
  waitsForState = false,
  ...options
}: Story) {
  const kind = managedKind({
    apiVersion,
    kind: 'Instance',
    client,
    waitsForState,
    namedBy: deterministic ? 'object' : 'cloud',
    deterministicExternalName: deterministic,
  });
  const world = openWorld({kinds: [kind], ...options});
  const db: KubeObject = {
    apiVersion,
    kind: 'Instance',
    metadata: {name: 'db'},
    spec: {managementPolicies: policies, forProvider: {engine: 'postgres'}},
  };
  const nameNow = () => {
    const live = world.get({apiVersion, kind: 'Instance', name: 'db'});
    return live === undefined ? undefined : externalNameOf(live);
  };
  return {...world, db, nameNow};
}

describe('a provider killed while it creates', () => {
  test('before the cloud was asked: refuses for ever, though there is nothing', () => {
    const story = openStory({});
    story.start('pre-create');
    story.create(story.db);
    story.run(5);
    expect(story.isRunning()).toBe(false);
    story.start();
    story.run(120);
    expect(story.conditions(story.db)).toEqual(refused);
    expect(story.alive()).toEqual([]);
  });

  test('after the cloud made it: refuses, and the identifier is nowhere', () => {
    const story = openStory({});
    story.start('post-create');
    story.create(story.db);
    story.run(5);
    story.start();
    story.run(120);
    expect(story.conditions(story.db)).toEqual(refused);
    expect(story.nameNow()).toBe('');
    expect(story.alive()).toEqual(['ext-1']);
  });

  test('removing the pending annotation wakes nothing; one more change makes a second resource', () => {
    const story = openStory({});
    story.start('post-create');
    story.create(story.db);
    story.run(5);
    story.start();
    story.run(5);
    story.annotate(story.db, 'external-create-pending', null);
    story.run(60);
    expect(story.counters().creates).toBe(1);
    story.annotate(story.db, 'reconcile-requested-at', 'poke');
    story.run(10);
    expect(story.alive()).toEqual(['ext-1', 'ext-2']);
    expect(story.conditions(story.db)).toEqual(ready);
  });

  test('with the name given by hand and a later success, the resource is taken over', () => {
    const story = openStory({});
    story.start('pre-critical');
    story.create(story.db);
    story.run(5);
    story.start();
    story.run(5);
    story.annotate(story.db, 'external-name', 'ext-1');
    story.annotate(story.db, 'external-create-succeeded', '2031-01-01T00:00:00Z');
    story.run(10);
    expect(story.counters().creates).toBe(1);
    expect(story.conditions(story.db)).toEqual(ready);
  });

  test('after the annotations: nothing is lost', () => {
    const story = openStory({});
    story.start('post-critical');
    story.create(story.db);
    story.run(5);
    story.start();
    story.run(10);
    expect(story.alive()).toEqual(['ext-1']);
    expect(story.nameNow()).toBe('ext-1');
    expect(story.conditions(story.db)).toEqual(ready);
  });

  test('of a kind with deterministic names: goes on and finds its own resource', () => {
    const story = openStory({deterministic: true});
    story.start('post-create');
    story.create(story.db);
    story.run(5);
    story.start();
    story.run(10);
    expect(story.alive()).toEqual(['db']);
    expect(story.conditions(story.db)).toEqual(ready);
    const annotations = story.get({apiVersion, kind: 'Instance', name: 'db'})?.metadata.annotations ?? {};
    expect(Object.keys(annotations).sort()).toEqual([
      'crossplane.io/external-create-pending',
      'crossplane.io/external-name',
    ]);
  });
});

describe('an asynchronous provider killed', () => {
  test('before the annotations: refuses, with one resource out there', () => {
    const story = openStory({client: 'async', cloud: {createDelayMs: 500}});
    story.start('pre-critical');
    story.create(story.db);
    story.run(5);
    story.start();
    story.run(30);
    expect(story.conditions(story.db)).toEqual(refused);
    expect(story.alive()).toEqual(['ext-1']);
  });

  test.each(['async-ended', 'async-callback-done', 'observe-namechange'] as const)(
    'at %s, before anybody saved the name: creates a second resource, LateInitialize or not',
    (point) => {
      const story = openStory({client: 'async', cloud: {createDelayMs: 500}});
      story.start(point);
      story.create(story.db);
      story.run(5);
      expect(story.isRunning()).toBe(false);
      story.start();
      story.run(20);
      expect(story.alive()).toEqual(['ext-1', 'ext-2']);
      expect(story.nameNow()).toBe('ext-2');
    },
  );

  test('without LateInitialize, long after all was well: one more resource at every restart', () => {
    const story = openStory({client: 'async', policies: noLateInit, cloud: {createDelayMs: 500}});
    story.start();
    story.create(story.db);
    for (const expected of [1, 2, 3]) {
      story.run(20);
      expect(story.conditions(story.db)).toEqual(ready);
      expect(story.counters().creates).toBe(expected);
      story.kill();
      story.start();
    }
  });

  test('without LateInitialize but with the name written while it lived: nothing happens', () => {
    const story = openStory({client: 'async', policies: noLateInit, cloud: {createDelayMs: 500}});
    story.start();
    story.create(story.db);
    story.run(20);
    story.annotate(story.db, 'external-name', 'ext-1');
    story.run(5);
    story.kill();
    story.start();
    story.run(20);
    expect(story.counters().creates).toBe(1);
  });

  test('LateInitialize added after the restart comes too late', () => {
    const story = openStory({client: 'async', policies: noLateInit, cloud: {createDelayMs: 500}});
    story.start();
    story.create(story.db);
    story.run(20);
    story.kill();
    story.patch(story.db, {spec: {managementPolicies: ['*']}});
    story.start();
    story.run(20);
    expect(story.alive()).toEqual(['ext-1', 'ext-2']);
    expect(story.nameNow()).toBe('ext-2');
  });

  test('while it is down, without a name: the deleted object goes and the resource leaks', () => {
    const story = openStory({client: 'async', policies: noLateInit, cloud: {createDelayMs: 500}});
    story.start();
    story.create(story.db);
    story.run(20);
    story.kill();
    story.delete(story.db);
    story.start();
    story.run(20);
    expect(story.nameNow()).toBeUndefined();
    expect(story.alive()).toEqual(['ext-1']);
  });
});

describe('with the open pull request crossplane-runtime#850', () => {
  const asIs = runtimeVersions['v2.4+850'];
  const mended = runtimeVersions['v2.4+850-mended'];

  test('as it is, every create ends in the refusal: the API server takes no forced merge patch', () => {
    const story = openStory({client: 'async', runtime: asIs, cloud: {createDelayMs: 500}});
    story.start();
    story.create(story.db);
    story.run(60);
    expect(story.conditions(story.db)).toEqual(refused);
    expect(story.nameNow()).toBe('');
    expect(story.counters().creates).toBe(1);
  });

  test('mended, the name is saved without LateInitialize and a restart is safe, but Ready never comes', () => {
    const story = openStory({client: 'async', runtime: mended, policies: noLateInit, cloud: {createDelayMs: 500}});
    story.start();
    story.create(story.db);
    story.run(20);
    expect(story.nameNow()).toBe('ext-1');
    story.kill();
    story.start();
    story.run(60);
    expect(story.counters().creates).toBe(1);
    expect(story.conditions(story.db)).toEqual(['Ready=False/Creating', 'Synced=True/ReconcileSuccess']);
  });

  test('mended, a crash while the create runs still makes a second resource', () => {
    const story = openStory({client: 'async', runtime: mended, cloud: {createDelayMs: 4000}});
    story.start();
    story.create(story.db);
    story.run(2);
    story.kill();
    story.start();
    story.run(60);
    expect(story.alive()).toEqual(['ext-1', 'ext-2']);
  });
});

describe('a cloud that misbehaves', () => {
  test('creates and answers an error: the next try creates a second one', () => {
    const story = openStory({cloud: {failAfterCommit: 1}});
    story.start();
    story.create(story.db);
    story.run(20);
    expect(story.alive()).toEqual(['ext-1', 'ext-2']);
    expect(story.nameNow()).toBe('ext-2');
  });

  test('takes its time to make it ready: kinds that wait for that are not Ready before', () => {
    const story = openStory({waitsForState: true, cloud: {readyDelayMs: 20_000}});
    story.start();
    story.create(story.db);
    story.run(15);
    expect(story.conditions(story.db)).toEqual(['Ready=False/Creating', 'Synced=True/ReconcileSuccess']);
    story.run(15);
    expect(story.conditions(story.db)).toEqual(ready);
    const upjet = openStory({cloud: {readyDelayMs: 20_000}});
    upjet.start();
    upjet.create(upjet.db);
    upjet.run(15);
    expect(upjet.conditions(upjet.db)).toEqual(ready);
  });

  test('shows a new resource late: the grace period saves it, too short a one does not', () => {
    for (const [creationGraceMs, creates] of [
      [30_000, 1],
      [1000, 2],
    ] as const) {
      const story = openStory({creationGraceMs, cloud: {visibleDelayMs: 4000}});
      story.start();
      story.create(story.db);
      story.run(60);
      expect(story.counters().creates >= creates).toBe(true);
      expect(story.counters().creates === 1).toBe(creates === 1);
    }
  });
});
