import {readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {expect, test} from 'vitest';
import {parse} from 'yaml';
import {emptyFolder} from './folder.ts';
import {tether} from './tether.ts';

// The world of a story after a step is a source: audit reads it, and rehearse goes on from it.

const folder = emptyFolder();
const story = resolve('examples/explore/s1-orphan.yaml');
const dumped = (...more: readonly string[]) => tether(['dump', story, '--crossplane', 'main', ...more], folder.path);
const places = ['--function', 'function-static=function-static'];

test('a world before and after an orphan is audited as what it is', () => {
  expect(dumped('--at', 'a team asks for an App', '--to', 'before.yaml')).toMatchObject({code: 0, out: '', err: ''});
  expect(dumped('--output', 'json', '--to', 'after.json')).toMatchObject({code: 0});
  expect(tether(['audit', 'before.yaml'], folder.path).out).not.toMatch(/error orphan/);
  expect(tether(['audit', 'after.json'], folder.path).out).toMatch(/error orphan/);
});

test('a rehearsal goes on from it: all is at rest, and the same edit comes to the same', () => {
  dumped('--at', '1', '--to', 'world.yaml');
  folder.write('gone.yaml', readFileSync('examples/explore/composition-empty.yaml', 'utf8'));
  const {code, out} = tether(['rehearse', 'world.yaml', ...places, '--apply', 'gone.yaml'], folder.path);
  expect(code).toBe(3);
  expect(out).toMatch(/At rest: before the first step nothing changes/);
  expect(out).toMatch(/2 before, 0 after: 2 destroyed/);
});

test('a story goes on from it, and comes to the same end; a search of it does, too', () => {
  dumped('--at', '1', '--to', 'world.yaml');
  const {fixtures: _, steps, ...rest} = parse(readFileSync(story, 'utf8'));
  const later = steps
    .slice(1)
    .map((step: object) =>
      JSON.parse(
        JSON.stringify(step).replaceAll(/"([\w-]+\.yaml)"/g, (_match, name) =>
          JSON.stringify(resolve('examples/explore', name)),
        ),
      ),
    );
  folder.write('later.yaml', {...rest, from: 'world.yaml', steps: later});
  const ends = ['later.yaml', story].map((file) => {
    const {out} = tether(['test', file, '--crossplane', 'main', '--json', '-'], folder.path);
    const runs: readonly {orphans: readonly object[]; externals: {alive: number}}[] = JSON.parse(out).runs;
    return runs.map(({orphans, externals: {alive}}) => [orphans.length, alive]);
  });
  expect(ends[0]).toEqual(ends[1]);
  expect(ends[0]?.flat()).toContain(1);
  const searched = tether(['explore', 'later.yaml', '--crossplane', 'main'], folder.path);
  expect(searched.out).toMatch(/no orphan/i);
  expect(tether(['test', '--twin', 'function-static', 'later.yaml'], folder.path)).toMatchObject({
    code: 2,
    err: expect.stringContaining('cannot compare twins from a control plane that lived'),
  });
});

test('what a Secret holds is left out', () => {
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {name: 'key', namespace: 'default'},
    stringData: {password: 'hunter2'},
  };
  folder.write('secret.yaml', {name: 'secret', functions: {}, steps: [{name: 'made', apply: secret, wait: '1s'}]});
  const {out} = tether(['dump', 'secret.yaml'], folder.path);
  const {items} = parse(out);
  expect(items.find(({kind}: {kind: string}) => kind === 'Secret')).toMatchObject({metadata: {name: 'key'}});
  expect(out).not.toContain('hunter2');
  expect(out).not.toContain(Buffer.from('hunter2').toString('base64'));
});

test('a step that the scenario does not have, and one that fails, are told', () => {
  expect(dumped('--at', 'a team asks for an Ap')).toMatchObject({
    code: 2,
    err: '--at must name a step, or a number from 0 to 7, got "a team asks for an Ap": did you mean "a team asks for an App"?\n',
  });
  folder.write('fails.yaml', {
    name: 'fails',
    functions: {},
    steps: [{name: 'none', delete: {kind: 'Namespace', name: 'none'}, wait: '1s'}],
  });
  const failed = tether(['dump', 'fails.yaml'], folder.path);
  expect(failed).toMatchObject({code: 3});
  expect(failed.err).toMatch(/^none: /);
  expect(parse(failed.out).items.length).toBeGreaterThan(0);
});
