// Crossplane's side of a long day: `node test/bench/load.ts [CALLS]` (default 30000) makes so many calls from eight callers
// to a real `tether serve` over mTLS, requests of every size with and without the whole policy. Its certificate is renewed
// on the way, and at three quarters it is sent SIGTERM. Exit code 0 only if no call failed but those that the drain
// refused, every certificate was served, the process ended with 0 in time, and no socket was left once callers had closed.

import {type ChildProcessByStdio, spawn} from 'node:child_process';
import {once} from 'node:events';
import {readdirSync, readFileSync, readlinkSync, rmSync} from 'node:fs';
import {monitorEventLoopDelay} from 'node:perf_hooks';
import {createInterface} from 'node:readline';
import type {Readable} from 'node:stream';
import {setTimeout as sleep} from 'node:timers/promises';
import {connect} from 'node:tls';
import {status} from '@grpc/grpc-js';
import {Caller, certPath, certsDir, putCertificates, tlsCredentials} from '../function/calling.ts';
import {benchRequest, benchRequestWithPolicy} from './request.ts';

const calls = Number(process.argv[2] ?? 30_000);
const callers = 8;
// As many as Crossplane makes on one connection before it makes a new one here; new ones see the certificate of the day.
const callsPerConnection = 50;
// Far beyond what a call takes, so that a machine that stops for a while fails none.
const deadlineMs = 60_000;
const sizes = [1, 3, 10, 40, 100, 250];
const requests = sizes.flatMap((n) => [
  {n, bytes: Buffer.from(benchRequest(n))},
  {n, bytes: Buffer.from(benchRequestWithPolicy(Math.max(n, 10)))},
]);
const identities = ['server', 'renewed-server'];

const made = {count: 0, answered: 0, refused: 0};
const failures: string[] = [];
const served = new Set<string>();
let terminated = false;
let slowestMs = 0;

const dir = certsDir();
const {child, port} = await startServer(dir);
const residentMb = () => (Number(/VmRSS:\s+(\d+)/.exec(proc('status'))?.[1] ?? 0) / 1000).toFixed(0);
const quiet = socketsOf(child.pid);
console.log(`serving on port ${port}; ${calls} calls from ${callers} callers; ${quiet} sockets, ${residentMb()} MB`);

// A pause of this very process, which the machine imposes, makes every call that is under way as slow.
const pulse = monitorEventLoopDelay({resolution: 20});
pulse.enable();
const started = performance.now();
await callUntil(Math.floor(calls / 2));
const leaked = await leakedSockets();
console.log(line('all callers have closed'));
await callUntil(calls);
const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
rmSync(dir, {recursive: true});
const seconds = (performance.now() - started) / 1000;
console.log(
  `${made.count} calls in ${seconds.toFixed(0)} s: ${made.answered} answered, ${made.refused} refused by the drain, ` +
    `${failures.length} failed; ${leaked} sockets leaked; ${served.size} certificates served; exit code ${code}`,
);
console.log(
  `slowest call ${slowestMs.toFixed(0)} ms; longest pause of the callers' process ${(pulse.max / 1e6).toFixed(0)} ms`,
);
for (const failure of new Set(failures)) console.log(`failed: ${failure}`);
const complete = made.answered + made.refused === made.count && made.refused > 0 && served.size === identities.length;
process.exitCode = complete && failures.length === 0 && leaked === 0 && code === 0 ? 0 : 1;

async function callUntil(count: number): Promise<void> {
  const loop = async () => {
    while (made.count < count) {
      using caller = new Caller(`localhost:${port}`, tlsCredentials('client'), deadlineMs);
      for (let turn = 0; turn < callsPerConnection && made.count < count; turn++) await call(caller);
    }
  };
  await Promise.all(Array.from({length: callers}, loop));
}

/** Sockets beyond those that were open before the first call. Those of the last callers are given a moment to close. */
async function leakedSockets(): Promise<number> {
  for (let turn = 0; turn < 50 && socketsOf(child.pid) > quiet; turn++) await sleep(100);
  return socketsOf(child.pid) - quiet;
}

async function call(caller: Caller): Promise<void> {
  const index = made.count++;
  if (index % Math.max(1, Math.floor(calls / 16)) === 1) await milestone(index);
  if (index === Math.floor(calls * 0.75)) await terminate();
  const from = performance.now();
  const {n, bytes} = requests[index % requests.length] as (typeof requests)[number];
  try {
    const {desired, results} = await caller.run(bytes);
    if (desired.resources.size < n || results.some(({severity}) => severity === 'fatal')) failures.push('wrong answer');
    made.answered++;
    slowestMs = Math.max(slowestMs, performance.now() - from);
  } catch (error) {
    const {code, message} = error as {code?: number; message: string};
    if (terminated && code === status.UNAVAILABLE) made.refused++;
    else failures.push(message);
    // Refused at once: waiting a little is what any caller would do.
    if (terminated) await sleep(1);
  }
}

async function milestone(index: number): Promise<void> {
  if (terminated) return;
  served.add(await servedCertificate());
  putCertificates(dir, identities[Math.floor(index / (calls / 16)) % 2 === 0 ? 1 : 0] as string);
  console.log(line(`${index} calls`));
}

/** Other callers go on meanwhile: their calls in flight are answered, later ones refused. */
async function terminate(): Promise<void> {
  console.log(line('SIGTERM'));
  terminated = true;
  child.kill('SIGTERM');
}

function line(when: string): string {
  if (child.exitCode !== null) return `${when}: the server has ended`;
  return `${when}: ${made.answered} answered, ${socketsOf(child.pid)} sockets, ${residentMb()} MB`;
}

async function startServer(certs: string) {
  const main = new URL('../../src/main.ts', import.meta.url).pathname;
  const flags = ['serve', '--address', '127.0.0.1:0', '--tls-server-certs-dir', certs];
  const node = ['--max-semi-space-size=8', main, ...flags];
  const child: ChildProcessByStdio<null, null, Readable> = spawn(process.execPath, node, {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const lines = createInterface({input: child.stderr});
  const port = await new Promise<number>((resolve, reject) => {
    lines.on('line', (text) => {
      const entry = JSON.parse(text) as {port?: number; level?: string};
      if (entry.port !== undefined) resolve(entry.port);
      if (entry.level === 'error') failures.push(text);
    });
    child.on('exit', (code) => reject(new Error(`the server ended with ${code} before it served`)));
  });
  return {child, port};
}

function servedCertificate(): Promise<string> {
  return new Promise((resolve, reject) => {
    const [key, cert, ca] = ['client.key', 'client.crt', 'test-ca.crt'].map((file) => readFileSync(certPath(file)));
    const socket = connect({port, host: '127.0.0.1', servername: 'localhost', key, cert, ca, ALPNProtocols: ['h2']});
    socket.on('error', reject).on('secureConnect', () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
  });
}

/** Open sockets of a process, as Linux tells them. */
function socketsOf(pid: number | undefined): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((fd) => linkOf(`${folder}/${fd}`).startsWith('socket:')).length;
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function proc(file: string): string {
  return readFileSync(`/proc/${child.pid}/${file}`, 'utf8');
}
