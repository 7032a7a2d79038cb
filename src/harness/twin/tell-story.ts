import {type Action, next, perform} from '../../cluster/kernel/step.ts';
import type {TraceEntry, World} from '../../cluster/kernel/world.ts';
import type {ExploreAction} from '../explore/explore-action.ts';
import type {ExploreState} from '../explore/explore-state.ts';
import {runnable} from '../explore/schedule.ts';
import type {Story} from '../explore/story.ts';
import {WorldModel} from '../explore/world-model.ts';
import type {FaultKind, StepFault} from '../scenario/scenario.ts';
import {Ledger} from './ledger.ts';

// One telling of a story along the explorer's free schedule: each step once all is at rest, or so many steps of the world
// after the one before; each fault at its n-th opportunity. What Go leaves open is drawn from the seed.

export interface Telling {
  readonly story: Story;
  readonly world: World;
  readonly ledger: Ledger;
  /** What never came to rest, in words; undefined where all did. */
  readonly restless: string | undefined;
  /** The faults that happened. */
  readonly happened: readonly FaultKind[];
  readonly steps: number;
}

export interface TellingOptions {
  readonly seed: number;
  /** Functions whose requests are kept: the twin's. */
  readonly watched: readonly string[];
  /** By the number of the move: its faults come so many opportunities later, and itself, if early, so many steps. */
  readonly shift?: (move: number) => number;
  readonly observe?: (atMs: number, entry: TraceEntry) => void;
  readonly onStep?: (atMs: number, name: string) => void;
}

/** A healthy control plane comes to rest after a step in some hundred steps of its own. */
const stepsMax = 4000;
/** Nothing may be written for so long: longer than a poll takes to come, and its cached read to give up (120 s). */
const restMs = 200_000;
/**
 * Between two steps of the story: longer than the poll of an XR, whose watch circuit may be open, and than a provider waits
 * between two tries. What is still going on by then is a matter of chance.
 */
const quietMs = 70_000;
const restMsMax = 20 * 60_000;

export function tellStory(story: Story, options: TellingOptions): Telling {
  return new Teller(story, options).tell();
}

class Teller {
  readonly #story: Story;
  readonly #options: TellingOptions;
  readonly #model: WorldModel;
  readonly #ledger: Ledger;
  readonly #happened: FaultKind[] = [];
  readonly #observe: (atMs: number, entry: TraceEntry) => void;
  #state: ExploreState;
  #pending: {fault: FaultKind; left: number}[] = [];
  #steps = 0;
  #writtenMs = 0;
  /** Whether replies are kept, to be given again as stale ones. */
  readonly #remembers: boolean;

  constructor(story: Story, options: TellingOptions) {
    this.#story = story;
    this.#options = options;
    const faults = story.scenario.steps.flatMap(({faults = []}) => faults.map(({fault}) => fault));
    this.#model = new WorldModel(story, {kinds: new Set(faults), timeMs: Number.POSITIVE_INFINITY, seeded: true});
    this.#remembers = faults.includes('function-stale-response');
    this.#ledger = new Ledger(options.watched);
    this.#observe = (atMs, entry) => {
      this.#ledger.observe(entry);
      if (entry.kind === 'api' && entry.events.length > 0) this.#writtenMs = atMs;
      options.observe?.(atMs, entry);
    };
    const initial = this.#model.initial();
    this.#state = {...initial, world: {...initial.world, random: options.seed >>> 0}};
  }

  tell(): Telling {
    for (const [move, {step, action}] of this.#story.moves.entries()) {
      const early = step.early === undefined ? undefined : Math.max(1, step.early + this.#shiftOf(move));
      if (move > 0) this.#run(early, quietMs);
      if (action.kind === 'restore' && this.#state.memory.saved === undefined) continue;
      this.#options.onStep?.(this.#state.world.nowMs, step.name);
      this.#take({kind: 'move', move, early: true});
      // What a tool brings back is there before anybody looks at it, also where nothing comes after it.
      while (this.#state.tool !== undefined) this.#take({kind: 'tool'});
      this.#pending.push(...(step.faults ?? []).map((fault) => this.#shifted(fault, move)));
    }
    const restless = this.#run(undefined, restMs);
    const {world} = this.#state;
    return {
      story: this.#story,
      world,
      ledger: this.#ledger,
      restless,
      happened: this.#happened,
      steps: this.#steps,
    };
  }

  #shiftOf(move: number): number {
    return this.#options.shift?.(move) ?? 0;
  }

  #shifted({fault, at}: StepFault, move: number): {fault: FaultKind; left: number} {
    return {fault, left: Math.max(0, at + this.#shiftOf(move))};
  }

  /** Until nothing is written for `quiet`, or for `count` steps. Answers what does not rest. */
  #run(count: number | undefined, quiet: number): string | undefined {
    const beganMs = this.#state.world.nowMs;
    this.#writtenMs = beganMs;
    for (let steps = 0; steps !== count; steps++) {
      if (steps > stepsMax || this.#state.world.nowMs - beganMs > restMsMax) return 'the world does not come to rest';
      const {world, held} = this.#state;
      const action = held.length === 0 ? next(world) : runnable(world, held)[0];
      // While all waits nothing can go wrong but a restart, and whether time has to pass takes long to find out.
      const isBusy = action !== undefined && action.atMs <= world.nowMs;
      const fault = isBusy && this.#pending.length > 0 ? this.#due(this.#model.actions(this.#state)) : undefined;
      if (fault !== undefined) {
        this.#take(fault);
        continue;
      }
      const restsMs = this.#writtenMs + quiet;
      // With only waiting left to do the world is at rest, as far as a step that comes early is concerned.
      if (count !== undefined && (action === undefined || action.atMs > world.nowMs)) return undefined;
      if (action === undefined || action.atMs > restsMs) {
        this.#wait(restsMs);
        return undefined;
      }
      this.#go(action);
    }
    return undefined;
  }

  /** The quiet before a step is time that passes: without it many steps are one burst, and watch circuits open. */
  #wait(untilMs: number): void {
    const {world} = this.#state;
    if (untilMs > world.nowMs) this.#state = {...this.#state, world: {...world, nowMs: untilMs}};
  }

  /** As the model goes on, without what only a search must remember. */
  #go(action: Action): void {
    const {broken, held} = this.#state;
    if (held.length > 0 || broken.size > 0 || this.#remembers) {
      this.#take({kind: 'step', action, choices: []});
      return;
    }
    this.#steps++;
    const world = perform(this.#story.definition, this.#state.world, action, {observe: this.#observe});
    this.#state = {...this.#state, world};
    this.#ledger.look(world);
  }

  /** The fault whose opportunity has come. */
  #due(actions: readonly ExploreAction[]): ExploreAction | undefined {
    for (const pending of this.#pending) {
      const chance = actions.find((action) => this.#model.cost(action) === pending.fault);
      if (chance === undefined || pending.left-- > 0) continue;
      this.#pending = this.#pending.filter((other) => other !== pending);
      this.#happened.push(pending.fault);
      return chance;
    }
    return undefined;
  }

  #take(action: ExploreAction): void {
    this.#steps++;
    this.#state = this.#model.go(this.#state, action, this.#observe);
    this.#ledger.look(this.#state.world);
  }
}
