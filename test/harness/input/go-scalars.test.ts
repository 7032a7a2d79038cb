import {expect, test} from 'vitest';
import {stringify} from 'yaml';
import {parseYaml} from '../../../src/harness/input/yaml.ts';

// What `crossplane render` 3d72f93 and kubectl make of scalars, as run: everything here was read back from the former.

const read = (text: string): unknown => parseYaml(`v: ${text}\n`, 'here.yaml')[0]?.value;

test.each<readonly [string, unknown]>([
  ['yes', true],
  ['No', false],
  ['on', true],
  ['OFF', false],
  ['y', true],
  ['TRUE', true],
  ['tRUE', 'tRUE'],
  ['yEs', 'yEs'],
  ['"yes"', 'yes'],
  ['0777', 511],
  ['-0777', -511],
  ['0o17', 15],
  ['0O17', 15],
  ['0o8', '0o8'],
  ['0x1F', 31],
  ['-0x1F', -31],
  ['0x', '0x'],
  ['0xg', '0xg'],
  ['0b101', 5],
  ['0b12', '0b12'],
  ['1_000', 1000],
  ['0_7', 7],
  ['_1', '_1'],
  ['08', 8],
  ['+12', 12],
  ['1e3', 1000],
  ['e3', 'e3'],
  ['1e400', '1e400'],
  ['.5', 0.5],
  ['1.', 1],
  ['.', '.'],
  ['1_000.5', 1000.5],
  ['12:30:45', '12:30:45'],
  ['2024-01-01', '2024-01-01'],
  ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z'],
  ['=', '='],
  ['~', null],
  ['', null],
  ['!!str 12', '12'],
  ['!!int "7"', 7],
  ['!!binary aGVsbG8=', 'hello'],
])('%s', (text, value) => {
  expect(read(text)).toEqual({v: value});
});

test('a merge key lays what it names below the map', () => {
  expect(read('{a: &a {p: 1, q: 1}, b: {<<: *a, q: 2}}')).toEqual({v: {a: {p: 1, q: 1}, b: {p: 1, q: 2}}});
});

test('a key is text, whatever it looks like', () => {
  expect(read('{1: a, yes: b}')).toEqual({v: {'1': 'a', true: 'b'}});
});

test('a number that JSON has not is refused where it stands', () => {
  expect(() => read('.inf')).toThrow('here.yaml:1:4: invalid YAML: expected a number that JSON has, got .inf');
});

test('what we write is read back as what it was', () => {
  const odd = ['yes', 'on', 'n', '0777', '0o17', '1_000', '12:30:45', '2024-01-01', '0b1', '1e3', '<<', '='];
  expect(parseYaml(stringify({odd}, {compat: 'yaml-1.1'}), 'here.yaml')[0]?.value).toEqual({odd});
});
