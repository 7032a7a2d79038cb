// Without the real thing there is nothing to compare with, and one sentence says so.

import {spawnSync} from 'node:child_process';
import {expect, test} from 'vitest';

const command = new URL('command.ts', import.meta.url).pathname;

function run(...args: readonly string[]): {readonly code: number | null; readonly complaint: string} {
  const env = {PATH: '', NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE']};
  const {status, stderr} = spawnSync(process.execPath, [command, ...args], {encoding: 'utf8', env});
  return {code: status, complaint: stderr.trim()};
}

test.each([
  [[], 'nothing to compare with: give --render PATH'],
  [['--render', '/nowhere/crossplane'], '--render must be a program, got "/nowhere/crossplane"'],
  [['--apiserver', process.execPath], 'the apiserver needs an etcd'],
  [['--apiserver', process.execPath, '--etcd', '/nowhere/etcd'], '--etcd must be a program, got "/nowhere/etcd"'],
  [['--render', process.execPath, '--runs', '0'], '--runs must be a whole number above 0, got "0"'],
  [['--apiserver', process.execPath, '--scenario', 'x.yaml'], '--scenario needs --render PATH'],
  [['--rendr', 'x'], "unknown option '--rendr': did you mean '--render'?"],
] as const)('%j', (args, sentence) => {
  const {code, complaint} = run(...args);
  expect(complaint).toContain(sentence);
  expect(complaint.split('\n')).toHaveLength(1);
  expect(code).toBe(2);
});
