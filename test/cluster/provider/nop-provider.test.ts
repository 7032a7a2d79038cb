import {describe, expect, test} from 'vitest';
import type {Process} from '../../../src/cluster/kernel/process.ts';
import {conditionOf} from '../../../src/cluster/object.ts';
import {
  configureNopProvider,
  defaultNopOptions,
  type NopProviderOptions,
  nopProvider,
  nopProviderName,
} from '../../../src/cluster/provider/nop-provider.ts';
import {crdOf, refTo, type SmallWorld, smallWorld, thing} from '../small-world.ts';

const finalizer = 'finalizer.managedresource.crossplane.io';
const db = refTo('Part', 'db');

function world(options: Partial<NopProviderOptions> = {}): SmallWorld {
  const provider = nopProvider(['Part.example.org'], {...defaultNopOptions, ...options});
  const small = smallWorld({processes: [provider as unknown as Process<never>]});
  small.create(crdOf('Part'));
  small.pass(100);
  return small;
}

function configure(small: SmallWorld, change: Partial<NopProviderOptions>): void {
  small.session.change((before) => configureNopProvider(before, change));
}

describe('the provider of the recordings', () => {
  test('takes a finalizer at once and is ready after its delay', () => {
    const small = world({readyDelayMs: 500});
    small.create(thing('Part', 'db'));
    small.pass(100);
    expect(small.get(db)?.metadata.finalizers).toEqual([finalizer]);
    expect(conditionOf(small.get(db), 'Ready')).toBeUndefined();
    small.pass(500);
    expect(conditionOf(small.get(db), 'Ready')).toMatchObject({status: 'True', reason: 'Available'});
    expect(conditionOf(small.get(db), 'Synced')).toMatchObject({status: 'True', reason: 'ReconcileSuccess'});
  });

  test('lets a deleted object go after its delay, by resource where one is named', () => {
    const small = world({deleteDelayMs: 300, per: {B: {deleteDelayMs: 3_000}}});
    small.create(thing('Part', 'db'));
    small.create(thing('Part', 'slow', {annotations: {'crossplane.io/composition-resource-name': 'B'}}));
    small.pass(1_000);
    small.delete(db);
    small.delete(refTo('Part', 'slow'));
    small.pass(1_000);
    expect(small.get(db)).toBeUndefined();
    expect(small.get(refTo('Part', 'slow'))).toBeDefined();
    small.pass(3_000);
    expect(small.get(refTo('Part', 'slow'))).toBeUndefined();
  });

  test('never lets go until it is told to', () => {
    const small = world({deleteDelayMs: 'never'});
    small.create(thing('Part', 'db'));
    small.pass(1_000);
    small.delete(db);
    small.pass(600_000);
    expect(small.get(db)).toBeDefined();
    configure(small, {deleteDelayMs: 100});
    small.pass(1_000);
    expect(small.get(db)).toBeUndefined();
  });

  test('sleeps when it is off, and catches up when it is on again', () => {
    const small = world();
    configure(small, {enabled: false});
    small.create(thing('Part', 'db'));
    small.pass(60_000);
    expect(small.get(db)?.metadata.finalizers).toBeUndefined();
    configure(small, {enabled: true});
    small.pass(1_000);
    expect(conditionOf(small.get(db), 'Ready')?.status).toBe('True');
  });

  test('takes no finalizer where it is told not to', () => {
    const small = world({finalizer: false});
    small.create(thing('Part', 'db'));
    small.pass(1_000);
    expect(small.get(db)?.metadata.finalizers).toBeUndefined();
    expect(conditionOf(small.get(db), 'Ready')?.status).toBe('True');
  });

  test('makes a restored object ready again, and leaves one alone that is', () => {
    const small = world();
    small.create(thing('Part', 'db'));
    small.pass(1_000);
    const writes = small.writes(nopProviderName).length;
    small.pass(60_000);
    expect(small.writes(nopProviderName)).toHaveLength(writes);
  });

  test('finds its kind when the CustomResourceDefinition comes late', () => {
    const provider = nopProvider(['Part.example.org']);
    const small = smallWorld({processes: [provider as unknown as Process<never>]});
    small.pass(120_000);
    small.create(crdOf('Part'));
    small.create(thing('Part', 'db'));
    small.pass(1_000);
    expect(conditionOf(small.get(db), 'Ready')?.status).toBe('True');
  });
});
