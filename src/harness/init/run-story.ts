// Runs the story that was written, on every version that it names: whether it comes true, and the gaps in its evidence.

import {leadsTo} from '../control-plane/oracle/externals.ts';
import type {Builtins} from '../functions/builtin.ts';
import {openFunctions} from '../functions/function-pool.ts';
import type {FunctionSource} from '../functions/function-source.ts';
import {readScenario} from '../scenario/read-scenario.ts';
import type {RunResult} from '../scenario/run-result.ts';
import {runScenario} from '../scenario/run-scenario.ts';
import type {StoryOutcome, StoryPlan} from './plan-story.ts';

/** Reads the file as `tether test` does. Throws InputError. */
export async function runStory(
  file: string,
  plan: StoryPlan,
  builtins: Builtins,
  progress: (what: string | undefined) => void,
): Promise<readonly StoryOutcome[]> {
  const written = readScenario(file, builtins);
  const packaged = plan.places.flatMap(({name, source, isPackaged}) =>
    source !== undefined && isPackaged === true ? [[name, source] as const] : [],
  );
  const functions: {readonly [name: string]: FunctionSource} = {...written.functions, ...Object.fromEntries(packaged)};
  const scenario = {...written, functions};
  const [variant] = scenario.variants;
  if (variant === undefined) return [];
  const pool = await openFunctions(scenario);
  try {
    const outcomes: StoryOutcome[] = [];
    for (const crossplane of plan.crossplane) {
      progress(`running the whole story on Crossplane ${crossplane}`);
      const result = await runScenario(scenario, {crossplane, variant, builtins, pool});
      outcomes.push({crossplane, failed: failureOf(result), hollow: result.hollow ?? []});
    }
    return outcomes;
  } finally {
    progress(undefined);
    await pool.close();
  }
}

/** The first step that did not come true, with what the cloud still has and no object leads to. */
function failureOf({failures, externals, objects}: RunResult): StoryOutcome['failed'] {
  const [first] = failures;
  if (first === undefined) return undefined;
  const same = failures.filter(({step}) => step === first.step);
  const names = new Set(objects.map(leadsTo));
  const left = externals.list.filter(({id, owner}) => owner !== undefined && !names.has(id));
  return {
    step: first.step,
    why: [
      ...same.flatMap(({message, because = []}) => [message, ...because]),
      ...left.map(({id, type, owner}) => `no object leads to ${type} "${id}" any more, which ${owner} was made for`),
    ],
  };
}
