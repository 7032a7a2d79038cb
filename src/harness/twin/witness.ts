// One run as its judge sees it: makers and wishes as it goes on, and the state at each rest.

import type {TraceEntry, World} from '../../cluster/kernel/world.ts';
import type {KubeObject} from '../../cluster/object.ts';
import type {ManagedKind} from '../../cluster/provider/managed-kind.ts';
import type {Witness} from '../explore/play-story.ts';
import {endingOf} from './ending.ts';
import {Intent} from './intent.ts';
import {type Judged, judged, type Rest} from './judge.ts';
import {brokenBy} from './promises.ts';

export class TwinWitness implements Witness<TwinWitness> {
  readonly #intent: Intent;
  /** By the step of the story after which the world rested. */
  readonly #rests: Map<number, Rest>;
  /** Processes that do not run. */
  readonly #down: Set<string>;
  /** Writes of the step of the world that is being taken. */
  #entries: (TraceEntry & {readonly kind: 'api'})[] = [];

  constructor(intent: Intent, before?: TwinWitness) {
    this.#intent = intent;
    this.#rests = new Map(before?.rested);
    this.#down = new Set(before === undefined ? [] : before.#down);
  }

  static of(managed: readonly ManagedKind[]): TwinWitness {
    return new TwinWitness(new Intent(managed));
  }

  get rested(): ReadonlyMap<number, Rest> {
    return this.#rests;
  }

  get intent(): Intent {
    return this.#intent;
  }

  fork(): TwinWitness {
    return new TwinWitness(this.#intent.fork(), this);
  }

  begin(move: number): void {
    this.#intent.move = move;
  }

  observe(entry: TraceEntry, atMs: number): void {
    this.#intent.observe(entry, atMs);
    if (entry.kind === 'process' && entry.change === 'started') this.#down.delete(entry.actor);
    else if (entry.kind === 'process') this.#down.add(entry.actor);
    if (entry.kind === 'api' && entry.events.length > 0) this.#entries.push(entry);
  }

  look(world: World): void {
    const changes = this.#intent.look(world);
    for (const one of brokenBy(this.#entries, changes, this.#intent, world))
      this.#intent.books.broken.set(`${one.text} ${one.made.place}`, one);
    for (const {object} of this.#entries.flatMap(({events}) => events))
      if (this.#intent.of(object)?.key !== undefined || this.#intent.isXr(object))
        this.#intent.books.seen.set(object.metadata.uid ?? '', object);
    this.#entries = [];
  }

  wentBack(world: World): void {
    this.#intent.wentBack(world);
  }

  rests(world: World, isAtRest: boolean): void {
    this.#intent.rested = this.#intent.move;
    const intent = this.#intent.fork();
    let known: Judged | undefined;
    const once = () => (known ??= judged(endingOf(world, intent)));
    this.#rests.set(intent.move, {judged: once, isWhole: this.#down.size === 0, isAtRest});
  }

  placeOf(object: KubeObject): string | undefined {
    return this.#intent.of(object)?.place;
  }
}
