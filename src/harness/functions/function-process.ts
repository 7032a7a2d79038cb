// A function that the harness starts for a run and stops after it. Its command is often a program that starts the function
// (npx, go run, a shell). So the command gets a process group of its own, and the harness ends the whole group.

import {type ChildProcessByStdio, spawn} from 'node:child_process';
import {accessSync, constants, statSync} from 'node:fs';
import {delimiter, join, resolve} from 'node:path';
import {isSea} from 'node:sea';
import type {Readable, Writable} from 'node:stream';
import {forgetGroup, watchGroup} from './guard.ts';
import {lastOutput} from './last-words.ts';

export interface FunctionProcess {
  /** Why it ended or did not start, where it did by itself; undefined while it runs. */
  ended(): string | undefined;
  stop(): Promise<void>;
}

// It begins when the guard knows its group, so that there is no moment at which it could outlive the harness.
const begin = 'read -r go && exec "$@" </dev/null';

type Child = ChildProcessByStdio<Writable, null, Readable>;

/** Starts `command` in `folder`. The program `node` is that of the harness, unless the harness is a single executable. */
export function startFunction(command: readonly string[], folder: string): FunctionProcess {
  const [name = '', ...rest] = command;
  const program = name === 'node' && !isSea() ? process.execPath : name;
  const problem = programProblem(program, folder);
  if (problem !== undefined) return {ended: () => problem, stop: () => Promise.resolve()};
  const child: Child = spawn('/bin/sh', ['-c', begin, 'sh', program, ...rest], {
    cwd: folder,
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const {pid} = child;
  const ended = endOf(child, command);
  if (pid === undefined) return {ended, stop: () => Promise.resolve()};
  child.stdin.on('error', () => undefined);
  void watchGroup(pid).then(() => child.stdin.end('go\n'));
  return {ended, stop: () => stopped(child, pid)};
}

const saidMax = 8000;
const lastWordsMs = 100;

/** The reason of its end, with its last line of output. */
function endOf(child: Child, command: readonly string[]): () => string | undefined {
  let said = '';
  let end: string | undefined;
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('utf8')).slice(-saidMax);
  });
  child.on('error', (error) => {
    end = `its command does not start: ${error.message}`;
  });
  child.on('exit', (code, signal) => {
    const how = code === null ? `signal ${signal}` : `exit code ${code}`;
    const report = (): void => {
      end ??= `its command ended with ${how}${lastOutput(said, command)}`;
    };
    // Its last output may still be on its way, but a program that it started may hold the pipe for ever.
    child.stderr.once('close', report);
    setTimeout(report, lastWordsMs).unref();
  });
  return () => end;
}

// As a person ends it: first as by Ctrl-C, which `go run` and npx pass on and clean up after; then as a cluster does; then
// without asking.
const requests = [
  ['SIGINT', 500],
  ['SIGTERM', 2500],
  ['SIGKILL', 1000],
] as const;
const lookEveryMs = 10;

async function stopped(child: Child, group: number): Promise<void> {
  for (const [signal, patienceMs] of requests) {
    if (!isSent(group, signal)) break;
    const untilMs = performance.now() + patienceMs;
    while (isSent(group, 0) && performance.now() < untilMs) await sleep(lookEveryMs);
  }
  // A process that left the group may hold its end of the pipe; the harness does not wait for that.
  child.stderr.destroy();
  child.stdin.destroy();
  await forgetGroup(group);
}

/** True if a process was there to get the signal. */
function isSent(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** The reason why `program` cannot run in `folder`, for a person; undefined if it can. */
function programProblem(program: string, folder: string): string | undefined {
  if (program === '') return 'its command names no program';
  if (program.includes('/')) return fileProblem(resolve(folder, program), program);
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const problems = folders.map((one) => fileProblem(join(resolve(folder, one), program), program));
  return problems.includes(undefined) ? undefined : `there is no program "${program}" on the PATH`;
}

function fileProblem(file: string, program: string): string | undefined {
  try {
    if (statSync(file).isDirectory()) return `"${program}" is a folder, not a program`;
  } catch {
    return `there is no program "${program}"`;
  }
  try {
    accessSync(file, constants.X_OK);
    return undefined;
  } catch {
    return `"${program}" may not be executed: see its permissions`;
  }
}
