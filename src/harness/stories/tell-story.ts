import type {ProfileName} from '../../cluster/crossplane/profiles.ts';
import type {Builtins} from '../functions/builtin.ts';
import {openFunctions} from '../remote/function-pool.ts';
import {type RunResult, runScenario} from '../scenario/run-scenario.ts';
import type {Happens, Variant} from '../scenario/scenario.ts';
import type {Story} from './find-stories.ts';
import {inEveryOrder} from './orders.ts';

// One story on one Crossplane version in one variant, told once per seed and order, and what the runs came to together.

export interface Telling {
  readonly story: Story;
  readonly crossplane: ProfileName;
  readonly variant: Variant;
  readonly seeds: number;
  /** How many orders of its steps; 1 for most stories. */
  readonly orders: number;
  /** In how many runs the bug happened, of seeds times orders. */
  readonly happened: number;
  readonly runs: number;
  /** Of a story in any order: the orders in which the bug happened with any seed, as step names. */
  readonly badOrders: readonly (readonly string[])[];
  /** The first run that stands for the row: one in which the bug happened, where it did in any. */
  readonly shown: RunResult;
  /** Whether every seed came to the same, order by order. */
  readonly agrees: boolean;
  /** Sentences; empty where everything is as the story says. */
  readonly problems: readonly string[];
  readonly tookMs: number;
}

export interface TellOptions {
  readonly crossplane: ProfileName;
  readonly variant: Variant;
  readonly builtins: Builtins;
  /** Seeds from the story's own on; more where the bug is a matter of chance. */
  readonly seeds: number;
}

export async function tellStory(story: Story, options: TellOptions): Promise<Telling> {
  const {crossplane, variant, builtins} = options;
  const isChance = variant.happens?.sometimes.includes(crossplane) === true;
  const seeds = isChance ? Math.max(options.seeds, chancesMin) : options.seeds;
  const startedMs = Date.now();
  const orders = inEveryOrder(story);
  const perSeed: RunResult[][] = [];
  const pool = await openFunctions(story);
  try {
    for (let seed = story.seed; seed < story.seed + seeds; seed++) {
      const runs: RunResult[] = [];
      for (const told of orders) runs.push(await runScenario(told, {crossplane, variant, builtins, seed, pool}));
      perSeed.push(runs);
    }
  } finally {
    await pool.close();
  }
  const all = perSeed.flat();
  const shown = all.find(({happened}) => happened === true) ?? all[0];
  if (shown === undefined) throw new Error('a story must be told at least once');
  return {
    story,
    crossplane,
    variant,
    seeds,
    orders: orders.length,
    happened: all.filter(({happened}) => happened === true).length,
    runs: all.length,
    badOrders:
      orders.length === 1 ? [] : orders.filter((_, at) => perSeed.some((runs) => runs[at]?.happened)).map(movedSteps),
    shown,
    agrees: new Set(perSeed.map(verdictsText)).size === 1,
    problems: problemsOf(perSeed, options),
    tookMs: Date.now() - startedMs,
  };
}

function verdictsText(runs: readonly RunResult[]): string {
  return runs.map(({happened, failures}) => `${happened} ${failures.length === 0}`).join();
}

function movedSteps({steps, anyOrder}: Story): readonly string[] {
  return steps.map(({name}) => name).filter((name) => anyOrder.includes(name));
}

/** A chance that does not come up in so many runs is none. */
const chancesMin = 8;

function problemsOf(perSeed: readonly (readonly RunResult[])[], {crossplane, variant}: TellOptions): readonly string[] {
  const failures = perSeed.flatMap((runs) =>
    runs.flatMap(({seed, failures}) =>
      failures.map(({place, step, message}) => `${place}: ${step}: ${message} (seed ${seed})`),
    ),
  );
  // Of a story in any order the bug happens where some order brings it about.
  const happened = perSeed.map((runs) => runs.some((run) => run.happened === true));
  const verdict = unexpectedVerdict(variant.happens, crossplane, happened);
  const [first, ...more] = failures;
  const failed = first === undefined ? [] : [more.length === 0 ? first : `${first} (and ${more.length} more)`];
  return [...(verdict === undefined ? [] : [verdict]), ...failed];
}

/** What is wrong with where the bug happened; `happened` holds one word per seed. */
export function unexpectedVerdict(
  happens: Happens | undefined,
  crossplane: string,
  happened: readonly boolean[],
): string | undefined {
  const count = happened.filter(Boolean).length;
  const seeds = `${happened.length} seed${happened.length === 1 ? '' : 's'}`;
  if (happens === undefined) return 'the variant does not say where the bug happens: add `happens`';
  if (happens.always.includes(crossplane)) {
    return count === happened.length ? undefined : `the bug must happen, and did with ${count} of ${seeds}`;
  }
  if (happens.sometimes.includes(crossplane)) {
    const isMissing = count === 0 && happened.length >= chancesMin;
    return isMissing ? `the bug must happen with some seeds, and did with none of ${seeds}` : undefined;
  }
  return count === 0 ? undefined : `the bug must not happen, and did with ${count} of ${seeds}`;
}
