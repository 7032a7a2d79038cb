// Drives a function over gRPC, whatever it is written in. One that runs already is named by its address:
//
//   my-function --insecure --address=:9443 &
//   FUNCTION_ADDRESS=localhost:9443 npx vitest run any-function.test.ts
//
// Without one, the harness starts function-tether itself, at a free port, and stops it afterwards.
import {type FunctionUnderTest, openWorld} from 'function-tether/harness';
import {expect, test} from 'vitest';
import 'function-tether/harness/vitest';

const here = import.meta.dirname;
const platform = `${here}/../platform`;

const address = process.env['FUNCTION_ADDRESS'];
const command = ['node', `${here}/../../../src/main.ts`, 'serve', '--insecure', '--address', '127.0.0.1:{port}'];
const functionUnderTest: FunctionUnderTest = address === undefined ? {address: '127.0.0.1:{port}', command} : {address};

test('nothing is lost and nothing is left when the control plane comes back from a backup with a change', async () => {
  await using world = await openWorld({
    functions: {'function-static': {builtin: 'function-static'}, 'function-under-test': functionUnderTest},
    fixtures: [`${platform}/crds.yaml`, `${platform}/definition.yaml`, `${here}/composition.yaml`],
  });
  await world.apply(`${platform}/xr.yaml`);
  await expect(world).toConverge();

  await world.backup('velero');
  await world.stop('crossplane');
  await world.wipe();
  await world.restore();
  await world.apply(`${here}/composition-without-versioning.yaml`);
  await world.start('crossplane');

  await expect(world).toConverge();
  expect(world).toKeepExternalIds();
  expect(world).toHaveNoOrphans();
  expect(world.externals().map(({type}) => type)).toEqual(['Bucket']);
});
