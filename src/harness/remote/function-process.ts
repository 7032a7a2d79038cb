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
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const child of alive) child.kill('SIGKILL');
    process.exit(signal === 'SIGINT' ? 130 : 143);
  });
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
  alive.add(child);
  child.on('exit', (code, signal) => {
    alive.delete(child);
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
