import {spawn, spawnSync} from 'node:child_process';
import {closeSync, fstatSync, mkdtempSync, openSync, readSync, writeSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {withoutProgress} from './progress.ts';

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface Resident {
  /** Runs one command to its end. */
  readonly run: (args: readonly string[], folder: string) => number;
  readonly out: Growing;
  readonly err: Growing;
}

/** A file that another process writes. */
interface Growing {
  readonly fd: number;
  readonly next: () => string;
}

let resident: Resident | undefined;

/** Runs the real command in `folder`. `err` is without progress. */
export function tether(args: readonly string[], folder = '.'): Ran {
  resident ??= started();
  const code = resident.run(args, folder);
  return {code, out: resident.out.next(), err: withoutProgress(resident.err.next())};
}

/** The process of resident.ts; it ends with this one. Named pipes let a test wait for it without a promise. */
function started(): Resident {
  const scratch = mkdtempSync(join(tmpdir(), 'tether-resident-'));
  const [requests, answers] = [join(scratch, 'requests'), join(scratch, 'answers')];
  const {status, stderr} = spawnSync('mkfifo', [requests, answers], {encoding: 'utf8'});
  if (status !== 0) throw new Error(`mkfifo exited with ${status}: ${stderr}`);
  const [out, err] = [growing(join(scratch, 'out')), growing(join(scratch, 'err'))];
  const program = fileURLToPath(new URL('resident.ts', import.meta.url));
  // The shell opens the answers once more at the end, and a pipe that is open for both waits for no reader: a process that dies
  // before it has opened them ends the wait, too.
  const watched = '"$0" "$1" "$2" "$3"; : > "$3"';
  const line = ['-c', watched, process.execPath, program, requests, answers];
  spawn('sh', line, {stdio: ['ignore', out.fd, err.fd]}).unref();
  const [input, output] = [openSync(requests, 'r+'), openSync(answers, 'r')];
  const run = (args: readonly string[], folder: string) => {
    writeSync(input, `${JSON.stringify({args, folder: resolve(folder), env: process.env})}\n`);
    const answer = Buffer.alloc(16);
    const length = readSync(output, answer);
    if (length > 0) return Number(answer.toString('utf8', 0, length));
    for (const fd of [input, output]) closeSync(fd);
    resident = undefined;
    throw new Error(`tether ${args.join(' ')} ended its process: ${err.next()}`);
  };
  return {run, out, err};
}

function growing(file: string): Growing {
  const fd = openSync(file, 'a+');
  let read = 0;
  const next = () => {
    const bytes = Buffer.alloc(fstatSync(fd).size - read);
    read += readSync(fd, bytes, 0, bytes.length, read);
    return bytes.toString('utf8');
  };
  return {fd, next};
}
