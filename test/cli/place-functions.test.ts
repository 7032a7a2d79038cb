import {spawn} from 'node:child_process';
import {chmodSync, cpSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {publish} from '../harness/packages/published-image.ts';
import {openRegistry, type Registry} from '../harness/packages/registry.ts';
import {emptyFolder} from './folder.ts';

// Where functions run, as the command line says it, in the commands as a person calls them. The package of function-tether
// holds a script, which needs a container; the container runtime is one of this test, and starts the program of these
// sources on the port that it is to publish.

const root = new URL('../../', import.meta.url).pathname;
const main = join(root, 'src/main.ts');
const folder = emptyFolder();
let registry: Registry;
let image = '';

beforeAll(async () => {
  registry = await openRegistry();
  image = publish(registry, {entries: [{name: 'run', content: '#!/bin/sh\n'}], entrypoint: ['/run']});
  for (const name of ['crds.yaml', 'definition.yaml', 'composition.yaml', 'xr.yaml']) {
    cpSync(join(root, 'examples/usage-left-behind', name), join(folder.path, name));
  }
  mkdirSync(join(folder.path, 'dump'));
  for (const name of ['crds.yaml', 'definition.yaml', 'composition.yaml', 'xr.yaml']) {
    cpSync(join(root, 'examples/usage-left-behind', name), join(folder.path, 'dump', name));
  }
  const functions = ['function-templates', 'function-tether'].map((name) => ({
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'Function',
    metadata: {name},
    spec: {package: name === 'function-tether' ? image : 'registry.example.org/function-static:v1'},
  }));
  folder.write('functions.yaml', ...functions);
  folder.write('dump/functions.yaml', ...functions);
  folder.write('scenario.yaml', {
    name: 'from its package',
    crossplane: ['main'],
    fixtures: ['crds.yaml', 'definition.yaml', 'composition.yaml', 'functions.yaml'],
    functions: {'function-templates': {builtin: 'function-static'}},
    steps: [
      {
        apply: 'xr.yaml',
        wait: {
          for: {
            object: {kind: 'XKubernetesCluster', name: 'checkout'},
            condition: {type: 'Tethered', status: 'True'},
          },
          timeout: '5m',
        },
      },
    ],
  });
  const script = `#!/bin/sh
[ "$1" = version ] && exit 0
for word; do case $word in 127.0.0.1:*:9443) address=\${word%:9443};; esac; done
echo "$@" >>${folder.path}/started
exec ${process.execPath} ${main} serve --insecure --address "$address"
`;
  folder.write('bin/docker', script);
  chmodSync(join(folder.path, 'bin/docker'), 0o755);
});
afterAll(() => registry.close());

/** The registry is in this process, which therefore must not wait for the command as others do. */
async function tether(...args: string[]) {
  const env = {
    ...process.env,
    PATH: `${folder.path}/bin:${process.env['PATH']}`,
    XDG_CACHE_HOME: join(folder.path, 'cache'),
  };
  const child = spawn(process.execPath, [main, ...args], {cwd: folder.path, env});
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return {code, out, err};
}

const serving = `${process.execPath} ${main} serve`;

describe('tether test', () => {
  test('says how to run a function from its package, and runs none by itself', async () => {
    const {code, err} = await tether('test', 'scenario.yaml');
    expect(err).toContain(
      'it calls function "function-tether", which the scenario does not have (it has function-templates); --run-functions runs it from its package',
    );
    expect([code, registry.asked]).toEqual([2, []]);
  });

  test('runs a function from its package where that is asked for, and says what runs', async () => {
    const {code, out, err} = await tether('test', 'scenario.yaml', '--run-functions');
    expect(err).toMatch(
      /^note: Function "function-tether" is localhost:\d+\/example\/function:v1@sha256:[0-9a-f]{64}, run in a container by docker$/m,
    );
    expect(out).toContain('1 passed, 0 failed');
    expect(code).toBe(0);
    expect(folder.read('started')).toMatch(
      /^run --rm --read-only .* localhost:\d+\/example\/function:v1@sha256:[0-9a-f]{64} --insecure\n$/,
    );
  });

  test('runs it where --function says, even then', async () => {
    const before = registry.asked.length;
    const {code, out} = await tether(
      'test',
      'scenario.yaml',
      '--run-functions',
      '--function',
      `function-tether=${serving}`,
    );
    expect(out).toContain('1 passed, 0 failed');
    expect([code, registry.asked.length]).toEqual([0, before]);
  });
});

describe('tether rehearse', () => {
  const steps = ['--delete', 'XKubernetesCluster/checkout', '--function', 'function-templates=function-static'];

  test('runs what a source names from its package only where that is asked for', async () => {
    const before = registry.asked.length;
    const {code} = await tether('rehearse', 'dump', ...steps);
    // It finds that the deletion destroys what the XR composes.
    expect([code, registry.asked.length]).toEqual([3, before]);
    const asked = await tether('rehearse', 'dump', ...steps, '--run-functions');
    expect(asked.err).toMatch(/^note: Function "function-tether" is localhost:\d+\/example\/function:v1@sha256:/m);
    expect(asked.out).toContain('XKubernetesCluster/checkout');
    expect(registry.asked.length).toBeGreaterThan(before);
  });
});

describe('tether render', () => {
  const files = ['xr.yaml', 'composition.yaml', 'functions.yaml'];

  test('prints the same whether a function runs here or where --function says', async () => {
    const here = await tether('render', ...files, '-x');
    const there = await tether('render', ...files, '-x', '--function', `function-tether=${serving}`);
    expect([here.code, there.code]).toEqual([0, 0]);
    expect(there.out).toBe(here.out);
    expect(here.out).toContain('Tethered');
  });
});

describe('tether explore', () => {
  test('prints a replay with the places of its functions', async () => {
    folder.write('property.yaml', {
      ...JSON.parse(folder.read('scenario.yaml')),
      steps: [{apply: 'xr.yaml'}],
      explore: {
        moves: 'in-order',
        always: [{name: 'there is no Cluster', holds: "!objects.exists(o, o.kind == 'Cluster')"}],
      },
    });
    const place = `function-tether=${serving}`;
    const {code, out} = await tether('explore', 'property.yaml', '--function', place, '--seconds', '30');
    expect(out).toContain(`--function '${place}'`);
    expect(code).toBe(3);
  });
});
