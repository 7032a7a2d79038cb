// The real command, as somebody types it: whatever is wrong with what it is given is one sentence on stderr with the place,
// what was expected and what was got; exit code 2; and nothing else happens.

import {spawnSync} from 'node:child_process';
import {mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, describe, expect, test} from 'vitest';
import {tether} from './cli/tether.ts';

const folder = mkdtempSync(join(tmpdir(), 'tether-main-'));
afterAll(() => rmSync(folder, {recursive: true, force: true}));

const scenario = 'name: a\nsteps:\n';
const files: {readonly [name: string]: string} = {
  'field.yaml': 'name: a\nstep: []\n',
  'type.yaml': 'name: 7\nsteps: []\n',
  'yaml.yaml': 'name: [a\n',
  'kind.yaml': `${scenario}- expect:\n  - {object: {kind: Compositon, name: b}, absent: true}\n`,
  'resource.yaml': `${scenario}- expect:\n  - {object: {kind: Composition, resource: db}, absent: true}\n`,
  'unreachable.yaml': `name: a\nfunctions: {function-x: {address: "127.0.0.1:1"}}\nsteps:\n- wait: 5s\n`,
};
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);

/** A request with two desired resources whose step has this input. */
function requestWith(name: string, input: object): string {
  const resource = (kind: string) => ({resource: {apiVersion: 'e/v1', kind}});
  const xr = {resource: {apiVersion: 'e/v1', kind: 'XApp', metadata: {name: 'prod', uid: 'u1'}}};
  const desired = {resources: {db: resource('Db'), app: resource('App')}};
  const whole = {apiVersion: 'tether.fn.crossplane.io/v1beta1', kind: 'Input', ...input};
  writeFileSync(join(folder, name), JSON.stringify({observed: {composite: xr}, desired, input: whole}));
  return name;
}

describe('tether', () => {
  test.each([
    ['a wrong field', ['test', 'field.yaml'], 'field.yaml:2:1: unknown field "step" in the document: did you mean'],
    ['a wrong type', ['test', 'type.yaml'], 'type.yaml:1:7: name must be a string, got 7'],
    ['an unknown kind', ['test', 'kind.yaml'], 'kind.yaml:4:5: unknown kind "Compositon": did you mean "Composition"?'],
    [
      'an unknown resource name',
      ['test', 'resource.yaml'],
      'resource.yaml:4:5: no composed resource was ever named "db"',
    ],
    ['invalid YAML', ['test', 'yaml.yaml'], 'yaml.yaml:2:1: invalid YAML: '],
    ['a missing file', ['test', 'nothing.yaml'], 'cannot read file "nothing.yaml": no such file'],
    [
      'a function nobody answers for',
      ['test', 'unreachable.yaml'],
      'cannot reach function "function-x" at 127.0.0.1:1',
    ],
    ['a scenario to explore', ['explore', 'field.yaml'], 'field.yaml:2:1: unknown field "step" in the document'],
    ['a scenario to explain', ['explain', 'type.yaml'], 'type.yaml:1:7: name must be a string, got 7'],
    ['an unknown command', ['tests'], 'tether: unknown command "tests": did you mean "test"?'],
    ['an unknown flag', ['serve', '--nope'], "cannot read flags: unknown option '--nope'; see tether serve --help"],
    [
      'a misspelled flag',
      ['test', '--htm', 'a.html'],
      "cannot read flags: unknown option '--htm': did you mean '--html'?; see tether test --help",
    ],
    ['a path without a scenario', ['replay'], 'tether replay takes FILE, got 0 arguments; see tether replay --help'],
    [
      'an address that is none',
      ['serve', '--address', '5'],
      'cannot use --address: expected host:port such as :9443, got "5"',
    ],
  ])('refuses %s', (_, args, sentence) => {
    const {code, out, err} = tether(args, folder);
    expect(err).toContain(sentence);
    expect([code, out]).toEqual([2, '']);
    expectOneSentence(err);
  });

  test.each([
    ['a wrong field', {usage: []}, 'input.usage: expected one of the fields apiVersion, kind,'],
    ['a wrong type', {usages: {}}, 'input.usages: expected a list, got an empty object'],
    ['an unknown kind', {kind: 'Inputs'}, 'input.kind: expected one of Input, got "Inputs"'],
    [
      'cyclic pairs',
      {
        usages: [
          {of: 'db', by: 'app'},
          {of: 'app', by: 'db'},
        ],
      },
      'input.usages[1]: expected an order without a cycle, got the cycle "app" before "db" before "app"',
    ],
  ])('refuses an Input with %s', (name, input, problem) => {
    const {code, out, err} = tether(['explain', requestWith(`${name.replaceAll(' ', '-')}.json`, input)], folder);
    expect(out).toContain(`refused: cannot use ${problem}`);
    expect(out.trim().split('\n')).toHaveLength(2);
    expect([code, err]).toEqual([2, '']);
  });
});

test('a process of its own answers the same', () => {
  const main = new URL('../src/main.ts', import.meta.url).pathname;
  for (const args of [['test', 'kind.yaml'], ['tests']]) {
    const {status, stdout, stderr} = spawnSync(process.execPath, [main, ...args], {cwd: folder, encoding: 'utf8'});
    expect({code: status, out: stdout, err: stderr}).toEqual(tether(args, folder));
  }
});

test('nothing was written beside what was given', () => {
  const left = readdirSync(folder).filter((name) => !Object.hasOwn(files, name) && !name.endsWith('.json'));
  expect(left).toEqual([]);
});

/** One line; below it may stand the line of the file that is meant. */
function expectOneSentence(stderr: string): void {
  const [sentence = '', ...excerpt] = stderr.trimEnd().split('\n');
  expect(sentence).not.toBe('');
  for (const line of excerpt) expect(line).toMatch(/^$|^ +\d* *\| /);
}
