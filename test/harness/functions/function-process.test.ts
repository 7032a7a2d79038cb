import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, test} from 'vitest';
import {startFunction} from '../../../src/harness/functions/function-process.ts';
import {emptyFolder} from '../../cli/folder.ts';

const module = new URL('../../../src/harness/functions/function-process.ts', import.meta.url).href;
const here = fileURLToPath(new URL('.', import.meta.url));
const folder = emptyFolder();
let files = 0;

/** A command that starts the program that serves, as npx and `go run` do, and the file in which that one says its pid. */
function wrapped(deafTo: readonly string[] = []): {readonly command: readonly string[]; readonly pidFile: string} {
  const pidFile = join(folder.path, `pid-${files++}`);
  const deaf = deafTo.map((signal) => `process.on('${signal}', () => {});`).join('');
  const says = `fs.writeFileSync('${pidFile}.new', String(process.pid)); fs.renameSync('${pidFile}.new', '${pidFile}')`;
  const serves = `${deaf}const fs = require('fs'); ${says}; setInterval(() => {}, 1000)`;
  return {command: ['sh', '-c', `"${process.execPath}" --eval "${serves}"; true`], pidFile};
}

async function pidIn(file: string): Promise<number> {
  await until(() => existsSync(file), `a pid in ${file}`);
  return Number(readFileSync(file, 'utf8'));
}

/** As `expect.poll`, which tests that run at once do not have. */
async function until(holds: () => boolean, what: string): Promise<void> {
  for (let left = 20_000; !holds(); left--) {
    if (left === 0) throw new Error(`expected ${what}, got none within 200 s`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const gone = (pid: number) => until(() => !isAlive(pid), `the end of process ${pid}`);

/** A harness that runs `script`. */
function harness(script: string) {
  const source = `import {startFunction} from ${JSON.stringify(module)};\n${script}`;
  return spawn(process.execPath, ['--input-type=module', '--eval', source], {cwd: here});
}

const starts = (command: readonly string[]): string => `const one = startFunction(${JSON.stringify(command)}, '.');`;
const waits = 'setInterval(() => {}, 1000);';

test('a harness ends at once in the middle of a run in process', async () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const child = harness(`process.stdout.write('run', () => { while (startFunction) {} });`);
    await once(child.stdout, 'data');
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([null, signal]);
  }
});

describe.concurrent('what a command starts goes with it', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)('when %s ends the harness', async (signal) => {
    const {command, pidFile} = wrapped();
    const child = harness(`${starts(command)} ${waits}`);
    const pid = await pidIn(pidFile);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([null, signal]);
    await gone(pid);
  });

  test.each([
    ['an exception', 'throw new Error("a bug of ours")', 1],
    ['a promise nobody waits for', 'Promise.reject(new Error("a bug of ours"))', 1],
    ['process.exit', 'process.exit(7)', 7],
  ])('when %s ends the harness', async (_, end, code) => {
    const {command, pidFile} = wrapped();
    const seen = `(await import('node:fs')).existsSync(${JSON.stringify(pidFile)})`;
    const child = harness(`${starts(command)} setInterval(async () => { if (${seen}) { ${end} } }, 10);`);
    expect(await once(child, 'exit')).toEqual([code, null]);
    await gone(await pidIn(pidFile));
  });

  test('when the thread it was started in is terminated, as a test runner does', async () => {
    const {command, pidFile} = wrapped();
    const script = `import {startFunction} from ${JSON.stringify(module)}; ${starts(command)} ${waits}`;
    const child = harness(`
      const {Worker} = await import('node:worker_threads');
      const {existsSync} = await import('node:fs');
      const worker = new Worker(new URL('data:text/javascript,' + ${JSON.stringify(encodeURIComponent(script))}));
      setInterval(() => existsSync(${JSON.stringify(pidFile)}) && worker.terminate(), 10);`);
    const pid = await pidIn(pidFile);
    await gone(pid);
    child.kill('SIGKILL');
  });

  test.each([
    ['as asked', []],
    ['though it is deaf to Ctrl-C', ['SIGINT']],
    ['though it is deaf to all that can be heard', ['SIGINT', 'SIGTERM']],
  ])('when the run is over, %s', async (_, deafTo) => {
    const {command, pidFile} = wrapped(deafTo);
    const one = startFunction(command, '.');
    const pid = await pidIn(pidFile);
    await one.stop();
    // Whoever takes over children without a parent may take a moment to bury them.
    await gone(pid);
  });
});

test('a harness does not wait for a pipe that somebody outside the group holds', async () => {
  const pidFile = join(folder.path, 'outside');
  const leaves = `setsid sh -c 'echo $$ > ${pidFile}; exec sleep 60' & exit 0`;
  const child = harness(`${starts(['sh', '-c', leaves])}
    while (one.ended() === undefined) await new Promise((resolve) => setTimeout(resolve, 10));
    await one.stop();
    console.log(one.ended());`);
  const [words] = (await once(child.stdout, 'data')) as [Buffer];
  expect(words.toString('utf8')).toBe('its command ended with exit code 0\n');
  expect(await once(child, 'exit')).toEqual([0, null]);
  process.kill(await pidIn(pidFile), 'SIGKILL');
});

describe('a command that cannot be started', () => {
  test.each([
    ['no-such-program', 'there is no program "no-such-program" on the PATH'],
    ['./no-such-file', 'there is no program "./no-such-file"'],
    ['./', '"./" is a folder, not a program'],
    ['./static-server.ts', '"./static-server.ts" may not be executed: see its permissions'],
    ['', 'its command names no program'],
  ])('says why: %s', (program, sentence) => {
    expect(startFunction([program], here).ended()).toBe(sentence);
  });
});
