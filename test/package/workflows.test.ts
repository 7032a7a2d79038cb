import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {parse} from 'yaml';

// Workflows run elsewhere; what can be told here is that they say what this repository has.

const root = new URL('../../', import.meta.url).pathname;
const folder = join(root, '.github/workflows');

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: {readonly [key: string]: unknown};
}

interface Job {
  readonly steps: readonly Step[];
  readonly needs?: string | readonly string[];
  readonly 'timeout-minutes'?: number;
  readonly strategy?: {readonly matrix: {readonly [key: string]: readonly unknown[]}};
  readonly permissions?: {readonly [key: string]: string};
}

interface Workflow {
  readonly permissions: {readonly [key: string]: string};
  readonly jobs: {readonly [name: string]: Job};
}

const workflows = readdirSync(folder).map((name) => {
  const text = readFileSync(join(folder, name), 'utf8');
  return {name, text, workflow: parse(text) as Workflow};
});
const named = (name: string): Workflow =>
  workflows.find((one) => one.name === name)?.workflow ?? expect.fail(`expected workflow ${name}`);
const {scripts} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {scripts: Record<string, string>};

function commandsOf(job: Job | undefined): string {
  return (job?.steps ?? []).map(({run}) => run ?? '').join('\n');
}

describe.each(workflows)('$name', ({text, workflow}) => {
  test('runs only scripts and reads only files that are there', () => {
    const commands = Object.values(workflow.jobs).map(commandsOf).join('\n');
    const called = [...commands.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, script]) => script ?? '');
    expect(called.filter((script) => scripts[script] === undefined)).toEqual([]);
    expect(commands).toMatch(/npm (run|test|audit)/);
  });

  test('may no more than it needs, ends in time, and waits for jobs that exist', () => {
    expect(workflow.permissions).toEqual({contents: 'read'});
    for (const job of Object.values(workflow.jobs)) {
      expect(job['timeout-minutes']).toBeGreaterThan(0);
      for (const needed of [job.needs ?? []].flat()) expect(Object.keys(workflow.jobs)).toContain(needed);
    }
  });

  test('runs actions at a commit, which nobody can move as they can move a tag, and says of which version it is', () => {
    const used = [...text.matchAll(/^ +(?:- )?uses: (.*)$/gm)].map(([, action]) => action ?? '');
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('uses of a matrix only what the matrix has', () => {
    for (const job of Object.values(workflow.jobs)) {
      const used = [...JSON.stringify(job).matchAll(/\$\{\{ matrix\.(\w+) \}\}/g)].map(([, name]) => name ?? '');
      expect(used.filter((name) => job.strategy?.matrix[name] === undefined)).toEqual([]);
    }
    expect(text).not.toContain('\t');
  });
});

test('nothing installs by `npm ci`, which refuses a lock file without the optional binaries of other platforms', () => {
  const action = readFileSync(join(root, '.github/action/test.sh'), 'utf8');
  const used = [action, ...workflows.map(({text}) => text)].flatMap(
    (text) => text.match(/^[^#\n]*npm ci\b.*$/gm) ?? [],
  );
  expect(used).toEqual([]);
});

describe('the release', () => {
  test('tests, builds both architectures with the runtime inside, pushes them as one and signs the digest', () => {
    const {jobs} = named('release.yml');
    expect([jobs['build']?.needs, jobs['push']?.needs, jobs['npm']?.needs]).toEqual(['test', 'build', 'test']);
    expect(commandsOf(jobs['test'])).toContain('npm test');
    expect(jobs['build']?.strategy?.matrix['arch']).toEqual(['amd64', 'arm64']);
    expect(commandsOf(jobs['build'])).toContain('--embed-runtime-image-tarball runtime-${{ matrix.arch }}.tar');
    const push = commandsOf(jobs['push']);
    expect(push).toContain('--package-files function-tether-amd64.xpkg,function-tether-arm64.xpkg');
    expect(push).toMatch(/cosign sign --yes --recursive "\$\{XPKG@L\}@\$digest"/);
    expect(jobs['push']?.permissions).toEqual({contents: 'read', packages: 'write', 'id-token': 'write'});
  });

  test('gives the image only arguments that the Dockerfile has', () => {
    const build = named('release.yml').jobs['build']?.steps.find(({uses}) => uses?.startsWith('docker/build-push'));
    const given = String(build?.with?.['build-args']).match(/^\w+(?==)/gm);
    const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
    expect(given).toEqual([...dockerfile.matchAll(/^ARG (\w+)/gm)].map(([, name]) => name));
  });
});

test('an exploration on several machines: the shares are those of the matrix, and the whole is of the same search', () => {
  const {jobs} = named('explore.yml');
  const shards = jobs['part']?.strategy?.matrix['shard'] ?? [];
  expect(shards).toEqual(shards.map((_, index) => index));
  const searched = (name: string, flags: string): string => {
    const command = commandsOf(jobs[name]).match(/explore .*/)?.[0] ?? '';
    expect(command).toContain(flags);
    return command.replace(flags, '').trim();
  };
  const share = searched('part', `--shard \${{ matrix.shard }}/${shards.length} --parts parts`);
  expect(searched('whole', '--merge parts')).toBe(share);
  expect(jobs['whole']?.strategy?.matrix['story']).toEqual(jobs['part']?.strategy?.matrix['story']);
});
