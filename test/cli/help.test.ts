import {existsSync} from 'node:fs';
import {expect, test} from 'vitest';
import {tether} from './tether.ts';

const usage = tether(['--help']);
const commands = [...usage.out.matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(([, name = '']) => name);

test('the command says what there is, and where to begin', () => {
  expect(usage.code).toBe(0);
  expect(commands).toEqual(expect.arrayContaining(['serve', 'test', 'explore', 'render', 'explain', 'completion']));
  const [, file = ''] = /^Start with: tether test (\S+) /m.exec(usage.out) ?? [];
  expect(existsSync(file)).toBe(true);
});

test.each(commands)('tether %s --help: what, an example, exit codes', (command) => {
  const {code, out, err} = tether([command, '--help']);
  expect({code, err}).toEqual({code: 0, err: ''});
  expect(out).toContain(`tether ${command}`);
  expect(out).toMatch(/^Example: .*tether /m);
  expect(out).toMatch(/^Exit codes: 0 /m);
  const long = out.split('\n').filter((line) => line.length > 125 && !line.includes('--budget'));
  expect(long).toEqual([]);
});

test('tether help COMMAND is the same', () => {
  expect(tether(['help', 'replay']).out).toBe(tether(['replay', '--help']).out);
});

test('a misspelled command is told its right name', () => {
  expect(tether(['rendr'])).toEqual({
    code: 2,
    out: '',
    err: 'tether: unknown command "rendr": did you mean "render"?\n',
  });
});
