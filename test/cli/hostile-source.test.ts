// A source in which every value that is ever printed would command the terminal it is printed on.

import {readdirSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {paintFor, plain, visibleLines} from '../../src/harness/report/paint.ts';
import {visible} from '../../src/harness/report/visible.ts';
import {composition as compositionOf} from '../platform.ts';
import {emptyFolder} from './folder.ts';
import {tether} from './tether.ts';

const folder = emptyFolder();
/** Clears the screen, in both ways to write it; goes back in the line; turns the direction; colours a whole word. */
const evil = 'x \u001b[2J \u009b2J \r \u0007 \u202e\u2066 \u001b[31mred\u001b[39m \u001b]0;title\u0007';
const commands = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

test('a text that would command a terminal is written out, once and so that JSON reads it again', () => {
  expect(visible('a\tb\n\u001b[2J\u009b\r\u202e\u0000\u007f')).toBe(
    'a\tb\n\\u001b[2J\\u009b\\u000d\\u202e\\u0000\\u007f',
  );
  expect(JSON.parse(visible(JSON.stringify({[evil]: [evil]})))).toEqual({[evil]: [evil]});
  expect(visible('Grüße, 日本 👩‍💻 \\u001b')).toBe('Grüße, 日本 👩‍💻 \\u001b');
});

test('of colours those stay that were put around a whole line here', () => {
  const paint = paintFor({}, {FORCE_COLOR: '1'});
  expect(paint).not.toBe(plain);
  expect(visibleLines(`${paint('red', 'a\u001b[2Jb')}\nc${paint('dim', 'd')}`)).toBe(
    '\u001b[31ma\\u001b[2Jb\u001b[39m\nc\\u001b[2md\\u001b[22m',
  );
});

test('of colours those stay that were put around the first words of a line here', () => {
  const paint = paintFor({}, {FORCE_COLOR: '1'});
  expect(visibleLines(`${paint('green', 'ok')} a\u001b[2Jb`)).toBe('\u001b[32mok\u001b[39m a\\u001b[2Jb');
});

test('a test prints no command of a scenario to the terminal', () => {
  const apply = {apiVersion: 'v1', kind: 'Secret', metadata: {name: 'a', namespace: 'default'}};
  const expected = [{count: {kind: 'Secret'}, is: 2}];
  folder.write('scenario.yaml', {name: evil, crossplane: 'main', steps: [{name: evil, apply, expect: expected}]});
  const {code, out, err} = tether(['test', 'scenario.yaml', '--timeline'], folder.path);
  expect(code).toBe(3);
  expect(out).toContain('FAILED  x \\u001b[2J');
  expect(out + err).not.toMatch(commands);
});

test('commands print by print.ts, which writes such characters out', () => {
  const cli = new URL('../../src/cli/', import.meta.url);
  const printing = readdirSync(cli).filter((name) =>
    /console\.(?:log|error)\(/.test(readFileSync(new URL(name, cli), 'utf8')),
  );
  // The stories are our own.
  expect(printing).toEqual(['complain.ts', 'print.ts', 'stories.ts']);
});

test('an audit prints no command to the terminal, in no report', () => {
  const files = ['json', 'sarif', 'junit', 'markdown'];
  const ran = tether(
    ['audit', folder.write('source.json', ...source), ...files.flatMap((name) => [`--${name}`, name])],
    folder.path,
  );
  expect(ran.out).toMatch(/missing: .*\(1\)[\s\S]*x \\u001b\[2J \\u009b2J/);
  for (const text of [ran.out, ...files.map(folder.read)]) {
    expect(text).not.toMatch(commands);
    expect(text).toContain('u001b');
  }
  expect(JSON.stringify(JSON.parse(folder.read('json')))).toMatch(/[^\\]\\u001b\[2J/);
});

test('a rehearsal prints no command to the terminal, in no report', () => {
  folder.write('edited.json', {
    ...composition,
    spec: {...composition.spec, pipeline: [{...step, input: {...input, resources: []}}]},
  });
  const steps = ['--apply', 'edited.json', '--function', 'make=function-static'];
  const reports = ['--timeline', '--json', 'plan.json', '--html', 'page.html'];
  const ran = tether(['rehearse', folder.write('source.json', ...atRest), ...steps, ...reports], folder.path);
  expect(ran.out).toContain('Shop/first');
  for (const text of [ran.out, folder.read('plan.json'), folder.read('page.html')]) {
    expect(text).not.toMatch(commands);
    expect(text).toContain('u001b');
  }
  const terminal = tether(['rehearse', 'source.json', ...steps, '--json', '-'], folder.path);
  expect(terminal.out + terminal.err).not.toMatch(commands);
});

test('a restore plan and a search of faults have no command to the terminal in them', () => {
  const restored = ['rehearse', folder.write('source.json', ...atRest), '--function', 'make=function-static'];
  const velero = [...restored, '--restore', 'velero'];
  const planned = tether([...velero, '--plan', 'plan.md'], folder.path);
  const explored = tether([...restored, '--delete', 'Shop/first', '--explore', '--budget', 'crash=1'], folder.path);
  expect(explored.out).toContain('Faults around the steps');
  for (const text of [planned.out, planned.err, folder.read('plan.md'), explored.out, explored.err]) {
    expect(text).not.toMatch(commands);
  }
});

test('what is refused is said without a command to the terminal', () => {
  const pipeline = [{step: 'make', functionRef: {name: evil}}];
  const file = folder.write('refused.json', ...source.filter((one) => one !== composition), {
    ...composition,
    spec: {...composition.spec, pipeline},
  });
  const {code, err} = tether(['rehearse', file, '--delete', 'Shop/first'], folder.path);
  expect(code).toBe(2);
  expect(err).toContain('u001b');
  expect(err).not.toMatch(commands);
});

const input = {
  apiVersion: 'static.fn.example.org/v1',
  kind: 'Input',
  resources: [{name: evil, base: {apiVersion: 'v1', kind: 'ConfigMap', data: {text: evil}}}],
};
const step = {step: evil, functionRef: {name: 'make'}, input};

const composition = compositionOf({apiVersion: 'e.org/v1', kind: 'Shop'}, step);

const shop = {
  apiVersion: 'e.org/v1',
  kind: 'Shop',
  metadata: {
    name: 'first',
    namespace: 'team',
    uid: 'u3',
    labels: {size: evil},
    creationTimestamp: '2026-01-01T00:00:00Z',
  },
  spec: {size: evil, crossplane: {compositionRef: {name: 'shops'}}},
  status: {
    conditions: [
      {type: 'Ready', status: 'False', reason: evil, message: evil, lastTransitionTime: '2026-01-01T00:00:00Z'},
    ],
  },
};

const atRest: readonly object[] = [
  {
    apiVersion: 'apiextensions.crossplane.io/v2',
    kind: 'CompositeResourceDefinition',
    metadata: {name: 'shops.e.org', uid: 'u1', annotations: {note: evil}},
    spec: {
      group: 'e.org',
      scope: 'Namespaced',
      names: {kind: 'Shop', plural: 'shops'},
      versions: [
        {
          name: 'v1',
          served: true,
          referenceable: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {spec: {type: 'object', properties: {size: {type: 'string', description: evil}}}},
            },
          },
        },
      ],
    },
  },
  composition,
  {apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'team', uid: 'u2'}},
  shop,
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {name: 'other', namespace: 'team', uid: 'u4', labels: {'crossplane.io/composite': evil}},
    data: {text: evil},
  },
];

/** The XR lists what is not there. */
const refs = [{apiVersion: 'v1', kind: 'ConfigMap', name: evil}];
const source = atRest.map((one) =>
  one === shop ? {...shop, spec: {...shop.spec, crossplane: {...shop.spec.crossplane, resourceRefs: refs}}} : one,
);
