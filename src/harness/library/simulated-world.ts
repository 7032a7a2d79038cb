// The world of the library: a control plane, an operator who carries out what a test calls, and what was seen of it. Every
// call is read as a scenario's step is; times begin where the fixtures are applied.

import type {External} from '../../cluster/cloud/ledger-state.ts';
import type {Json} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';
import type {Selector} from '../control-plane/catalogue.ts';
import {type ControlPlane, latencyOf, openControlPlane} from '../control-plane/control-plane.ts';
import type {BackupTool, ProcessName, RestoreSetting} from '../control-plane/operator/action.ts';
import {Operator, problemOf} from '../control-plane/operator/operator.ts';
import {type Duplicate, duplicatesAmong} from '../control-plane/oracle/duplicate.ts';
import {type ExternalCounts, externalCounts, externalsIn} from '../control-plane/oracle/externals.ts';
import {type Orphan, orphansAmong} from '../control-plane/oracle/orphan.ts';
import {stuckText, watchForStuck} from '../control-plane/oracle/stuck.ts';
import {unsynced} from '../control-plane/oracle/syncing.ts';
import {connectionNotes} from '../control-plane/provider-configs.ts';
import {Timeline, type TimelineEntry} from '../control-plane/record/timeline.ts';
import {entryText} from '../control-plane/record/words.ts';
import {standInNotes} from '../functions/builtin.ts';
import {type Drive, driveWith} from '../functions/drive.ts';
import {amount, type Read, text} from '../input/form.ts';
import {InputError} from '../input/input-error.ts';
import type {Manifests} from '../input/manifests/manifest-reader.ts';
import {withPlainKinds} from '../input/manifests/plain-kinds.ts';
import {checkProvider} from '../scenario/known-names.ts';
import {prepare} from '../scenario/prepare.ts';
import {providerOf} from '../scenario/simulated-provider.ts';
import {waitForQuiet} from '../scenario/wait.ts';
import {refusingAtCaller} from './callers-line.ts';
import {calledBy, openFunctionsUnderTest, sourcesOf} from './function-under-test.ts';
import {actionOf, patience, readGiven, selector, worldOptions} from './given.ts';
import type {CrossplaneVersion, Manifest, Patience, WorldOptions} from './options.ts';
import type {World} from './world.ts';

type Asked = Read<typeof worldOptions>;
type Pool = Awaited<ReturnType<typeof openFunctionsUnderTest>>;

class SimulatedWorld implements World {
  readonly notes: readonly string[];
  readonly #pool: Pool;
  readonly #functionNames: ReadonlySet<string>;
  readonly #timeline = new Timeline();
  readonly #liveness = watchForStuck();
  readonly #controlPlane: ControlPlane;
  readonly #operator: Operator;
  readonly #startMs: number;

  private constructor({crossplane, functions, provider, realtime, loaded, seed}: Asked, pool: Pool, given: Manifests) {
    this.notes = given.notes;
    this.#pool = pool;
    this.#functionNames = new Set(Object.keys(functions));
    this.#controlPlane = openControlPlane({
      crossplane,
      ...(realtime === undefined ? {} : {realtime}),
      seed,
      functions: calledBy(functions),
      ...providerOf({provider, fixtures: given.objects}),
      latency: latencyOf(seed, loaded),
      observers: [this.#timeline.observe, this.#liveness.observe],
    });
    this.#operator = new Operator(this.#controlPlane);
    this.#startMs = this.#controlPlane.session.nowMs;
    const calls = Object.entries(this).filter(([, one]) => typeof one === 'function');
    Object.assign(this, Object.fromEntries(calls.map(([name, call]) => [name, refusingAtCaller(call)])));
  }

  /** With the fixtures applied. */
  static async open(asked: Asked, pool: Pool): Promise<SimulatedWorld> {
    const {objects, notes} = withPlainKinds(asked.fixtures.flatMap(({objects}) => objects));
    checkProvider(asked.provider, objects, 'options.provider');
    const said = [
      ...new Set([
        ...standInNotes(sourcesOf(asked.functions)),
        ...asked.fixtures.flatMap(({notes}) => notes),
        ...notes,
        ...connectionNotes(objects, []),
      ]),
    ];
    const world = new SimulatedWorld(asked, pool, {objects, notes: said});
    await world.#drive(prepare({fixtures: objects, functions: sourcesOf(asked.functions)}, world.#controlPlane));
    return world;
  }

  get crossplane(): CrossplaneVersion {
    return this.#controlPlane.crossplane;
  }

  get nowMs(): number {
    return this.#controlPlane.session.nowMs - this.#startMs;
  }

  // Properties, not methods: a test may take them from the world, as in `until(({externals}) => externals().length > 0)`.

  readonly apply = (...manifests: readonly Manifest[]): Promise<void> => this.#carryOut('apply', manifests);

  readonly patch = (target: Selector, body: Json, {status = false}: {readonly status?: boolean} = {}): Promise<void> =>
    this.#carryOut('patch', {...target, body, ...(status ? {subresource: 'status'} : {})});

  readonly delete = (target: Selector): Promise<void> => this.#carryOut('delete', target);

  readonly backup = (tool: BackupTool = 'velero', kinds: readonly string[] = [], name?: string): Promise<void> =>
    this.#carryOut('backup', {tool, kinds, name});

  readonly wipe = (): Promise<void> => this.#carryOut('wipe', {});

  readonly restore = (options: RestoreSetting = {}): Promise<void> => this.#carryOut('restore', options);

  readonly stop = (process: ProcessName): Promise<void> => this.#carryOut('stop', process);

  readonly start = (process: ProcessName): Promise<void> => this.#carryOut('start', process);

  readonly restart = (process: ProcessName): Promise<void> => this.#carryOut('restart', process);

  readonly upgrade = (crossplane: CrossplaneVersion): Promise<void> => this.#carryOut('upgrade', {crossplane});

  readonly breakFunction = (name: string, error: string): void => {
    this.#controlPlane.broken.set(this.#known(name), readGiven(text, error, 'error'));
  };

  readonly mendFunction = (name: string): void => {
    this.#controlPlane.broken.delete(this.#known(name));
  };

  readonly run = async (ms: number): Promise<void> => {
    const {session} = this.#controlPlane;
    await this.#drive(session.run(session.nowMs + readGiven(amount, ms, 'ms')));
  };

  readonly settle = async (patient: Patience = {}): Promise<string | undefined> => {
    const {quietMs, withinMs} = readGiven(patience, patient, 'patience');
    return this.#drive(waitForQuiet({quietMs, timeoutMs: withinMs}, this.#controlPlane));
  };

  readonly until = async (holds: (world: World) => boolean, within?: number): Promise<boolean> => {
    const {session} = this.#controlPlane;
    const {withinMs} = readGiven(patience, {withinMs: within}, 'patience');
    return this.#drive(session.run(session.nowMs + withinMs, () => holds(this)));
  };

  readonly find = (target: Selector): readonly KubeObject[] =>
    this.#controlPlane.catalogue.find(readGiven(selector, target, 'target'));

  readonly objects = (): readonly KubeObject[] => this.#controlPlane.catalogue.all();

  readonly orphans = (): readonly Orphan[] => orphansAmong(this.objects());

  readonly duplicates = (): readonly Duplicate[] => duplicatesAmong(this.objects());

  readonly externals = (): readonly External[] => externalsIn(this.#controlPlane.session.world);

  readonly externalCounts = (): ExternalCounts => externalCounts(this.#controlPlane.session.world);

  readonly stuck = (): readonly string[] => {
    const {nowMs} = this.#controlPlane.session;
    return this.#liveness.stuckAmong(this.objects(), nowMs).map((one) => stuckText(one, this.#startMs));
  };

  readonly unsynced = (): readonly string[] => unsynced(this.objects());

  readonly timeline = (): readonly TimelineEntry[] =>
    this.#timeline.entries.map((entry) => ({...entry, atMs: entry.atMs - this.#startMs}));

  readonly timelineText = (): string => this.timeline().map(lineOf).join('\n');

  readonly close = (): Promise<void> => this.#pool.close();

  readonly [Symbol.asyncDispose] = (): Promise<void> => this.close();

  #drive<T>(steps: Drive<T>): Promise<T> {
    return driveWith(steps, (call) => this.#pool.call(call));
  }

  async #carryOut(word: string, said: unknown): Promise<void> {
    const problem = problemOf(await this.#drive(this.#operator.carryOut(actionOf(word, said))));
    if (problem !== undefined) throw new InputError(problem);
  }

  #known(name: string): string {
    if (this.#functionNames.has(name)) return name;
    throw new InputError(`no function of this world is named "${name}"`);
  }
}

function lineOf(entry: TimelineEntry): string {
  const seconds = Math.floor(entry.atMs / 1000);
  const clock = [Math.floor(seconds / 60), seconds % 60].map((part) => String(part).padStart(2, '0')).join(':');
  return `${clock} ${entryText(entry)}`;
}

/** Opens a control plane with the fixtures applied. Throws InputError with one sentence for what is wrong with them. */
export const openWorld: (options: WorldOptions) => Promise<World> = refusingAtCaller(open);

async function open(options: WorldOptions): Promise<World> {
  const asked = readGiven(worldOptions, options, 'options');
  const pool = await openFunctionsUnderTest(asked.functions, process.cwd(), asked.callTimeoutMs);
  try {
    return await SimulatedWorld.open(asked, pool);
  } catch (error) {
    await pool.close();
    throw error;
  }
}
