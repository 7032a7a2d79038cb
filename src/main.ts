#!/usr/bin/env node
// The `tether` command: the one place that knows both halves. Each command parses its own arguments and answers the exit
// code: 0 fine, 1 the tool failed, 2 the input is bad, 3 an expectation does not hold. A command's half is loaded only when
// it is asked for, so that a serving function starts without the harness.
import type {TellScenario} from './function/explain-command.ts';
import type {Builtins} from './harness/functions/builtin.ts';

interface Command {
  readonly summary: string;
  readonly run: (argv: readonly string[]) => Promise<number> | number;
}

const commands: {readonly [name: string]: Command} = {
  serve: {
    summary: 'serve the composition function over gRPC',
    run: async (argv) => (await import('./function/serve.ts')).serveCommand(argv, process.env),
  },
  test: {
    summary: 'tell scenarios on a simulated control plane and check what they expect',
    run: async (argv) => (await import('./harness/test-command.ts')).testCommand(argv, await inProcess()),
  },
  stories: {
    summary: 'tell every known bug on every Crossplane version, without function-tether and with it',
    run: async (argv) => {
      const context = {functions: await inProcess(), entry: import.meta.url};
      return (await import('./harness/stories/command.ts')).storiesCommand(argv, context);
    },
  },
  explore: {
    summary: 'search all that a scenario can lead to: interleavings, faults, moves of the operator',
    run: async (argv) => {
      const context = {functions: await inProcess(), entry: import.meta.url};
      return (await import('./harness/explore/explore-command.ts')).exploreCommand(argv, context);
    },
  },
  replay: {
    summary: 'take one path of an exploration again',
    run: async (argv) =>
      (await import('./harness/explore/replay-command.ts')).replayCommand(argv, {functions: await inProcess()}),
  },
  render: {
    summary: 'print what one reconcile makes of an XR, as `crossplane render` does, without Docker',
    run: async (argv) => (await import('./harness/render/render-command.ts')).renderCommand(argv, await inProcess()),
  },
  explain: {
    summary: 'print what the function decides about a request, or in the last reconcile of a scenario, and why',
    run: async (argv) => {
      const tell: TellScenario = async (wanted) => {
        const {scenarioRequests} = await import('./harness/scenario-requests.ts');
        return scenarioRequests({...wanted, functionName: 'function-tether'}, await inProcess());
      };
      return (await import('./function/explain-command.ts')).explainCommand(argv, tell);
    },
  },
  conformance: {
    summary: 'replay recordings of a real control plane on the simulated one',
    run: async (argv) => (await import('./harness/conformance/command.ts')).conformanceCommand(argv),
  },
};

const [name, ...argv] = process.argv.slice(2);
process.exitCode = await main(name, argv);

async function main(name: string | undefined, argv: readonly string[]): Promise<number> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    console.log(usage());
    return name === undefined ? 2 : 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    console.error(`tether: unknown command "${name}": expected one of ${Object.keys(commands).join(', ')}`);
    return 2;
  }
  return command.run(argv);
}

/** The functions a scenario may run in process: the harness's own, and the one this package is about. */
async function inProcess(): Promise<Builtins> {
  const [{builtins}, {runFunction}] = await Promise.all([
    import('./harness/functions/builtin.ts'),
    import('./function/run.ts'),
  ]);
  return {...builtins, 'function-tether': (request) => ({ok: true, response: runFunction(request)})};
}

function usage(): string {
  const width = Math.max(...Object.keys(commands).map((command) => command.length));
  const lines = Object.entries(commands).map(([command, {summary}]) => `  ${command.padEnd(width)}  ${summary}`);
  return ['usage: tether COMMAND [ARGUMENT ...]', '', ...lines, '', 'tether COMMAND --help tells more of one.'].join(
    '\n',
  );
}
