import {describe, expect, test} from 'vitest';
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
