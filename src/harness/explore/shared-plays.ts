// Runs of many stories of one platform: what stories have in common, from their first step on, runs once. Stories share a
// beginning if it has the very same steps (the same values in memory) under the same seed. A run can go on in two ways that do
// not affect each other, because worlds never change.

import type {Scenario, Step} from '../scenario/scenario.ts';
import {playStory, type StoryRun, StoryRunner, type StoryRunOptions, type Witness} from './play-story.ts';
import {type Story, withSteps} from './story.ts';

/** A beginning that ran: just after its last step, and, once a story needed it, at rest. */
interface Beginning<W extends Witness<W>> {
  readonly made: StoryRunner<W>;
  rested?: StoryRunner<W>;
  readonly next: Map<Step, Beginning<W>>;
}

/** More would fill the memory: what ran is forgotten, and runs again if it is needed. */
const beginningsMax = 100;

export class SharedPlays<W extends Witness<W>> {
  /** The world before the first step. */
  readonly platform: Story;
  readonly #witness: () => W;
  #seed = 0;
  readonly #first = new Map<Step, Beginning<W>>();
  #count = 0;

  constructor(platform: Story, witness: () => W) {
    this.platform = platform;
    this.#witness = witness;
  }

  run(scenario: Scenario): StoryRun<W> {
    const story = withSteps(this.platform, scenario);
    const {seed} = scenario;
    if (seed !== this.#seed || this.#count > beginningsMax) {
      this.#first.clear();
      this.#count = 0;
      this.#seed = seed;
    }
    let before: Beginning<W> | undefined;
    for (const [move, {step}] of story.moves.entries()) {
      const known = before === undefined ? this.#first : before.next;
      const begun: Beginning<W> = known.get(step) ?? this.#runOn(before, story, move);
      known.set(step, begun);
      before = begun;
    }
    if (before === undefined) return StoryRunner.begin(story, this.#witness(), {seed}).end();
    return restedOf(before, story).fork(story).end();
  }

  /** The story once more, under another seed or with the moments of another run; it shares no beginning. */
  alone(scenario: Scenario, options: StoryRunOptions): StoryRun<W> {
    return playStory(withSteps(this.platform, scenario), this.#witness(), options);
  }

  #runOn(before: Beginning<W> | undefined, story: Story, move: number): Beginning<W> {
    this.#count++;
    const runner = this.#runnerAt(before, story, move);
    runner.make(move);
    return {made: runner, next: new Map()};
  }

  /** A run that stands where the move is to be made. */
  #runnerAt(before: Beginning<W> | undefined, story: Story, move: number): StoryRunner<W> {
    if (before === undefined) return StoryRunner.begin(story, this.#witness(), {seed: this.#seed});
    const {step, waits} = story.moves[move] ?? {};
    if (step?.early === undefined && waits?.length === 0) return restedOf(before, story).fork(story);
    const runner = before.made.fork(story);
    runner.waitFor(move);
    return runner;
  }
}

function restedOf<W extends Witness<W>>(beginning: Beginning<W>, story: Story): StoryRunner<W> {
  if (beginning.rested === undefined) {
    beginning.rested = beginning.made.fork(story);
    beginning.rested.rest();
  }
  return beginning.rested;
}
