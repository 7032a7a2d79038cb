// A simulated control plane to write tests against, one call after the other: what a scenario's steps do, as methods.

import type {External} from '../../cluster/cloud/ledger-state.ts';
import type {Json} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';
import type {Selector} from '../control-plane/catalogue.ts';
import {openControlPlane} from '../control-plane/control-plane.ts';
import {type Drive, driveWith} from '../functions/drive.ts';
import {amount, type Read, text} from '../input/form.ts';
import {InputError} from '../input/input-error.ts';
import {withPlainKinds} from '../manifests/plain-kinds.ts';
import type {BackupTool, ProcessName, RestoreSetting} from '../operator/action.ts';
import {Operator, problemOf} from '../operator/operator.ts';
import {type Duplicate, duplicatesAmong} from '../oracle/duplicate.ts';
import {type ExternalCounts, externalCounts, externalsIn} from '../oracle/externals.ts';
import {type Orphan, orphansAmong} from '../oracle/orphan.ts';
import {stuckText, watchForStuck} from '../oracle/stuck.ts';
import {unsynced} from '../oracle/syncing.ts';
import {recordTimeline, type TimelineEntry} from '../record/timeline.ts';
import {entryText} from '../record/words.ts';
import type {Evidence} from '../scenario/check.ts';
import {prepare} from '../scenario/prepare.ts';
import {providerOf} from '../scenario/simulated-provider.ts';
import {waitFor} from '../scenario/wait.ts';
import {calledBy, openFunctionsUnderTest, sourcesOf} from './function-under-test.ts';
import {actionOf, patience, readGiven, selector, worldOptions} from './given.ts';
import type {CrossplaneVersion, Manifest, Patience, WorldOptions} from './options.ts';

export interface World {
  readonly crossplane: CrossplaneVersion;
  /** Virtual time since the world was opened. */
  readonly nowMs: number;

  /** Applies manifests as kubectl would, server-side, by a user. Rejects with the API server's sentence. */
  apply(...manifests: readonly Manifest[]): Promise<void>;
  /** A merge patch by a user. */
  patch(target: Selector, body: Json, options?: {readonly status?: boolean}): Promise<void>;
  /** Asks for deletion; what a webhook denies is part of the story and stands in the timeline. */
  delete(target: Selector): Promise<void>;
  /** Everything of custom kinds, or of these. `velero` where no tool is named. */
  backup(tool?: BackupTool, kinds?: readonly string[]): Promise<void>;
  /** Everything the backup holds is lost, finalizers and all. The cloud keeps what it has. */
  wipe(): Promise<void>;
  /** Restores the last backup. */
  restore(options?: RestoreSetting): Promise<void>;
  stop(process: ProcessName): Promise<void>;
  start(process: ProcessName): Promise<void>;
  restart(process: ProcessName): Promise<void>;
  /** Restarts Crossplane as another version. */
  upgrade(crossplane: CrossplaneVersion): Promise<void>;
  /** The function answers with this error until it is mended. */
  breakFunction(name: string, error: string): void;
  mendFunction(name: string): void;

  /** Lets virtual time pass. */
  run(ms: number): Promise<void>;
  /** Lets the world run until nothing happens any more. Answers undefined, or the sentence that says it did not settle. */
  settle(patience?: Patience): Promise<string | undefined>;
  /** Lets the world run until `holds` does; answers whether it did. */
  until(holds: (world: World) => boolean, withinMs?: number): Promise<boolean>;

  /** Matching objects. A composed resource can be named by its name in the pipeline: `{kind: 'VPC', resource: 'vpc'}`. */
  find(target: Selector): readonly KubeObject[];
  /** Every object of every kind. */
  objects(): readonly KubeObject[];
  /** Composed resources that live, with no XR that lists and no object that controls them. */
  orphans(): readonly Orphan[];
  /** Two live objects for one composed resource. */
  duplicates(): readonly Duplicate[];
  /** What is alive in the cloud; none where the provider is `nop`. */
  externals(): readonly External[];
  /** What the cloud carried out so far. */
  externalCounts(): ExternalCounts;
  /** A sentence for each object that will never move again. */
  stuck(): readonly string[];
  /** A sentence for each XR that does not sync. */
  unsynced(): readonly string[];
  /** What a test should know of its fixtures: what was passed over, what is not modelled. A sentence each. */
  readonly notes: readonly string[];
  /** What happened, as an operator would tell it. */
  timeline(): readonly TimelineEntry[];
  /** The same as lines: `00:12 Crossplane: created bucket (Bucket)`. */
  timelineText(): string;

  /** Stops what was started. `await using world = await openWorld(...)` does it by itself. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Opens a control plane with the fixtures applied. Throws InputError with one sentence for what is wrong with them. */
export async function openWorld(options: WorldOptions): Promise<World> {
  const asked = readGiven(worldOptions, options, 'options');
  const pool = await openFunctionsUnderTest(asked.functions, process.cwd(), asked.callTimeoutMs);
  try {
    return await open(asked, pool);
  } catch (error) {
    await pool.close();
    throw error;
  }
}

type Pool = Awaited<ReturnType<typeof openFunctionsUnderTest>>;

async function open(options: Read<typeof worldOptions>, pool: Pool): Promise<World> {
  const {crossplane, functions, provider, seed} = options;
  const given = withPlainKinds(options.fixtures.flatMap(({objects}) => objects));
  const fixtures = given.objects;
  const recorder = recordTimeline();
  const liveness = watchForStuck();
  const controlPlane = openControlPlane({
    crossplane,
    ...(options.realtime === undefined ? {} : {realtime: options.realtime}),
    seed,
    functions: calledBy(functions),
    ...providerOf({provider, fixtures}),
    observers: [recorder.observe, liveness.observe],
  });
  const {session, catalogue, broken} = controlPlane;
  const operator = new Operator(controlPlane);
  const drive = <T>(steps: Drive<T>): Promise<T> => driveWith(steps, (call) => pool.call(call));
  const startMs = session.nowMs;
  const stuck = (): readonly string[] =>
    liveness.stuckAmong(catalogue.all(), session.nowMs).map((one) => stuckText(one, startMs));
  const evidence: Evidence = {
    find: catalogue.find,
    objects: catalogue.all,
    timeline: recorder.entries,
    stuck,
    externals: () => externalCounts(session.world),
  };
  const perform = async (word: string, said: unknown): Promise<void> => {
    const problem = problemOf(await drive(operator.carryOut(actionOf(word, said))));
    if (problem !== undefined) throw new Error(problem);
  };
  const known = (name: string): string => {
    if (Object.hasOwn(functions, name)) return name;
    throw new InputError('', `no function of this world is named "${name}"`);
  };

  await drive(prepare({fixtures, functions: sourcesOf(functions)}, controlPlane));
  const world: World = {
    notes: [...new Set([...options.fixtures.flatMap(({notes}) => notes), ...given.notes])],
    get crossplane() {
      return controlPlane.crossplane;
    },
    get nowMs() {
      return session.nowMs - startMs;
    },
    apply: (...manifests) => perform('apply', manifests),
    patch: (target, body, {status = false} = {}) =>
      perform('patch', {...target, body, ...(status ? {subresource: 'status'} : {})}),
    delete: (target) => perform('delete', target),
    backup: (tool = 'velero', kinds = []) => perform('backup', {tool, kinds}),
    wipe: () => perform('wipe', {}),
    restore: (restoring = {}) => perform('restore', restoring),
    stop: (process) => perform('stop', process),
    start: (process) => perform('start', process),
    restart: (process) => perform('restart', process),
    upgrade: (next) => perform('upgrade', {crossplane: next}),
    breakFunction: (name, error) => void broken.set(known(name), readGiven(text, error, 'error')),
    mendFunction: (name) => void broken.delete(known(name)),
    run: async (ms) => void (await drive(session.run(session.nowMs + readGiven(amount, ms, 'ms')))),
    settle: async (patient = {}) => {
      const {quietMs, withinMs} = readGiven(patience, patient, 'patience');
      return drive(waitFor({kind: 'quiet', quietMs, timeoutMs: withinMs}, {controlPlane, evidence}));
    },
    until: async (holds, within) => {
      const {withinMs} = readGiven(patience, {withinMs: within}, 'patience');
      return drive(session.run(session.nowMs + withinMs, () => holds(world)));
    },
    find: (target) => catalogue.find(readGiven(selector, target, 'target')),
    objects: catalogue.all,
    orphans: () => orphansAmong(catalogue.all()),
    duplicates: () => duplicatesAmong(catalogue.all()),
    externals: () => externalsIn(session.world),
    externalCounts: () => externalCounts(session.world),
    stuck,
    unsynced: () => unsynced(catalogue.all()),
    timeline: () => recorder.entries().map((entry) => ({...entry, atMs: entry.atMs - startMs})),
    timelineText: () => world.timeline().map(lineOf).join('\n'),
    close: () => pool.close(),
    [Symbol.asyncDispose]: () => pool.close(),
  };
  return world;
}

function lineOf(entry: TimelineEntry): string {
  const seconds = Math.floor(entry.atMs / 1000);
  const clock = [Math.floor(seconds / 60), seconds % 60].map((part) => String(part).padStart(2, '0')).join(':');
  return `${clock} ${entryText(entry)}`;
}
