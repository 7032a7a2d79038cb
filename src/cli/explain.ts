// `tether explain`: what the function would decide about a request, without a server, or what it decided in the last
// reconcile of every XR of a scenario.

import {readFileSync} from 'node:fs';
import {type CommandLine, one, text, type Values} from '../command-line/option-table.ts';
import {textTable} from '../command-line/tables.ts';
import {type Explanation, explain} from '../function/explain.ts';
import {readMemoryKeys} from '../function/memory-key.ts';
import type {RunOptions} from '../function/run.ts';
import type {Builtins} from '../harness/functions/builtin.ts';
import {fileProblem} from '../harness/input/file-problem.ts';
import {InputError} from '../harness/input/input-error.ts';
import {encodeRequest} from '../wire/request-encode.ts';
import {WireError} from '../wire/text.ts';
import {type CommandContext, command} from './command.ts';
import {oneOf} from './options.ts';
import {print, printAside} from './print.ts';
import {parseRequestJson} from './request-json.ts';

export const explainLine = {
  name: 'explain',
  takes: 'REQUEST|SCENARIO.yaml',
  does: 'prints what function-tether decides about every composed resource of a RunFunctionRequest, and why. REQUEST is a file with the request as JSON or as protobuf bytes, or - for standard input. A SCENARIO is run, and the last request about every XR is explained.',
  options: {
    output: one('FORMAT', 'text or json (default text)', oneOf('text', 'json'), {short: 'o'}),
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

export const explainCommand = command(explainLine, async ({values, files}, {functions}: CommandContext) => {
  const [file = ''] = files;
  checkValues(values, file);
  if (isScenario(file)) return explainScenario(file, values, functions);
  const keyFile = values['memory-key-file'];
  const keys = keyFile === undefined ? undefined : readMemoryKeys(keyFile);
  if (keys?.kind === 'invalid-keys') throw new InputError(keys.sentence);
  const explanation = explain(readRequest(file), optionsWith(keys?.keys));
  print(
    values.output === 'json' ? JSON.stringify(explanation, undefined, 2) : renderExplanation(explanation).trimEnd(),
  );
  return explanation.refused === undefined ? 0 : 2;
});

type ExplainValues = Values<(typeof explainLine)['options']>;

function optionsWith(memoryKeys: readonly string[] | undefined): RunOptions {
  return {...(memoryKeys === undefined ? {} : {memoryKeys})};
}

/** Runs the scenario with the key that function-tether has there. */
async function explainScenario(file: string, values: ExplainValues, functions: Builtins): Promise<number> {
  const [{scenarioRequests}, {harnessMemoryKey}] = await Promise.all([
    import('../harness/scenario/requests.ts'),
    import('../harness/functions/memory-key.ts'),
  ]);
  const {crossplane: wanted, variant: named} = values;
  const asked = {file, crossplane: wanted, variant: named, functionName: 'function-tether'};
  const {scenario, crossplane, variant, requests, failures} = await scenarioRequests(asked, functions);
  const last = lastOfEach(requests, optionsWith([harnessMemoryKey]));
  if (last.length === 0) {
    throw new InputError(`cannot explain: function-tether was never called in scenario "${scenario}"`);
  }
  if (values.output === 'json') {
    print(JSON.stringify({scenario, crossplane, variant, failures, last}, undefined, 2));
  } else {
    const where = `Crossplane ${crossplane}${variant === '' ? '' : `, ${variant}`}`;
    print(
      last
        .map((each) => `${scenario} (${where}), the last of ${each.calls} calls:\n${renderExplanation(each)}`)
        .join('\n')
        .trimEnd(),
    );
  }
  for (const failure of failures) printAside(failure);
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

/** Throws InputError for options that do not go together. */
function checkValues(values: ExplainValues, file: string): void {
  const {crossplane, variant, 'memory-key-file': memoryKeyFile} = values;
  const flag = crossplane !== undefined ? '--crossplane' : variant !== undefined ? '--variant' : undefined;
  if (flag !== undefined && !isScenario(file)) {
    throw new InputError(`cannot use ${flag}: expected a SCENARIO.yaml, got ${JSON.stringify(file)}`);
  }
  if (memoryKeyFile !== undefined && isScenario(file)) {
    throw new InputError(
      `cannot use --memory-key-file: expected a REQUEST, got ${JSON.stringify(file)}, which runs with a key of its own`,
    );
  }
}

/**
 * The bytes of the request. JSON begins with a brace; no RunFunctionRequest does: as a tag it would be field 15, which is
 * none. Throws InputError.
 */
function readRequest(file: string): Uint8Array {
  const refused = (why: string) => new InputError(`cannot read request ${JSON.stringify(file)}: ${why}`);
  let bytes: Buffer;
  try {
    bytes = readFileSync(file === '-' ? 0 : file);
  } catch (error) {
    throw refused(fileProblem(error));
  }
  // Protobuf has no shorter message than none, so an empty file would be the request of an Operation that wants nothing.
  if (bytes.length === 0) throw refused('expected JSON or protobuf, got nothing');
  if (!/^\s*\{/.test(bytes.toString('latin1', 0, 100))) return bytes;
  const read = parseRequestJson(bytes.toString('utf8'));
  if (read.kind === 'invalid-request') throw refused(read.sentence);
  try {
    return encodeRequest(read.body);
  } catch (error) {
    throw error instanceof WireError ? refused(error.message) : error;
  }
}

/** The explanation as a table for people. */
export function renderExplanation({xr, refused, condition, resources, requirements}: Explanation): string {
  const name = xr.namespace === '' ? xr.name : `${xr.namespace}/${xr.name}`;
  const lines = [`${xr.kind || (refused === undefined ? 'Operation' : 'unknown XR')} ${name}`.trim()];
  if (refused !== undefined) return [...lines, `refused: ${refused}`, ''].join('\n');
  if (condition !== undefined) lines.push(`Tethered=${condition.status} ${condition.reason}: ${condition.message}`);
  const rows = resources.map((row) => [
    row.resourceName,
    row.object,
    row.observed ? 'yes' : 'no',
    row.desired ? 'yes' : 'no',
    row.reason === '' ? row.decision : `${row.decision} (${row.reason})`,
    row.leaves,
  ]);
  lines.push('', ...textTable(['RESOURCE', 'OBJECT', 'OBSERVED', 'DESIRED', 'DECISION', 'LEAVES'], rows));
  const because = resources.filter(({reason}) => reason !== '').map(({sentence}) => `- ${sentence}`);
  if (because.length > 0) lines.push('', ...because);
  if (requirements.length > 0) lines.push('', `asks for: ${requirements.join(', ')}`);
  return [...lines, ''].join('\n');
}
