import {spawnSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {parse} from 'yaml';
import {startServer} from '../../src/function/server.ts';
import {Caller, requestBytes} from '../function/calling.ts';

// What package.json says is said by everything that is shipped.

const root = new URL('../../', import.meta.url).pathname;
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const npm = JSON.parse(read('package.json')) as {
  version: string;
  license: string;
  repository: {url: string};
};
const crossplane = parse(read('package/crossplane.yaml')) as {
  apiVersion: string;
  kind: string;
  metadata: {name: string; annotations: Record<string, string>};
  spec: {crossplane: {version: string}; capabilities: string[]};
};

/** Text files that are committed or about to be. */
function sources(): readonly string[] {
  const {stdout} = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  return stdout.split('\n').filter((path) => /\.(md|ya?ml|ts|json)$/.test(path) && existsSync(join(root, path)));
}

describe('the version', () => {
  test('is that of package.json wherever the package is named with one', () => {
    const files = sources().filter((path) => !path.startsWith('test/recordings/') && path !== 'package-lock.json');
    const named = files.flatMap((path) =>
      [...read(path).matchAll(/crossplane-contrib\/function-tether:v(\d+\.\d+\.\d+)/g)].map(([, version]) => ({
        path,
        version,
      })),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter(({version}) => version !== npm.version)).toEqual([]);
  });

  test('is what the command says', () => {
    const {stdout, status} = spawnSync(process.execPath, [join(root, 'src/main.ts'), '--version'], {encoding: 'utf8'});
    expect([stdout, status]).toEqual([`${npm.version}\n`, 0]);
  });

  test('is that of the lock file', () => {
    const lock = JSON.parse(read('package-lock.json')) as {
      version: string;
      packages: Record<string, {version: string}>;
    };
    expect([lock.version, lock.packages['']?.version]).toEqual([npm.version, npm.version]);
  });
});

describe('the Crossplane package', () => {
  test('says the licence and the source that the npm package says', () => {
    const {annotations} = crossplane.metadata;
    expect(annotations['meta.crossplane.io/license']).toBe(npm.license);
    expect(npm.repository.url).toBe(`git+${annotations['meta.crossplane.io/source']}.git`);
    expect(annotations['meta.crossplane.io/description']).toMatch(/^[A-Z].*\.$/);
    expect(annotations['meta.crossplane.io/readme']?.length).toBeGreaterThan(500);
    expect(annotations['meta.crossplane.io/maintainer']).not.toBe('');
  });

  test('installs on every Crossplane that the harness knows', () => {
    // 1.16 reads a Function of no other version.
    expect(crossplane.apiVersion).toBe('meta.pkg.crossplane.io/v1beta1');
    expect(crossplane.spec.crossplane.version).toBe('>=v1.16.0-0');
  });

  test('promises Compositions and Operations, and answers both', async () => {
    expect(crossplane.spec.capabilities).toEqual(['composition', 'operation']);
    const server = await startServer({address: '127.0.0.1:0'});
    // An Operation is about no XR: internal/controller/ops/operation/reconciler.go of crossplane/crossplane 2d040d2.
    const requests: Record<string, Buffer> = {
      composition: requestBytes(),
      operation: requestBytes({observed: {resources: new Map()}}),
    };
    try {
      using caller = new Caller(server.address);
      for (const capability of crossplane.spec.capabilities) {
        const {results} = await caller.run(requests[capability]);
        expect({capability, fatal: results.filter(({severity}) => severity === 'fatal')}).toEqual({
          capability,
          fatal: [],
        });
      }
    } finally {
      await server.close();
    }
  });
});
