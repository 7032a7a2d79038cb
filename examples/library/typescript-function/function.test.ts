// Tests the function in function.ts on a simulated control plane: in this process, without a server, a cluster or Docker.
import {
  type FunctionHandler,
  FunctionRunner,
  fromCompose,
  RunFunctionRequest,
  RunFunctionResponse,
} from '@crossplane-org/function-sdk-typescript';
import {type CrossplaneVersion, openWorld, type RunFunction, type World} from 'function-tether/harness';
import {withTether} from 'function-tether/sdk';
import {describe, expect, test} from 'vitest';
import 'function-tether/harness/vitest';
import {composeStorage} from './function.ts';

const storage = fromCompose(composeStorage);
const functionStorage = bytesOf(storage);

function bytesOf(handler: FunctionHandler): RunFunction {
  const runner = new FunctionRunner(handler);
  return async (request) =>
    RunFunctionResponse.encode(await runner.RunFunction(RunFunctionRequest.decode(request))).finish();
}

const here = import.meta.dirname;
const platform = `${here}/../platform`;

function openPlatform(crossplane: CrossplaneVersion, storageFunction = functionStorage): Promise<World> {
  return openWorld({
    crossplane,
    functions: {'function-storage': storageFunction},
    fixtures: [`${platform}/crds.yaml`, `${platform}/definition.yaml`, `${here}/composition.yaml`],
    provider: {readyAfterMs: 5_000},
  });
}

describe.each(['1.20', 'main'] as const)('function-storage on Crossplane %s', (crossplane) => {
  test('gives a team its storage', async () => {
    await using world = await openPlatform(crossplane);
    await world.apply(`${platform}/xr.yaml`);
    await expect(world).toConverge();
    const [bucket] = world.find({kind: 'Bucket', resource: 'bucket'});
    expect(bucket?.spec).toMatchObject({forProvider: {region: 'eu-central-1'}});
    expect(world.externals().map(({type}) => type)).toEqual(['Bucket', 'BucketVersioning']);
  });

  test('takes away what a team no longer asks for', async () => {
    await using world = await openPlatform(crossplane);
    await world.apply(`${platform}/xr.yaml`);
    await expect(world).toConverge();
    await world.patch({kind: 'XStorage', name: 'invoices'}, {spec: {versioned: false}});
    await expect(world).toConverge();
    expect(world.find({kind: 'BucketVersioning'})).toEqual([]);
    expect(world).toHaveNoOrphans();
  });

  test('finds its bucket again after a restore', async () => {
    await using world = await openPlatform(crossplane);
    await world.apply(`${platform}/xr.yaml`);
    await expect(world).toConverge();
    await world.backup('velero');
    await world.stop('crossplane');
    await world.stop('provider');
    await world.wipe();
    await world.restore();
    await world.start('provider');
    await world.start('crossplane');
    await expect(world).toConverge();
    expect(world).toKeepExternalIds();
    expect(world).toHaveNoOrphans();
    expect(world.externalCounts()).toEqual({alive: 2, creates: 2, deletes: 0});
  });

  test('harms nothing while it fails', async () => {
    await using world = await openPlatform(crossplane);
    await world.apply(`${platform}/xr.yaml`);
    await expect(world).toConverge();
    world.breakFunction('function-storage', 'connection refused');
    await world.patch({kind: 'XStorage', name: 'invoices'}, {spec: {region: 'eu-west-1'}});
    await world.run(5 * 60_000);
    expect(world.unsynced()).toEqual([expect.stringContaining('connection refused')]);
    expect(world.externals()).toHaveLength(2);
    world.mendFunction('function-storage');
    await expect(world).toConverge();
    expect(world.externalCounts()).toEqual({alive: 2, creates: 2, deletes: 0});
  });
});

describe('a build without the versioning, installed while the XR comes back from a backup', () => {
  /** The function, and the build that takes its place. */
  const upgraded = (of: (handler: FunctionHandler) => FunctionHandler) => {
    const without: FunctionHandler = {
      RunFunction: async (request, logger) => {
        const response = await storage.RunFunction(request, logger);
        delete response.desired?.resources['versioning'];
        return response;
      },
    };
    const [before, after] = [bytesOf(of(storage)), bytesOf(of(without))];
    const current = {build: before};
    const call: RunFunction = (request) => current.build(request);
    return {
      call,
      upgrade: () => {
        current.build = after;
      },
    };
  };

  test.each([
    ['leaves an orphan on main', (handler: FunctionHandler) => handler, 1],
    [
      'leaves none with function-tether after it in the same server',
      (handler: FunctionHandler) => withTether(handler),
      0,
    ],
  ] as const)('%s', async (_, of, orphans) => {
    const {call, upgrade} = upgraded(of);
    await using world = await openPlatform('main', call);
    await world.apply(`${platform}/xr.yaml`);
    await expect(world).toConverge();
    await world.backup('velero');
    await world.stop('crossplane');
    await world.wipe();
    upgrade();
    await world.restore();
    await world.start('crossplane');
    await expect(world).toConverge();
    expect(world.orphans()).toHaveLength(orphans);
    expect(world.externalCounts()).toMatchObject({creates: 2, deletes: 1 - orphans});
  });
});
