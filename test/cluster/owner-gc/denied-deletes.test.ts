import {describe, expect, test} from 'vitest';
import {usageKinds} from '../../../src/cluster/crossplane/kinds/crossplane-kinds.ts';
import {profiles} from '../../../src/cluster/crossplane/profiles.ts';
import {usageControllers, usageRoutines, usageWatches} from '../../../src/cluster/crossplane/usage.ts';
import {usageAdmission} from '../../../src/cluster/crossplane/usage-admission.ts';
import type {Process} from '../../../src/cluster/kernel/process.ts';
import {ownerGc} from '../../../src/cluster/owner-gc/owner-gc.ts';
import {clusterUsage, named, usageRef} from '../crossplane/usage-world.ts';
import {kindNamed, ownedBy, refTo, type SmallWorld, smallWorld, thing} from '../small-world.ts';

const gcName = 'kube-controller-manager';
const behaviour = profiles.main.usages;

/** A Part `db` of an App, used by a Part `web` that nobody owns. */
function usedDatabase(): {readonly small: SmallWorld; readonly usage: ReturnType<typeof clusterUsage>} {
  const kinds = [...usageKinds(behaviour), kindNamed('App'), kindNamed('Part')];
  const usages: Process<undefined> = {
    name: 'crossplane',
    start: () => undefined,
    controllers: () => usageControllers(behaviour),
    watches: () => usageWatches<undefined>(behaviour),
    routines: usageRoutines,
  };
  const processes = [ownerGc(kinds), usages] as unknown as readonly Process<never>[];
  const small = smallWorld({processes, kinds, admission: () => usageAdmission(behaviour, true)});
  small.pass(1_000);
  const app = small.create(thing('App', 'shop'));
  small.create(thing('Part', 'db', {ownerReferences: [ownedBy(app)]}));
  small.create(thing('Part', 'web'));
  const usage = clusterUsage('db-by-web', {of: named('Part', 'db'), by: named('Part', 'web')});
  small.create(usage);
  small.pass(5_000);
  return {small, usage};
}

interface Attempt {
  readonly atMs: number;
  readonly reason: string;
  readonly preconditions: readonly string[];
}

function attempts(small: SmallWorld): readonly Attempt[] {
  return small.happenings.flatMap(({atMs, entry}) => {
    if (entry.kind !== 'api' || entry.actor !== gcName || entry.request.verb !== 'delete') return [];
    const {request, response} = entry;
    const reason = response.ok ? 'ok' : response.reason.slice(0, 16);
    return [{atMs, reason, preconditions: Object.keys(request.preconditions ?? {}).sort()}];
  });
}

describe('a delete of the owner GC that a Usage denies', () => {
  test('fails on its resourceVersion first, is tried without it, and then again with it', () => {
    const {small} = usedDatabase();
    small.delete(refTo('App', 'shop'));
    small.pass(100);
    expect(attempts(small).slice(0, 3)).toMatchObject([
      {reason: 'Conflict', preconditions: ['resourceVersion', 'uid']},
      {reason: 'This resource is', preconditions: ['uid']},
      {reason: 'This resource is', preconditions: ['resourceVersion', 'uid']},
    ]);
  });

  test('comes back after ever longer waits, and works once the Usage is gone', () => {
    const {small, usage} = usedDatabase();
    small.delete(refTo('App', 'shop'));
    small.pass(60_000);
    const times = attempts(small).map(({atMs}) => atMs);
    const waits = times.slice(4).map((atMs, index) => atMs - (times[index + 3] ?? 0));
    expect(waits.every((wait, index) => index === 0 || wait > (waits[index - 1] ?? 0))).toBe(true);
    expect(times.length).toBeLessThan(20);
    small.delete(usageRef(usage));
    small.pass(120_000);
    expect(small.get(refTo('Part', 'db'))).toBeUndefined();
  });

  test('leaves a cluster-scoped object alone that names a namespaced owner, without asking again', () => {
    const kinds = [kindNamed('Local', true), kindNamed('Part')];
    const small = smallWorld({processes: [ownerGc(kinds) as unknown as Process<never>], kinds});
    small.pass(1_000);
    const local = small.create(thing('Local', 'shop', {namespace: 'default'}));
    small.create(thing('Part', 'db', {ownerReferences: [ownedBy(local)]}));
    small.pass(1_000);
    small.delete(refTo('Local', 'shop', 'default'));
    small.pass(60_000);
    expect(attempts(small)).toEqual([]);
    expect(small.get(refTo('Part', 'db'))).toBeDefined();
    const reads = small.happenings.filter(({entry}) => entry.kind === 'api' && entry.actor === gcName).length;
    small.pass(10_000);
    expect(small.happenings.filter(({entry}) => entry.kind === 'api' && entry.actor === gcName)).toHaveLength(reads);
    expect(reads).toBeLessThan(15);
  });

  test('breaks a circle of foreground deletions by taking the blocks away', () => {
    const kinds = [kindNamed('Part')];
    const small = smallWorld({processes: [ownerGc(kinds) as unknown as Process<never>], kinds});
    small.pass(1_000);
    const one = small.create(thing('Part', 'one'));
    const two = small.create(thing('Part', 'two', {ownerReferences: [ownedBy(one, {blockOwnerDeletion: true})]}));
    const body = {metadata: {ownerReferences: [ownedBy(two, {blockOwnerDeletion: true})]}};
    small.request({verb: 'patch', type: 'merge', ref: refTo('Part', 'one'), body, manager: 'user'});
    small.pass(100);
    small.delete(refTo('Part', 'one'), {propagationPolicy: 'Foreground'});
    small.pass(60_000);
    expect([small.get(refTo('Part', 'one')), small.get(refTo('Part', 'two'))]).toEqual([undefined, undefined]);
  });
});
