// The function as Crossplane meets it, called by grpc-go, which Crossplane is written with: who calls decides on windows and
// framing, so its figures are others than those of edge.ts, whose callers are of Node.
//
// `npm run bench:grpc-go -- [SECONDS]`, with Go on PATH: it builds the client and the Go function of the folder grpc-go beside
// this file, whose modules come from Go's module proxy. Seconds for each server in each table, default 6. All ratios are to "grpc-js",
// a server of grpc-js as it comes, which copies the desired state and looks at nothing. "go no-op" is a function of function-sdk-go that
// changes nothing. Each server may use every core.

import {type ChildProcessByStdio, spawn, spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import type {Readable, Writable} from 'node:stream';
import {callersOf, callsPerTurnMin, measure, report, sizes, type Turn, turnMs} from './edge.ts';
import {bundled, imageFlags, type Program, startOther, startProgram} from './program.ts';
import {asGoSends, benchRequest, benchRequestWithPolicy} from './request.ts';

const flags = ['--insecure', '--address=127.0.0.1:0', '--max-recv-message-size=64', '--workers=1'];
const seconds = Number(process.argv[2] ?? 6);

function buildGo(folder: string): void {
  const source = new URL('./grpc-go/', import.meta.url).pathname;
  const {status, error} = spawnSync('go', ['build', '-C', source, '-o', `${folder}/`, './client', './noop'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status === 0) return;
  console.error(`cannot build the Go programs: ${error?.message ?? `go build exited with ${status}`}`);
  process.exit(1);
}

/** A process of grpc-go that has these requests to send. */
class Client {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;

  constructor(folder: string, requests: readonly Uint8Array[]) {
    const files = requests.map((request, index) => {
      const file = join(folder, `request-${index}`);
      writeFileSync(file, request);
      return file;
    });
    this.#process = spawn(join(folder, 'client'), files, {stdio: ['pipe', 'pipe', 'inherit']});
    this.#lines = createInterface({input: this.#process.stdout})[Symbol.asyncIterator]();
  }

  async turn({name, port}: Program, callers: number): Promise<Turn> {
    this.#process.stdin.write(`127.0.0.1:${port} ${callers} ${turnMs} ${callsPerTurnMin}\n`);
    const {value, done} = await this.#lines.next();
    if (done) throw new Error(`the client ended while it called ${name}`);
    const {callsNs, turnNs} = JSON.parse(value) as {readonly callsNs: readonly number[]; readonly turnNs: number};
    return {timesMs: callsNs.map((ns) => ns / 1e6), elapsedMs: turnNs / 1e6};
  }

  stop(): void {
    this.#process.stdin.end();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'tether-bench-go-'));
process.on('exit', () => rmSync(folder, {recursive: true, force: true}));
buildGo(folder);
const {files, remove} = await bundled({floor: 'test/bench/floor.ts', tether: 'src/function/image.ts'});
console.log(`called by grpc-go, node ${imageFlags().join(' ')}; ${seconds} s for each server in each table`);
for (const n of sizes) {
  for (const callers of callersOf) {
    for (const [title, make] of [
      ['no input', benchRequest],
      ['whole policy', benchRequestWithPolicy],
    ] as const) {
      const requests = asGoSends(make(n));
      const bytes = requests[0]?.length ?? 0;
      const client = new Client(folder, requests);
      // New ones for each table: memory and the compiler's state are those of this load alone.
      const programs = [
        await startProgram('grpc-js', files.floor, ['grpc-js']),
        await startProgram('own floor', files.floor, ['server']),
        await startProgram('tether', files.tether, flags),
        await startOther('go no-op', join(folder, 'noop')),
      ];
      console.log(`\nn = ${n}, ${title}, request ${(bytes / 1024).toFixed(0)} KiB, callers: ${callers}`);
      report(await measure(programs, (program) => client.turn(program, callers), bytes, seconds));
      client.stop();
      for (const program of programs) await program.stop();
    }
  }
}
remove();
