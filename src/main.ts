#!/usr/bin/env node
// The `tether` command: the one place that knows both halves. Each command parses its own arguments and answers the exit
// code: 0 fine, 1 the tool failed, 2 the input is bad, 3 an expectation does not hold. A command's half is loaded only when
// it is asked for, so that a serving function starts without the harness.

import {readFileSync} from 'node:fs';
import module from 'node:module';
import {relative} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {CommandContext} from './cli/command.ts';
import type {CommandLine} from './command-line/option-table.ts';
import {alignedRows} from './command-line/tables.ts';
import {nodeProblem} from './node-version.ts';

interface Command {
  readonly summary: string;
  /** Its options, which are read, printed by --help and completed. */
  readonly line: () => Promise<CommandLine>;
  readonly run: (argv: readonly string[]) => Promise<number>;
}

const commands: {readonly [name: string]: Command} = {
  serve: {
    summary: 'serve the composition function over gRPC',
    line: async () => (await import('./function/serve-args.ts')).serveLine,
    run: async (argv) => (await import('./function/serve.ts')).serveCommand(argv, process.env),
  },
  test: {
    summary: 'run scenarios on a simulated control plane and check what they expect',
    line: async () => (await import('./cli/test-options.ts')).testLine,
    run: async (argv) => (await import('./cli/test.ts')).testCommand(argv, await context()),
  },
  audit: {
    summary: 'say what is wrong in a control plane, read from a backup, an export, manifests or a cluster',
    line: async () => (await import('./cli/audit.ts')).auditLine,
    run: async (argv) => (await import('./cli/audit.ts')).auditCommand(argv),
  },
  lint: {
    summary: 'find what a restore or an edit puts at risk in Compositions',
    line: async () => (await import('./cli/lint.ts')).lintLine,
    run: async (argv) => (await import('./cli/lint.ts')).lintCommand(argv, await context()),
  },
  init: {
    summary: 'write a scenario for a configuration: create, edit, remove, lose, restore, delete',
    line: async () => (await import('./cli/init.ts')).initLine,
    run: async (argv) => (await import('./cli/init.ts')).initCommand(argv, await context()),
  },
  stories: {
    summary: 'run every known bug on every Crossplane version, without function-tether and with it',
    line: async () => (await import('./cli/stories.ts')).storiesLine,
    run: async (argv) => (await import('./cli/stories.ts')).storiesCommand(argv, await context()),
  },
  explore: {
    summary: 'search all that a scenario can lead to: interleavings, faults, moves of the operator',
    line: async () => (await import('./cli/explore-options.ts')).exploreLine,
    run: async (argv) => (await import('./cli/explore.ts')).exploreCommand(argv, await context()),
  },
  'never-worse': {
    summary: 'run random stories with function-tether and without it: none may end worse with it',
    line: async () => (await import('./cli/never-worse.ts')).neverWorseLine,
    run: async (argv) => (await import('./cli/never-worse.ts')).neverWorseCommand(argv, await context()),
  },
  rehearse: {
    summary: 'say what a restore, an edit, an upgrade or a deletion will do to a control plane that you bring',
    line: async () => (await import('./cli/rehearse-options.ts')).rehearseLine,
    run: async (argv) => (await import('./cli/rehearse.ts')).rehearseCommand(argv, await context()),
  },
  dump: {
    summary: 'write the world of a scenario after one of its steps, as a source for audit and rehearse',
    line: async () => (await import('./cli/dump.ts')).dumpLine,
    run: async (argv) => (await import('./cli/dump.ts')).dumpCommand(argv, await context()),
  },
  replay: {
    summary: 'take one path of an exploration again',
    line: async () => (await import('./cli/explore-options.ts')).replayLine,
    run: async (argv) => (await import('./cli/replay.ts')).replayCommand(argv, await context()),
  },
  render: {
    summary: 'print what one reconcile makes of an XR, as `crossplane render` does, without Docker',
    line: async () => (await import('./cli/render-options.ts')).renderLine,
    run: async (argv) => (await import('./cli/render.ts')).renderCommand(argv, await context()),
  },
  explain: {
    summary: 'print what the function decides about a request, or in the last reconcile of a scenario, and why',
    line: async () => (await import('./cli/explain.ts')).explainLine,
    run: async (argv) => (await import('./cli/explain.ts')).explainCommand(argv, await context()),
  },
  completion: {
    summary: 'print a script that completes commands, flags and files in bash, zsh or fish',
    line: async () => (await import('./cli/completion.ts')).completionLine,
    run: completion,
  },
};

/** Beside this module's folder in a clone, and in the package that is installed. */
const packageFolder = new URL('../', import.meta.url);

// A reader that stops, as `head` does, is no failure: the run goes on, and its exit code and its reports stay true.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

const [name, ...argv] = process.argv.slice(2);
const problem = nodeProblem(process.versions.node);
if (problem !== undefined) console.error(`tether: ${problem}`);
process.exitCode = problem === undefined ? await main(name, argv) : 1;

async function main(name: string | undefined, argv: readonly string[]): Promise<number> {
  if (name === 'help' && argv[0] !== undefined) return main(argv[0], ['--help']);
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    console.log(usage());
    return name === undefined ? 2 : 0;
  }
  if (name === '--version' || name === '-v' || name === 'version') {
    console.log(version());
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) return unknown('command', name, Object.keys(commands));
  if (name !== 'serve') keepCompiled();
  if (!argv.includes('--help') && !argv.includes('-h')) return command.run(argv);
  const {helpText} = await import('./command-line/option-table.ts');
  console.log(helpText(await command.line()));
  return 0;
}

/**
 * Half of a short run is Node reading the sources, so the compiled code is cached beside the packages. Only someone who could
 * change the sources, too, can write there. A failing write is ignored. A serving function writes nothing.
 */
function keepCompiled(): void {
  module.enableCompileCache(fileURLToPath(new URL('node_modules/.cache/function-tether', packageFolder)));
}

async function unknown(what: string, name: string, known: readonly string[]): Promise<number> {
  const {nearest} = await import('./harness/input/cursor.ts');
  const near = nearest(name, known);
  const advice = near === undefined ? `expected one of ${known.join(', ')}` : `did you mean "${near}"?`;
  console.error(`tether: ${name === '' ? `no ${what}` : `unknown ${what} "${name}"`}: ${advice}`);
  return 2;
}

async function completion([name = '']: readonly string[]): Promise<number> {
  const {completionScript, shells} = await import('./cli/completion.ts');
  const shell = shells.find((known) => known === name);
  if (shell === undefined) return unknown('shell', name, shells);
  const described = Object.values(commands).map(async ({summary, line}) => ({summary, line: await line()}));
  const words = Object.keys(commands);
  const help = {name: 'help', takes: 'COMMAND', words, does: '', options: {}, example: '', exitCodes: ''};
  const all = [...(await Promise.all(described)), {summary: 'tell more of a command', line: help}];
  process.stdout.write(completionScript(shell, all));
  return 0;
}

/** The context of the commands. Functions that run in process: the harness's own, and the one of this package. */
async function context(): Promise<CommandContext> {
  const [{answeringOnce}, {builtins}, {harnessMemoryKey}, {runFunction}, {explain}] = await Promise.all([
    import('./harness/functions/answer-once.ts'),
    import('./harness/functions/builtin.ts'),
    import('./harness/functions/memory-key.ts'),
    import('./function/run.ts'),
    import('./function/explain.ts'),
  ]);
  // Requests are explained as they were answered.
  const options = {memoryKeys: [harnessMemoryKey]};
  return {
    functions: {
      ...builtins,
      'function-tether': answeringOnce((request) => ({ok: true, response: runFunction(request, options)})),
    },
    explain: (request) => {
      const {refused, resources} = explain(request, options);
      if (refused?.startsWith('cannot use input') !== true) return resources;
      return [{resourceName: '', decision: 'refuse', reason: 'invalid-input'}];
    },
    entry: import.meta.url,
    packageFolder: fileURLToPath(packageFolder),
  };
}

function version(): string {
  const {version} = JSON.parse(readFileSync(new URL('package.json', packageFolder), 'utf8')) as {version: string};
  return version;
}

function usage(): string {
  const story = new URL('examples/restore-orphan/every-version/scenario.yaml', packageFolder);
  const lines = alignedRows(Object.entries(commands).map(([command, {summary}]) => [command, summary]));
  return [
    'tether makes removal, restore and deletion order of Crossplane resources safe, and proves it offline.',
    '',
    'usage: tether COMMAND [ARGUMENT ...]',
    '',
    ...lines.map((line) => `  ${line}`),
    '',
    'tether COMMAND --help tells more of one: what it takes, an example, its exit codes. tether --version is the version.',
    '',
    `Start with: tether test ${relative('', fileURLToPath(story))} --crossplane main --side-by-side`,
  ].join('\n');
}
