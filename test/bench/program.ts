// A server as a process of its own, started as the image starts its program: one bundled file, Node's flags of the
// Dockerfile. What it costs is read from outside (/proc, Linux only) and from V8's own account of its collections.

import {type ChildProcess, type ChildProcessByStdio, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {connect} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import type {Readable} from 'node:stream';
import {bundle} from '../../package/bundle.ts';
import {freePort} from '../../src/harness/functions/function-pool.ts';

/** What a process has used since it began. */
export interface Usage {
  readonly residentBytes: number;
  readonly cpuMs: number;
  /** Of each of its threads. */
  readonly threadsCpuMs: ReadonlyMap<string, number>;
  /** Of all of its threads together. */
  readonly scavenges: number;
  readonly markCompacts: number;
}

export interface Program {
  readonly name: string;
  readonly port: number;
  usage(): Usage;
  stop(): Promise<void>;
}

// What a tick of the CPU times in /proc is on every Linux that Node runs on.
const tickMs = 10;

/** Node's flags between `node` and the program in the image's entry point. */
export function imageFlags(): readonly string[] {
  const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8');
  const [, entry] = /^ENTRYPOINT (\[.*\])$/m.exec(dockerfile) ?? [];
  if (entry === undefined) throw new Error('expected an ENTRYPOINT in the Dockerfile, got none');
  return (JSON.parse(entry) as readonly string[]).slice(1, -1);
}

/** Bundles modules as the image's program is bundled. They are gone with `remove`. */
export async function bundled<Name extends string>(modules: {readonly [name in Name]: string}) {
  const folder = mkdtempSync(join(tmpdir(), 'tether-bench-'));
  const files = {} as {[name in Name]: string};
  for (const name of Object.keys(modules) as Name[]) {
    files[name] = join(folder, `${name}.mjs`);
    await bundle(modules[name], files[name]);
  }
  return {files, remove: () => rmSync(folder, {recursive: true})};
}

/** Starts a bundled program, on every core or on the first alone. It says its port as JSON on stderr. */
export async function startProgram(
  name: string,
  file: string,
  args: readonly string[],
  cores: 'every' | 'first' = 'every',
): Promise<Program> {
  const node = [process.execPath, ...imageFlags(), '--trace-gc', file, ...args];
  const [command = '', ...rest] = cores === 'every' ? node : ['taskset', '--cpu-list', '0', ...node];
  const child = spawn(command, rest, {stdio: ['ignore', 'pipe', 'pipe']});
  const collections = collectionsOf(child);
  const lines = createInterface({input: child.stderr});
  const [line] = (await once(lines, 'line')) as [string];
  const {port} = JSON.parse(line) as {port: number};
  return {name, port, usage: () => ({...collections, ...usageOf(`/proc/${child.pid}`)}), stop: () => ended(child)};
}

/** Starts a server that is no program of Node. It gets its address as the last argument. */
export async function startOther(name: string, command: string): Promise<Program> {
  const port = await freePort();
  const child = spawn(command, [`127.0.0.1:${port}`], {stdio: ['ignore', 'ignore', 'inherit']});
  const {pid} = child;
  for (let turn = 0; !(await listens(port)); turn++) {
    if (turn > 100) throw new Error(`${command} does not listen on ${port}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const usage = () => ({scavenges: 0, markCompacts: 0, ...usageOf(`/proc/${pid}`)});
  return {name, port, usage, stop: () => ended(child)};
}

async function ended(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

function collectionsOf(child: ChildProcessByStdio<null, Readable, Readable>) {
  const count = {scavenges: 0, markCompacts: 0};
  createInterface({input: child.stdout}).on('line', (line) => {
    if (line.includes(' ms: Scavenge')) count.scavenges++;
    else if (line.includes(' ms: Mark-Compact')) count.markCompacts++;
  });
  return count;
}

function usageOf(folder: string): Pick<Usage, 'residentBytes' | 'cpuMs' | 'threadsCpuMs'> {
  const residentKb = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(join(folder, 'status'), 'utf8'))?.[1]);
  const threads = readdirSync(join(folder, 'task'));
  const threadsCpuMs = new Map(threads.map((id) => [id, cpuMsOf(join(folder, 'task', id, 'stat'))]));
  return {residentBytes: residentKb * 1024, cpuMs: cpuMsOf(join(folder, 'stat')), threadsCpuMs};
}

// User and system time are the 12th and 13th field after the name, which may hold anything.
function cpuMsOf(file: string): number {
  const fields = readFileSync(file, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}
