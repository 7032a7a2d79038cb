// `npm run differential`: random stories told to the real thing and to the simulated one, and where they part.

import {accessSync, constants} from 'node:fs';
import {delimiter, dirname, join} from 'node:path';
import {complain} from '../../src/cli/complain.ts';
import {optionsOf, positive} from '../../src/cli/options.ts';
import {type CommandLine, on, one, text, texts} from '../../src/command-line/option-table.ts';
import {InputError} from '../../src/harness/input/input-error.ts';
import {differenceText} from './difference.ts';
import {randomKinds, writeRecording} from './recordings.ts';
import type {RenderStory} from './render-outcome.ts';
import {renderSuite} from './render-suite.ts';
import {openCrossplaneRender} from './render-theirs.ts';
import {compareScenarios} from './scenario-suite.ts';
import {type Suite, search} from './search.ts';
import {nativeSuite, serverSuite} from './server-suite.ts';
import {openApiServer} from './server-theirs.ts';

const line = {
  program: 'npm run',
  name: 'differential --',
  takes: '',
  does: 'tells random stories to the real thing and to the simulated one, and says where they part.',
  options: {
    render: text('PATH', 'a crossplane server binary: one reconcile each, by `crossplane internal render`'),
    apiserver: text('PATH', 'an apiextensions-apiserver binary: sequences of writes to custom resources'),
    'kube-apiserver': text(
      'PATH',
      "a kube-apiserver binary: sequences of writes to Kubernetes' own kinds, and to custom resources without --apiserver",
    ),
    etcd: text('PATH', 'for the apiservers; beside it, or on PATH, where not given'),
    scenario: texts(
      'FILE',
      'with --render, in the place of random stories: every reconcile of this scenario; may be repeated',
    ),
    runs: one('N', 'how many stories of each (1000)', positive),
    seed: one('N', 'which (1); the same seed is the same stories', positive),
    finds: one('N', 'end after so many different finds (5)', positive),
    save: on('write each find, or one reconcile of each phase, as a recording below test/recordings/differential'),
  },
  example: 'npm run differential -- --render crossplane --runs 100',
  exitCodes: '0 no difference, 1 the tool failed, 2 bad input or a binary is missing, 3 differences.',
} satisfies CommandLine;

/** A story of a render costs a process. */
const shrinksMax = {render: 120, server: 800, native: 800};

interface Args {
  readonly render: string | undefined;
  readonly apiserver: string | undefined;
  readonly kubeApiserver: string | undefined;
  readonly etcd: string;
  readonly scenarios: readonly string[];
  readonly runs: number;
  readonly seed: number;
  readonly finds: number;
  readonly save: boolean;
}

/** Answers the exit code. */
export async function differential(argv: readonly string[]): Promise<number> {
  try {
    const args = parseArgs(argv);
    if (args === undefined) return 0;
    const found = (await renders(args)) + (await sequences(args)) + (await nativeWrites(args));
    return found === 0 ? 0 : 3;
  } catch (error) {
    return complain('differential', error);
  }
}

function parseArgs(argv: readonly string[]): Args | undefined {
  const given = optionsOf(line, argv);
  if (given === undefined) return undefined;
  const {values} = given;
  const kubeApiserver = values['kube-apiserver'];
  const anyServer = values.apiserver ?? kubeApiserver;
  if (values.render === undefined && anyServer === undefined) {
    throw new InputError(
      'nothing to compare with: give --render PATH (a crossplane binary), --apiserver PATH (an apiextensions-apiserver binary) or --kube-apiserver PATH; CONTRIBUTING.md says where they come from',
    );
  }
  if (values.scenario.length > 0 && values.render === undefined) {
    throw new InputError('--scenario needs --render PATH: there is nothing else to compare its reconciles with');
  }
  for (const name of ['render', 'apiserver', 'kube-apiserver', 'etcd'] as const) {
    const path = values[name];
    if (path !== undefined && !isProgram(path)) throw new InputError(`--${name} must be a program, got "${path}"`);
  }
  return {
    render: values.render,
    apiserver: values.apiserver,
    kubeApiserver,
    etcd: anyServer === undefined ? '' : (values.etcd ?? etcdFor(anyServer)),
    scenarios: values.scenario,
    runs: values.runs ?? 1000,
    seed: values.seed ?? 1,
    finds: values.finds ?? 5,
    save: values.save,
  };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function etcdFor(apiserver: string): string {
  const folders = [dirname(apiserver), ...(process.env['PATH'] ?? '').split(delimiter)];
  const found = folders.map((folder) => join(folder, 'etcd')).find(isProgram);
  if (found === undefined)
    throw new InputError('the apiserver needs an etcd, and there is none beside it or on PATH: give --etcd PATH');
  return found;
}

async function renders(args: Args): Promise<number> {
  if (args.render === undefined) return 0;
  const theirs = await openCrossplaneRender(args.render);
  try {
    if (args.scenarios.length > 0) return await compareScenarios(theirs, args.scenarios, args.save);
    const record = async (story: RenderStory) => ({story, outcome: await theirs.render(story)});
    return await tellAll('render', renderSuite(theirs), args, record);
  } finally {
    theirs.close();
  }
}

async function sequences(args: Args): Promise<number> {
  // A whole kube-apiserver serves custom resources, too.
  const apiserver = args.apiserver ?? args.kubeApiserver;
  if (apiserver === undefined) return 0;
  const server = await openApiServer({
    apiserver,
    etcd: args.etcd,
    ...(args.apiserver === undefined ? {native: true} : {}),
  });
  try {
    const suite = await serverSuite(server, randomKinds(), {seed: args.seed});
    return await tellAll('server', suite, args, suite.recording);
  } finally {
    await server.close();
  }
}

async function nativeWrites(args: Args): Promise<number> {
  if (args.kubeApiserver === undefined) return 0;
  const server = await openApiServer({apiserver: args.kubeApiserver, etcd: args.etcd, native: true});
  try {
    const suite = nativeSuite(server);
    return await tellAll('native', suite, args, suite.recording);
  } finally {
    await server.close();
  }
}

async function tellAll<Story>(
  kind: 'render' | 'server' | 'native',
  suite: Suite<Story>,
  {runs, seed, finds, save}: Args,
  record: (story: Story) => Promise<unknown>,
): Promise<number> {
  const started = performance.now();
  const searched = await search(suite, {seed, runs, findsMax: finds, shrinksMax: shrinksMax[kind]}, async (find) => {
    console.log(`${kind}: seed ${find.seed}: ${differenceText(find.difference)}`);
    console.log(JSON.stringify(find.story));
    if (save) console.log(`written: ${writeRecording(kind, `seed-${find.seed}`, await record(find.story))}`);
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  const known = suite.known.size === 0 ? '' : `, ${suite.known.size} known causes left alone`;
  console.log(
    `${kind}: ${searched.runs} stories from seed ${seed}, ${searched.finds.length} differ${known}, ${seconds} s`,
  );
  return searched.finds.length;
}

if (import.meta.main) process.exitCode = await differential(process.argv.slice(2));
