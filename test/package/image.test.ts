import {type ChildProcess, spawn, spawnSync} from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {benchRequestWithPolicy} from '../bench/request.ts';
import {Caller, requestBytes, v1, v1beta1} from '../function/calling.ts';
import {type Copy, copiesOf, instructionsOf, readDockerfile} from './dockerfile.ts';

// There is no engine here, so the test does itself what the Dockerfile says: the first stage in a folder that holds only
// what that stage copies, the last one in another. What the image would hold is what runs below.

const root = new URL('../../', import.meta.url).pathname;
const [build, image] = readDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8'));

let scratch = '';
const buildFolder = (): string => join(scratch, 'build');
const imageRoot = (): string => join(scratch, 'image');

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'tether-image-'));
  for (const copy of copiesOf(build)) copyFrom(root, copy, join(buildFolder(), copy.target));
  for (const command of instructionsOf(build, 'RUN')) {
    const [program = '', ...rest] = command.split(' ');
    // The packages are those of this clone: the same lock file.
    if (program === 'npm') symlinkSync(join(root, 'node_modules'), join(buildFolder(), 'node_modules'));
    else expect(spawnSync(process.execPath, rest, {cwd: buildFolder(), encoding: 'utf8'})).toMatchObject({status: 0});
  }
  const workdir = instructionsOf(build, 'WORKDIR')[0] ?? '';
  for (const copy of copiesOf(image)) {
    const sources = copy.sources.map((source) => source.replace(`${workdir}/`, ''));
    copyFrom(buildFolder(), {...copy, sources}, join(imageRoot(), copy.target));
  }
});

afterAll(() => rmSync(scratch, {recursive: true, force: true}));

function copyFrom(folder: string, {sources, target}: Copy, to: string): void {
  for (const source of sources) {
    const isFolder = statSync(join(folder, source)).isDirectory();
    const place = isFolder ? to : target.endsWith('/') ? join(to, source.split('/').at(-1) ?? '') : to;
    mkdirSync(dirname(place), {recursive: true});
    cpSync(join(folder, source), place, {recursive: true});
  }
}

/** Starts what the image starts, allowed to read what the image holds and to write nothing, and answers its port. */
async function start(
  ...flags: string[]
): Promise<{child: ChildProcess; port: number; metricsPort: number | undefined; tookMs: number}> {
  const [program, ...words] = JSON.parse(instructionsOf(image, 'ENTRYPOINT')[0] ?? '[]') as string[];
  expect(program).toBe('/nodejs/bin/node');
  const entry = words.map((word) => (word.startsWith('/') ? join(imageRoot(), word) : word));
  const beganMs = performance.now();
  // The warning about threads would come when nobody reads any more.
  const rights = ['--permission', `--allow-fs-read=${imageRoot()}`, '--allow-worker', '--disable-warning=PERM0006'];
  const child = spawn(process.execPath, [...rights, ...entry, ...flags], {
    cwd: imageRoot(),
    env: {},
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  for await (const chunk of child.stderr) {
    said += String(chunk);
    const line = said.split('\n').find((one) => one.includes('"serving"'));
    if (line === undefined) continue;
    const {port, metricsPort} = JSON.parse(line) as {port: number; metricsPort: number | undefined};
    return {child, port, metricsPort, tookMs: performance.now() - beganMs};
  }
  throw new Error(`the image's program ended: ${said}`);
}

describe('the image', () => {
  test('holds one program, the licences of what is in it, and no package', () => {
    const files = readdirSync(imageRoot(), {recursive: true, encoding: 'utf8'}).sort();
    expect(files).toEqual(['function', 'function/LICENSES.txt', 'function/function.mjs']);
    const size = statSync(join(imageRoot(), 'function/function.mjs')).size;
    console.log(`bundle: ${Math.round(size / 1024)} KiB`);
    const licences = readFileSync(join(imageRoot(), 'function/LICENSES.txt'), 'utf8');
    expect(licences).toMatch(/^@grpc\/grpc-js \S+ \(Apache-2\.0\)$/m);
    expect(licences).toContain('The licence of function-tether');
    expect(licences).toContain('END OF TERMS AND CONDITIONS');
  });

  test('serves RunFunction from that alone, and writes nothing', async () => {
    const {child, port} = await start('--insecure', '--address', '127.0.0.1:0');
    try {
      using caller = new Caller(`127.0.0.1:${port}`);
      for (const method of [v1, v1beta1]) {
        const response = await caller.run(requestBytes(), method);
        expect(response.tag).toBe('tag-1');
        expect(response.results).not.toContainEqual(expect.objectContaining({severity: 'fatal'}));
      }
    } finally {
      child.kill('SIGKILL');
    }
  });

  test('starts its threads from the same file, once calls come too fast for one', async () => {
    const {child, port, metricsPort} = await start(
      ...['--insecure', '--address', '127.0.0.1:0', '--metrics-address', '127.0.0.1:0', '--workers', '2'],
    );
    try {
      using caller = new Caller(`127.0.0.1:${port}`);
      const request = Buffer.from(benchRequestWithPolicy(100));
      const threads = async () =>
        /^tether_threads (\d)$/m.exec(await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text())?.[1];
      expect(await threads()).toBe('1');
      const until = performance.now() + 40_000;
      while ((await threads()) === '1' && performance.now() < until) {
        await Promise.all(Array.from({length: 40}, () => caller.call(v1, request)));
      }
      expect(await threads()).toBe('2');
      expect((await caller.run(requestBytes())).tag).toBe('tag-1');
    } finally {
      child.kill('SIGKILL');
    }
  });

  test('says how soon it serves', async () => {
    const tookMs: number[] = [];
    for (let count = 0; count < 3; count++) {
      const started = await start('--insecure', '--address', '127.0.0.1:0');
      started.child.kill('SIGKILL');
      tookMs.push(Math.round(started.tookMs));
    }
    // Other tests run at the same time: the fastest is nearest to what the program needs.
    console.log(`from start to serving: ${Math.min(...tookMs)} ms, the fastest of ${tookMs.length}`);
    expect(tookMs).toHaveLength(3);
  });

  test('does not hold the harness', () => {
    const text = readFileSync(join(imageRoot(), 'function/function.mjs'), 'utf8');
    // A sentence of `tether serve --help`, and one of the harness.
    expect(text).toContain('serves the composition function to Crossplane.');
    expect(text).not.toContain('runs scenarios on a simulated control plane');
  });
});

describe('the Dockerfile', () => {
  test('starts the function as nobody on a base without a shell, and runs nothing there', () => {
    expect(image?.base).toMatch(/^gcr\.io\/distroless\/nodejs24-debian\d+:nonroot$/);
    expect(instructionsOf(image, 'USER')).toEqual(['65532:65532']);
    expect(instructionsOf(image, 'RUN')).toEqual([]);
    expect(instructionsOf(image, 'EXPOSE')).toEqual(['9443 8080']);
    expect(copiesOf(image).every(({from}) => from === build?.name)).toBe(true);
  });

  test('builds with the Node that it runs with', () => {
    const major = /^node:(\d+)-/.exec(build?.base ?? '')?.[1];
    expect(image?.base).toContain(`/nodejs${major}-`);
    expect(process.versions.node.startsWith(`${major}.`)).toBe(true);
  });

  test('is given every file it copies, and no other', () => {
    const ignore = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
    const given = ignore.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    expect(ignore.find((line) => line !== '' && !line.startsWith('#'))).toBe('*');
    const copied = copiesOf(build).flatMap(({sources}) => sources);
    expect(given.sort()).toEqual([...copied].sort());
    expect(copied.filter((source) => !existsSync(join(root, source)))).toEqual([]);
  });
});
