// What a burst costs: `node test/bench/burst.ts [CALLS] [MB] [WORKERS]` (default 100, 3.1, 1) makes so many calls of that size at
// once over one connection, as Crossplane does when it starts, and says how much memory a real `tether serve` had at most.
// Node's flags are those of the image.

import {type ChildProcessByStdio, spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {createInterface} from 'node:readline';
import type {Readable} from 'node:stream';
import {Caller, requestBytes} from '../function/calling.ts';
import {benchRequestWithPolicy} from './request.ts';

const [calls, megabytes, workers] = [process.argv[2] ?? 100, process.argv[3] ?? 3.1, process.argv[4] ?? 1].map(
  Number,
) as [number, number, number];
const {child, port} = await startServer();
const memory = (what: string): number =>
  Number(new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

using caller = new Caller(`127.0.0.1:${port}`, undefined, 600_000);
await caller.run(requestBytes());
const idle = memory('VmRSS');
const request = requestOf(megabytes * 1024 * 1024);
const started = performance.now();
await Promise.all(Array.from({length: calls}, () => caller.run(request)));
const seconds = (performance.now() - started) / 1000;
console.log(
  `${calls} calls of ${(request.length / 1024 / 1024).toFixed(1)} MiB at once, ${workers} workers: ${seconds.toFixed(1)} s; ` +
    `${idle.toFixed(0)} MiB before, ${memory('VmHWM').toFixed(0)} MiB at most, ${memory('VmRSS').toFixed(0)} MiB after`,
);
child.kill('SIGTERM');
await once(child, 'exit');

/** As many resources as make the size, looked at with the whole policy. */
function requestOf(bytes: number): Buffer {
  const one = benchRequestWithPolicy(100).length / 100;
  return Buffer.from(benchRequestWithPolicy(Math.floor(bytes / one)));
}

async function startServer(): Promise<{
  readonly child: ChildProcessByStdio<null, null, Readable>;
  readonly port: number;
}> {
  const main = new URL('../../src/main.ts', import.meta.url).pathname;
  const node = ['--max-semi-space-size=8', '--heap-growing-percent=200', main];
  const flags = ['serve', '--insecure', '--address', '127.0.0.1:0', '--workers', String(workers)];
  const child = spawn(process.execPath, [...node, ...flags], {stdio: ['ignore', 'ignore', 'pipe']});
  const [line] = (await once(createInterface({input: child.stderr}), 'line')) as [string];
  return {child, port: (JSON.parse(line) as {readonly port: number}).port};
}
