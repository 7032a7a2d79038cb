import {describe, expect, test} from 'vitest';
import type {KindDefinition} from '../../../src/cluster/api/kinds.ts';
import {crdFinalizer} from '../../../src/cluster/api-controllers/crd-finalizer.ts';
import type {Process} from '../../../src/cluster/kernel/process.ts';
import type {KubeObject} from '../../../src/cluster/object.ts';
import {ownerGc} from '../../../src/cluster/owner-gc/owner-gc.ts';
import {crdOf, kindNamed, ownedBy, refTo, type SmallWorld, smallWorld, thing} from '../small-world.ts';

const gcName = 'kube-controller-manager';
const kinds: readonly KindDefinition[] = [kindNamed('App'), kindNamed('Part'), kindNamed('Local', true)];

function world(extra: readonly KindDefinition[] = kinds): SmallWorld {
  const gc = ownerGc(extra) as unknown as Process<never>;
  const small = smallWorld({processes: [gc, crdFinalizer as unknown as Process<never>], kinds: extra});
  small.pass(1_000);
  return small;
}

function owned(kind: string, name: string, owners: readonly KubeObject[], rest = {}): KubeObject {
  return thing(kind, name, {
    ownerReferences: owners.map((owner) => ownedBy(owner, {blockOwnerDeletion: true})),
    ...rest,
  });
}

describe('the owner GC', () => {
  test('deletes the dependents of an owner that was deleted in the background', () => {
    const small = world();
    const app = small.create(thing('App', 'shop'));
    small.create(owned('Part', 'db', [app]));
    small.pass(100);
    small.delete(refTo('App', 'shop'), {propagationPolicy: 'Background'});
    expect(small.get(refTo('App', 'shop'))).toBeUndefined();
    small.pass(100);
    expect(small.get(refTo('Part', 'db'))).toBeUndefined();
    expect(small.writes(gcName)).toEqual(['delete Part/db 200']);
  });

  test('keeps an owner that is deleted in the foreground until what blocks it is gone', () => {
    const small = world();
    const app = small.create(thing('App', 'shop'));
    small.create(owned('Part', 'db', [app], {finalizers: ['example.org/busy']}));
    small.pass(100);
    small.delete(refTo('App', 'shop'), {propagationPolicy: 'Foreground'});
    small.pass(1_000);
    expect(small.get(refTo('App', 'shop'))?.metadata.finalizers).toEqual(['foregroundDeletion']);
    expect(small.get(refTo('Part', 'db'))?.metadata.deletionTimestamp).toBeDefined();
    small.request({
      verb: 'patch',
      type: 'merge',
      ref: refTo('Part', 'db'),
      body: {metadata: {finalizers: null}},
      manager: 'user',
    });
    small.pass(100);
    expect(small.get(refTo('Part', 'db'))).toBeUndefined();
    expect(small.get(refTo('App', 'shop'))).toBeUndefined();
  });

  test('does not wait in the foreground for dependents that do not block', () => {
    const small = world();
    const app = small.create(thing('App', 'shop'));
    small.create(thing('Part', 'db', {ownerReferences: [ownedBy(app)], finalizers: ['example.org/busy']}));
    small.pass(100);
    small.delete(refTo('App', 'shop'), {propagationPolicy: 'Foreground'});
    small.pass(1_000);
    expect(small.get(refTo('App', 'shop'))).toBeUndefined();
    expect(small.get(refTo('Part', 'db'))?.metadata.deletionTimestamp).toBeDefined();
  });

  test('orphans: takes the reference off the dependents and lets them live', () => {
    const small = world();
    const app = small.create(thing('App', 'shop'));
    small.create(owned('Part', 'db', [app]));
    small.create(owned('Part', 'cache', [app]));
    small.pass(100);
    small.delete(refTo('App', 'shop'), {propagationPolicy: 'Orphan'});
    small.pass(1_000);
    expect(small.get(refTo('App', 'shop'))).toBeUndefined();
    expect(small.get(refTo('Part', 'db'))?.metadata.ownerReferences).toBeUndefined();
    expect(small.get(refTo('Part', 'cache'))?.metadata.ownerReferences).toBeUndefined();
  });

  test('takes only the dangling reference off an object that has another owner', () => {
    const small = world();
    const [app, other] = [small.create(thing('App', 'shop')), small.create(thing('App', 'other'))];
    small.create(owned('Part', 'db', [app, other]));
    small.pass(100);
    small.delete(refTo('App', 'shop'));
    small.pass(1_000);
    expect(small.get(refTo('Part', 'db'))?.metadata.ownerReferences?.map((owner) => owner.name)).toEqual(['other']);
    small.delete(refTo('App', 'other'));
    small.pass(1_000);
    expect(small.get(refTo('Part', 'db'))).toBeUndefined();
  });

  test('deletes a restored object at once when it names an owner of another uid', () => {
    const small = world();
    const app = small.create(thing('App', 'shop'));
    small.create(owned('Part', 'db', [{...app, metadata: {...app.metadata, uid: 'of-the-old-cluster'}}]));
    small.pass(50);
    expect(small.get(refTo('Part', 'db'))).toBeUndefined();
  });

  test('lets an object live whose owner its informer has not shown yet', () => {
    const small = world();
    const app = small.create(thing('App', 'shop'));
    small.create(owned('Part', 'db', [app]));
    small.pass(60_000);
    expect(small.get(refTo('Part', 'db'))).toBeDefined();
    expect(small.writes(gcName)).toEqual([]);
  });

  test('deletes in the foreground what has dependents of its own', () => {
    const small = world();
    const app = small.create(thing('App', 'shop'));
    const part = small.create(owned('Part', 'db', [app]));
    small.create(owned('Local', 'table', [part], {namespace: 'default', finalizers: ['example.org/busy']}));
    small.pass(100);
    small.delete(refTo('App', 'shop'), {propagationPolicy: 'Foreground'});
    small.pass(1_000);
    expect(small.get(refTo('Part', 'db'))?.metadata.finalizers).toEqual(['foregroundDeletion']);
    expect(small.get(refTo('App', 'shop'))).toBeDefined();
  });

  test('leaves an object alone that belongs to nobody', () => {
    const small = world();
    small.create(thing('Part', 'db'));
    small.pass(60_000);
    expect(small.get(refTo('Part', 'db'))).toBeDefined();
  });

  test('finishes what happened while it was down', () => {
    const small = world();
    const app = small.create(thing('App', 'shop'));
    small.create(owned('Part', 'db', [app]));
    small.session.stop(gcName);
    small.delete(refTo('App', 'shop'));
    small.pass(10_000);
    expect(small.get(refTo('Part', 'db'))).toBeDefined();
    small.session.start(gcName);
    small.pass(1_000);
    expect(small.get(refTo('Part', 'db'))).toBeUndefined();
  });
});

describe('the owner GC and kinds that come and go', () => {
  function lateWorld(): SmallWorld {
    const small = world([]);
    small.create(crdOf('App'));
    small.create(crdOf('Part'));
    small.pass(1_000);
    return small;
  }

  test('leaks the dependents of a kind that it never watched and that is gone', () => {
    const small = lateWorld();
    const app = small.create(thing('App', 'shop'));
    small.create(owned('Part', 'db', [app]));
    small.pass(1_000);
    small.delete(refTo('App', 'shop'));
    small.delete({apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name: 'apps.example.org'});
    small.pass(300_000);
    expect(small.get(refTo('Part', 'db'))).toBeDefined();
    expect(small.writes(gcName)).toEqual([]);
  });

  test('collects them where a look at discovery came in between', () => {
    const small = lateWorld();
    const app = small.create(thing('App', 'shop'));
    small.create(owned('Part', 'db', [app]));
    small.pass(31_000);
    small.delete(refTo('App', 'shop'));
    small.delete({apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name: 'apps.example.org'});
    small.pass(1_000);
    expect(small.get(refTo('Part', 'db'))).toBeUndefined();
  });

  test('sees the delete late where the kind lives on', () => {
    const small = lateWorld();
    const app = small.create(thing('App', 'shop'));
    small.create(owned('Part', 'db', [app]));
    small.pass(1_000);
    small.delete(refTo('App', 'shop'));
    small.pass(1_000);
    expect(small.get(refTo('Part', 'db'))).toBeDefined();
    small.pass(60_000);
    expect(small.get(refTo('Part', 'db'))).toBeUndefined();
  });

  test('keeps asking for an owner of a kind it does not watch yet, and so notices its end', () => {
    const small = world([kindNamed('Part')]);
    small.create(crdOf('App'));
    const app = small.create(thing('App', 'shop'));
    small.create(owned('Part', 'db', [app]));
    small.pass(1_000);
    small.delete(refTo('App', 'shop'));
    small.pass(5_000);
    expect(small.get(refTo('Part', 'db'))).toBeUndefined();
  });

  test('cannot ask for an owner of a kind younger than its REST mapper, and can after the next look', () => {
    const small = world([kindNamed('Part'), kindNamed('Team')]);
    const team = small.create(thing('Team', 'red'));
    small.create(owned('Part', 'fills-the-mapper', [team]));
    small.pass(1_000);
    small.delete(refTo('Team', 'red'));
    small.pass(1_000);
    small.create(crdOf('App'));
    const app = small.create(thing('App', 'shop'));
    small.create(owned('Part', 'db', [app]));
    small.pass(1_000);
    small.delete(refTo('App', 'shop'));
    small.pass(10_000);
    expect(small.get(refTo('Part', 'db'))).toBeDefined();
    small.pass(40_000);
    expect(small.get(refTo('Part', 'db'))).toBeUndefined();
  });
});
