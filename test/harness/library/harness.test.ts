import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {runFunction} from '../../../src/function/run.ts';
import {passing} from '../../../src/harness/functions/passing.ts';
import {
  type FunctionUnderTest,
  InputError,
  matchers,
  openWorld,
  type RunFunction,
  tellScenario,
  type World,
} from '../../../src/harness/library/harness.ts';
import '../../../src/harness/library/vitest.ts';

// What the library says of worlds in which something went wrong. The examples under examples/library show the others.

const examples = new URL('../../../examples/', import.meta.url).pathname;
const library = join(examples, 'library');

function openStorage(underTest: FunctionUnderTest): Promise<World> {
  return openWorld({
    functions: {'function-static': {builtin: 'function-static'}, 'function-under-test': underTest},
    fixtures: [
      ...['crds.yaml', 'definition.yaml'].map((file) => join(library, 'platform', file)),
      join(library, 'any-function/composition.yaml'),
    ],
  });
}

/** Changes nothing, and is called like any function that is not the harness's own. */
const silent: RunFunction = (request) => {
  const reply = passing(request);
  if (reply.response !== undefined) return reply.response;
  throw new Error(reply.message);
};

async function restored(underTest: FunctionUnderTest): Promise<World> {
  const world = await openStorage(underTest);
  await world.apply(join(library, 'platform/xr.yaml'));
  await world.settle();
  await world.backup();
  await world.stop('crossplane');
  await world.wipe();
  await world.restore();
  await world.apply(join(library, 'any-function/composition-without-versioning.yaml'));
  await world.start('crossplane');
  return world;
}

describe('a world', () => {
  test('in which a restored resource was forgotten has an orphan, and none with function-tether', async () => {
    await using without = await restored(silent);
    await expect(without).toConverge();
    expect(() => expect(without).toHaveNoOrphans()).toThrow(
      /^expected it to have no orphans, got:\n {2}versioning \(BucketVersioning\) BucketVersioning\/\S+ is an orphan$/,
    );
    await using tethered = await restored(runFunction);
    await expect(tethered).toConverge();
    expect(tethered).toHaveNoOrphans();
    expect(tethered.timelineText()).toMatch(/\d\d:\d\d Crossplane: versioning \(BucketVersioning\) is being deleted/);
  });

  test('whose function fails does not converge, and says with what', async () => {
    await using world = await openStorage(() => {
      throw new Error('the disk is full');
    });
    await world.apply(join(library, 'platform/xr.yaml'));
    await expect(expect(world).toConverge({withinMs: 120_000})).rejects.toThrow(
      /to converge, got:[\s\S]*the disk is full/,
    );
    await expect(world).not.toConverge({withinMs: 1_000});
  });

  test('is the same story for the same seed, and another one for another', async () => {
    const told = async (seed: number): Promise<string> => {
      await using world = await openWorld({
        seed,
        functions: {'function-static': {builtin: 'function-static'}, 'function-under-test': {builtin: 'passing'}},
        fixtures: [join(library, 'platform/crds.yaml'), join(library, 'platform/definition.yaml')],
      });
      await world.apply(join(library, 'any-function/composition.yaml'), join(library, 'platform/xr.yaml'));
      await world.settle();
      return JSON.stringify(world.timeline());
    };
    expect(await told(1)).toBe(await told(1));
    expect(await told(1)).not.toBe(await told(2));
  });

  test('goes on until something holds, and is upgraded on the way', async () => {
    await using world = await openStorage({builtin: 'passing'});
    await world.apply(join(library, 'platform/xr.yaml'));
    expect(await world.until(({externals}) => externals().length === 2, 60_000)).toBe(true);
    expect(await world.until(({externals}) => externals().length === 3, 60_000)).toBe(false);
    await world.upgrade('1.20');
    expect(world.crossplane).toBe('1.20');
    await world.delete({kind: 'XStorage', name: 'invoices'});
    await expect(world).toConverge();
    expect(world.externalCounts()).toEqual({alive: 0, creates: 2, deletes: 2});
  });

  test('refuses what is not there with one sentence', async () => {
    const functions = {};
    await expect(openWorld({functions, fixtures: ['nowhere.yaml']})).rejects.toThrow(
      'cannot read file "nowhere.yaml": no such file',
    );
    await expect(openStorage({builtin: 'function-magic'})).rejects.toThrow(
      /^function "function-under-test" must be one of the builtins .*function-static.*, got "function-magic"$/,
    );
    const unreachable = await openStorage({address: '127.0.0.1:1'}).catch((error: unknown) => error);
    expect(unreachable).toBeInstanceOf(InputError);
    expect((unreachable as Error).message).toContain('nobody answers there');
    await using world = await openStorage({builtin: 'passing'});
    await expect(world.patch({kind: 'XStorage', name: 'gone'}, {})).rejects.toThrow('cannot find XStorage "gone"');
    await expect(world.restore()).rejects.toThrow('no step before this one took a backup');
    expect(() => world.breakFunction('function-x', 'no')).toThrow('no function of this world is named "function-x"');
  });
});

describe('external ids', () => {
  const lost = join(examples, 'lost-external-name');

  /** A provider that makes keys in the background and restarts before anybody wrote the key's id down. */
  async function restarted(tether: FunctionUnderTest): Promise<World> {
    const world = await openWorld({
      functions: {'function-templates': {builtin: 'function-static'}, 'function-tether': tether},
      fixtures: ['crds.yaml', 'definition.yaml', 'composition.yaml'].map((file) => join(lost, file)),
      provider: {readyAfterMs: 10_000, async: ['Key']},
    });
    await world.apply(join(lost, 'xr.yaml'));
    await world.run(5 * 60_000);
    await world.restart('provider');
    await world.run(5 * 60_000);
    return world;
  }

  test('are lost where a provider makes a key twice, and kept with function-tether', async () => {
    await using without = await restarted(silent);
    expect(() => expect(without).toKeepExternalIds()).toThrow(
      /^expected it to keep external ids, got:\n {2}Key\/\S+ has more than one external resource alive$/,
    );
    await using tethered = await restarted(runFunction);
    expect(tethered).toKeepExternalIds();
    expect(tethered.externals()).toHaveLength(1);
  });

  test('are lost where an object leads to another one than before', async () => {
    await using world = await restarted(runFunction);
    await world.patch({kind: 'Key', crn: 'key'}, {metadata: {annotations: {'crossplane.io/external-name': 'other'}}});
    expect(() => expect(world).toKeepExternalIds()).toThrow(/key \(Key\) Key\/\S+ led to ext-1 and leads to other now/);
  });
});

describe('a scenario', () => {
  test('runs the functions it is given in place of its own', async () => {
    const file = join(examples, 'usage-left-behind/scenario.yaml');
    const tell = (tether: RunFunction) =>
      tellScenario(file, {crossplane: '1.16', variant: 'with function', functions: {'function-tether': tether}});
    const told = await tell(runFunction);
    expect(told).toMatchObject({variant: 'with function-tether', failures: []});
    await expect(told).toConverge();
    expect(told).toHaveNoOrphans();
    expect(told).toKeepExternalIds();
    expect((await tell(silent)).failures).not.toEqual([]);
  });

  test('is told on the version and in the variant asked for', async () => {
    const file = new URL('../scenario/orphan/scenario.yaml', import.meta.url).pathname;
    const result = await tellScenario(file, {crossplane: '1.19', seed: 7});
    expect(result).toMatchObject({crossplane: '1.19', seed: 7, failures: []});
    await expect(tellScenario(file, {variant: 'nobody'})).rejects.toThrow('is named "nobody": known are');
  });
});

test('a matcher is told what it was given', () => {
  expect(() => matchers.toHaveNoOrphans('a text')).toThrow('expected a world or the result of a scenario, got string');
  expect(() => matchers.toKeepExternalIds(null)).toThrow('got null');
});
