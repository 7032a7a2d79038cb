import {spawn, spawnSync} from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {type Ran, tether} from './tether.ts';

// Searches on several machines: here each is a process of its own, and they share a folder.

const root = fileURLToPath(new URL('../../', import.meta.url));
const story = ['explore', 'examples/explore/s0-tethered.yaml', '--crossplane', 'main', '--moves', 'in-order'];
const exploration = [...story, '--budget', 'choice=1', '--all'];
const stories = ['never-worse', '--crossplane', 'main', '--stories', '8'];
const rehearsal = [
  ...['rehearse', 'examples/rehearse/backup.tar.gz', '--restore', 'velero', '--explore'],
  ...['--states', '20', '--seconds', '600'],
];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tether-parts-'));
});
afterEach(() => rmSync(folder, {recursive: true}));

function share(command: readonly string[], which: string, ...more: readonly string[]): Ran {
  return tether([...command, '--shard', which, '--parts', folder, ...more], root);
}

function merged(command: readonly string[], ...more: readonly string[]): Ran {
  return tether([...command, '--merge', folder, ...more], root);
}

/** Without the time it took. */
function timeless(text: string): string {
  return text.replaceAll(/\d+ s of one core, [\d.]+ stories\/s/g, '');
}

describe('the shares of a command come to what one run comes to', () => {
  test('rehearse --explore: the same searches, in their order', {timeout: 240_000}, () => {
    const whole = tether(rehearsal, root);
    for (const which of ['1/2', '0/2']) expect(share(rehearsal, which)).toMatchObject({code: 0, err: ''});
    expect(merged(rehearsal)).toEqual(whole);
    expect(whole.out).toContain('Faults around the steps');
  });

  test('explore: the same verdicts, whether a share has one thread or two', {timeout: 240_000}, () => {
    const told = ({code, out}: Ran) => {
      const [{outcome, properties}] = JSON.parse(out);
      return {code, outcome, verdicts: properties.map(({name, verdict}: {[key: string]: string}) => [name, verdict])};
    };
    const whole = told(tether([...exploration, '--json', '-'], root));
    share(exploration, '0/2');
    share(exploration, '1/2', '--workers', '2');
    expect(told(merged(exploration, '--json', '-'))).toEqual(whole);
    expect(whole).toMatchObject({code: 0, outcome: {kind: 'complete'}});
  });
});

test('never-worse: a share that dies is missed by name, and run again it changes no count', {
  timeout: 240_000,
}, async () => {
  expect(share(stories, '0/2').out).toContain('share 0 of 2 is done');
  await killed([...stories, '--stories', '4000', '--shard', '1/2', '--parts', folder]);
  expect(readdirSync(folder)).toEqual(['part-0-of-2.json']);
  expect(merged(stories)).toMatchObject({code: 2, err: expect.stringContaining('run --shard 1/2 again')});
  share(stories, '1/2', '--workers', '2');
  // One that ran to its end may be run again, too, as a Job does whose node went away.
  share(stories, '0/2');
  const [whole, all] = [tether(stories, root), merged(stories)];
  expect({code: all.code, out: timeless(all.out)}).toEqual({code: whole.code, out: timeless(whole.out)});
  expect(all.out).toContain('8 stories');
});

test('parts of other options, and shares of another number, are refused', {timeout: 120_000}, () => {
  share(story, '0/2');
  expect(merged(exploration)).toMatchObject({code: 2, err: expect.stringContaining('is of other options')});
  share(story, '2/3');
  expect(merged(story)).toMatchObject({code: 2, err: expect.stringContaining('is one of 3 shares')});
  expect(tether([...story, '--shard', '0/2'], root)).toMatchObject({code: 2});
  expect(share(story, '0/2', '--json', '-').err).toContain('--json is of the whole: give it beside --merge');
  expect(share(rehearsal, '0/99').err).toContain('--shard divides the searches, and there are');
});

test('a part that lost or changed what it found is refused', {timeout: 120_000}, () => {
  share(story, '0/1');
  const file = join(folder, 'part-0-of-1.json');
  const {found, ...part} = JSON.parse(readFileSync(file, 'utf8'));
  for (const other of [[], {...found}, undefined]) {
    writeFileSync(file, JSON.stringify({...part, found: other}));
    expect(merged(story)).toMatchObject({code: 2, err: expect.stringContaining('is no part that --shard wrote')});
  }
  expect(tether([...story, '--shard', '0/1', '--parts', file], root).err).toBe(
    `cannot make folder "${file}": a file has that name\n`,
  );
});

test('a part of another build of the same version is refused', {timeout: 120_000}, () => {
  const other = join(folder, 'other');
  cpSync(join(root, 'src'), join(other, 'src'), {recursive: true});
  for (const name of ['node_modules', 'package.json', 'proto']) symlinkSync(join(root, name), join(other, name));
  appendFileSync(join(other, 'src/hash/sha256.ts'), '\n');
  share(story, '0/2');
  const argv = [join(other, 'src/main.ts'), ...story, '--shard', '1/2', '--parts', folder];
  expect(spawnSync(process.execPath, argv, {cwd: root, encoding: 'utf8'})).toMatchObject({status: 0, stderr: ''});
  const {code, err} = merged(story);
  expect(code).toBe(2);
  expect(err).toMatch(
    /^"part-1-of-2\.json" is of another build of tether, (0\.1\.0-[0-9a-f]{12}): this is (?!\1)0\.1\.0-[0-9a-f]{12}$/m,
  );
});

/** Begins the command, and kills it without a warning while it searches. */
function killed(args: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'src/main.ts'), ...args], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.on('exit', () => resolve());
    child.stderr.once('data', () => child.kill('SIGKILL'));
  });
}
