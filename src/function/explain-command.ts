// `tether explain`: what the function would decide about a request, without a server.

import {readFileSync} from 'node:fs';
import {parseArgs} from 'node:util';
import {encodeRequest} from '../wire/request-encode.ts';
import {WireError} from '../wire/wire-error.ts';
import {explain, renderExplanation} from './explain.ts';
import {parseRequestJson} from './request-json.ts';

const help = `Usage: tether explain [flags] REQUEST

Prints what function-tether decides about every composed resource of a RunFunctionRequest, and why.
REQUEST is a file with the request as JSON or as protobuf bytes, or - for standard input.

  --output, -o FORMAT   text or json (default text)
  --help, -h            show this text
`;

/** Runs the command. Resolves to the exit code: 0 if the request is planned, 2 if it or the command line is refused. */
export function explainCommand(argv: readonly string[]): number {
  const args = readArgs(argv);
  if (typeof args === 'string') return complain(args);
  if (args.help) {
    process.stdout.write(help);
    return 0;
  }
  const request = readRequest(args.file);
  if (typeof request === 'string') return complain(request);
  const explanation = explain(request);
  process.stdout.write(
    args.output === 'json' ? `${JSON.stringify(explanation, undefined, 2)}\n` : renderExplanation(explanation),
  );
  return explanation.refused === undefined ? 0 : 2;
}

function complain(sentence: string): number {
  process.stderr.write(`${sentence}\n`);
  return 2;
}

// The arguments, or what is wrong with them.
function readArgs(argv: readonly string[]) {
  const options = {
    output: {type: 'string', short: 'o', default: 'text'},
    help: {type: 'boolean', short: 'h', default: false},
  } as const;
  try {
    const {values, positionals} = parseArgs({args: [...argv], options, strict: true, allowPositionals: true});
    const {help, output} = values;
    if (!help && output !== 'text' && output !== 'json') {
      return `cannot use --output: expected "text" or "json", got ${JSON.stringify(output)}`;
    }
    const [file = ''] = positionals;
    if (!help && (positionals.length !== 1 || file === '')) {
      return `cannot explain: expected one REQUEST, got ${positionals.length}; see tether explain --help`;
    }
    return {help, output, file};
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split(/\. |\n/);
    return `cannot read flags: ${sentence.replace(/^./, (first) => first.toLowerCase())}; see tether explain --help`;
  }
}

// The bytes of the request, or why there are none. JSON begins with a brace; no RunFunctionRequest does: as a tag it would
// be field 15, which is none.
function readRequest(file: string): Uint8Array | string {
  const name = JSON.stringify(file);
  let bytes: Buffer;
  try {
    bytes = readFileSync(file === '-' ? 0 : file);
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    return `cannot read request ${name}: ${code === 'ENOENT' ? 'it does not exist' : code}`;
  }
  if (!/^\s*\{/.test(bytes.toString('latin1', 0, 100))) return bytes;
  const body = parseRequestJson(bytes.toString('utf8'));
  if ('kind' in body) return `cannot read request ${name}: ${body.sentence}`;
  try {
    return encodeRequest(body);
  } catch (error) {
    if (error instanceof WireError) return `cannot read request ${name}: ${error.message}`;
    throw error;
  }
}
