import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, expect, test} from 'vitest';
import {readMemoryKeys} from '../../src/function/memory-key.ts';
import {parseServeArgs} from '../../src/function/serve-args.ts';
import {StartError, startServer} from '../../src/function/server.ts';

const folder = mkdtempSync(join(tmpdir(), 'memory-key-'));
const file = join(folder, 'memory-key');
afterAll(() => rmSync(folder, {recursive: true, force: true}));

const first = 'a'.repeat(32);
const second = 'b'.repeat(40);

test('the flag names the file, and without it nothing is sealed', () => {
  expect(parseServeArgs(['--insecure', '--memory-key-file', file], {})).toMatchObject({memoryKeyFile: file});
  expect(parseServeArgs(['--insecure'], {})).toMatchObject({memoryKeyFile: undefined});
});

test('keys are lines, the first first', () => {
  writeFileSync(file, `${first}\n\n  ${second}  \n`);
  expect(readMemoryKeys(file)).toEqual({kind: 'keys', keys: [first, second]});
});

test.each([
  ['', 'got none'],
  [`${first}\nsecret`, 'got one of 6'],
])('%j is no file of keys, and nothing of it is printed', (content, got) => {
  writeFileSync(file, content);
  const expected = `cannot use --memory-key-file ${JSON.stringify(file)}: expected keys of 32 characters or more, one a line, ${got}`;
  expect(readMemoryKeys(file)).toEqual({kind: 'invalid-keys', sentence: expected});
});

test('the server does not start with a file that is not there', async () => {
  const missing = join(folder, 'missing');
  const started = startServer({address: '127.0.0.1:0', memoryKeyFile: missing});
  await expect(started).rejects.toEqual(
    new StartError(`cannot read --memory-key-file ${JSON.stringify(missing)}: ENOENT`),
  );
});
