import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';
import {afterEach, expect, test} from 'vitest';
import {emptyFolder} from './folder.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const folder = emptyFolder();
let watching: ChildProcess | undefined;
afterEach(() => watching?.kill('SIGKILL'));

/** The command, and what it printed up to the words asked for. */
function watchScenario(flags = ''): (words: string) => Promise<string> {
  // Both streams as one, in the order of a terminal: of two pipes either may be read first.
  const command = `exec '${process.execPath}' '${main}' test scenario.yaml --watch ${flags} 2>&1`;
  const child = spawn('sh', ['-c', command], {cwd: folder.path, stdio: ['ignore', 'pipe', 'inherit']});
  watching = child;
  let unread = '';
  child.stdout.on('data', (chunk: Buffer) => (unread += chunk.toString()));
  return async (words) => {
    while (!unread.includes(words)) await once(child.stdout, 'data');
    const end = unread.indexOf(words) + words.length;
    const read = unread.slice(0, end);
    unread = unread.slice(end);
    return read;
  };
}

const scenario = (mode: string): string => `
name: config
steps:
  - name: somebody writes a ConfigMap
    apply: settings.yaml
    expect:
      - {object: {kind: ConfigMap, name: settings}, match: {data: {mode: ${mode}}}}
`;
const settings = (mode: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {name: 'settings'},
  data: {mode},
});

test('a scenario runs again whenever a file of its folder changes, also after a mistake', async () => {
  folder.write('settings.yaml', settings('one'));
  folder.write('scenario.yaml', scenario('one'));
  const until = watchScenario();
  expect(await until('watching for changes')).toContain('1 passed, 0 failed');
  folder.write('settings.yaml', settings('two'));
  const second = await until('watching for changes');
  expect(second).toContain('settings.yaml changed');
  expect(second).toContain('0 passed, 1 failed');
  folder.write('scenario.yaml', 'name: [');
  expect(await until('watching for changes')).toContain('invalid YAML');
  folder.write('scenario.yaml', scenario('two'));
  expect(await until('watching for changes')).toContain('1 passed, 0 failed');
});

test('a report in the folder that is watched is no change, and starts no run', async () => {
  folder.write('settings.yaml', settings('one'));
  folder.write('scenario.yaml', scenario('one'));
  const until = watchScenario('--html report.html --json report.json');
  await until('watching for changes');
  // Longer than it waits for an editor to be done.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  folder.write('settings.yaml', settings('two'));
  const next = await until('watching for changes');
  expect(next).toContain('settings.yaml changed');
  expect(next).not.toContain('report');
  expect(next.match(/passed/g)).toHaveLength(1);
  expect(folder.read('report.html')).toContain('</html>');
});
