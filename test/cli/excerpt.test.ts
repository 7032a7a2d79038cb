import {expect, test} from 'vitest';
import {emptyFolder} from './folder.ts';
import {tether} from './tether.ts';

const folder = emptyFolder();

test('a mistake in YAML is told with its line, and a caret below the column', () => {
  folder.write('scenario.yaml', 'name: a\nsteps:\n  - name: b\n    aply: {}\n');
  const {code, err} = tether(['test', 'scenario.yaml'], folder.path);
  expect(code).toBe(2);
  expect(err).toContain('scenario.yaml:4:5: unknown field "aply"');
  expect(err.endsWith('\n\n  4 |     aply: {}\n    |     ^\n')).toBe(true);
});

test('so is YAML that is none, by every command that reads it', () => {
  folder.write('broken.yaml', 'name: a\nsteps: [\n');
  for (const command of [['test'], ['explore'], ['replay', '--path', '0']]) {
    const {code, err} = tether([...command, 'broken.yaml'], folder.path);
    expect(code).toBe(2);
    expect(err).toMatch(/^broken\.yaml:\d+:\d+: invalid YAML: .*\n\n {2}\d+ \| .*\n +\| *\^\n$/);
  }
});

test('tabs before the column stay tabs, so that the caret stands below it', () => {
  folder.write('tab.yaml', '{"name": "a",\n\t"steps": 1}\n');
  const {err} = tether(['test', 'tab.yaml'], folder.path);
  expect(err.endsWith('\n  2 | \t"steps": 1}\n    | \t         ^\n')).toBe(true);
});

test('what has no place has no excerpt', () => {
  expect(tether(['test', 'nowhere.yaml'], folder.path).err).toBe('cannot read file "nowhere.yaml": no such file\n');
});
