// A function that the harness starts for a run and stops after it. Its command is often a program that starts the function
// (npx, go run, a shell). So the command gets a process group of its own, and the harness ends the whole group.

import {type ChildProcess, type ChildProcessByStdio, spawn} from 'node:child_process';
import {accessSync, constants, statSync} from 'node:fs';
import {delimiter, join, resolve} from 'node:path';
import {isSea} from 'node:sea';
import type {Readable, Writable} from 'node:stream';

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

// The last output of a program that ended, if it gives the reason: one line, and the place of the rest. Programs are often
// started by others (npm, npx, go run), whose own last line only gives the place of a log, or that a command failed.

/** Empty without output. `command` is how a person sees all of it. */
export function lastOutput(text: string, command: readonly string[]): string {
  const lines = text.split('\n').map((line) => line.trim());
  const said = lines.filter((line) => line !== '' && !isTrace(line));
  const own = said.filter((line) => !isNpm(line));
  const line =
    own.findLast((one) => why.test(one)) ??
    said
      .filter(isNpm)
      .map(withoutNpm)
      .find((one) => one !== '' && !/^(code|errno|path|syscall) /.test(one)) ??
    own.at(-1) ??
    lines.findLast((one) => one !== '');
  if (line === undefined) return '';
  const log = /^npm \S+ A complete log of this run can be found in: *(.+)$/m.exec(text)?.[1];
  if (log !== undefined) return `: ${line} (the whole is in ${log})`;
  return said.length > 1 ? `: ${line} (it said more: run ${command.join(' ')})` : `: ${line}`;
}

const why = /error|panic|fatal|exception|cannot|can't|not found|no such|denied|refused/i;

/** Frames, marks under source, and the lines that runtimes and `go run` add. */
function isTrace(line: string): boolean {
  return /^(at |File "|\^+$|goroutine \d|exit status \d|Node\.js v|Traceback )/.test(line);
}

function isNpm(line: string): boolean {
  return /^npm (error|ERR!|warn|WARN|notice)/.test(line);
}

/** The message of an npm error without its kind; empty if it is none. */
function withoutNpm(line: string): string {
  return /^npm (?:error|ERR!) *(?:[A-Z\d]+ )?(?!A complete log)(.*)$/.exec(line)?.[1]?.trim() ?? '';
}

// Ends the functions if the harness cannot: a shell knows their process groups and reads from a pipe of the harness. The pipe
// ends with the harness, even after SIGKILL, a crash, or the end of a test runner's worker. Then the shell kills every group it
// knows.

const script = `
groups=
while read -r word group; do
  rest=
  for one in $groups; do [ "$one" = "$group" ] || rest="$rest $one"; done
  groups=$rest
  [ "$word" = watch ] && groups="$groups $group"
done
for one in $groups; do kill -s KILL -- "-$one"; done
`;

const watched = new Set<number>();
let guard: ChildProcess | undefined;

// A process that ends in the ordinary way ends its functions first.
process.once('exit', () => {
  for (const group of watched) killGroup(group);
});

/** Resolves when the guard knows the group: from then on it does not outlive the harness. */
function watchGroup(group: number): Promise<void> {
  watched.add(group);
  return write(`watch ${group}\n`);
}

/** Call it when the group is empty: another group may get its number. */
async function forgetGroup(group: number): Promise<void> {
  watched.delete(group);
  await write(`forget ${group}\n`);
  if (watched.size > 0) return;
  guard?.stdin?.end();
  guard = undefined;
}

function write(line: string): Promise<void> {
  guard ??= startGuard();
  const {stdin} = guard;
  return new Promise((resolve) => {
    stdin?.write(line, () => resolve());
  });
}

/** In a session of its own, so that a Ctrl-C meant for the harness does not end it. The harness does not wait for it. */
function startGuard(): ChildProcess {
  const child = spawn('/bin/sh', ['-c', script], {detached: true, stdio: ['pipe', 'ignore', 'ignore']});
  // A killed guard guards no longer; that is no failure of a run.
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  (child.stdin as typeof child.stdin & {unref: () => void}).unref();
  return child;
}

function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // It is empty already.
  }
}
