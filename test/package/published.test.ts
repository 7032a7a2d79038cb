import {spawnSync} from 'node:child_process';
import {cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {publint} from 'publint';
import {formatMessage} from 'publint/utils';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {compile, tsc} from '../../package/build.ts';
import {matchers} from '../../src/harness/library/harness.ts';

// What somebody gets who installs the package: packed as `npm publish` packs it, installed into an empty folder.

const root = new URL('../../', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'tether-published-'));
const app = join(folder, 'app');
const installed = join(app, 'node_modules/function-tether');
let tarball = '';

beforeAll(() => {
  // In a copy: another test packs this folder meanwhile.
  const source = join(folder, 'source');
  for (const name of ['LICENSE', 'README.md', 'docs', 'examples', 'package', 'package.json'])
    cpSync(join(root, name), join(source, name), {recursive: true});
  // As `prepack` compiles it, without checking the types once more: `npm test` has done that.
  compile(join(source, 'dist'), ['--noCheck']);
  mkdirSync(join(source, 'dist/image'));
  writeFileSync(join(source, 'dist/image/function.mjs'), '');
  npm(source, 'pack', '--ignore-scripts', '--pack-destination', folder);
  tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), JSON.stringify({private: true, type: 'module'}));
  // What the clone was installed from is good enough: the registry is asked only for what is not at hand.
  npm(app, 'install', '--prefer-offline', '--no-audit', '--no-fund', tarball);
}, 400_000);

afterAll(() => rmSync(folder, {recursive: true, force: true}));

function npm(cwd: string, ...args: string[]): void {
  const {status, stdout, stderr} = spawnSync('npm', ['--loglevel=error', ...args], {cwd, encoding: 'utf8'});
  if (status !== 0) throw new Error(`npm ${args.join(' ')} exited with ${status}: ${stdout}${stderr}`);
}

/** Runs what the folder has installed. Its Node is the one that runs the tests. */
function tether(...args: string[]) {
  const command = join(app, 'node_modules/.bin/tether');
  return spawnSync(process.execPath, [command, ...args], {cwd: app, encoding: 'utf8'});
}

/** A test of somebody's function: typed, and run with what the package holds. */
const consumer = `
import {InputError, matchers, openWorld, type RunFunction, runScenarioFile, type World} from 'function-tether/harness';
import {runFunction} from 'function-tether/function';

const tether: RunFunction = (request) => runFunction(request);
const functions = {'function-static': {builtin: 'function-static'}, 'function-under-test': tether};
const fixtures = ['crds.yaml', 'definition.yaml', 'composition.yaml'];
const world: World = await openWorld({functions, fixtures, crossplane: '2.3'});
await world.apply('xr.yaml');
const {pass} = await matchers.toConverge(world);
console.log(pass, world.externals().length, matchers.toHaveNoOrphans(world).pass);
const refused: unknown = await runScenarioFile('nowhere.yaml').catch((error: unknown) => error);
console.log(refused instanceof InputError ? refused.message : refused);
await world.close();
`;

/** The parts of Vitest 3 that the matchers meet: one type parameter, and what Chai's assertions have. */
const vitestTypes = `
declare global {
  namespace Chai {
    interface Assertion {}
  }
}
export interface Matchers<T = any> {}
type Copied<A> = {[K in keyof A]: A[K]};
export interface Assertion<T = any> extends Copied<Chai.Assertion>, Matchers<T> {}
export declare const expect: {<T>(actual: T): Assertion<T>; extend(matchers: object): void};
`;
const vitestScript = `
export const expect = () => {};
expect.extend = (matchers) => console.log(Object.keys(matchers).join(' '));
`;
const vitestConsumer = `
import {openWorld} from 'function-tether/harness';
import {expect} from 'vitest';
import 'function-tether/harness/vitest';

export async function check(): Promise<void> {
  const world = await openWorld({functions: {}, fixtures: []});
  await expect(world).toConverge({withinMs: 1000});
  expect(world).toHaveNoOrphans();
  expect(world).toKeepExternalIds();
}
`;

describe('the npm package', () => {
  test('is as tools for packages want it', async () => {
    const bytes = readFileSync(tarball);
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const {messages, pkg} = await publint({pack: {tarball: buffer}, strict: true});
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  test('holds JavaScript with types, scenarios to begin with, and no sources or tests', () => {
    const files = readdirSync(installed, {recursive: true, encoding: 'utf8'});
    const top = [...new Set(files.map((name) => name.split('/')[0]))].sort();
    expect(top).toEqual(['LICENSE', 'README.md', 'dist', 'docs', 'examples', 'package', 'package.json']);
    expect(files.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))).toEqual([]);
    const scripts = files.filter((name) => name.endsWith('.js') && name.startsWith('dist/'));
    expect(scripts.length).toBeGreaterThan(100);
    expect(files).not.toContain('dist/image');
    expect(files.filter((name) => /^docs\/(?!.*\.schema\.json$)/.test(name))).toEqual([]);
  });

  test('runs its command', () => {
    const {status, stdout} = tether('--help');
    expect(stdout).toContain('usage: tether COMMAND');
    expect(status).toBe(0);
  });

  test('tells the scenario that its command says to start with, in a folder that has nothing else', () => {
    const [, start = ''] = /^Start with: tether (.*)$/m.exec(tether('--help').stdout) ?? [];
    const {status, stdout, stderr} = tether(...start.split(' '));
    expect(start).toContain('node_modules/function-tether/examples/');
    expect(stderr).toBe('');
    expect(stdout).toMatch(/\n2 passed, 0 failed\n$/);
    expect(status).toBe(0);
  });

  test('tells its stories, which need nothing but the package', () => {
    const told = tether('stories', '--crossplane', '2.3', '--story', 'lost-external-name');
    expect(told.stderr).toBe('');
    expect(told.stdout).toMatch(/\n[1-9]\d* as expected, 0 not; /);
    expect(told.status).toBe(0);
  });

  test('is a library that somebody can test a function with', () => {
    for (const name of ['crds', 'definition', 'xr']) {
      cpSync(join(root, `examples/library/platform/${name}.yaml`), join(app, `${name}.yaml`));
    }
    cpSync(join(root, 'examples/library/any-function/composition.yaml'), join(app, 'composition.yaml'));
    writeFileSync(join(app, 'consumer.ts'), consumer);
    const {stdout, stderr} = spawnSync(process.execPath, ['consumer.ts'], {cwd: app, encoding: 'utf8'});
    expect(stderr).toBe('');
    expect(stdout).toBe('true 2 true\ncannot read file "nowhere.yaml": no such file\n');
  });

  test('has types that hold in the strictest program, without looking away from libraries', () => {
    writeFileSync(join(app, 'consumer.ts'), consumer);
    expect(typeErrors(app, 'consumer.ts')).toBe('');
  });

  test('is installed beside an older Vitest, whose expect takes the matchers and their types', () => {
    const vitest = join(folder, 'vitest');
    mkdirSync(vitest);
    const manifest = {name: 'vitest', version: '3.2.4', type: 'module', types: 'index.d.ts', exports: './index.js'};
    writeFileSync(join(vitest, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(vitest, 'index.d.ts'), vitestTypes);
    writeFileSync(join(vitest, 'index.js'), vitestScript);
    npm(app, 'install', '--offline', '--no-audit', '--no-fund', '--save-dev', vitest);
    writeFileSync(join(app, 'consumer.ts'), vitestConsumer);
    expect(typeErrors(app, 'consumer.ts')).toBe('');
    const {stdout, stderr} = spawnSync(process.execPath, ['consumer.ts'], {cwd: app, encoding: 'utf8'});
    expect(stderr).toBe('');
    expect(stdout).toBe(`${Object.keys(matchers).join(' ')}\n`);
  });
});

/** What the compiler says of a file in the strictest program that looks into its libraries. */
function typeErrors(cwd: string, file: string): string {
  const flags = ['--module', 'nodenext', '--target', 'es2024', '--types', 'node', '--strict', '--noEmit'];
  // An optional field of ours is absent or there, never undefined: what the declarations say only under this option.
  flags.push('--exactOptionalPropertyTypes');
  const typeRoots = ['--typeRoots', join(root, 'node_modules/@types')];
  return spawnSync(process.execPath, [tsc, ...flags, ...typeRoots, file], {cwd, encoding: 'utf8'}).stdout;
}
