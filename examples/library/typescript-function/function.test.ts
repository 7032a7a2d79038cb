// Tests the function in function.ts on a simulated control plane: in this process, without a server, a cluster or Docker.
import {
  FunctionRunner,
  fromCompose,
  RunFunctionRequest,
  RunFunctionResponse,
} from '@crossplane-org/function-sdk-typescript';
import {type CrossplaneVersion, openWorld, type RunFunction, type World} from 'function-tether/harness';
import {describe, expect, test} from 'vitest';
import 'function-tether/harness/vitest';
import {composeStorage} from './function.ts';

const runner = new FunctionRunner(fromCompose(composeStorage));
const functionStorage: RunFunction = async (request) =>
  RunFunctionResponse.encode(await runner.RunFunction(RunFunctionRequest.decode(request))).finish();

const here = import.meta.dirname;
const platform = `${here}/../platform`;

function openPlatform(crossplane: CrossplaneVersion): Promise<World> {
  return openWorld({
    crossplane,
    functions: {'function-storage': functionStorage},
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
