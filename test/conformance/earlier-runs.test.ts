import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import type {KubeObject} from '../../src/cluster/object.ts';
import {driveHere} from '../../src/harness/functions/drive.ts';
import {readYamlFile} from '../../src/harness/input/yaml-file.ts';
import {openBench} from './bench.ts';
import {earlierRuns, rehearse} from './earlier-runs.ts';
import {parseRecordedScenario} from './recorded-scenario.ts';
import {replay} from './replay.ts';

const folder = fileURLToPath(new URL('../recordings/control-plane-versions/', import.meta.url));
const read = (file: string) => readYamlFile(folder + file);

test('the name of a recording says how often its scenario ran before', () => {
  expect(earlierRuns('v2.3.4--c-composition-drops-all-three')).toBe(0);
  expect(earlierRuns('v2.3.4--c-composition-drops-all-three--run3')).toBe(2);
  expect(earlierRuns('v1.16.1--b-remove-legacy--realtime')).toBe(0);
});

test('an XR finds the circuit breaker as its wiped namesake left it', () => {
  const before = ['managed-crds.yaml', 'xrds-v1.yaml', 'xrds-claims.yaml'].flatMap((file) =>
    read(file).map(({value}) => value as unknown as KubeObject),
  );
  const [cursor] = read('v2.3.4--c-composition-drops-all-three.scenario.yaml');
  if (cursor === undefined) throw new Error('the scenario is not empty');
  const scenario = parseRecordedScenario(cursor);
  const told = (crossplane: string): {readonly left: number; readonly responsive: unknown} => {
    const {bench} = openBench({crossplane, before, seed: 1, functions: ['function-static']});
    rehearse(scenario, bench);
    const left = bench.snapshot().length;
    const [, created] = driveHere(replay(scenario, bench, () => {}));
    const xr = created?.snapshot.find(({kind}) => kind === 'XLegacy');
    const conditions = (xr?.status?.['conditions'] ?? []) as readonly {
      readonly type: string;
      readonly reason: string;
    }[];
    return {left, responsive: conditions.find(({type}) => type === 'Responsive')?.reason};
  };
  expect(told('2.3')).toEqual({left: 0, responsive: 'WatchCircuitOpen'});
  // Version 1 has no circuit breaker.
  expect(told('1.20')).toEqual({left: 0, responsive: undefined});
});
