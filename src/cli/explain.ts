// `tether explain`: what the function would decide about a request, without a server, or what it decided in the last
// reconcile of every XR of a scenario.

import {readFileSync} from 'node:fs';
import {type CommandLine, text} from '../command-line/option-table.ts';
import {type Explanation, explain, renderExplanation} from '../function/explain.ts';
import {readMemoryKeys} from '../function/memory-key.ts';
import {parseRequestJson} from '../function/request-json.ts';
import type {RunOptions} from '../function/run.ts';
import {encodeRequest} from '../wire/request-encode.ts';
import {WireError} from '../wire/wire-error.ts';
import {optionsOf} from './options.ts';

/** What the control plane of a scenario asked. Nothing here can run one: whoever starts the command says how. */
export interface ScenarioRun {
  readonly kind: 'requests';
  readonly scenario: string;
  readonly crossplane: string;
  readonly variant: string;
  /** RunFunctionRequests in the order they were made. */
  readonly requests: readonly Uint8Array[];
  /** Keys that function-tether had there, none if it had none. */
  readonly memoryKeys?: readonly string[];
  /** Expectations that did not come true, a sentence each. */
  readonly failures: readonly string[];
}

/** Runs a scenario, or says in one sentence why it cannot. */
export type RunScenario = (wanted: {
  readonly file: string;
  readonly crossplane: string | undefined;
  readonly variant: string | undefined;
}) => Promise<ScenarioRun | Refused>;

export const explainLine = {
  name: 'explain',
  takes: 'REQUEST|SCENARIO.yaml',
  does: 'prints what function-tether decides about every composed resource of a RunFunctionRequest, and why. REQUEST is a file with the request as JSON or as protobuf bytes, or - for standard input. A SCENARIO is run, and the last request about every XR is explained.',
  options: {
    output: text('FORMAT', 'text or json (default text)', {short: 'o'}),
    crossplane: text('VERSION', 'of a scenario: on this version (default the last it names)'),
    variant: text(
      'NAME',
      'of a scenario: the variant whose name contains NAME (default the first with function-tether)',
    ),
    'memory-key-file': text('FILE', 'of a request: keys of remembered external names, as tether serve is given them'),
  },
  example: 'tether explain examples/restore-orphan/scenario.yaml',
  exitCodes: '0 explained, 2 bad input, 3 an expectation of the scenario failed.',
} satisfies CommandLine;

/**
 * Runs the command. Resolves to the exit code: 0 if the request is planned, 2 if it or the command line is refused, 3 if an
 * expectation of the scenario did not come true.
 */
export async function explainCommand(argv: readonly string[], runScenario?: RunScenario): Promise<number> {
  const args = readArgs(argv);
  if (args === undefined) return 0;
  if (args.kind === 'refused') return complain(args.sentence);
  if (isScenario(args.file)) return explainScenario(args, runScenario);
  const keys = args.memoryKeyFile === undefined ? undefined : readMemoryKeys(args.memoryKeyFile);
  if (keys?.kind === 'invalid-keys') return complain(keys.sentence);
  const read = readRequest(args.file);
  if (read.kind === 'refused') return complain(read.sentence);
  const explanation = explain(read.request, optionsWith(keys?.keys));
  print(args.output === 'json' ? explanation : renderExplanation(explanation));
  return explanation.refused === undefined ? 0 : 2;
}

/** What cannot be done, in a sentence. */
interface Refused {
  readonly kind: 'refused';
  readonly sentence: string;
}

interface Args {
  readonly kind: 'args';
  readonly output: string;
  readonly file: string;
  readonly crossplane: string | undefined;
  readonly variant: string | undefined;
  readonly memoryKeyFile: string | undefined;
}

function optionsWith(memoryKeys: readonly string[] | undefined): RunOptions {
  return {ttlSeconds: 60, ...(memoryKeys === undefined ? {} : {memoryKeys})};
}

async function explainScenario(args: Args, runScenario: RunScenario | undefined): Promise<number> {
  if (runScenario === undefined) return complain('cannot explain a scenario: this build holds only the function');
  const ran = await runScenario(args);
  if (ran.kind === 'refused') return complain(ran.sentence);
  const {scenario, crossplane, variant, requests, memoryKeys, failures} = ran;
  const last = lastOfEach(requests, optionsWith(memoryKeys));
  if (last.length === 0) return complain(`cannot explain: function-tether was never called in scenario "${scenario}"`);
  if (args.output === 'json') {
    print({scenario, crossplane, variant, failures, last});
  } else {
    const where = `Crossplane ${crossplane}${variant === '' ? '' : `, ${variant}`}`;
    print(
      last
        .map((each) => `${scenario} (${where}), the last of ${each.calls} calls:\n${renderExplanation(each)}`)
        .join('\n'),
    );
  }
  for (const failure of failures) process.stderr.write(`${failure}\n`);
  return failures.length === 0 ? 0 : 3;
}

/** The explanation of the last request about every XR, with how many there were, in the order the XRs came. */
function lastOfEach(requests: readonly Uint8Array[], options: RunOptions): (Explanation & {readonly calls: number})[] {
  const byXr = new Map<string, {request: Uint8Array; calls: number}>();
  for (const request of requests) {
    const {apiVersion, kind, namespace, name} = explain(request).xr;
    const key = JSON.stringify([apiVersion, kind, namespace, name]);
    byXr.set(key, {request, calls: (byXr.get(key)?.calls ?? 0) + 1});
  }
  return [...byXr.values()].map(({request, calls}) => ({calls, ...explain(request, options)}));
}

function isScenario(file: string): boolean {
  return /\.ya?ml$/.test(file);
}

function print(output: string | object): void {
  process.stdout.write(typeof output === 'string' ? output : `${JSON.stringify(output, undefined, 2)}\n`);
}

function refused(sentence: string): Refused {
  return {kind: 'refused', sentence};
}

function complain(sentence: string): number {
  process.stderr.write(`${sentence}\n`);
  return 2;
}

/** The arguments, or what is wrong with them; undefined where help was asked for. */
function readArgs(argv: readonly string[]): Args | Refused | undefined {
  let given: ReturnType<typeof optionsOf<(typeof explainLine)['options']>>;
  try {
    given = optionsOf(explainLine, argv);
  } catch (error) {
    return refused((error as Error).message);
  }
  if (given === undefined) return undefined;
  const {values, files} = given;
  const {output = 'text', crossplane, variant, 'memory-key-file': memoryKeyFile} = values;
  const [file = ''] = files;
  if (output !== 'text' && output !== 'json') {
    return refused(`cannot use --output: expected "text" or "json", got ${JSON.stringify(output)}`);
  }
  if (files.length !== 1 || file === '') {
    return refused(`cannot explain: expected one REQUEST or SCENARIO, got ${files.length}; see tether explain --help`);
  }
  const flag = crossplane !== undefined ? '--crossplane' : variant !== undefined ? '--variant' : undefined;
  if (flag !== undefined && !isScenario(file)) {
    return refused(`cannot use ${flag}: expected a SCENARIO.yaml, got ${JSON.stringify(file)}`);
  }
  if (memoryKeyFile !== undefined && isScenario(file)) {
    return refused(
      `cannot use --memory-key-file: expected a REQUEST, got ${JSON.stringify(file)}, which runs with a key of its own`,
    );
  }
  return {kind: 'args', output, file, crossplane, variant, memoryKeyFile};
}

const readCauses: {readonly [code: string]: string} = {
  ENOENT: 'it does not exist',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
};

// The bytes of the request, or why there are none. JSON begins with a brace; no RunFunctionRequest does: as a tag it would
// be field 15, which is none.
function readRequest(file: string): {readonly kind: 'request'; readonly request: Uint8Array} | Refused {
  const name = JSON.stringify(file);
  let bytes: Buffer;
  try {
    bytes = readFileSync(file === '-' ? 0 : file);
  } catch (error) {
    const {code = ''} = error as NodeJS.ErrnoException;
    return refused(`cannot read request ${name}: ${readCauses[code] ?? code}`);
  }
  // Protobuf has no shorter message than none, so an empty file would be the request of an Operation that wants nothing.
  if (bytes.length === 0) return refused(`cannot read request ${name}: expected JSON or protobuf, got nothing`);
  if (!/^\s*\{/.test(bytes.toString('latin1', 0, 100))) return {kind: 'request', request: bytes};
  const read = parseRequestJson(bytes.toString('utf8'));
  if (read.kind === 'invalid-request') return refused(`cannot read request ${name}: ${read.sentence}`);
  try {
    return {kind: 'request', request: encodeRequest(read.body)};
  } catch (error) {
    if (error instanceof WireError) return refused(`cannot read request ${name}: ${error.message}`);
    throw error;
  }
}
