// Without the real thing there is nothing to compare with, and one sentence says so.

import {spawnSync} from 'node:child_process';
import {afterEach, expect, test, vi} from 'vitest';
import {differential} from './command.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test('the command ends with the code, and its complaint', () => {
  const command = new URL('command.ts', import.meta.url).pathname;
  const env = {PATH: '', NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE']};
  const {status, stderr} = spawnSync(process.execPath, [command], {encoding: 'utf8', env});
  expect(stderr).toMatch(/^nothing to compare with: give --render PATH.*\n$/);
  expect(status).toBe(2);
});

test.each([
  [['--render', '/nowhere/crossplane'], '--render must be a program, got "/nowhere/crossplane"'],
  [['--apiserver', process.execPath], 'the apiserver needs an etcd'],
  [['--apiserver', process.execPath, '--etcd', '/nowhere/etcd'], '--etcd must be a program, got "/nowhere/etcd"'],
  [['--render', process.execPath, '--runs', '0'], '--runs must be a whole number above 0, got "0"'],
  [['--apiserver', process.execPath, '--scenario', 'x.yaml'], '--scenario needs --render PATH'],
  [['--rendr', 'x'], "unknown option '--rendr': did you mean '--render'?"],
] as const)('%j', async (args, sentence) => {
  // Programs beside the test's own are no part of it.
  vi.stubEnv('PATH', '');
  const complained = vi.spyOn(console, 'error').mockReturnValue(undefined);
  expect(await differential(args)).toBe(2);
  expect(complained.mock.calls).toEqual([[expect.stringContaining(sentence)]]);
  expect(complained.mock.calls[0]?.[0].trim().split('\n')).toHaveLength(1);
});
