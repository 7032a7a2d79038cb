// Makes a counterexample small: fewest spending actions first (those are what happened *to* the system, and what a
// person has to read), then fewest steps. Delta debugging (A. Zeller, R. Hildebrandt, "Simplifying and Isolating
// Failure-Inducing Input", IEEE TSE 2002) over the action keys; each candidate is taken as a guided walk and kept only
// if the property shows again, so the result is a path of the model, whatever was left out on the way to it.
//
// The result is minimal in this sense: leaving out any one of its actions, with each way to fill the gap, gives no
// smaller path (unless the bound on tries was met). A search in cheapest order gives the true minimum where it can be
// afforded.

import {type Filling, type GuidedOptions, type GuidedRun, walkGuided} from './guided-walk.ts';
import type {Model} from './model.ts';
import {replay} from './path.ts';
import type {Property} from './property.ts';
import type {Discovery} from './result.ts';

export interface ShrinkOptions extends GuidedOptions {
  /** The most candidates to try. */
  readonly tries: number;
}

export interface Shrunk {
  readonly discovery: Discovery;
  /** The keys of the actions along the path. */
  readonly keys: readonly string[];
  readonly spendingSteps: number;
  readonly tries: number;
  /** False if the bound on tries was met before the result was minimal. */
  readonly minimal: boolean;
}

/**
 * Shrinks the path of a discovery of the property, or undefined if the property does not show on it (then the model is
 * not the one it was found with, or the discovery is an endless run, which is not shrunk).
 */
export function shrink<S, A>(
  model: Model<S, A>,
  property: Property<S>,
  discovery: Discovery,
  options: ShrinkOptions,
): Shrunk | undefined {
  if (discovery.cycle !== undefined) return undefined;
  const replayed = replay(model, discovery.path);
  if (replayed.kind === 'diverged') return undefined;
  const keys = replayed.steps.map((step) => step.key);
  return new Shrinking(model, property, options).run(keys);
}

class Shrinking<S, A> {
  readonly #model: Model<S, A>;
  readonly #property: Property<S>;
  readonly #options: ShrinkOptions;
  #best: GuidedRun | undefined;
  #tries = 0;

  constructor(model: Model<S, A>, property: Property<S>, options: ShrinkOptions) {
    this.#model = model;
    this.#property = property;
    this.#options = options;
  }

  run(keys: readonly string[]): Shrunk | undefined {
    if (!this.#shows(keys, 'skip')) return undefined;
    // The spending actions alone, with quiet in between, read best and have the fewest candidates: they go first.
    for (let size = -1; size !== this.#size(); ) {
      size = this.#size();
      this.#minimize(this.#spendingKeys(), 'settle');
      this.#minimize(this.#spendingKeys(), 'await');
      this.#minimize(this.#best?.keys ?? keys, 'skip');
    }
    return this.#result();
  }

  /** Leaves out ever smaller chunks of the wanted keys as long as the property still shows. */
  #minimize(start: readonly string[], filling: Filling): void {
    if (!this.#shows(start, filling)) return;
    let wanted = start;
    let chunk = Math.max(1, Math.ceil(wanted.length / 2));
    while (wanted.length > 0) {
      const shorter = this.#withoutOneChunk(wanted, chunk, filling);
      if (shorter !== undefined) {
        wanted = shorter;
        chunk = Math.max(1, Math.min(chunk, wanted.length));
      } else if (chunk === 1) {
        return;
      } else {
        chunk = Math.ceil(chunk / 2);
      }
    }
  }

  #withoutOneChunk(wanted: readonly string[], chunk: number, filling: Filling): readonly string[] | undefined {
    for (let from = 0; from < wanted.length; from += chunk) {
      const shorter = [...wanted.slice(0, from), ...wanted.slice(from + chunk)];
      if (this.#shows(shorter, filling)) return shorter;
    }
    return undefined;
  }

  /** True if the property shows; remembers the best run that showed it. */
  #shows(wanted: readonly string[], filling: Filling): boolean {
    if (this.#tries >= this.#options.tries) return false;
    this.#tries++;
    const run = walkGuided(this.#model, this.#property, wanted, filling, this.#options);
    if (run === undefined) return false;
    if (this.#best === undefined || isSmaller(run, this.#best)) this.#best = run;
    return true;
  }

  #spendingKeys(): string[] {
    const run = this.#best;
    if (run === undefined) return [];
    const replayed = replay(this.#model, run.path);
    if (replayed.kind === 'diverged') return [];
    return replayed.steps.filter((step) => step.cost !== undefined).map((step) => step.key);
  }

  #size(): number {
    return this.#best === undefined ? 0 : this.#best.spendingSteps * 1_000_000 + this.#best.path.length;
  }

  #result(): Shrunk | undefined {
    const run = this.#best;
    if (run === undefined) return undefined;
    const {path, keys, spendingSteps, pending} = run;
    return {
      discovery: pending === undefined ? {path} : {path, pending},
      keys,
      spendingSteps,
      tries: this.#tries,
      minimal: this.#tries < this.#options.tries,
    };
  }
}

function isSmaller(a: GuidedRun, b: GuidedRun): boolean {
  return (
    a.spendingSteps - b.spendingSteps < 0 || (a.spendingSteps === b.spendingSteps && a.path.length < b.path.length)
  );
}
