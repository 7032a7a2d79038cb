// The function as Crossplane meets it: the bundled program as the image starts it, over gRPC on loopback, one connection,
// one caller and four at once, beside the transport floor, in one run. What is asked is not only how long a call takes at
// best, but how long the slowest take, how many there are in a second, and what is collected for them.
//
// "floor" is a server of grpc-js as it comes, and what the ratios are beside. "own floor" is the function's own server that
// looks at nothing, with the wider windows of server.ts: less than the floor.
//
// `node test/bench/edge.ts [SECONDS]`: seconds for each server in each table, default 6. Servers take turns, so that a
// noisy machine is noisy to all of them. "tether" answers in one thread, and V8 collects for it on whichever core is free;
// "1 core" is the same held to one core with all that it does, and "2 workers" beside it is what a second core gives.
// On a machine that does other things, CPU time says more than the clock: "CPU" is that of the whole process, "busiest"
// that of the thread that has most of it, which bounds calls a second where cores are free.

import {type ClientHttp2Session, connect} from 'node:http2';
import {setFlagsFromString} from 'node:v8';
import {type Column, textTable} from '../../src/command-line/tables.ts';
import {bundled, imageFlags, type Program, startProgram, type Usage} from './program.ts';
import {asGoSends, benchRequest, benchRequestWithPolicy} from './request.ts';

export const sizes = [100, 500];
export const callersOf = [1, 4];
export const turnMs = 400;
export const callsPerTurnMin = 4;
// Until the compiler has seen what there is, however long the machine takes for it; and until a function that may has
// started its threads: it looks once a second.
const warmUpMs = 2500;
const warmUpBytes = 200 * 1024 * 1024;
const path = '/apiextensions.fn.proto.v1.FunctionRunnerService/RunFunction';

/** Calls of one program, for a while. */
export interface Turn {
  readonly timesMs: readonly number[];
  readonly elapsedMs: number;
}

interface Measured {
  readonly program: Program;
  readonly timesMs: number[];
  elapsedMs: number;
  before: Usage | undefined;
}

/** Prints the tables. `seconds` is for each server in each table. */
export async function edgeTables(seconds: number): Promise<void> {
  // What the callers receive counts as external memory, and V8 would mark their heap for it on the cores of the servers.
  setFlagsFromString('--heap-growing-percent=400');
  const {files, remove} = await bundled({floor: 'test/bench/floor.ts', tether: 'src/function/image.ts'});
  const flags = ['--insecure', '--address=127.0.0.1:0', '--max-recv-message-size=64'];
  console.log(`\nthe bundled program, node ${imageFlags().join(' ')}; ${seconds} s for each server in each table`);
  for (const [title, make] of [
    ['no input', benchRequest],
    ['whole policy', benchRequestWithPolicy],
  ] as const) {
    for (const n of sizes) {
      const requests = asGoSends(make(n)).map(framed);
      for (const callers of callersOf) {
        // New ones for each table: memory and the compiler's state are those of this load alone.
        const programs = [
          await startProgram('floor', files.floor, ['grpc-js']),
          await startProgram('own floor', files.floor, ['server']),
          await startProgram('tether', files.tether, [...flags, '--workers=1']),
          ...(callers > 1
            ? [
                await startProgram('1 core', files.tether, [...flags, '--workers=1'], 'first'),
                await startProgram('2 workers', files.tether, [...flags, '--workers=2']),
              ]
            : []),
        ];
        console.log(
          `\nn = ${n}, ${title}, request ${((requests[0]?.length ?? 0) / 1024).toFixed(0)} KiB, callers: ${callers}`,
        );
        const sessions = new Map(programs.map((program) => [program, sessionWith(program)]));
        const take = (program: Program) => turn(sessions.get(program) as ClientHttp2Session, requests, callers);
        report(await measure(programs, take, requests[0]?.length ?? 0, seconds));
        for (const session of sessions.values()) session.destroy();
        for (const program of programs) await program.stop();
      }
    }
  }
  remove();
}

function sessionWith({name, port}: Program): ClientHttp2Session {
  const session = connect(`http://127.0.0.1:${port}`, {settings: {initialWindowSize: 8 * 1024 * 1024}});
  session.on('connect', () => session.setLocalWindowSize(16 * 1024 * 1024));
  session.on('error', (error) => console.error(`${name}: ${error.message}`));
  return session;
}

/** Has programs called in turn by `take`, each for so many seconds. */
export async function measure(
  programs: readonly Program[],
  take: (program: Program) => Promise<Turn>,
  requestBytes: number,
  seconds: number,
): Promise<readonly Measured[]> {
  const all = programs.map((program): Measured => ({program, timesMs: [], elapsedMs: 0, before: undefined}));
  for (const {program} of all) {
    const from = performance.now();
    for (let bytes = 0; bytes < warmUpBytes || performance.now() - from < warmUpMs; ) {
      bytes += (await take(program)).timesMs.length * requestBytes;
    }
  }
  for (const each of all) each.before = each.program.usage();
  const until = performance.now() + seconds * 1000 * all.length;
  while (performance.now() < until) {
    for (const each of all) {
      const turned = await take(each.program);
      each.timesMs.push(...turned.timesMs);
      each.elapsedMs += turned.elapsedMs;
    }
  }
  return all;
}

async function turn(session: ClientHttp2Session, requests: readonly Buffer[], callers: number): Promise<Turn> {
  const timesMs: number[] = [];
  const started = performance.now();
  const loop = async () => {
    while (timesMs.length < callsPerTurnMin || performance.now() - started < turnMs) {
      const from = performance.now();
      await call(session, requests[timesMs.length % requests.length] as Buffer);
      timesMs.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({length: callers}, loop));
  return {timesMs, elapsedMs: performance.now() - started};
}

// HTTP/2 as it is: a gRPC library would cost the callers' process as much as the server.
function call(session: ClientHttp2Session, request: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    let bytes = 0;
    let status: unknown;
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    stream.on('trailers', (trailers) => {
      status = trailers['grpc-status'];
    });
    stream.on('end', () => {
      if (status === '0' && bytes > 5) resolve();
      else reject(new Error(`a call ended with the status ${String(status)} and ${bytes} bytes`));
    });
    stream.on('error', reject);
    stream.end(request);
  });
}

function framed(message: Uint8Array): Buffer {
  const frame = Buffer.alloc(5 + message.length);
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, 5);
  return frame;
}

const heads = [
  'calls',
  'p50 ms',
  'p90 ms',
  'p99 ms',
  'req/s',
  'RSS MB',
  'CPU ms',
  'busiest',
  'minor/1000',
  'major/1000',
];
const besideTheFloor = ['p50', 'p99', 'req/s', 'CPU'].map((head) => `${head}/floor`);
const columns = [{head: 'server'}, ...[...heads, ...besideTheFloor].map((head): Column => ({head, isNumber: true}))];

/** Prints a table: a row for each program, and its ratios to the first. */
export function report(all: readonly Measured[]): void {
  const rows = all.map(figures);
  const [floor] = rows;
  const cells = rows.map((row, index) => {
    if (floor === undefined) return [];
    const perCall = [row.cpuMs, row.busiestMs].map((ms) => ms.toFixed(2));
    const collections = [row.scavenges, row.markCompacts].map((count) => count.toFixed(0));
    const ratios = [row.p50 / floor.p50, row.p99 / floor.p99, row.perSecond / floor.perSecond, row.cpuMs / floor.cpuMs];
    return [
      all[index]?.program.name ?? '',
      row.calls,
      ...[row.p50, row.p90, row.p99].map((ms) => ms.toFixed(2)),
      row.perSecond.toFixed(0),
      (row.residentBytes / 1e6).toFixed(0),
      ...perCall,
      ...collections,
      ...ratios.map((ratio) => ratio.toFixed(2)),
    ];
  });
  console.log(textTable(columns, cells).join('\n'));
}

function figures({program, timesMs, elapsedMs, before}: Measured) {
  const sorted = timesMs.toSorted((a, b) => a - b);
  const calls = sorted.length;
  const after = program.usage();
  const since = before ?? after;
  const threads = [...after.threadsCpuMs].map(([id, ms]) => ms - (since.threadsCpuMs.get(id) ?? 0));
  const quantile = (share: number) => sorted[Math.min(calls - 1, Math.floor(calls * share))] ?? Number.NaN;
  return {
    calls,
    p50: quantile(0.5),
    p90: quantile(0.9),
    p99: quantile(0.99),
    perSecond: (calls * 1000) / elapsedMs,
    residentBytes: after.residentBytes,
    cpuMs: (after.cpuMs - since.cpuMs) / calls,
    busiestMs: Math.max(...threads) / calls,
    scavenges: ((after.scavenges - since.scavenges) * 1000) / calls,
    markCompacts: ((after.markCompacts - since.markCompacts) * 1000) / calls,
  };
}

if (import.meta.main) await edgeTables(Number(process.argv[2] ?? 6));
