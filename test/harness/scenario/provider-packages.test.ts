import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {builtins} from '../../../src/harness/functions/builtin.ts';
import {driveHere} from '../../../src/harness/functions/drive.ts';
import {manifestReader} from '../../../src/harness/input/manifests/read-manifests.ts';
import {parseYaml} from '../../../src/harness/input/yaml.ts';
import {driveScenario} from '../../../src/harness/scenario/drive-scenario.ts';
import {scenarioIn} from '../../../src/harness/scenario/parse-scenario.ts';

// What a scenario says of the packages of its Providers. What follows from them is told in test/cluster/crossplane/providers.test.ts.

const file = new URL('../../../examples/provider-upgrade/scenario.yaml', import.meta.url).pathname;
const example = readFileSync(file, 'utf8');
const registry = {...builtins, 'function-tether': builtins['passing'] as (typeof builtins)[string]};

function run(text: string) {
  const scenario = scenarioIn(parseYaml(text, 'provider.yaml'), 'provider.yaml', manifestReader(file), registry);
  const [variant] = scenario.variants;
  if (variant === undefined) throw new Error('the scenario has no variant');
  const result = driveHere(driveScenario(scenario, {crossplane: 'main', variant, seed: 1}));
  return {...result, notes: scenario.notes ?? []};
}

const edited = (from: string | RegExp, to: string) => {
  const text = example.replace(from, to);
  expect(text).not.toBe(example);
  return text;
};

const small = `
name: small
fixtures:
- {apiVersion: pkg.crossplane.io/v1, kind: Provider, metadata: {name: p}, spec: {package: "xpkg.example.org/p:v1"}}
steps: [{wait: 1m, expect: [{object: {kind: Provider, name: p}, exists: true}]}]`;

describe('the package of a Provider', () => {
  test('that a step names is refused where nobody says what it has', () => {
    expect(() => run(edited(/ {2}xpkg.example.org\/provider-cloud:v2.0.0.*\n/, ''))).toThrow(
      'cannot install Provider "provider-cloud" as xpkg.example.org/provider-cloud:v2.0.0: its content is not given; add "xpkg.example.org/provider-cloud:v2.0.0" to `packages`',
    );
  });

  test('that a fixture names, too', () => {
    expect(() => run(`${small}\npackages: {}`)).toThrow('cannot install Provider "p" as xpkg.example.org/p:v1');
  });

  test('is refused where no Provider names it', () => {
    expect(() => run(`${small}\npackages: {"xpkg.example.org/p:v1": {objects: []}, other: {objects: []}}`)).toThrow(
      'packages["other"] must be a package that a Provider of the scenario names; none does',
    );
  });

  test('may be moved to by a patch', () => {
    const patched = `${small.replace('steps: [', 'steps: [{patch: {kind: Provider, name: p, body: {spec: {package: "xpkg.example.org/p:v2"}}}}, ')}
packages: {"xpkg.example.org/p:v1": {objects: []}, "xpkg.example.org/p:v2": {objects: []}}`;
    const {objects, failures} = run(patched);
    expect(failures).toEqual([]);
    expect(objects.filter(({kind}) => kind === 'ProviderRevision')).toHaveLength(2);
  });

  test('is nothing for a provider that only says that it is ready', () => {
    const nop = `${small}\nprovider: {kind: nop}\npackages: {"xpkg.example.org/p:v1": {objects: []}}`;
    expect(() => run(nop)).toThrow('cannot run packages of a provider of kind nop');
  });
});

test('a Provider of a scenario without packages is an object that nobody acts on, as before', () => {
  const {objects, failures, notes} = run(small);
  expect(failures).toEqual([]);
  expect(objects.find(({kind}) => kind === 'Provider')?.status).toBeUndefined();
  expect(objects.some(({kind}) => kind === 'ProviderRevision' || kind === 'Deployment')).toBe(false);
  expect(notes).toEqual([expect.stringContaining('not modelled: Provider (pkg.crossplane.io/v1)')]);
});
