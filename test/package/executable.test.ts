import {spawn, spawnSync} from 'node:child_process';
import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {parse} from 'yaml';
import type {Archive} from '../../package/executable/krew.ts';
import {packageFiles} from '../../package/executable/package-files.ts';
import {nodeOf, platformHere, platforms} from '../../package/executable/platforms.ts';
import {buildExecutables} from '../../package/executables.ts';
import type {TarFile} from '../../package/tar.ts';

// The command line as one file: built for this machine, and run where there is no Node.

const root = new URL('../../', import.meta.url).pathname;
const scratch = mkdtempSync(join(tmpdir(), 'tether-single-'));
const program = join(scratch, 'tether');
const cache = join(scratch, 'cache');
let files: readonly TarFile[] = [];
let archives: readonly Archive[] = [];

beforeAll(async () => {
  files = packageFiles();
  archives = await buildExecutables([platformHere()], files, scratch, 0);
  spawnSync('tar', ['-xzf', join(scratch, archives[0]?.name ?? ''), '-C', scratch]);
}, 400_000);

afterAll(() => rmSync(scratch, {recursive: true, force: true}));

/** No program is on the PATH. */
const environment = {PATH: scratch, XDG_CACHE_HOME: cache};

function tether(...args: string[]) {
  return spawnSync(program, args, {cwd: scratch, encoding: 'utf8', env: environment});
}

/** What the executable unpacked itself into. */
function unpacked(): readonly string[] {
  return readdirSync(join(cache, 'function-tether')).map((name) => join(cache, 'function-tether', name));
}

describe('the single executable', () => {
  test('unpacks itself once, however many start at once', async () => {
    const starts = [1, 2, 3].map(() => spawn(program, ['--version'], {env: environment}));
    const codes = await Promise.all(starts.map((one) => new Promise((resolve) => one.once('close', resolve))));
    expect(codes).toEqual([0, 0, 0]);
    expect(unpacked()).toHaveLength(1);
  });

  test('runs a scenario, and calls function-tether over gRPC as a process of its own', () => {
    const {status, stdout} = tether(
      'stories',
      '--story',
      'name-across-restore',
      '--crossplane',
      'main',
      '--grpc',
      '--workers',
      '2',
    );
    expect(status).toBe(0);
    expect(stdout).toMatch(/^[1-9]\d* as expected, 0 not/m);
  });

  test('tells a scenario that wants Node that there is none', () => {
    const {status, stderr} = tether(
      'test',
      join(root, 'examples/restore-orphan/scenario.yaml'),
      '--crossplane',
      'main',
    );
    expect(status).toBe(2);
    expect(stderr).toMatch(/^cannot start function "[^"]+": .*node/);
  });

  test('names the folder if it cannot unpack itself', () => {
    const file = join(scratch, 'no-folder');
    writeFileSync(file, '');
    const {status, stderr} = spawnSync(program, ['--version'], {encoding: 'utf8', env: {XDG_CACHE_HOME: file}});
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^tether: cannot unpack into .*no-folder.*: ENOTDIR.*: name a folder that can be written in XDG_CACHE_HOME\n$/,
    );
  });

  test('holds the package, what it depends on, and nothing for people who build on it', () => {
    const names = files.map(({name}) => name);
    expect(names).toContain('dist/main.js');
    expect(names).toContain('node_modules/@grpc/grpc-js/package.json');
    expect(names.filter((name) => /\.ts$|\.map$|node_modules\/(?:typescript|vitest)\//.test(name))).toEqual([]);
  });
});

describe("krew's manifest", () => {
  test('names the archive of the release with its digest', () => {
    const {spec} = parse(readFileSync(join(scratch, 'tether.yaml'), 'utf8')) as {spec: {platforms: unknown[]}};
    const [os, arch] = platformHere().split('-');
    const [archive] = archives;
    const uri = `https://github.com/crossplane-contrib/function-tether/releases/download/v0.1.0/tether-${platformHere()}.tar.gz`;
    expect(spec.platforms).toEqual([
      {selector: {matchLabels: {os, arch}}, uri, sha256: archive?.sha256, bin: 'tether'},
    ]);
  });
});

test('every platform has a pinned Node, and another machine is told which there are', () => {
  for (const platform of platforms) expect(nodeOf(platform).digest).toMatch(/^sha512:[0-9a-f]{128}$/);
  expect(platformHere('darwin', 'x64')).toBe('darwin-amd64');
  expect(() => platformHere('win32', 'x64')).toThrow(
    'expected a platform out of linux-amd64, linux-arm64, darwin-amd64, darwin-arm64, got win32-amd64',
  );
});
