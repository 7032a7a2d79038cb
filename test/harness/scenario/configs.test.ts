import {describe, expect, test} from 'vitest';
import {runFunction} from '../../../src/function/run.ts';
import {builtins} from '../../../src/harness/functions/builtin.ts';
import {driveHere} from '../../../src/harness/functions/drive.ts';
import {timelineText} from '../../../src/harness/report/console.ts';
import {driveScenario} from '../../../src/harness/scenario/drive-scenario.ts';
import {readScenario} from '../../../src/harness/scenario/read-scenario.ts';

// A ProviderConfig that is deleted while a managed resource uses it: crossplane-runtime#1049 is what the foreground does.

function run(file: string) {
  const scenario = readScenario(new URL(`./configs/${file}`, import.meta.url).pathname);
  const [variant] = scenario.variants;
  if (variant === undefined) throw new Error('the scenario has no variant');
  const result = driveHere(driveScenario(scenario, {crossplane: '2.3', variant, seed: 1}));
  return {result, text: timelineText(result).replaceAll(/\s+/g, ' ')};
}

const registry = {
  ...builtins,
  'function-tether': (request: Uint8Array) => ({ok: true as const, response: runFunction(request)}),
};

test.each(['2.3', 'main'] as const)(
  'a pair of function-tether keeps the config until its user is gone, on %s',
  (crossplane) => {
    const file = new URL('../../../examples/config-in-use/scenario.yaml', import.meta.url).pathname;
    const scenario = readScenario(file, registry);
    expect(scenario.variants.map(({name}) => name)).toEqual(['with function-tether', 'without function-tether']);
    const told = scenario.variants.map((variant) =>
      driveHere(driveScenario(scenario, {crossplane, variant, seed: 1, builtins: registry})),
    );
    expect(told.map(({failures}) => failures)).toEqual([[], []]);
  },
);

describe('a ProviderConfig that is deleted while it is used', () => {
  test('stays until the managed resource is gone that is deleted in the background', () => {
    const {result, text} = run('background.yaml');
    expect(text).toContain('2 objects are gone: Cluster/main, ProviderConfig/prod');
    expect(result.externals).toMatchObject({alive: 0, deletes: 1});
    expect(result.stuck).toEqual([]);
  });

  test('goes before the managed resource that is deleted in the foreground, which then never goes', () => {
    const {result, text} = run('foreground.yaml');
    expect(text).toContain('connect failed: cannot get ProviderConfig');
    expect(result.externals).toMatchObject({alive: 1, deletes: 0});
    expect(JSON.stringify(result.stuck)).toContain('main');
  });
});

test('a restored usage without its owner is deleted, and made again when the resource connects', () => {
  const {result, text} = run('restored.yaml');
  expect(text).toMatch(/restores.*provider: (.*)ProviderConfigUsage/);
  expect(result.failures).toEqual([]);
});

test('a story without a ProviderConfig object knows nothing of them', () => {
  const {text} = run('without.yaml');
  expect(text).toContain('Cluster/main Ready=True');
  expect(text).not.toContain('ProviderConfigUsage');
});
