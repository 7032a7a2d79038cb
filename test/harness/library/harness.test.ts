import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {runFunction} from '../../../src/function/run.ts';
import {passThrough} from '../../../src/harness/functions/passing.ts';
import {
  type FunctionUnderTest,
  InputError,
  type Manifest,
  matchers,
  openWorld,
  type Patience,
  type RunFunction,
  runScenarioFile,
  type Selector,
  type World,
  type WorldOptions,
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
  const reply = passThrough(request);
  if (reply.ok) return reply.response;
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

describe('what the library refuses stands at the line of the test', () => {
  const line = (error: unknown): string => ((error as Error).stack ?? '').split('\n')[1] ?? '';
  const refused = async (call: () => unknown): Promise<unknown> => {
    try {
      await call();
    } catch (error) {
      return error;
    }
    throw new Error('it was not refused');
  };

  test.each<readonly [string, (world: World) => unknown, string]>([
    ['a file that is not there', (world) => world.apply('nowhere.yaml'), 'cannot read file "nowhere.yaml"'],
    ['an object that is not there', (world) => world.patch({kind: 'XStorage', name: 'x'}, {}), 'cannot find XStorage'],
    ['a misspelled selector', (world) => world.find({kin: 'x'} as unknown as Selector), 'unknown field "kin"'],
    ['fixtures that are not there', () => openWorld({functions: {}, fixtures: ['nowhere.yaml']}), 'cannot read file'],
    ['a scenario that is not there', () => runScenarioFile('nowhere.yaml'), 'cannot read file'],
  ])('%s', async (_, call, message) => {
    await using world = await openStorage(silent);
    const error = await refused(() => call(world));
    expect(error).toBeInstanceOf(InputError);
    expect(String(error)).toContain(message);
    expect(line(error)).toContain('harness.test.ts');
  });

  test('but for an error of the test itself, which keeps its own', async () => {
    await using world = await openStorage(silent);
    const own = new Error('mine');
    const {stack} = own;
    const error = await refused(() =>
      world.until(() => {
        throw own;
      }),
    );
    expect(error).toBe(own);
    expect(own.stack).toBe(stack);
  });
});

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

  test('without the definition of a composed kind says which one to add, and what it needs', async () => {
    await using world = await openWorld({
      functions: {'function-static': {builtin: 'function-static'}, 'function-under-test': silent},
      fixtures: [join(library, 'platform/definition.yaml'), join(library, 'any-function/composition.yaml')],
    });
    await world.apply(join(library, 'platform/xr.yaml'));
    await expect(expect(world).toConverge({withinMs: 120_000})).rejects.toThrow(
      /no matches for kind "(\w+)" in version "\S+"; add the CustomResourceDefinition of \1 to `fixtures`, with the category "managed"/,
    );
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
      /^options.functions.function-under-test.builtin must be one of .*function-static.*, got "function-magic"$/,
    );
    const unreachable = await openStorage({address: '127.0.0.1:1'}).catch((error: unknown) => error);
    expect(unreachable).toBeInstanceOf(InputError);
    expect((unreachable as Error).message).toContain('no server answers there');
    await using world = await openStorage({builtin: 'passing'});
    await expect(world.patch({kind: 'XStorage', name: 'gone'}, {})).rejects.toThrow('cannot find XStorage "gone"');
    await expect(world.restore()).rejects.toThrow('no step before this one took a backup');
    expect(() => world.breakFunction('function-x', 'no')).toThrow('no function of this world is named "function-x"');
  });
});

describe('what a test hands over', () => {
  const nothing = {functions: {}, fixtures: []};
  const app = {apiVersion: 'example.org/v1', kind: 'App', metadata: {name: 'shop'}};

  test.each<[string, object]>([
    ['options.crossplane must be one of 1.16, 1.19, 1.20, 2.3, main, got "3.0"', {...nothing, crossplane: '3.0'}],
    ['unknown field "fixture" in options: did you mean "fixtures"?', {...nothing, fixture: []}],
    ['options must have a field "functions"', {fixtures: []}],
    ['options.fixtures must be a list, got "a.yaml"', {...nothing, fixtures: 'a.yaml'}],
    ['options.seed must be a number >= 0, got "1"', {...nothing, seed: '1'}],
    ['options.provider.readyAfterMs must be a number >= 0, got "2s"', {...nothing, provider: {readyAfterMs: '2s'}}],
    ['unknown field "readyAfter" in options.provider: did you', {...nothing, provider: {readyAfter: 2}}],
    [
      'options.provider.async: unknown managed kind "Kye": known are none; what defines it belongs in `fixtures`',
      {...nothing, provider: {async: ['Kye']}},
    ],
    ['options.functions.f must be a function or have one of', {...nothing, functions: {f: {}}}],
    ['unknown field "timeout" in options.functions.f', {...nothing, functions: {f: {address: 'h:1', timeout: 1}}}],
    ['options.functions.f.command must be a list', {...nothing, functions: {f: {address: 'h:1', command: 'go run'}}}],
    ['options.fixtures[0].metadata must have a field "name"', {...nothing, fixtures: [{...app, metadata: {}}]}],
  ])('is refused: %s', async (sentence, options) => {
    const refused = await openWorld(options as WorldOptions).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(InputError);
    expect((refused as Error).message).toContain(sentence);
  });

  test('is refused by a world as by a step of a scenario', async () => {
    await using world = await openWorld(nothing);
    const says = async (call: () => Promise<void>): Promise<string> => {
      const refused = await call().catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(InputError);
      return (refused as Error).message;
    };
    expect(await says(() => world.backup('restic' as 'etcd'))).toMatch(
      /^backup.tool must be one of velero, etcd, gitops, kubectl/,
    );
    expect(await says(() => world.restore({ownerRefs: true} as object))).toMatch(
      /^unknown field "ownerRefs" in restore/,
    );
    expect(await says(() => world.stop('kubelet' as 'provider'))).toMatch(/^stop must be one of .*, got "kubelet"$/);
    expect(await says(() => world.upgrade('3' as 'main'))).toMatch(/^upgrade.crossplane must be one of .*, got "3"$/);
    expect(await says(() => world.delete({name: 'x'} as Selector))).toBe('delete must have a field "kind"');
    expect(await says(() => world.apply({...app, metadata: {}} as Manifest))).toMatch(/^apply\[0\].metadata must have/);
    expect(await says(() => world.run('5s' as never))).toBe('ms must be a number >= 0, got "5s"');
    expect(await says(async () => void (await world.settle({quiteMs: 1} as Patience)))).toContain(
      'did you mean "quietMs"?',
    );
    expect(await says(async () => void world.find({nme: 'x'} as never))).toContain('unknown field "nme" in target');
    expect(await says(() => world.patch({kind: 'App', nme: 'x'} as Selector, {}))).toContain('unknown field "nme"');
  });

  test('is refused by a scenario as by a world', async () => {
    const options = {crossplane: 'newest'} as object;
    await expect(runScenarioFile('nowhere.yaml', options)).rejects.toThrow('options.crossplane must be one of');
    await expect(runScenarioFile('nowhere.yaml', {sed: 1} as object)).rejects.toThrow('did you mean "seed"?');
  });

  test('may be an object with a namespace, labels and a spec, and fields that are undefined', async () => {
    const undefinedSeed = {...nothing, seed: undefined} as unknown as WorldOptions;
    await using world = await openWorld(undefinedSeed);
    await world.apply({apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'team'}});
    const metadata = {name: 'settings', namespace: 'team', labels: {of: 'team'}};
    await world.apply({apiVersion: 'v1', kind: 'ConfigMap', metadata, data: {size: 'small'}});
    expect(world.find({kind: 'ConfigMap', name: 'settings', namespace: 'team'})).toHaveLength(1);
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
    await world.patch(
      {kind: 'Key', resource: 'key'},
      {metadata: {annotations: {'crossplane.io/external-name': 'other'}}},
    );
    expect(() => expect(world).toKeepExternalIds()).toThrow(/key \(Key\) Key\/\S+ led to ext-1 and leads to other now/);
  });
});

describe('a scenario', () => {
  test('runs the functions it is given in place of its own', async () => {
    const file = join(examples, 'usage-left-behind/scenario.yaml');
    const tell = (tether: RunFunction) =>
      runScenarioFile(file, {crossplane: '1.16', variant: 'with function', functions: {'function-tether': tether}});
    const told = await tell(runFunction);
    expect(told).toMatchObject({variant: 'with function-tether', failures: []});
    await expect(told).toConverge();
    expect(told).toHaveNoOrphans();
    expect(told).toKeepExternalIds();
    expect((await tell(silent)).failures).not.toEqual([]);
  });

  test('is told on the version and in the variant asked for', async () => {
    const file = new URL('../scenario/orphan/scenario.yaml', import.meta.url).pathname;
    const result = await runScenarioFile(file, {crossplane: '1.19', seed: 7});
    expect(result).toMatchObject({crossplane: '1.19', seed: 7, failures: []});
    await expect(runScenarioFile(file, {variant: 'nobody'})).rejects.toThrow('is named "nobody": known are');
  });
});

test('a matcher is told what it was given', () => {
  expect(() => matchers.toHaveNoOrphans('a text')).toThrow('expected a world or the result of a scenario, got string');
  expect(() => matchers.toKeepExternalIds(null)).toThrow('got null');
});
