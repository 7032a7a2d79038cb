// Runs of many stories of one platform: what stories have in common, from their first step on, runs once. Stories
// have it in common if it is the very same steps (the same values in memory) under the same seed; that a run goes on
// in two ways without the one being felt by the other rests on worlds that never change.

import type {Story} from '../explore/story.ts';
import {withSteps} from '../explore/story.ts';
import type {Scenario, Step} from '../scenario/scenario.ts';
import {type StoryRun, StoryRunner, type StoryRunOptions} from './run-story.ts';

/** A beginning that ran: just after its last step, and, once a story needed it, at rest. */
interface Beginning {
  readonly made: StoryRunner;
  rested?: StoryRunner;
  readonly next: Map<Step, Beginning>;
}

/** How a run differs from the story as it is written: what is added to its seed, and how far its moves are shifted. */
export type Turn = Pick<StoryRunOptions, 'seed' | 'shift'>;

/** More would fill the memory: what ran is forgotten, and runs again if it is needed. */
const beginningsMax = 100;

export class SharedRuns {
  readonly #platform: Story;
  readonly #turn: Turn;
  #seed: number | undefined;
  readonly #first = new Map<Step, Beginning>();
  #count = 0;

  constructor(platform: Story, turn: Turn = {seed: 0}) {
    this.#platform = platform;
    this.#turn = turn;
  }

  run(scenario: Scenario): StoryRun {
    const story = withSteps(this.#platform, scenario);
    const {seed} = scenario;
    if (seed !== this.#seed || this.#count > beginningsMax) {
      this.#first.clear();
      this.#count = 0;
      this.#seed = seed;
    }
    let before: Beginning | undefined;
    for (const [move, {step}] of story.moves.entries()) {
      const known = before === undefined ? this.#first : before.next;
      const begun: Beginning = known.get(step) ?? this.#runOn(before, story, move);
      known.set(step, begun);
      before = begun;
    }
    if (before === undefined) return StoryRunner.begin(story, this.#options).end();
    return restedOf(before, story).fork(story).end();
  }

  get #options(): StoryRunOptions {
    return {...this.#turn, seed: (this.#seed ?? 0) + this.#turn.seed};
  }

  #runOn(before: Beginning | undefined, story: Story, move: number): Beginning {
    this.#count++;
    const runner = this.#runnerAt(before, story, move);
    runner.make(move);
    return {made: runner, next: new Map()};
  }

  /** A run that stands where the move is to be made. */
  #runnerAt(before: Beginning | undefined, story: Story, move: number): StoryRunner {
    if (before === undefined) return StoryRunner.begin(story, this.#options);
    if (story.moves[move]?.step.early === undefined) return restedOf(before, story).fork(story);
    const runner = before.made.fork(story);
    runner.waitFor(move);
    return runner;
  }
}

function restedOf(beginning: Beginning, story: Story): StoryRunner {
  if (beginning.rested === undefined) {
    beginning.rested = beginning.made.fork(story);
    beginning.rested.rest();
  }
  return beginning.rested;
}
