// One run of a story along the explorer's free schedule: each step once all is at rest, or after the wait of the one before, or so many
// steps of the world after it; each fault at its n-th opportunity. Go's random order is drawn from the seed. A run may be forked at any
// point: worlds never change, so the common beginning of two stories runs once.

import {keyOf} from '../../cluster/api/store.ts';
import {equalBut} from '../../cluster/json.ts';
import type {FunctionReply} from '../../cluster/kernel/call.ts';
import {type Action, next, perform, taskOf} from '../../cluster/kernel/step.ts';
import {labelOf} from '../../cluster/kernel/task.ts';
import type {Observer, TraceEntry, World} from '../../cluster/kernel/world.ts';
import {groupKindOf, type KubeObject} from '../../cluster/object.ts';
import {Prng} from '../../explore/prng.ts';
import {withBackup} from '../control-plane/operator/operator.ts';
import {profileNamed} from '../control-plane/profile-names.ts';
import type {FaultKind, StepFault, Wait} from '../scenario/scenario.ts';
import {firstUnmet} from './evidence.ts';
import type {ExploreAction} from './explore-action.ts';
import type {ExploreState} from './explore-state.ts';
import {replyKey, replyKeyOf} from './faults.ts';
import {hasPolled, nextTurnMs, runName} from './has-polled.ts';
import {runnableActions, withCallsGoingOn, withNothingHeld} from './schedule.ts';
import {type Story, upgraded} from './story.ts';
import {WorldModel} from './world-model.ts';

/** Follows a run, and goes on as two where the run does. */
export interface Witness<W> {
  fork(): W;
  /** A step of the story begins. */
  begin(move: number): void;
  observe(entry: TraceEntry, atMs: number): void;
  /** After each step that changed the server or the cloud. */
  look(world: World): void;
  /** Etcd is as it was. */
  wentBack(world: World): void;
  /** The world rests after the step of the story that began last, or does not come to rest. */
  rests(world: World, isAtRest: boolean): void;
  /** A name of the object that it has in another run of the story, too. */
  placeOf(object: KubeObject): string | undefined;
}

export interface StoryRun<W> {
  readonly story: Story;
  readonly world: World;
  readonly witness: W;
  /** The part that never came to rest, in words; undefined if all did. */
  readonly restless: string | undefined;
  /** The faults that happened, in this order. */
  readonly happened: readonly Happened[];
  /** By move that came early, the write that it came after. */
  readonly moments: ReadonlyMap<number, string>;
  readonly steps: number;
}

/** A fault after that move, with the write that it came after. */
export interface Happened {
  readonly fault: FaultKind;
  readonly move: number;
  readonly moment?: string;
  /** The call of a function that it struck. */
  readonly call?: FunctionCall;
}

interface FunctionCall {
  readonly target: string;
  /** The run that calls, and how often the same reconcile had called the function before. */
  readonly place: string;
}

interface Pending {
  readonly fault: FaultKind;
  readonly left: number;
  /** The write that it waits for; undefined once that came, or where it waits for none. */
  readonly moment?: string | undefined;
  /** The only call that it may strike. */
  readonly call?: FunctionCall | undefined;
}

export interface StoryRunOptions {
  readonly seed: number;
  /** The moments of another run, at which early steps and faults of this one come, too. */
  readonly moments?: Pick<StoryRun<unknown>, 'moments' | 'happened'>;
  /** So many steps of the world go by before each early step that has no moment. */
  readonly earlySteps?: number;
  readonly observe?: (atMs: number, entry: TraceEntry) => void;
  readonly onStep?: (atMs: number, name: string) => void;
}

/** A healthy control plane rests after some hundred steps; an owner GC with a denied delete retries every few of them. */
const stepsMax = 6000;
/**
 * Calls take no time here. If every turn of a loop wakes the next, the loop would go on for ever in one instant, and no answer
 * of a cloud could end it. So after many steps in one instant each step takes as long as a call.
 */
const instantMax = 1000;
const callMs = 10;
/** A loop that still goes on has no end but what comes with time: the steps that are left take as long as a rest. */
const loopMin = 4000;
/** Actions that wait for all others would wait for ever beside such a loop. After this many steps they go: one may end it. */
const heldMax = 500;
/**
 * At rest nothing is written for so long, longer than a poll takes to come and its cached read to give up (120 s), or until
 * everything has polled: see has-polled.ts.
 */
const restMs = 200_000;
const loopStepMs = restMs / (stepsMax - loopMin);
/**
 * The time between two steps of the story: longer than the poll of an XR, whose watch circuit may be open, and than a provider
 * waits between two tries. Anything still going on by then is a matter of chance.
 */
const quietMs = 70_000;
const restMsMax = 20 * 60_000;
/** So many steps of the control plane go by between two requests of a restore. */
const paces = [0, 1, 4, 15, 4000];

export function playStory<W extends Witness<W>>(story: Story, witness: W, options: StoryRunOptions): StoryRun<W> {
  const runner = StoryRunner.begin(story, witness, options);
  for (const move of story.moves.keys()) runner.step(move);
  return runner.end();
}

export class StoryRunner<W extends Witness<W>> {
  #story: Story;
  #model: WorldModel;
  readonly #options: StoryRunOptions;
  readonly #witness: W;
  readonly #observe: Observer;
  readonly #happened: Happened[] = [];
  /** The last answer of each function in each reconcile, to be given again as a stale answer. */
  readonly #replies = new Map<string, FunctionReply>();
  /** By run the functions that it has called since it last began. */
  readonly #called = new Map<string, readonly string[]>();
  #state: ExploreState;
  #pending: readonly Pending[] = [];
  /** The last move that was made. */
  #move = 0;
  #steps = 0;
  #writtenMs = 0;
  /** By what they were how often there were writes since the last move; and the last of them, numbered. */
  readonly #writes = new Map<string, number>();
  #moment = '';
  readonly #moments = new Map<number, string>();
  /** When the last step was made, and how much the world has done since. */
  #begunMs = 0;
  #since = 0;
  /** Reconciles that began after the last write. */
  readonly #calm = new Set<string>();
  /** The steps of the world since the tool's last request, and the number of them between two of its requests. */
  #sinceTool = 0;
  #pace = 0;
  #isStruck = false;

  private constructor(story: Story, options: StoryRunOptions, state: ExploreState, witness: W) {
    this.#story = story;
    this.#options = options;
    this.#model = modelOf(story);
    this.#state = state;
    this.#witness = witness;
    this.#observe = (atMs, entry) => this.#hear(atMs, entry);
  }

  /** Before the first step of the story. */
  static begin<W extends Witness<W>>(story: Story, witness: W, options: StoryRunOptions): StoryRunner<W> {
    const initial = modelOf(story).initial();
    const state = {...initial, world: {...initial.world, random: options.seed >>> 0}};
    return new StoryRunner(story, options, state, witness);
  }

  /** The same run once more, of a story with the same steps so far: the two go on without each other. */
  fork(story: Story): StoryRunner<W> {
    const {crossplane} = this.#story;
    const going = crossplane === story.crossplane ? story : upgraded(story, crossplane);
    const fork = new StoryRunner(going, this.#options, this.#state, this.#witness.fork());
    fork.#happened.push(...this.#happened);
    for (const [run, reply] of this.#replies) fork.#replies.set(run, reply);
    for (const [run, targets] of this.#called) fork.#called.set(run, targets);
    for (const run of this.#calm) fork.#calm.add(run);
    fork.#pending = this.#pending;
    fork.#move = this.#move;
    fork.#steps = this.#steps;
    fork.#writtenMs = this.#writtenMs;
    for (const [write, count] of this.#writes) fork.#writes.set(write, count);
    fork.#moment = this.#moment;
    for (const [move, moment] of this.#moments) fork.#moments.set(move, moment);
    fork.#begunMs = this.#begunMs;
    fork.#since = this.#since;
    fork.#sinceTool = this.#sinceTool;
    fork.#pace = this.#pace;
    return fork;
  }

  /** Makes the next move, when it is its turn. */
  step(move: number): void {
    if (move > 0) this.waitFor(move);
    this.make(move);
  }

  /** Until the move is to come. */
  waitFor(move: number): void {
    const steps = this.#stepOf(move).early;
    const moment = this.#options.moments?.moments.get(move);
    const waits = this.#story.moves[move]?.waits ?? [];
    if (moment !== undefined) this.#run(undefined, quietMs, () => this.#moment === moment);
    else if (steps !== undefined) this.#run(Math.max(1, this.#options.earlySteps ?? steps), quietMs);
    else if (waits.length === 0) this.rest();
    else for (const wait of waits) this.#wait(wait);
  }

  /** Waits as the step asks. By the end of a time the world may be at rest. An event that does not come ends with all at rest. */
  #wait(wait: Wait): void {
    const {nowMs} = this.#state.world;
    if (wait.kind === 'quiet') this.rest();
    else if (wait.kind === 'time') {
      const untilMs = nowMs + wait.ms;
      this.#run(undefined, Number.POSITIVE_INFINITY, () => this.#nextMs() > untilMs);
      this.#passUntil(untilMs);
      if (this.#isCalm()) this.#witness.rests(this.#state.world, true);
    } else {
      const isMet = () => firstUnmet(this.#story, this.#state, [wait.expect]) === undefined;
      this.#run(undefined, quietMs, isMet);
      if (!isMet()) this.rest();
    }
  }

  /** The time of the next step of the world. */
  #nextMs(): number {
    const {world, held} = this.#state;
    const action = held.length === 0 ? next(world) : runnableActions(world, held)[0];
    return action?.atMs ?? Number.POSITIVE_INFINITY;
  }

  /** Until the world rests as long as it has to between two steps. */
  rest(): void {
    this.#run(undefined, quietMs);
    const restless = this.#run(undefined, restMs);
    this.#witness.rests(this.#state.world, restless === undefined);
  }

  make(move: number): void {
    const step = this.#stepOf(move);
    const moved = this.#story.moves[move]?.action;
    if (moved?.kind === 'restore' && withBackup(this.#state.memory, moved.options.backup) === undefined) return;
    // A tool finishes its work before the operator goes on.
    while (this.#state.tool !== undefined) this.#useTool();
    this.#options.onStep?.(this.#state.world.nowMs, step.name);
    this.#begunMs = this.#state.world.nowMs;
    this.#begin(this.#begunMs);
    if (step.early !== undefined) this.#moments.set(move, this.#moment);
    this.#writes.clear();
    this.#since = 0;
    this.#sinceTool = 0;
    this.#pace = paces[Prng.seeded(BigInt(this.#options.seed), move).below(paces.length)] ?? 0;
    this.#witness.begin(move);
    this.#take({kind: 'move', move, early: true});
    const {action} = this.#story.moves[move] ?? {};
    if (action?.kind === 'upgrade') {
      this.#story = upgraded(this.#story, profileNamed(action.crossplane));
      this.#model = modelOf(this.#story);
    }
    if (action?.kind === 'restore' && this.#state.memory.saved?.tool === 'etcd')
      this.#witness.wentBack(this.#state.world);
    this.#move = move;
    const struck = this.#options.moments?.happened.filter((one) => one.move === move);
    const {functions = [], absent = false} = this.#story.parts.watched ?? {};
    const isMade = ({target}: FunctionCall) => !absent || !functions.includes(target);
    const faults = struck?.map(({fault, moment, call}) => ({
      fault,
      moment,
      left: 0,
      call: call && isMade(call) ? call : undefined,
    }));
    this.#pending = [...this.#pending, ...(faults ?? (step.faults ?? []).map(pendingOf))];
  }

  /** Goes on until all is at rest. */
  end(): StoryRun<W> {
    this.#run(undefined, quietMs);
    const restless = this.#run(undefined, restMs);
    const {world} = this.#state;
    this.#witness.rests(world, restless === undefined);
    return {
      story: this.#story,
      world,
      witness: this.#witness,
      restless,
      happened: this.#happened,
      moments: this.#moments,
      steps: this.#steps,
    };
  }

  #stepOf(move: number): Story['moves'][number]['step'] {
    const found = this.#story.moves[move];
    if (found === undefined) throw new Error(`the story has no move ${move}`);
    return found.step;
  }

  #hear(atMs: number, entry: TraceEntry): void {
    this.#witness.observe(entry, atMs);
    if (entry.kind === 'api' && entry.events.length > 0) {
      this.#note(entry);
      const {world} = this.#state;
      if (!entry.events.every(({type, object}) => type === 'MODIFIED' && isOnlyLater(object, world))) this.#begin(atMs);
    }
    if (entry.kind === 'reconcile' && entry.phase === 'start') {
      this.#calm.add(runName(entry.actor, entry.run));
      this.#called.delete(entry.run);
    }
    if (entry.kind === 'function') {
      this.#called.set(entry.run, [...(this.#called.get(entry.run) ?? []), entry.target]);
      if (!this.#isStruck) this.#replies.set(replyKeyOf(entry.run, entry.target), entry.reply);
    }
    this.#options.observe?.(atMs, entry);
  }

  /** Writes go by who made them and of what: in the other run objects have other names. */
  #note({actor, request, events}: TraceEntry & {readonly kind: 'api'}): void {
    const object = events.at(-1)?.object;
    const write = `${actor} ${request.verb} ${(object && this.#witness.placeOf(object)) ?? ''}`;
    const count = (this.#writes.get(write) ?? 0) + 1;
    this.#writes.set(write, count);
    this.#moment = `${write} ${count}`;
    this.#pending = this.#pending.map((one) => (one.moment === this.#moment ? {...one, moment: undefined} : one));
  }

  /** Until nothing is written for `quiet` since the last move, or for `count` steps, or until something holds. Answers what does not rest. */
  #run(count: number | undefined, quiet: number, until?: () => boolean): string | undefined {
    for (let steps = 0; steps !== count; steps++, this.#since++) {
      if (until?.() === true) return undefined;
      if (this.#since === heldMax) this.#state = withNothingHeld(this.#state);
      if (this.#since > stepsMax || this.#state.world.nowMs - this.#begunMs > restMsMax)
        return 'the world does not come to rest';
      this.#passCallTime();
      const {world, held} = this.#state;
      const action = held.length === 0 ? next(world) : runnableActions(world, held)[0];
      // While all waits nothing can go wrong but a restart, and whether time has to pass takes long to find out.
      const isBusy = action !== undefined && action.atMs <= world.nowMs;
      if (this.#state.tool !== undefined && (!isBusy || this.#sinceTool >= this.#pace)) {
        this.#useTool();
        continue;
      }
      const fault = isBusy && this.#pending.length > 0 ? this.#due() : undefined;
      if (fault !== undefined) {
        this.#strike(fault);
        continue;
      }
      if (quiet === restMs && !isBusy && this.#isCalm()) return undefined;
      const restsMs = quiet === restMs ? this.#restsMs() : this.#writtenMs + quiet;
      // With only waiting left to do the world is at rest, as far as a step that comes early is concerned.
      if (count !== undefined && !isBusy) return undefined;
      if (action === undefined || (!isBusy && action.atMs > restsMs)) {
        this.#passUntil(restsMs);
        if (quiet !== restMs || !this.#passUntilLate()) return undefined;
        continue;
      }
      this.#go(action);
    }
    return undefined;
  }

  /** The owner GC backs off for longer than that from what a Usage denied it: what it is still to delete is no leftover. */
  #restsMs(): number {
    const retryMs = nextTurnMs(this.#state.world, 'kube-controller-manager', this.#calm);
    const restsMs = this.#writtenMs + restMs;
    return retryMs === undefined || retryMs > this.#begunMs + restMsMax ? restsMs : Math.max(restsMs, retryMs);
  }

  /** A fault that is still to come may yet strike a poll. */
  #isCalm(): boolean {
    return this.#pending.length === 0 && hasPolled(this.#state.world, this.#writtenMs, this.#calm);
  }

  /** The quiet before a step is time that passes: without it many steps are one burst, and watch circuits open. */
  #passUntil(untilMs: number): void {
    const {world} = this.#state;
    if (untilMs > world.nowMs) this.#state = {...this.#state, world: {...world, nowMs: untilMs}};
  }

  /** To the turn of an XR that was not looked at yet: a circuit dropped its event. Polls on the way are like those before. */
  #passUntilLate(): boolean {
    const lateMs = nextTurnMs(this.#state.world, 'crossplane', this.#calm);
    if (lateMs === undefined) return false;
    this.#passUntil(lateMs);
    this.#begunMs = lateMs;
    return true;
  }

  #passCallTime(): void {
    const {world, held} = this.#state;
    const {latency} = this.#story.definition;
    const later = withCallsGoingOn(world, held, latency);
    if (later !== world) this.#state = {...this.#state, world: later};
  }

  /** As the model goes on, without what only a search must remember. */
  #go(action: Action): void {
    this.#sinceTool++;
    const {broken, held} = this.#state;
    if (held.length > 0 || broken.size > 0) {
      this.#take({kind: 'step', action, choices: []});
      return;
    }
    this.#steps++;
    const before = later(this.#state.world, stepMs(this.#since));
    const world = perform(this.#story.definition, before, action, {observe: this.#observe});
    this.#state = {...this.#state, world};
    if (world.server !== before.server || world.cloud !== before.cloud) this.#witness.look(world);
  }

  #useTool(): void {
    this.#sinceTool = 0;
    this.#take({kind: 'tool'});
  }

  /** The fault whose opportunity has come. */
  #due(): ExploreAction | undefined {
    const {facts} = this.#state;
    const actions = this.#model.actions({...this.#state, facts: {...facts, lastReplies: [...this.#replies]}});
    for (const pending of this.#pending.filter(({moment}) => moment === undefined)) {
      const chance = actions.find((action) => {
        const isIts = pending.call === undefined || pending.call.place === this.#callIn(action)?.place;
        return isIts && this.#model.cost(action) === pending.fault;
      });
      if (chance === undefined) continue;
      const later = {...pending, left: pending.left - 1};
      this.#pending = this.#pending.flatMap((other) => (other !== pending ? [other] : later.left < 0 ? [] : [later]));
      if (later.left >= 0) continue;
      const call = this.#callIn(chance);
      this.#happened.push({fault: pending.fault, moment: this.#moment, move: this.#move, ...(call && {call})});
      return chance;
    }
    return undefined;
  }

  #callIn(fault: ExploreAction): FunctionCall | undefined {
    if ((fault.kind !== 'answer' && fault.kind !== 'no-answer') || fault.action.kind !== 'call') return undefined;
    const {call, run} = taskOf(this.#state.world, fault.action);
    if (call.to !== 'function') return undefined;
    const {target} = call;
    const before = this.#called.get(labelOf(run))?.filter((one) => one === target) ?? [];
    return {target, place: `${replyKey(run, target)} ${before.length}`};
  }

  /** A false answer does not become the function's last one. The struck reconcile has another turn before the world rests. */
  #strike(fault: ExploreAction): void {
    this.#isStruck = true;
    this.#take(fault);
    this.#isStruck = false;
    this.#begin(this.#state.world.nowMs);
  }

  /** From then on everything has to have a turn once more. */
  #begin(atMs: number): void {
    this.#writtenMs = atMs;
    this.#calm.clear();
  }

  #take(action: ExploreAction): void {
    this.#steps++;
    this.#state = this.#model.go(this.#state, action, this.#observe);
    this.#witness.look(this.#state.world);
  }
}

/**
 * True if a write changed nothing but times. Crossplane writes the condition Responsive of an XR in every poll once its watch
 * circuit was open: the message stays, which the condition of a closed circuit does not have.
 */
function isOnlyLater(object: KubeObject, {server}: World): boolean {
  const {namespace, name, uid} = object.metadata;
  const old = server.objects.get(groupKindOf(object))?.get(keyOf(namespace, name));
  return old !== undefined && old.metadata.uid === uid && equalBut(ofWrites, old, object);
}

/** Fields that differ after a write that changes nothing else. */
const ofWrites: ReadonlySet<string> = new Set(['lastTransitionTime', 'resourceVersion', 'managedFields']);

function pendingOf({fault, at}: StepFault): Pending {
  return {fault, left: at, moment: undefined};
}

/** The time that a step takes after so many of them. */
function stepMs(since: number): number {
  if (since > loopMin) return loopStepMs;
  return since > instantMax ? callMs : 0;
}

function later(world: World, byMs: number): World {
  return byMs === 0 ? world : {...world, nowMs: world.nowMs + byMs};
}

function modelOf(story: Story): WorldModel {
  const faults = story.scenario.steps.flatMap(({faults = []}) => faults.map(({fault}) => fault));
  return new WorldModel(story, {kinds: new Set(faults), timeMs: Number.POSITIVE_INFINITY, seeded: true});
}
