import {describe, expect, test} from 'vitest';
import {driveHere} from '../../../src/harness/functions/drive.ts';
import {timelineText} from '../../../src/harness/report/console.ts';
import {driveScenario} from '../../../src/harness/scenario/drive-scenario.ts';
import {readScenario} from '../../../src/harness/scenario/read-scenario.ts';

// Kubernetes' own kinds, composed without a definition of theirs: what cannot change, a restore, a removal, a deletion.

const scenario = readScenario(new URL('./native/scenario.yaml', import.meta.url).pathname);

describe.each(['2.3', 'main'] as const)('an XR of Kubernetes’ own kinds under %s', (crossplane) => {
  const [variant] = scenario.variants;
  if (variant === undefined) throw new Error('the scenario has no variant');
  const run = driveHere(driveScenario(scenario, {crossplane, variant, seed: 1}));
  const steps = timelineText(run)
    .replaceAll(/\s+/g, ' ')
    .split(/ (?=\d\. )/);
  const told = (step: number) => steps.find((text) => text.trim().startsWith(`${step}. `)) ?? '';

  test('composes them, and they are ready', () => {
    expect(run.failures).toEqual([]);
    expect(told(1)).toContain('created 6 objects');
  });

  test('says which changes their API server refuses, and composes the others', () => {
    expect(told(2)).toContain('field is immutable when `immutable` is set');
    expect(told(2)).toContain('spec.selector: Invalid value: {"matchLabels":{"app":"market"}}: field is immutable');
    expect(told(2)).toContain('Unsynced resources: settings, web');
    expect(told(3)).toContain('Synced=True');
  });

  test('takes them over again after a restore, the Service with another address', () => {
    expect(told(6)).toContain('created 7 objects');
    expect(told(6)).toContain('6 objects adopted by Shop/shop');
    expect(told(6)).not.toContain('refused');
  });

  test('lets the one go that is dropped, and the others with itself', () => {
    expect(told(7)).toContain('web (Deployment) is gone');
    expect(told(8)).toContain('5 objects are gone');
    expect(run.orphans).toEqual([]);
  });
});
