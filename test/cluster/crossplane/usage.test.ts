import {describe, expect, test} from 'vitest';
import type {UsageBehaviour} from '../../../src/cluster/crossplane/profile.ts';
import {profiles} from '../../../src/cluster/crossplane/profiles.ts';
import {conditionOf, type KubeObject} from '../../../src/cluster/object.ts';
import type {Happening} from '../../../src/harness/control-plane/session.ts';
import {ownedBy, refTo, type SmallWorld, thing} from '../small-world.ts';
import {
  clusterUsage,
  labelInUse,
  legacyUsage,
  named,
  namespacedUsage,
  processName,
  selected,
  usageRef,
  usageWorld,
} from './usage-world.ts';

const [db, app] = [refTo('Part', 'db'), refTo('Part', 'app')];
const byName = {of: named('Part', 'db'), by: named('Part', 'app')};
const composed = {labels: {'crossplane.io/composite': 'shop'}};

function worldWithParts(behaviour = profiles.main.usages): SmallWorld {
  const small = usageWorld(behaviour);
  small.create(thing('Part', 'db'));
  small.create(thing('Part', 'app'));
  return small;
}

describe('a Usage that is set up', () => {
  test('takes a finalizer, says who uses whom, labels the used and belongs to the using', () => {
    const small = worldWithParts();
    const usage = small.create(clusterUsage('db-by-app', byName));
    small.pass(1_000);
    const ready = small.get(usageRef(usage));
    expect(ready?.metadata).toMatchObject({
      finalizers: ['usage.apiextensions.crossplane.io'],
      annotations: {'crossplane.io/usage-details': 'Part/app uses Part/db'},
      ownerReferences: [{kind: 'Part', name: 'app', uid: small.get(app)?.metadata.uid}],
    });
    expect(conditionOf(ready, 'Ready')).toMatchObject({status: 'True', reason: 'Available', observedGeneration: 1});
    expect(small.get(db)?.metadata.labels).toEqual({[labelInUse]: 'true'});
  });

  test('says nothing of the generation before v2', () => {
    const small = worldWithParts(profiles['1.20'].usages);
    const usage = small.create(legacyUsage('db-by-app', byName, 'v1beta1'));
    small.pass(1_000);
    const ready = conditionOf(small.get(usageRef(usage)), 'Ready');
    expect(ready?.status).toBe('True');
    expect(ready).not.toHaveProperty('observedGeneration');
  });

  test('keeps the controller reference it had and adds the using object beside it', () => {
    const small = worldWithParts();
    const xr = small.create(thing('Part', 'xr'));
    const owners = [ownedBy(xr, {controller: true})];
    const usage = small.create(clusterUsage('db-by-app', byName, {ownerReferences: owners}));
    small.pass(1_000);
    expect(small.get(usageRef(usage))?.metadata.ownerReferences?.map(({name}) => name)).toEqual(['xr', 'app']);
  });

  test('resolves selectors once: the first object that matches, by name', () => {
    const small = usageWorld();
    for (const name of ['db-b', 'db-a']) small.create(thing('Part', name, {labels: {role: 'db'}}));
    const of = selected('Part', {matchLabels: {role: 'db'}});
    const usage = small.create(clusterUsage('keep', {of, reason: 'production'}));
    small.pass(1_000);
    expect(small.get(usageRef(usage))?.spec).toMatchObject({of: {resourceRef: {name: 'db-a'}}});
    small.create(thing('Part', 'db-0', {labels: {role: 'db'}}));
    small.pass(120_000);
    expect(small.get(usageRef(usage))?.spec).toMatchObject({of: {resourceRef: {name: 'db-a'}}});
    expect(small.get(refTo('Part', 'db-0'))?.metadata.labels).toEqual({role: 'db'});
  });

  test('matches only objects of its own controller where it is asked to', () => {
    const small = usageWorld();
    const xr = small.create(thing('Part', 'xr'));
    const controller = {ownerReferences: [ownedBy(xr, {controller: true})]};
    small.create(thing('Part', 'foreign', {labels: {role: 'db'}}));
    small.create(thing('Part', 'mine', {labels: {role: 'db'}, ...controller}));
    const of = selected('Part', {matchLabels: {role: 'db'}, matchControllerRef: true});
    const usage = small.create(clusterUsage('keep', {of, reason: 'production'}, controller));
    small.pass(1_000);
    expect(small.get(usageRef(usage))?.spec).toMatchObject({of: {resourceRef: {name: 'mine'}}});
  });

  test('waits with back-off for a selector that matches nothing, as after a restore without owner references', () => {
    const small = usageWorld();
    const of = selected('Part', {matchLabels: {role: 'db'}, matchControllerRef: true});
    small.create(thing('Part', 'db', {labels: {role: 'db'}}));
    const usage = small.create(clusterUsage('keep', {of, reason: 'production'}));
    small.pass(120_000);
    expect(small.get(usageRef(usage))?.metadata.finalizers).toBeUndefined();
    expect(small.writes(processName)).toEqual([]);
  });

  test('labels the used before it looks for the using, so that an absent `by` protects for ever', () => {
    const small = usageWorld();
    small.create(thing('Part', 'db'));
    const usage = small.create(clusterUsage('db-by-app', byName));
    small.pass(60_000);
    expect(small.get(db)?.metadata.labels?.[labelInUse]).toBe('true');
    expect(conditionOf(small.get(usageRef(usage)), 'Ready')).toBeUndefined();
    expect(small.delete(db)).toMatchObject({ok: false, code: 409});
  });

  test('learns of an absent end by its back-off alone', () => {
    const small = usageWorld();
    small.create(thing('Part', 'db'));
    const usage = small.create(clusterUsage('db-by-app', byName));
    small.pass(20_000);
    small.create(thing('Part', 'app'));
    small.pass(5_000);
    expect(conditionOf(small.get(usageRef(usage)), 'Ready')).toBeUndefined();
    small.pass(60_000);
    expect(conditionOf(small.get(usageRef(usage)), 'Ready')?.status).toBe('True');
  });

  test('reaches into another namespace where `of` says so, and labels the object there', () => {
    const small = usageWorld();
    small.create(thing('Local', 'db', {namespace: 'kube-system'}));
    small.create(thing('Local', 'app', {namespace: 'default'}));
    const of = named('Local', 'db', {namespace: 'kube-system'});
    const usage = small.create(namespacedUsage('db-by-app', {of, by: named('Local', 'app')}));
    small.pass(1_000);
    expect(small.get(refTo('Local', 'db', 'kube-system'))?.metadata.labels).toEqual({[labelInUse]: 'true'});
    expect(small.get(usageRef(usage))?.metadata.annotations).toEqual({
      'crossplane.io/usage-details': 'Local/app uses Local/db in namespace kube-system',
    });
  });

  test('says the reason instead where there is one', () => {
    const small = worldWithParts();
    const usage = small.create(clusterUsage('keep', {of: named('Part', 'db'), reason: 'production database'}));
    small.pass(1_000);
    expect(small.get(usageRef(usage))?.metadata.annotations?.['crossplane.io/usage-details']).toBe(
      'production database',
    );
  });
});

describe('a Usage that is deleted', () => {
  test('waits for `by` while it is composed, and looks again every 30 s', () => {
    const small = worldWithParts();
    const usage = small.create(clusterUsage('db-by-app', byName, composed));
    small.pass(1_000);
    small.delete(usageRef(usage));
    small.pass(10_000);
    small.delete(app);
    small.pass(15_000);
    expect(small.get(usageRef(usage))).toBeDefined();
    small.pass(10_000);
    expect(small.get(usageRef(usage))).toBeUndefined();
    expect(small.get(db)?.metadata.labels).toBeUndefined();
  });

  test('goes at once without the composite label, although `by` lives', () => {
    const small = worldWithParts();
    const usage = small.create(clusterUsage('db-by-app', byName));
    small.pass(1_000);
    small.delete(usageRef(usage));
    small.pass(1_000);
    expect(small.get(usageRef(usage))).toBeUndefined();
    expect(small.get(app)).toBeDefined();
  });

  test('waits for `by` whatever its labels before crossplane e5ecd0aac', () => {
    const small = worldWithParts(profiles['1.16'].usages);
    const usage = small.create(legacyUsage('db-by-app', byName, 'v1alpha1'));
    small.pass(1_000);
    small.delete(usageRef(usage));
    small.pass(120_000);
    expect(small.get(usageRef(usage))).toBeDefined();
    small.delete(app);
    small.pass(31_000);
    expect(small.get(usageRef(usage))).toBeUndefined();
  });

  test('leaves the in-use label to the other Usage of the same object', () => {
    const small = worldWithParts();
    const usages = ['one', 'two'].map((name) => small.create(clusterUsage(name, byName)));
    // Both write the label at once; the one that lost comes again after its back-off.
    small.pass(10_000);
    for (const [index, usage] of usages.entries()) {
      small.delete(usageRef(usage));
      small.pass(1_000);
      expect(small.get(db)?.metadata.labels?.[labelInUse]).toBe(index === 0 ? 'true' : undefined);
    }
  });

  test('goes where the used object is gone', () => {
    const small = worldWithParts();
    const usage = small.create(clusterUsage('db-by-app', byName));
    small.pass(1_000);
    small.request({verb: 'patch', type: 'merge', ref: db, body: {metadata: {labels: null}}, manager: 'user'});
    small.delete(db);
    small.delete(usageRef(usage));
    small.pass(1_000);
    expect(small.get(usageRef(usage))).toBeUndefined();
  });
});

describe('replayDeletion', () => {
  const replaying = {...byName, replayDeletion: true};

  function deniedThenReleased(spec = replaying): SmallWorld {
    const small = worldWithParts();
    const usage = small.create(clusterUsage('db-by-app', spec));
    small.pass(1_000);
    small.delete(db, {propagationPolicy: 'Foreground'});
    small.pass(600_000);
    small.delete(usageRef(usage));
    return small;
  }

  test('deletes the used object two seconds after the Usage, however long ago the attempt was', () => {
    const small = deniedThenReleased();
    small.pass(1_500);
    expect(small.get(db)).toBeDefined();
    small.pass(1_500);
    expect(small.get(db)?.metadata.finalizers).toEqual(['foregroundDeletion']);
    expect(small.get(app)).toBeDefined();
  });

  test('is lost when the process stops before it', () => {
    const small = deniedThenReleased();
    small.pass(1_000);
    small.session.stop(processName);
    small.session.start(processName);
    small.pass(600_000);
    expect(small.get(db)?.metadata.deletionTimestamp).toBeUndefined();
  });

  test('does nothing where nobody attempted a delete, or where it is off', () => {
    const small = worldWithParts();
    const usage = small.create(clusterUsage('db-by-app', replaying));
    small.pass(1_000);
    small.delete(usageRef(usage));
    small.pass(60_000);
    expect(small.get(db)).toBeDefined();
    const off = deniedThenReleased({...byName, replayDeletion: false});
    off.pass(60_000);
    expect(off.get(db)?.metadata.deletionTimestamp).toBeUndefined();
  });
});

describe('the owner reference to the using object', () => {
  function updatesAfterAMinute(behaviour = profiles.main.usages): number {
    const small = worldWithParts(behaviour);
    const xr = small.create(thing('Part', 'xr'));
    const owners = [ownedBy(xr, {controller: true})];
    small.create(legacyUsage('db-by-app', byName, 'v1beta1', {ownerReferences: owners}));
    small.pass(10_000);
    const before = small.writes(processName).length;
    small.pass(55_000);
    return small
      .writes(processName)
      .slice(before)
      .filter((write) => write === 'update Usage/db-by-app 200').length;
  }

  test('is written again and again where only the first owner is looked at', () => {
    expect(updatesAfterAMinute(profiles['1.19'].usages)).toBe(1);
    expect(updatesAfterAMinute(profiles['1.20'].usages)).toBe(0);
  });
});

describe('the back-off of a Usage whose `of` is absent', () => {
  // Its own two writes wake it twice, so it has failed twice when it begins to wait.
  function labelledAfterMs(workQueue: 'delaying' | 'priority'): number {
    const small = usageWorld(profiles.main.usages, workQueue);
    small.create(clusterUsage('keep', {of: named('Part', 'db'), reason: 'production'}));
    small.pass(500);
    small.create(thing('Part', 'db'));
    for (let passedMs = 500; passedMs < 10_000; passedMs += 500) {
      if (small.get(db)?.metadata.labels !== undefined) return passedMs;
      small.pass(500);
    }
    return -1;
  }

  test('is the longer one where the work queue has one entry for a key', () => {
    expect(labelledAfterMs('delaying')).toBe(1_500);
    expect(labelledAfterMs('priority')).toBe(2_500);
  });
});

describe('a cluster-scoped Usage of a namespaced kind', () => {
  test.each([
    ['ClusterUsage', profiles.main.usages, clusterUsage('u', {of: named('Local', 'l'), reason: 'keep'})],
    ['legacy Usage', profiles['1.20'].usages, legacyUsage('u', {of: named('Local', 'l'), reason: 'keep'}, 'v1beta1')],
  ] as const)('can be made and never deleted: %s', (_, behaviour, usage) => {
    const world = usageWorld(behaviour);
    world.create(thing('Local', 'l', {namespace: 'default'}));
    world.create(usage);
    world.pass(5_000);
    expect(world.get(usageRef(usage))?.metadata.finalizers).toHaveLength(1);
    expect(world.get(usageRef(usage))?.status).toBeUndefined();
    world.delete(usageRef(usage));
    world.pass(600_000);
    expect(world.get(usageRef(usage))).toBeDefined();
    const said = world.happenings.flatMap(({entry}) => (entry.kind === 'note' ? [entry.note.message] : []));
    expect(said).toContain('cannot get used: an empty namespace may not be set when a resource name is provided');
  });
});

describe('the reconcile that resolves a selector', () => {
  const panics = (world: SmallWorld) =>
    world.happenings.flatMap(({entry}) => {
      if (entry.kind !== 'reconcile' || entry.phase !== 'end' || entry.outcome?.kind !== 'retry') return [];
      return entry.outcome.reason.startsWith('panic: ') ? [entry.outcome.reason] : [];
    });
  const isLabelled = ({metadata}: KubeObject) => metadata.labels?.[labelInUse] === 'true';
  const ends = {
    of: selected('Part', {matchLabels: {role: 'used'}}),
    by: selected('Part', {matchLabels: {role: 'using'}}),
  };

  function setUp(behaviour: UsageBehaviour, usage: KubeObject): SmallWorld {
    const world = usageWorld(behaviour);
    world.create(thing('Part', 'used', {labels: {role: 'used'}}));
    world.create(thing('Part', 'using', {labels: {role: 'using'}}));
    world.create(usage);
    world.pass(5_000);
    expect(world.get(refTo('Part', 'used'))?.metadata.labels?.[labelInUse]).toBe('true');
    return world;
  }

  test('panics since v2, once, and the next one goes on', () => {
    expect(panics(setUp(profiles.main.usages, clusterUsage('u', ends)))).toEqual([
      'panic: runtime error: invalid memory address or nil pointer dereference [recovered]',
    ]);
  });

  test('has labelled the used object by then where only `by` is a selector', () => {
    const world = setUp(profiles['2.3'].usages, clusterUsage('u', {...ends, of: named('Part', 'used')}));
    expect(panics(world)).toHaveLength(1);
    const place = (holds: (entry: Happening['entry']) => boolean) =>
      world.happenings.findIndex(({entry}) => holds(entry));
    const labelled = place((entry) => entry.kind === 'api' && entry.events.some(({object}) => isLabelled(object)));
    const panicked = place((entry) => entry.kind === 'reconcile' && entry.phase === 'end');
    expect(labelled).toBeGreaterThan(0);
    expect(labelled).toBeLessThan(panicked);
  });

  test('just goes on before v2', () => {
    expect(panics(setUp(profiles['1.20'].usages, legacyUsage('u', ends, 'v1beta1')))).toEqual([]);
  });
});
