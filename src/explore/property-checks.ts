// Evaluates the properties of a search while it goes, and turns what was found into reports.

import {findRunWithout} from './liveness.ts';
import type {Convergence, Property, StateProperty} from './property.ts';
import {type Discovery, type PropertyReport, verdictOf} from './result.ts';
import type {RunGraph} from './run-graph.ts';

interface Found {
  readonly node: number;
  readonly pending?: string;
}

export class PropertyChecks<S> {
  /** True if any always or converges property has failed. */
  failed = false;
  /** After `enter`: the bits of the `eventually` properties that do not judge the state yet. */
  early = 0;
  readonly #properties: readonly Property<S>[];
  readonly #found = new Map<string, Found>();
  readonly #checked = new Map<string, number>();
  #states = 0;
  #settled = 0;
  #onEntry: StateProperty<S>[] = [];
  #onSettling: Convergence<S>[] = [];
  readonly #eventually: StateProperty<S>[] = [];

  constructor(properties: readonly Property<S>[]) {
    this.#properties = properties;
    for (const property of properties) {
      if (property.expectation === 'converges') this.#onSettling.push(property);
      else if (property.expectation === 'eventually') this.#eventually.push(property);
      else this.#onEntry.push(property);
    }
  }

  /** Checks a state seen for the first time. The bits returned are the `eventually` conditions that do not hold in it. */
  enter(node: number, state: S): number {
    this.#states++;
    for (const property of this.#onEntry) {
      if (property.condition(state) !== (property.expectation === 'sometimes')) continue;
      this.#discover(property, {node}, this.#states);
      this.#onEntry = this.#onEntry.filter((other) => other !== property);
      this.failed ||= property.expectation === 'always';
    }
    let misses = 0;
    this.early = 0;
    for (let i = 0; i < this.#eventually.length; i++) {
      const {condition, since} = this.#eventually[i] as StateProperty<S>;
      if (since?.(state) === false) this.early |= 1 << i;
      else if (!condition(state)) misses |= 1 << i;
    }
    return misses;
  }

  /** True if no property shows in a state that the search goes through without keeping it. Counts such a state. */
  showsNothing(state: S): boolean {
    for (const property of this.#onEntry) {
      if (property.condition(state) === (property.expectation === 'sometimes')) return false;
    }
    this.#states++;
    return true;
  }

  /** For a quiescent state. */
  settle(node: number, state: S): void {
    this.#settled++;
    for (const property of this.#onSettling) {
      const pending = property.pending(state);
      if (pending === undefined) continue;
      this.#discover(property, {node, pending}, this.#settled);
      this.#onSettling = this.#onSettling.filter((other) => other !== property);
      this.failed = true;
    }
  }

  /** `complete`: nothing within the bounds was left out. */
  reports(pathTo: (node: number) => number[], graph: RunGraph | undefined, complete: boolean): PropertyReport[] {
    let eventuallyIndex = 0;
    return this.#properties.map((property) => {
      const {name, expectation} = property;
      const discovery =
        expectation === 'eventually' && graph !== undefined
          ? findRunWithout(graph, eventuallyIndex++)
          : this.#discovery(name, pathTo);
      const evaluated = expectation === 'converges' ? this.#settled : this.#states;
      const statesChecked = this.#checked.get(name) ?? evaluated;
      const verdict = verdictOf(expectation, {discovered: discovery !== undefined, statesChecked, complete});
      return {name, expectation, verdict, statesChecked, ...(discovery === undefined ? {} : {discovery})};
    });
  }

  #discover(property: Property<S>, found: Found, statesChecked: number): void {
    this.#found.set(property.name, found);
    this.#checked.set(property.name, statesChecked);
  }

  #discovery(name: string, pathTo: (node: number) => number[]): Discovery | undefined {
    const found = this.#found.get(name);
    if (found === undefined) return undefined;
    const path = pathTo(found.node);
    return found.pending === undefined ? {path} : {path, pending: found.pending};
  }
}
