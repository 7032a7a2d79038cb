import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

// Runs of `tether test` with a wrapped function, each ended at another moment: afterwards none of its processes lives and
// none of its temporary files is left. Processes are found by a mark in their environment, which all that a run starts
// inherits; Linux tells it in /proc.

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const server = fileURLToPath(new URL('../harness/functions/static-server.ts', import.meta.url));
const orphan = fileURLToPath(new URL('../harness/scenario/orphan', import.meta.url));
const fixtures = fileURLToPath(new URL('../harness/scenario/fixtures', import.meta.url));

export interface KillRun {
  readonly signal: NodeJS.Signals;
  readonly afterMs: number;
  /** How it ended: by the signal, or by itself before that. */
  readonly ended: string;
  /** Command lines of processes that outlived it. */
  readonly processes: readonly string[];
  readonly files: readonly string[];
}

/** How long a run takes on this machine now: moments are shares of it, else a busy machine would end runs that never began. */
export async function wholeRunMs(): Promise<number> {
  const beganMs = performance.now();
  const {ended} = await killRun('SIGKILL', 600_000);
  if (ended !== 'exit code 0') throw new Error(`a run that nobody ends must end with exit code 0, got ${ended}`);
  return performance.now() - beganMs;
}

export async function killRun(signal: NodeJS.Signals, afterMs: number): Promise<KillRun> {
  const folder = mkdtempSync(join(tmpdir(), 'tether-kill-'));
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  writeFileSync(join(folder, 'story.yaml'), story);
  const mark = `TETHER_KILL_RUN=${folder}`;
  try {
    const child = spawn(process.execPath, [main, 'test', 'story.yaml'], {
      cwd: folder,
      env: {...process.env, TETHER_KILL_RUN: folder, TMPDIR: temporary},
      stdio: 'ignore',
    });
    const timer = setTimeout(() => child.kill(signal), afterMs);
    const [code, by] = (await once(child, 'exit')) as [number | null, string | null];
    clearTimeout(timer);
    const processes = await outlived(mark);
    return {signal, afterMs, ended: by ?? `exit code ${code}`, processes, files: readdirSync(temporary)};
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

const patienceMs = 5000;

const served = JSON.stringify(['sh', '-c', `"${process.execPath}" "${server}" {port}; true`]);
const story = readFileSync(join(orphan, 'scenario.yaml'), 'utf8')
  .replace('../fixtures', fixtures)
  .replaceAll(/(?<=[ -])(\w+(-\w+)*)\.yaml/g, (name) => (name === 'crds.yaml' ? name : join(orphan, name)))
  .replace('{ builtin: function-static }', `{command: ${served}, address: "127.0.0.1:{port}"}`);

async function outlived(mark: string): Promise<readonly string[]> {
  const untilMs = performance.now() + patienceMs;
  for (;;) {
    const left = marked(mark);
    if (left.length === 0 || performance.now() > untilMs) return left;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function marked(mark: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      // One may end while it is looked at; one that is dead and not buried has no environment.
      try {
        if (!readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark)) return [];
        return [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}`];
      } catch {
        return [];
      }
    });
}
