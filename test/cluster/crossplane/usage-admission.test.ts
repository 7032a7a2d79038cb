import {describe, expect, test} from 'vitest';
import {profiles} from '../../../src/cluster/crossplane/profiles.ts';
import {usagesOf} from '../../../src/cluster/crossplane/usage-index.ts';
import {refTo, type SmallWorld, thing} from '../small-world.ts';
import {
  clusterUsage,
  legacyUsage,
  named,
  namespacedUsage,
  processName,
  selected,
  usageRef,
  usageWorld,
} from './usage-world.ts';

const attempted = 'usage.crossplane.io/deletion-attempt-with-policy';
const db = refTo('Part', 'db');
const byName = {of: named('Part', 'db'), by: named('Part', 'app')};

function protectedWorld(): SmallWorld {
  const small = usageWorld();
  small.create(thing('Part', 'db'));
  small.create(thing('Part', 'app'));
  small.create(clusterUsage('db-by-app', byName));
  small.pass(1_000);
  return small;
}

describe('the webhook', () => {
  test('denies with a sentence in `reason`, repeats it behind its name, and writes the attempt down', () => {
    const small = protectedWorld();
    const sentence =
      'This resource is in-use by 1 usage(s), including the *v1beta1.ClusterUsage "db-by-app" by resource Part/app.';
    expect(small.delete(db, {propagationPolicy: 'Foreground'})).toEqual({
      ok: false,
      code: 409,
      reason: sentence,
      message: `admission webhook "nousages.protection.crossplane.io" denied the request: ${sentence}`,
    });
    expect(small.get(db)?.metadata.annotations).toEqual({[attempted]: 'Foreground'});
  });

  test('takes a delete without a policy for Background, and keeps only the last policy', () => {
    const small = protectedWorld();
    small.delete(db, {propagationPolicy: 'Orphan'});
    small.delete(db);
    expect(small.get(db)?.metadata.annotations).toEqual({[attempted]: 'Background'});
  });

  test('makes the first delete with a resourceVersion fail on that, and the second on the denial', () => {
    const small = protectedWorld();
    const attempt = () => {
      const {uid = '', resourceVersion = ''} = small.get(db)?.metadata ?? {};
      return small.delete(db, {preconditions: {uid, resourceVersion}});
    };
    expect(attempt()).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message: expect.stringContaining('Precondition failed: ResourceVersion in precondition'),
    });
    expect(attempt()).toMatchObject({code: 409, reason: expect.stringContaining('This resource is in-use by')});
  });

  test('names the namespace of a namespaced Usage, and the reason where there is no `by`', () => {
    const small = usageWorld();
    small.create(thing('Local', 'db', {namespace: 'default'}));
    small.create(namespacedUsage('keep', {of: named('Local', 'db'), reason: 'production database'}));
    small.pass(1_000);
    expect(small.delete(refTo('Local', 'db', 'default'))).toMatchObject({
      reason:
        'This resource is in-use by 1 usage(s), including the *v1beta1.Usage "keep" (in namespace "default") with reason: "production database".',
    });
  });

  test('counts Usages of every kind', () => {
    const small = protectedWorld();
    small.create(legacyUsage('too', byName, 'v1beta1'));
    small.pass(1_000);
    expect(small.delete(db)).toMatchObject({reason: expect.stringContaining('in-use by 2 usage(s)')});
  });

  test('spoke of Usage(s) before v2', () => {
    const small = usageWorld(profiles['1.20'].usages);
    small.create(thing('Part', 'db'));
    small.create(thing('Part', 'app'));
    small.create(legacyUsage('db-by-app', byName, 'v1beta1'));
    small.pass(1_000);
    expect(small.delete(db)).toMatchObject({
      reason: 'This resource is in-use by 1 Usage(s), including the Usage "db-by-app" by resource Part/app.',
      message: expect.stringContaining('admission webhook "nousages.apiextensions.crossplane.io" denied'),
    });
  });

  test('denies every delete of a used object while Crossplane is down, and no other', () => {
    const small = protectedWorld();
    small.session.stop(processName);
    expect(small.delete(db)).toMatchObject({
      code: 500,
      reason: 'InternalError',
      message: expect.stringContaining('failed calling webhook "nousages.protection.crossplane.io"'),
    });
    expect(small.delete(refTo('Part', 'app'))).toMatchObject({ok: true});
  });

  test('lets an object go that still has the label but no Usage', () => {
    const small = usageWorld();
    small.create(thing('Part', 'db', {labels: {'crossplane.io/in-use': 'true'}}));
    expect(small.delete(db)).toMatchObject({ok: true});
  });

  test('does not see a namespaced Usage that names a cluster-scoped object outright', () => {
    const small = usageWorld();
    small.create(thing('Part', 'db'));
    small.create(namespacedUsage('keep', {of: named('Part', 'db'), reason: 'production'}));
    small.pass(1_000);
    expect(small.get(db)?.metadata.labels).toEqual({'crossplane.io/in-use': 'true'});
    expect(small.delete(db)).toMatchObject({ok: true});
  });

  test('sees it where a selector found the object', () => {
    const small = usageWorld();
    small.create(thing('Part', 'db', {labels: {role: 'db'}}));
    small.create(thing('Local', 'app', {namespace: 'default'}));
    const of = selected('Part', {matchLabels: {role: 'db'}, namespace: ''});
    const usage = small.create(namespacedUsage('keep', {of, by: named('Local', 'app')}));
    small.pass(1_000);
    expect(small.get(usageRef(usage))?.spec).toMatchObject({of: {resourceRef: {name: 'db', namespace: ''}}});
    expect(small.delete(db)).toMatchObject({code: 409});
  });
});

describe('the index of used objects', () => {
  const used = {apiVersion: 'example/v1', kind: 'org', metadata: {name: 'Foo.bar', uid: '1'}};
  const other = {apiVersion: 'example.org/v1', kind: 'Foo', resourceRef: {name: 'bar'}};

  function count(behaviour: typeof profiles.main.usages): number {
    const usage = clusterUsage('u', {of: other, reason: 'dots'});
    return [...usagesOf(used, behaviour, ({kind}) => (kind === 'ClusterUsage' ? [usage] : []))].length;
  }

  test('confuses names with dots before crossplane 7b436bd78', () => {
    expect(count(profiles['2.3'].usages)).toBe(1);
    expect(count(profiles.main.usages)).toBe(0);
  });
});

describe('the kinds of Usage', () => {
  function refusal(usage: ReturnType<typeof clusterUsage>): unknown {
    const response = usageWorld().request({verb: 'create', object: usage, manager: 'user'});
    return response.ok ? undefined : response.message;
  }

  test('want a `by` or a reason', () => {
    expect(refusal(clusterUsage('u', {of: named('Part', 'db')}))).toBe(
      'ClusterUsage.protection.crossplane.io "u" is invalid: spec: Invalid value: "object": either "spec.by" or "spec.reason" must be specified.',
    );
  });

  test('want every end to have a reference or a selector', () => {
    const empty = {apiVersion: 'example.org/v1', kind: 'Part'};
    expect(refusal(clusterUsage('u', {of: empty, by: empty}))).toContain(
      'either a resource reference or a resource selector should be set.',
    );
  });

  test('let only a Usage with `by` reach into another namespace', () => {
    const of = named('Local', 'db', {namespace: 'prod'});
    expect(refusal(namespacedUsage('u', {of, reason: 'r'}))).toContain(
      'cross-namespace "spec.of" is not allowed without "spec.by" resource.',
    );
    expect(refusal(namespacedUsage('u', {of, by: named('Local', 'app')}))).toBeUndefined();
  });

  test('drop a namespace from the ends of a ClusterUsage', () => {
    const small = usageWorld();
    const of = named('Local', 'db', {namespace: 'prod'});
    const usage = small.create(clusterUsage('u', {of, reason: 'r'}));
    expect(small.get(usageRef(usage))?.spec).toMatchObject({of: {resourceRef: {name: 'db'}}});
    expect(small.get(usageRef(usage))?.spec).not.toMatchObject({of: {resourceRef: {namespace: 'prod'}}});
  });
});
