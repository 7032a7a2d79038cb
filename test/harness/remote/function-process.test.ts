import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, readFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, test} from 'vitest';

const module = new URL('../../../src/harness/remote/function-process.ts', import.meta.url).href;
const folder = fileURLToPath(new URL('.', import.meta.url));

/** A harness that says what `script` says, and what ended it after the first words. */
async function endedBy(signal: NodeJS.Signals, script: string) {
  const source = `import {startFunction} from ${JSON.stringify(module)};\n${script}`;
  const harness = spawn(process.execPath, ['--input-type=module', '--eval', source], {cwd: folder});
  const [words] = (await once(harness.stdout, 'data')) as [Buffer];
  harness.kill(signal);
  const [code, endedWith] = (await once(harness, 'exit')) as [number | null, NodeJS.Signals | null];
  return {words: words.toString('utf8').split('\n')[0], code, endedWith};
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a harness that is interrupted', () => {
  test('ends at once in the middle of a run in process', async () => {
    const run = `process.stdout.write('run', () => { while (startFunction) {} });`;
    expect(await endedBy('SIGINT', run)).toEqual({words: 'run', code: null, endedWith: 'SIGINT'});
    expect(await endedBy('SIGTERM', run)).toEqual({words: 'run', code: null, endedWith: 'SIGTERM'});
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('by %s takes its functions along', async (signal, expected) => {
    const file = join(mkdtempSync(join(tmpdir(), 'function-')), 'pid');
    const lives = `require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000)`;
    const script = `
      startFunction(['node', '--eval', ${JSON.stringify(lives)}], '.');
      const {existsSync, statSync} = await import('node:fs');
      const file = ${JSON.stringify(file)};
      setInterval(() => existsSync(file) && statSync(file).size > 0 && console.log('started'), 10);`;
    expect(await endedBy(signal, script)).toMatchObject({words: 'started', code: expected});
    await expect.poll(() => isAlive(Number(readFileSync(file, 'utf8'))), {timeout: 5000}).toBe(false);
  });
});
