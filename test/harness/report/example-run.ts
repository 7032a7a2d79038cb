import type {ProfileName} from '../../../src/cluster/crossplane/profiles.ts';
import {driveHere} from '../../../src/harness/functions/drive.ts';
import {driveScenario} from '../../../src/harness/scenario/drive-scenario.ts';
import {readScenario} from '../../../src/harness/scenario/read-scenario.ts';
import type {RunResult} from '../../../src/harness/scenario/run-result.ts';

// A recorded run for tests of reports: an orphan on main, deleted on 1.19.

const scenario = readScenario(new URL('../scenario/orphan/scenario.yaml', import.meta.url).pathname);

export function exampleRun(crossplane: ProfileName): RunResult & {readonly history: NonNullable<RunResult['history']>} {
  const [variant] = scenario.variants;
  if (variant === undefined) throw new Error('the scenario has no variant');
  const run = driveHere(driveScenario(scenario, {crossplane, variant, record: true}));
  if (run.history === undefined) throw new Error('the run was not recorded');
  return {...run, variant: '', history: run.history};
}

/** The same run with `change` made to every string of what it says and shows; function calls stay as they are. */
export function rewritten<T>(value: T, change: (text: string, key: string) => string): T {
  // Versions are found by identity, so what was one object stays one.
  const done = new Map<object, unknown>();
  const rewrite = (one: unknown, key: string): unknown => {
    if (typeof one === 'string') return change(one, key);
    if (typeof one !== 'object' || one === null || one instanceof Uint8Array) return one;
    const known = done.get(one);
    if (known !== undefined) return known;
    const made = Array.isArray(one)
      ? one.map((item) => rewrite(item, key))
      : Object.fromEntries(Object.entries(one).map(([name, item]) => [name, rewrite(item, name)]));
    done.set(one, made);
    return made;
  };
  return rewrite(value, '') as T;
}

export const hostile = '</script><img src=x onerror="window.hacked=1">\'&amp;<b>';
