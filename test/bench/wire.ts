// `npm run bench`. What a RunFunction call costs: our codec and policy beside the transport floor, the TypeScript SDK and proto-loader,
// over gRPC on loopback, one caller, in one run. First without an input (adopt first, order, marks, conditions), then
// with every part of the input in use, which also adds the Usages of a chain of ten resources to the request.
//
// The floor is gRPC itself: bytes in, the desired state's bytes out, without a look at either.
//
// `node test/bench/wire.ts [SECONDS]`: seconds for each table, default 12. Every server gets the same requests and takes
// turns of the same time, so that a noisy machine is noisy to all of them and the fast ones are called often enough for a
// p50. Beside the ratio of the p50s stands the median over the rounds of turns, each server's p50 against the floor's of the
// same round; on a busy machine the CPU time that a call costs the server says more than either.
//
// Then the tables of edge.ts, half the seconds for each of their servers: the bundled program, its slowest calls, four
// callers.

import {type ChildProcessByStdio, spawn} from 'node:child_process';
import {createInterface} from 'node:readline';
import type {Readable, Writable} from 'node:stream';
import {Client, credentials} from '@grpc/grpc-js';
import {type Column, textRow, textTable} from '../../src/command-line/tables.ts';
import {edgeTables} from './edge.ts';
import {imageFlags} from './program.ts';
import {asGoSends, benchRequest, benchRequestWithPolicy, observedExample} from './request.ts';
import {type ServerName, serverNames} from './servers.ts';

const sizes = [10, 100, 500] as const;
const turnMs = 60;
const callsPerTurnMin = 3;
const warmUpShare = 0.3;
const maxBytes = 64 * 1024 * 1024;

interface Usage {
  readonly residentBytes: number;
  readonly cpuMs: number;
}

interface Bench {
  readonly name: ServerName;
  readonly client: Client;
  readonly usage: () => Promise<Usage>;
  readonly stop: () => void;
}

async function start(name: ServerName): Promise<Bench> {
  const script = new URL('./servers.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [...imageFlags(), script, name], {stdio: ['pipe', 'pipe', 'inherit']});
  const lines = linesOf(child);
  const port = await lines();
  const options = {'grpc.max_receive_message_length': maxBytes, 'grpc.max_send_message_length': maxBytes};
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), options);
  return {
    name,
    client,
    usage: async () => {
      child.stdin.write('usage\n');
      const [residentBytes = 0, cpuMicros = 0] = (await lines()).split(' ').map(Number);
      return {residentBytes, cpuMs: cpuMicros / 1000};
    },
    stop: () => {
      client.close();
      child.stdin.end();
    },
  };
}

function linesOf(child: ChildProcessByStdio<Writable, Readable, null>): () => Promise<string> {
  const iterator = createInterface({input: child.stdout})[Symbol.asyncIterator]();
  return async () => {
    const {value, done} = await iterator.next();
    if (done) throw new Error('a bench server ended before it answered');
    return value;
  };
}

function call(client: Client, request: Buffer): Promise<Buffer> {
  const path = '/apiextensions.fn.proto.v1.FunctionRunnerService/RunFunction';
  const same = (bytes: Buffer) => bytes;
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(path, same, same, request, (error, response) => {
      if (error === null && response !== undefined) resolve(response);
      else reject(error ?? new Error('an answer without a message'));
    });
  });
}

interface Measured {
  readonly bench: Bench;
  /** Of every call after the warm-up, by round. */
  readonly rounds: (readonly number[])[];
  cpuBeforeMs: number;
}

async function measure(requests: readonly Buffer[]): Promise<readonly Measured[]> {
  const measured = benches.map((bench): Measured => ({bench, rounds: [], cpuBeforeMs: 0}));
  const started = performance.now();
  let warm = false;
  for (;;) {
    const elapsed = (performance.now() - started) / 1000;
    if (elapsed > seconds) return measured;
    if (!warm && elapsed > seconds * warmUpShare) {
      warm = true;
      for (const each of measured) each.cpuBeforeMs = (await each.bench.usage()).cpuMs;
    }
    for (const {bench, rounds} of measured) {
      const timesMs = await turn(bench.client, requests);
      if (warm) rounds.push(timesMs);
    }
  }
}

async function turn(client: Client, requests: readonly Buffer[]): Promise<readonly number[]> {
  const timesMs: number[] = [];
  const started = performance.now();
  while (timesMs.length < callsPerTurnMin || performance.now() - started < turnMs) {
    const from = performance.now();
    await call(client, requests[timesMs.length % requests.length] as Buffer);
    timesMs.push(performance.now() - from);
  }
  return timesMs;
}

function median(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

const columns: readonly Column[] = [
  {head: 'server', width: 8},
  ...['calls', 'p50 ms', 'p99 ms', 'req/s', 'RSS MB', 'p50/floor', 'by round', 'CPU ms/call'].map((head) => ({
    head,
    width: Math.max(8, head.length),
    isNumber: true,
  })),
];

async function report(title: string, requests: readonly Buffer[]): Promise<void> {
  console.log(`\n${title}, request ${((requests[0]?.length ?? 0) / 1024).toFixed(0)} KiB`);
  console.log(textTable(columns, []).join('\n'));
  const all = await measure(requests);
  const floor = all[0]?.rounds ?? [];
  const floorMs = median(floor.flat());
  for (const {bench, rounds, cpuBeforeMs} of all) {
    const sorted = rounds.flat().toSorted((a, b) => a - b);
    const byRound = rounds.map((timesMs, round) => median(timesMs) / median(floor[round] ?? []));
    const mean = sorted.reduce((sum, time) => sum + time, 0) / sorted.length;
    const {residentBytes, cpuMs} = await bench.usage();
    const figures = [
      sorted.length,
      quantile(sorted, 0.5).toFixed(2),
      quantile(sorted, 0.99).toFixed(2),
      (1000 / mean).toFixed(0),
      (residentBytes / 1e6).toFixed(0),
      (quantile(sorted, 0.5) / floorMs).toFixed(2),
      median(byRound).toFixed(2),
      ((cpuMs - cpuBeforeMs) / sorted.length).toFixed(2),
    ];
    console.log(textRow(columns, [bench.name, ...figures]));
  }
}

const seconds = Number(process.argv[2] ?? 12);
const benches = await Promise.all(serverNames.map(start));
console.log(
  `observed resource: ${JSON.stringify(observedExample()).length} bytes of JSON; ${seconds} s for each table`,
);
for (const n of sizes) await report(`n = ${n} composed resources, no input`, asGoSends(benchRequest(n)));
for (const n of sizes) {
  await report(`n = ${n} composed resources, whole policy`, asGoSends(benchRequestWithPolicy(n)));
}
for (const {stop} of benches) stop();
await edgeTables(seconds / 2);
