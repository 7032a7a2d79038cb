import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {conditionOf} from '../../../src/cluster/object.ts';
import {runFunction} from '../../../src/function/run.ts';
import {builtins} from '../../../src/harness/functions/builtin.ts';
import {driveHere} from '../../../src/harness/functions/drive.ts';
import {manifestReader} from '../../../src/harness/input/manifests/read-manifests.ts';
import {parseYaml} from '../../../src/harness/input/yaml.ts';
import {driveScenario} from '../../../src/harness/scenario/drive-scenario.ts';
import {parseScenario} from '../../../src/harness/scenario/parse-scenario.ts';

// A function is upgraded in the middle of a story. Its new package desires nothing, so who answers can be seen.

const file = new URL('../../../examples/function-upgrade/scenario.yaml', import.meta.url).pathname;
const example = readFileSync(file, 'utf8');
const registry = {
  ...builtins,
  'function-tether': (request: Uint8Array) => ({ok: true as const, response: runFunction(request)}),
};

function scenarioOf(text: string) {
  const [cursor] = parseYaml(text, 'upgrade.yaml');
  if (cursor === undefined) throw new Error('the test wrote no scenario');
  return parseScenario(cursor, manifestReader(file), registry);
}

function run(text: string, crossplane: '1.16' | '1.19' | '1.20' | '2.3' | 'main', without: readonly string[]) {
  const scenario = scenarioOf(text);
  const found = scenario.variants.find((one) => one.without.join() === without.join());
  const variant = found ?? {name: '', without, expect: []};
  return driveHere(driveScenario(scenario, {crossplane, variant, seed: 1, builtins: registry}));
}

const tether = ['function-tether'];
const edited = (from: string | RegExp, to: string) => {
  const text = example.replace(from, to);
  expect(text).not.toBe(example);
  return text;
};

describe('a function that is upgraded in the middle of a story', () => {
  test.each(['1.19', '1.20', '2.3', 'main'] as const)('answers as its new package and back, on %s', (crossplane) => {
    expect(run(example, crossplane, tether).failures).toEqual([]);
    expect(run(example, crossplane, []).failures).toEqual([]);
  });

  test('moves by a patch, too, where Functions are v1beta1 as on 1.16', () => {
    const patched = edited(
      /apply:\n\s+apiVersion: pkg[^}]+}\n\s+spec: (.+)}\n {4}wait/,
      'patch: { kind: Function, name: function-static, body: { spec: $1} } }\n    wait',
    );
    expect(run(patched, '1.16', tether).failures).toEqual([]);
  });

  test('has one revision of each package, and the first one is active again in the end', () => {
    const {objects} = run(example, 'main', tether);
    const revisions = objects.filter(
      ({kind, metadata}) =>
        kind === 'FunctionRevision' && metadata.labels?.['pkg.crossplane.io/package'] === 'function-static',
    );
    expect(revisions.map(({spec}) => [spec?.['image'], spec?.['desiredState']])).toEqual([
      ['xpkg.example.org/function-static:v1.4.0', 'Active'],
      ['xpkg.example.org/function-static:v2.0.0', 'Inactive'],
    ]);
  });

  test('cannot be called where somebody has to activate the revision, until that is done', () => {
    const manual = edited('v2.0.0" }\n    wait', 'v2.0.0", revisionActivationPolicy: Manual }\n    wait');
    const upTo = (steps: string) => `${manual.slice(0, manual.indexOf('  - name: a person moves it back'))}${steps}`;
    const resting = run(upTo(''), 'main', tether);
    expect(resting.failures).toEqual([]);
    expect(resting.externals).toMatchObject({creates: 2, deletes: 0});
    const app = resting.objects.find(({kind}) => kind === 'App');
    expect(conditionOf(app, 'Synced')?.message).toContain('function-static');
    const body = '{ spec: { desiredState: Active } }';
    const name = resting.objects.find(({spec}) => String(spec?.['image']).endsWith('function-static:v2.0.0'))?.metadata
      .name;
    const activate = `  - patch: { kind: FunctionRevision, name: ${name}, body: ${body} }\n    wait: 3m\n`;
    expect(run(upTo(activate), 'main', tether).externals).toMatchObject({creates: 2, deletes: 2});
  });

  test('is left out as whatever package it is', () => {
    const {externals} = run(edited('{ builtin: passing }', '{ builtin: function-static }'), 'main', [
      'function-static',
      'function-tether',
    ]);
    expect(externals).toMatchObject({creates: 0});
  });

  test('is refused where nobody says which program its package is', () => {
    const missing = edited(/ {2}function-static of .*\n/, '');
    expect(() => run(missing, 'main', tether)).toThrow(
      'cannot move function "function-static" to xpkg.example.org/function-static:v2.0.0: no place is given for that; add "function-static of xpkg.example.org/function-static:v2.0.0" to `functions`, or give --run-functions',
    );
  });

  test('is refused where no step moves it there', () => {
    const other = edited('of xpkg.example.org/function-static:v2.0.0', 'of xpkg.example.org/function-static:v3');
    expect(() => run(other.replaceAll('static:v2.0.0"', 'static:v1.4.0"'), 'main', tether)).toThrow(
      'functions["function-static of xpkg.example.org/function-static:v3"] must be a function and a package that a step gives its Function; no step does',
    );
  });
});
