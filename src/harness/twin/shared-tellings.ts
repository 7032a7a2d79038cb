// Tellings of many stories of one platform: what stories have in common, from their first step on, is told once. Stories
// have it in common if it is the very same steps (the same values in memory) under the same seed; that a telling goes on
// in two ways without the one being felt by the other rests on worlds that never change.

import type {Story} from '../explore/story.ts';
import {withSteps} from '../explore/story.ts';
import type {Scenario, Step} from '../scenario/scenario.ts';
import {Teller, type Telling, type TellingOptions} from './tell-story.ts';

/** A beginning that was told: just after its last step, and, once a story needed it, at rest. */
interface Beginning {
  readonly made: Teller;
  rested?: Teller;
  readonly next: Map<Step, Beginning>;
}

/** How a telling differs from the story as it is written: what is added to its seed, and how far its moves are shifted. */
export interface Turn {
  readonly seed: number;
  readonly shift?: (move: number) => number;
}

/** More would fill the memory: what was told is forgotten, and told again if it is needed. */
const beginningsMax = 100;

export class SharedTellings {
  readonly #platform: Story;
  readonly #watched: readonly string[];
  readonly #turn: Turn;
  #seed: number | undefined;
  readonly #first = new Map<Step, Beginning>();
  #count = 0;

  constructor(platform: Story, watched: readonly string[], turn: Turn = {seed: 0}) {
    this.#platform = platform;
    this.#watched = watched;
    this.#turn = turn;
  }

  tell(scenario: Scenario): Telling {
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
      const begun: Beginning = known.get(step) ?? this.#tellOn(before, story, move);
      known.set(step, begun);
      before = begun;
    }
    if (before === undefined) return Teller.begin(story, this.#options).end();
    return restedOf(before, story).fork(story).end();
  }

  get #options(): TellingOptions {
    const {seed, ...turn} = this.#turn;
    return {seed: (this.#seed ?? 0) + seed, watched: this.#watched, ...turn};
  }

  #tellOn(before: Beginning | undefined, story: Story, move: number): Beginning {
    this.#count++;
    const teller = this.#tellerAt(before, story, move);
    teller.make(move);
    return {made: teller, next: new Map()};
  }

  /** A telling that stands where the move is to be made. */
  #tellerAt(before: Beginning | undefined, story: Story, move: number): Teller {
    if (before === undefined) return Teller.begin(story, this.#options);
    if (story.moves[move]?.step.early === undefined) return restedOf(before, story).fork(story);
    const teller = before.made.fork(story);
    teller.waitFor(move);
    return teller;
  }
}

function restedOf(beginning: Beginning, story: Story): Teller {
  if (beginning.rested === undefined) {
    beginning.rested = beginning.made.fork(story);
    beginning.rested.rest();
  }
  return beginning.rested;
}
