// `npm run field -- --folder CHECKOUTS --functions PROGRAMS`: what init, the first test, audit, rehearse and lint make of
// public configurations. CHECKOUTS holds a clone of each as OWNER+NAME, PROGRAMS a program for each function. Nothing is
// downloaded and nothing is written there: each commit is laid out in a folder of its own, by git.
//
// Each sentence is compared with the one that a person judged. --update keeps a sentence that changed, not judged yet.

import {spawnSync} from 'node:child_process';
import {copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {parseArgs} from 'node:util';
import {
  type CommandName,
  type Configuration,
  commands,
  readConfigurations,
  writeConfigurations,
} from './configurations.ts';
import {auditSentence, initSentence, lintSentence, rehearseSentence, testSentence} from './sentences.ts';
import {fieldTable} from './table.ts';

const main = new URL('../../src/main.ts', import.meta.url).pathname;
const page = new URL('./table.md', import.meta.url);
const patienceMs = 600_000;

const {values} = parseArgs({
  options: {
    folder: {type: 'string'},
    functions: {type: 'string'},
    only: {type: 'string', default: ''},
    update: {type: 'boolean', default: false},
  },
});

if (values.folder === undefined) {
  console.error('npm run field needs --folder CHECKOUTS: a folder with a clone of each configuration, as OWNER+NAME');
  process.exit(2);
}
process.exitCode = run(resolve(values.folder), values.functions && resolve(values.functions), values);

function run(folder: string, programs: string | undefined, {only, update}: {only: string; update: boolean}): number {
  let all = readConfigurations();
  let [changed, absent] = [0, 0];
  for (const one of all.filter((known) => titleOf(known).includes(only))) {
    const laidOut = layOut(join(folder, one.name.replace('/', '+')), one);
    if (laidOut === undefined) {
      absent++;
      console.log(`${titleOf(one)}: not in ${folder}, or not at ${one.commit}`);
      continue;
    }
    try {
      const sentences = sentencesOf(one, laidOut, programs);
      changed += differencesOf(one, sentences);
      all = all.map((known) => (known === one ? {...one, judged: judgedAnew(one, sentences)} : known));
      if (update) writeAll(all);
    } finally {
      rmSync(laidOut, {recursive: true, force: true});
    }
  }
  console.log(`${absent} absent, ${changed} sentences changed`);
  return changed === 0 ? 0 : 3;
}

function writeAll(all: readonly Configuration[]): void {
  writeConfigurations(all);
  writeFileSync(page, fieldTable(all));
}

function differencesOf(one: Configuration, sentences: Sentences): number {
  const differing = commands.filter((name) => sentences[name] !== one.judged[name]?.sentence);
  console.log(`${titleOf(one)}${differing.length === 0 ? ': as judged' : ''}`);
  for (const name of differing) {
    console.log(`  ${name}\n    was ${one.judged[name]?.sentence}\n    is  ${sentences[name]}`);
  }
  return differing.length;
}

function titleOf({name, tag, commit, path, init = []}: Configuration): string {
  return [`${name} ${tag ?? commit.slice(0, 8)}`, path, ...init].filter((word) => word !== undefined).join(' ');
}

type Sentences = {readonly [name in CommandName]: string};

function judgedAnew({judged}: Configuration, sentences: Sentences): Configuration['judged'] {
  return Object.fromEntries(
    commands.map((name) => {
      const known = judged[name];
      const sentence = sentences[name];
      return [name, known?.sentence === sentence ? known : {sentence, verdict: 'not judged yet'}];
    }),
  );
}

/** The manifests of the commit in a new folder; undefined if the checkout does not have it. */
function layOut(checkout: string, {commit, path = ''}: Configuration): string | undefined {
  if (!existsSync(checkout)) return undefined;
  const git = (...args: readonly string[]) => spawnSync('git', ['-C', checkout, ...args], {maxBuffer: 2 ** 30});
  const listed = git('ls-tree', '-r', '-z', '--name-only', `${commit}:${path}`);
  const files = String(listed.stdout)
    .split('\0')
    .filter((file) => /\.(ya?ml|json)$/.test(file));
  if (listed.status !== 0 || files.length === 0) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'tether-field-'));
  const archive = git('archive', '--format=tar', `${commit}:${path}`, '--', ...files);
  const unpacked = archive.status === 0 && spawnSync('tar', ['-x', '-C', folder], {input: archive.stdout}).status === 0;
  if (unpacked) return folder;
  rmSync(folder, {recursive: true, force: true});
  return undefined;
}

function sentencesOf(one: Configuration, folder: string, programs: string | undefined): Sentences {
  const given = one.functions.flatMap((name) => {
    const program = programs === undefined ? undefined : join(programs, name);
    return program !== undefined && existsSync(program) ? ['--function', `${name}=${program}`] : [];
  });
  const audit = auditSentence(tether(['audit', folder, '--json', '-']), folder);
  const lint = lintSentence(tether(['lint', folder, ...given, '--json', '-']), folder);
  const story = mkdtempSync(`${folder}-story-`);
  const scenario = join(story, 'scenario.yaml');
  try {
    const init = initSentence(tether(['init', folder, ...given, ...(one.init ?? []), '--output', scenario]), folder);
    const test = existsSync(scenario) ? testSentence(tether(['test', scenario, '--json', '-']), folder) : 'no scenario';
    // A rehearsal takes its definitions from the source alone.
    const crds = join(story, 'crds.yaml');
    if (existsSync(crds)) copyFileSync(crds, join(folder, 'crds-of-init.yaml'));
    const rehearsal = tether(['rehearse', folder, '--restore', 'velero', ...given, '--json', '-']);
    return {init, test, audit, rehearse: rehearseSentence(rehearsal, folder), lint};
  } finally {
    rmSync(story, {recursive: true, force: true});
  }
}

function tether(args: readonly string[]) {
  const {status, stdout, stderr} = spawnSync(process.execPath, [main, ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    timeout: patienceMs,
  });
  return {code: status, out: stdout, err: stderr};
}
