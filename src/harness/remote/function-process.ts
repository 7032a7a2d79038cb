import {type ChildProcess, spawn} from 'node:child_process';

// A function that the harness starts for a run and stops after it.

export interface FunctionProcess {
  /** Why it ended, where it ended by itself; undefined while it runs. */
  ended(): string | undefined;
  stop(): Promise<void>;
}

/** Functions that run now: none may outlive the harness, however it ends. */
const alive = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

const signals = ['SIGINT', 'SIGTERM'] as const;

/** Ends the harness, and with it what is alive. */
function leave(signal: (typeof signals)[number]): void {
  process.exit(signal === 'SIGINT' ? 130 : 143);
}

// Signals are listened to only while a function runs. A listener is called between turns of the event loop, and a run
// in process is one long turn: without a listener a signal ends it at once.
function remember(child: ChildProcess): void {
  if (alive.size === 0) for (const signal of signals) process.on(signal, leave);
  alive.add(child);
}

function forget(child: ChildProcess): void {
  alive.delete(child);
  if (alive.size === 0) for (const signal of signals) process.off(signal, leave);
}

/** Starts `command` in `folder`. The program `node` is the one that runs the harness. */
export function startFunction(command: readonly string[], folder: string): FunctionProcess {
  const [program = '', ...rest] = command;
  const child = spawn(program === 'node' ? process.execPath : program, rest, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let lastWords = '';
  let end: string | undefined;
  child.stderr?.on('data', (chunk: Buffer) => {
    lastWords = (lastWords + chunk.toString('utf8')).slice(-2000);
  });
  child.on('error', (error) => {
    end = error.message;
  });
  if (child.pid !== undefined) remember(child);
  child.on('exit', (code, signal) => {
    forget(child);
    end ??= `${code === null ? `signal ${signal}` : `exit code ${code}`}${tail(lastWords)}`;
  });
  return {
    ended: () => end,
    stop: () => stopped(child),
  };
}

function tail(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const last = lines.findLast((line) => /error/i.test(line)) ?? lines.at(-1);
  return last === undefined ? '' : `: ${last.trim()}`;
}

const patienceMs = 3000;

function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return Promise.resolve();
  return new Promise((resolve) => {
    const hard = setTimeout(() => child.kill('SIGKILL'), patienceMs);
    child.once('exit', () => {
      clearTimeout(hard);
      resolve();
    });
    child.kill('SIGTERM');
  });
}
