// The record of a run while it goes on: observers of its control plane, the moments when its steps begin, and at the end the
// numbers of its result.

import type {KubeObject} from '../../cluster/object.ts';
import type {ControlPlane} from '../control-plane/control-plane.ts';
import {duplicatesAmong} from '../control-plane/oracle/duplicate.ts';
import {externalCounts, externalsIn} from '../control-plane/oracle/externals.ts';
import {orphansAmong} from '../control-plane/oracle/orphan.ts';
import {stuckText, watchForStuck} from '../control-plane/oracle/stuck.ts';
import {type HistoryRecorder, recordHistory} from '../control-plane/record/history.ts';
import {Timeline} from '../control-plane/record/timeline.ts';
import type {Happening} from '../control-plane/session.ts';
import type {Evidence} from './check.ts';
import {watchForShown} from './hollow.ts';
import type {RunProgress} from './run-progress.ts';
import type {RunResult} from './run-result.ts';
import type {Step} from './scenario.ts';
import {type Begun, sinceStart} from './since-start.ts';

export interface RecordOptions {
  /** Keeps every version of every object and every function call, but for the functions that are skipped. */
  readonly history: {readonly skipped: readonly string[]} | undefined;
  readonly progress: RunProgress | undefined;
  readonly golden: Evidence['golden'];
}

type Recorded = Omit<
  RunResult,
  'scenario' | 'description' | 'crossplane' | 'variant' | 'seed' | 'failures' | 'notRun' | 'happened'
>;

export class RunRecord {
  readonly timeline = new Timeline();
  readonly #options: RecordOptions;
  readonly #history: HistoryRecorder | undefined;
  readonly #stuck = watchForStuck();
  readonly shown = watchForShown();
  readonly #begun = new Map<string, Begun>();
  #controlPlane: ControlPlane | undefined;
  #objectsBefore: readonly KubeObject[] = [];
  #reconcilesBefore = 0;
  #startMs = 0;
  #actedMs = 0;
  #functionCalls = 0;
  /** The last step that started Crossplane. */
  #crossplaneStart: string | undefined;

  constructor(options: RecordOptions) {
    this.#options = options;
    this.#history = options.history === undefined ? undefined : recordHistory(options.history.skipped);
  }

  readonly observe = (happening: Happening): void => {
    this.#stuck.observe(happening);
    this.shown.observe(happening);
    this.#history?.observe(happening);
    if (this.#controlPlane === undefined) return;
    this.#options.progress?.time(happening.atMs - this.#startMs);
    if (happening.entry.kind === 'function') this.#functionCalls++;
    this.timeline.observe(happening);
  };

  /** After the fixtures: from here on everything belongs to the scenario. */
  begin(controlPlane: ControlPlane): void {
    this.#controlPlane = controlPlane;
    this.#startMs = controlPlane.session.nowMs;
    this.#actedMs = this.#startMs;
    this.#reconcilesBefore = this.timeline.reconciles;
    if (this.#history !== undefined) this.#objectsBefore = controlPlane.catalogue.all();
  }

  beginStep({name, action}: Step, steps: number): void {
    const {session, catalogue} = this.#running;
    this.#options.progress?.step(this.#begun.size + 1, steps, name);
    this.shown.stepEnds(session.nowMs);
    this.#begun.set(name, {
      atMs: session.nowMs,
      objects: catalogue.all(),
      deletes: this.timeline.deletes.length,
    });
    if (action?.kind === 'process' && action.process === 'crossplane' && action.change !== 'stop') {
      this.#crossplaneStart = name;
    }
    if (action !== undefined) this.#actedMs = session.nowMs;
    this.timeline.step(session.nowMs, name);
    this.#history?.step(session.nowMs);
  }

  get evidence(): Evidence {
    const {catalogue, session} = this.#running;
    return {
      find: catalogue.find,
      objects: catalogue.all,
      timeline: () => this.timeline.entries,
      atStep: (name) => this.#begun.get(name)?.objects,
      deletesSince: (name) => this.timeline.deletes.slice(this.#begun.get(name)?.deletes ?? 0),
      stuck: () => this.#stuckNow(),
      ...(this.#options.golden === undefined ? {} : {golden: this.#options.golden}),
      externals: () => externalCounts(session.world),
      externalList: () => externalsIn(session.world),
      made: () => [...this.#begun.keys()],
      stopped: () =>
        this.#running.definition.processes.map(({name}) => name).filter((name) => !session.world.processes.has(name)),
    };
  }

  /** At the end. */
  result(): Recorded {
    const {catalogue, session, changedMs} = this.#running;
    const startMs = this.#startMs;
    const objects = catalogue.all();
    const externals = externalsIn(session.world);
    const history = this.#history?.history(startMs, this.#objectsBefore, externals);
    const start = this.#crossplaneStart;
    return {
      timeline: this.timeline.entries.map((entry) => ({...entry, atMs: entry.atMs - startMs})),
      orphans: orphansAmong(objects),
      duplicates: duplicatesAmong(objects),
      externals: {...externalCounts(session.world), list: externals},
      stuck: this.#stuckNow(),
      objects,
      reconciles: this.timeline.reconciles - this.#reconcilesBefore,
      functionCalls: this.#functionCalls,
      convergedMs: Math.max(0, changedMs - this.#actedMs),
      settledMs: Math.max(0, changedMs - startMs),
      lastedMs: session.nowMs - startMs,
      ...(start === undefined ? {} : {sinceStart: sinceStart(start, this.#begun, this.evidence, startMs)}),
      ...(history === undefined ? {} : {history}),
    };
  }

  #stuckNow(): readonly string[] {
    const {catalogue, session} = this.#running;
    return this.#stuck.stuckAmong(catalogue.all(), session.nowMs).map((one) => stuckText(one, this.#startMs));
  }

  get #running(): ControlPlane {
    if (this.#controlPlane === undefined) throw new Error('the run has not begun');
    return this.#controlPlane;
  }
}
