// One story on one Crossplane version in one variant, once per seed and order, and what the runs came to together.

import type {ProfileName} from '../../../cluster/crossplane/profiles.ts';
import type {Builtins} from '../../functions/builtin.ts';
import {openFunctions} from '../../functions/function-pool.ts';
import type {RunProgress} from '../run-progress.ts';
import type {RunResult} from '../run-result.ts';
import {runScenario} from '../run-scenario.ts';
import type {Failure} from '../run-steps.ts';
import type {Happens, Scenario, Step, Variant} from '../scenario.ts';
import type {Row, Story} from './find-stories.ts';

export interface StoryResult extends Row {
  /** The first seed; the others follow it. */
  readonly from: number;
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
  /** Seeds that came to something else than most, order by order; empty where all came to the same. */
  readonly differing: readonly number[];
  /** Sentences; empty if everything is as the story expects. */
  readonly problems: readonly string[];
  readonly tookMs: number;
}

export interface StoryOptions {
  readonly crossplane: ProfileName;
  readonly variant: Variant;
  readonly builtins: Builtins;
  /** How many seeds; more where the bug is a matter of chance. */
  readonly seeds: number;
  /** The first of them; the story's own where absent. */
  readonly from?: number;
  /** Called with the progress. */
  readonly progress?: RunProgress;
}

/** The result of one seed: for every order whether the bug happened, and the failed expectations. */
interface Outcome {
  readonly seed: number;
  readonly happened: readonly boolean[];
  readonly failures: readonly Failure[];
}

export async function runStory(story: Story, options: StoryOptions): Promise<StoryResult> {
  const {crossplane, variant, builtins, from = story.seed} = options;
  const isChance = variant.happens?.sometimes.includes(crossplane) === true;
  const seeds = isChance ? Math.max(options.seeds, chancesMin) : options.seeds;
  const startedMs = Date.now();
  const orders = inEveryOrder(story);
  const outcomes: Outcome[] = [];
  let shown: RunResult | undefined;
  const progress = options.progress === undefined ? {} : {progress: options.progress};
  const pool = await openFunctions(story, options.progress === undefined ? {} : {waitsFor: options.progress.waitsFor});
  try {
    for (let seed = from; seed < from + seeds; seed++) {
      const runs: RunResult[] = [];
      for (const order of orders) {
        runs.push(await runScenario(order, {crossplane, variant, builtins, seed, pool, ...progress}));
      }
      outcomes.push(outcomeOf(seed, runs));
      const run = runs.find(({happened}) => happened === true) ?? runs[0];
      // Of a thousand runs only one is kept whole.
      if (shown === undefined || (shown.happened !== true && run?.happened === true)) shown = run;
    }
  } finally {
    await pool.close();
  }
  if (shown === undefined) throw new Error('a story must run at least once');
  const happenedIn = (order: number): boolean => outcomes.some(({happened}) => happened[order] === true);
  return {
    story,
    crossplane,
    variant,
    from,
    seeds,
    orders: orders.length,
    happened: outcomes.reduce((sum, {happened}) => sum + happened.filter(Boolean).length, 0),
    runs: orders.length * outcomes.length,
    badOrders: orders.length === 1 ? [] : orders.filter((_, order) => happenedIn(order)).map(movedSteps),
    shown,
    differing: differingSeeds(outcomes),
    problems: problemsOf(outcomes, options),
    tookMs: Date.now() - startedMs,
  };
}

function outcomeOf(seed: number, runs: readonly RunResult[]): Outcome {
  return {
    seed,
    happened: runs.map(({happened}) => happened === true),
    failures: runs.flatMap(({failures}) => failures),
  };
}

function differingSeeds(outcomes: readonly Outcome[]): readonly number[] {
  const seeds = new Map<string, number[]>();
  for (const {seed, happened, failures} of outcomes) {
    const verdict = `${happened.join()} ${failures.length === 0}`;
    seeds.set(verdict, [...(seeds.get(verdict) ?? []), seed]);
  }
  const [, ...fewer] = [...seeds.values()].sort((a, b) => b.length - a.length);
  return fewer.flat().sort((a, b) => a - b);
}

function movedSteps({steps, anyOrder}: Story): readonly string[] {
  return steps.map(({name}) => name).filter((name) => anyOrder.includes(name));
}

/** A chance that does not come up in so many runs is none. */
const chancesMin = 8;

function problemsOf(outcomes: readonly Outcome[], {crossplane, variant}: StoryOptions): readonly string[] {
  const failures = outcomes.flatMap(({seed, failures}) =>
    failures.map(({place, step, message}) => `${place}: ${step}: ${message} (seed ${seed})`),
  );
  // Of a story in any order the bug happens where some order brings it about.
  const happened = outcomes.map((outcome) => outcome.happened.includes(true));
  const verdict = unexpectedVerdict(variant.happens, crossplane, happened);
  const [first, ...more] = failures;
  const failed = first === undefined ? [] : [more.length === 0 ? first : `${first} (and ${more.length} more)`];
  return [...(verdict === undefined ? [] : [verdict]), ...failed];
}

/** The mistake in the versions where the bug happened; `happened` holds one word per seed. */
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

/**
 * The scenario in every order of the steps it names in `anyOrder`, the written one first. All other steps stay where
 * they are. A scenario that names none runs once.
 */
export function inEveryOrder<S extends Scenario>(scenario: S): readonly S[] {
  const {steps, anyOrder} = scenario;
  if (anyOrder.length === 0) return [scenario];
  const isMoved = ({name}: Step): boolean => anyOrder.includes(name);
  return permutations(steps.filter(isMoved)).map((moved) => {
    const rest = [...moved];
    return {...scenario, steps: steps.map((step) => (isMoved(step) ? (rest.shift() ?? step) : step))};
  });
}

function permutations<T>(list: readonly T[]): readonly (readonly T[])[] {
  if (list.length < 2) return [list];
  return list.flatMap((first, index) => {
    const others = list.filter((_, other) => other !== index);
    return permutations(others).map((rest) => [first, ...rest]);
  });
}
