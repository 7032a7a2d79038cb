import {describe, expect, it} from 'vitest';
import type {ProfileName} from '../../../src/cluster/crossplane/profiles.ts';
import {runFunction} from '../../../src/function/run.ts';
import {builtins} from '../../../src/harness/functions/builtin.ts';
import {driveHere} from '../../../src/harness/functions/drive.ts';
import {driveScenario} from '../../../src/harness/scenario/drive-scenario.ts';
import {readScenario} from '../../../src/harness/scenario/read-scenario.ts';

// A resource that leaves with the label crossplane.io/in-use: a Usage of this XR finds out whether the label tells the truth,
// and nothing is asked for that a cluster may have any number of.

const registry = {
  ...builtins,
  'function-tether': (request: Uint8Array) => ({ok: true as const, response: runFunction(request)}),
};

function runs(file: string) {
  const scenario = readScenario(new URL(`./in-use/${file}`, import.meta.url).pathname, registry);
  const [variant] = scenario.variants;
  if (variant === undefined) throw new Error('the scenario has no variant');
  return scenario.crossplane.map((crossplane) =>
    driveHere(driveScenario(scenario, {crossplane: crossplane as ProfileName, variant, seed: 1, builtins: registry})),
  );
}

describe('what is dropped with the in-use label', () => {
  it.each(['labelled.yaml', 'foreign.yaml', 'foreign-on-1.yaml'])('leaves when no Usage names it: %s', (file) => {
    for (const {failures, crossplane} of runs(file)) expect(failures, crossplane).toEqual([]);
  });

  it('does not have the XR reconciled for every Usage of the cluster', () => {
    const [result] = runs('many.yaml');
    expect(result?.failures).toEqual([]);
    expect(result?.reconciles).toBeLessThan(25);
  });
});
