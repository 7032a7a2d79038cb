// The command in a process that stays: tether.ts starts it once for each thread of tests. It runs one command after another, each as
// a process of its own would: with its arguments, its folder, its environment. stdout and stderr are files, which tether.ts reads.
// Starting Node and reading the sources is most of the work of a short command.

import {openSync, readSync, rmSync, writeSync} from 'node:fs';
import {dirname} from 'node:path';

const [requests = '', answers = ''] = process.argv.slice(2);
const input = openSync(requests, 'r');
const output = openSync(answers, 'w');
const main = new URL('../../src/main.ts', import.meta.url).href;
// Each run of main.ts listens for errors on both.
for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(0);

for (let turn = 0; ; turn++) {
  const request = readLine();
  if (request === undefined) {
    rmSync(dirname(requests), {recursive: true, force: true});
    process.exit(0);
  }
  const {args, folder, env} = JSON.parse(request) as {args: string[]; folder: string; env: NodeJS.ProcessEnv};
  process.chdir(folder);
  process.argv = [process.execPath, main, ...args];
  process.exitCode = undefined;
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name];
  Object.assign(process.env, env);
  await import(`${main}?${turn}`);
  writeSync(output, `${process.exitCode}\n`);
}

function readLine(): string | undefined {
  const bytes: Buffer[] = [];
  const chunk = Buffer.alloc(65536);
  for (;;) {
    const length = readSync(input, chunk);
    if (length === 0) return undefined;
    bytes.push(Buffer.from(chunk.subarray(0, length)));
    if (chunk[length - 1] === 10) return Buffer.concat(bytes).toString('utf8');
  }
}
