// A rehearsal: a control plane from a source, at rest; the steps; the result. From code: const rehearsal = await rehearse(await
// readSource(file), {changes, restore, functions, crossplane: 'main'}); rehearsal.plan, rehearsal.unrest, rehearsal.notes ... //
// plan-text.ts and plan-json.ts turn them into text The steps run as those of any scenario (scenario/run-steps.ts), and the
// record is reported as one.

import type {ProfileName} from '../../cluster/crossplane/profiles.ts';
import type {KubeObject} from '../../cluster/object.ts';
import {decodeRequest} from '../../wire/request-decode.ts';
import {type ControlPlane, latencyOf, openControlPlane} from '../control-plane/control-plane.ts';
import {nativeProblem, nativeUpgradeProblem} from '../control-plane/native-left.ts';
import type {Happening} from '../control-plane/session.ts';
import {type RehearsedSource, type SourceWorldOptions, sourceWorld} from '../control-plane/standing/source-world.ts';
import {type Drive, driveWith} from '../functions/drive.ts';
import {openFunctions} from '../functions/function-pool.ts';
import {InputError} from '../input/input-error.ts';
import {listed} from '../input/listed.ts';
import {writeNotes} from '../input/manifests/unmodelled-writes.ts';
import {legacyFields} from '../input/source/legacy-definitions.ts';
import type {RunProgress} from '../scenario/run-progress.ts';
import {RunRecord} from '../scenario/run-record.ts';
import type {RunResult} from '../scenario/run-result.ts';
import {runSteps} from '../scenario/run-steps.ts';
import {type StepSetting, waitForQuiet} from '../scenario/wait.ts';
import {lostKinds} from './composed.ts';
import {type Moment, momentOf} from './consequences.ts';
import {named} from './findings.ts';
import {type Decided, type Plan, planOf, silentXrs} from './plan.ts';
import {type Change, quietMs, type RestoreSetup, stepsOf} from './rehearsal-steps.ts';
import {type GivenFunctions, type RehearsedFunctions, rehearsedFunctions} from './rehearsed-functions.ts';
import {type Unrest, unrestBetween} from './unrest.ts';

export interface RehearseOptions {
  readonly crossplane: ProfileName;
  readonly seed?: number;
  /** See the field of a scenario. */
  readonly loaded?: boolean;
  readonly runtime?: SourceWorldOptions['runtime'];
  /** How long a request of a backup tool takes; a few milliseconds unless set. */
  readonly toolCallMs?: number;
  readonly changes: readonly Change[];
  readonly restore: RestoreSetup;
  readonly functions: GivenFunctions;
  /** The decisions of function-tether about a request. */
  readonly decide?: (request: Uint8Array) => readonly Decided[];
  /** Keeps every version of every object, for the page. */
  readonly record?: boolean;
  readonly progress?: RunProgress;
  readonly title: string;
  /** Known gaps of the source, a sentence each. */
  readonly notes?: readonly string[];
}

export interface Rehearsal {
  readonly result: RunResult;
  readonly plan: Plan;
  /** The changes before the first step. */
  readonly unrest: readonly Unrest[];
  /** At rest, before the first step. */
  readonly before: Moment;
  /** Parts that are not modelled or not known, a sentence each. */
  readonly notes: readonly string[];
}

/** Throws InputError where the source or the options cannot be rehearsed. */
export async function rehearse(source: RehearsedSource, options: RehearseOptions): Promise<Rehearsal> {
  const functions = rehearsedFunctions([...source.objects, ...options.changes.flatMap(objectsOf)], options.functions);
  const pool = await openFunctions({functions: functions.sources, folder: '.'});
  try {
    return await driveWith(driveRehearsal(source, functions, options), (call) => pool.call(call));
  } finally {
    await pool.close();
  }
}

/** Lets every controller look once more after the last change; a world that never comes to rest is left after three minutes. */
export function* settle(controlPlane: ControlPlane): Drive<void> {
  yield* waitForQuiet({quietMs, timeoutMs: 180_000}, controlPlane);
}

/** The same with functions that the driver calls: see functions/drive.ts. */
export function* driveRehearsal(
  source: RehearsedSource,
  functions: RehearsedFunctions,
  options: RehearseOptions,
): Drive<Rehearsal> {
  const {crossplane, progress, seed = 1, loaded, runtime = '2.3', toolCallMs} = options;
  refuseUpgrade(source.objects, options);
  const world = sourceWorld(source, {crossplane, runtime, functions: functions.called});
  const history = options.record === true ? {skipped: []} : undefined;
  const record = new RunRecord({history, progress, golden: undefined});
  const decisions = decisionsOf(options);
  const controlPlane = openControlPlane({
    crossplane,
    seed,
    functions: functions.parts,
    provider: world.provider,
    ...(world.cloud === undefined ? {} : {cloud: world.cloud}),
    from: world.from,
    latency: latencyOf(seed, loaded),
    observers: [record.observe, decisions.observe],
  });
  const {session, catalogue} = controlPlane;
  const given = catalogue.all();
  yield* settle(controlPlane);
  const before = momentOf(catalogue.all(), session.world);
  record.begin(controlPlane);
  record.timeline.know(before.objects);
  const setting: StepSetting = {controlPlane, evidence: record.evidence, crossplane, toolCallMs};
  const steps = stepsOf(options.changes, withEarlierObjectsLost(options.restore, before.objects));
  const beginStep = (step: (typeof steps)[number]): void => record.beginStep(step, steps.length);
  const {failures, allowed} = yield* runSteps(steps, setting, {beginStep, keepGoing: false});
  const about = {scenario: options.title, description: '', crossplane, variant: '', seed};
  const result: RunResult = {...about, failures: [...allowed, ...failures], ...record.result()};
  const plan = planOf({before, result, decided: decisions.last()});
  return {
    result,
    plan,
    unrest: unrestBetween(given, before.objects),
    before,
    notes: [
      ...functions.notes,
      ...nativeNotes(source.objects, crossplane),
      ...world.notes,
      ...writeNotes(options.changes.flatMap(objectsOf)).filter((note) => !world.notes.includes(note)),
      ...refusedDefinitions(source.objects, options.changes, options.restore),
      ...silentNotes(plan),
      ...(options.notes ?? []),
    ],
  };
}

const silentMax = 10;

function silentNotes(plan: Plan): readonly string[] {
  const names = silentXrs(plan).map(named);
  if (names.length === 0) return [];
  return [`what these XRs compose, because here they compose nothing: ${listed(names, silentMax)}`];
}

/** An XR that is composed natively ends the run: those Compositions that are left composed none here. */
function nativeNotes(objects: readonly KubeObject[], crossplane: ProfileName): readonly string[] {
  const native = nativeProblem(objects, crossplane);
  return native === undefined ? [] : [`not rehearsed, because no XR was composed by it: ${native}`];
}

/** Throws InputError before anything runs: what is left behind by an upgrade is worth knowing first. */
function refuseUpgrade(objects: readonly KubeObject[], {changes, crossplane}: RehearseOptions): void {
  for (const change of changes) {
    if (change.kind !== 'upgrade') continue;
    const problem = nativeUpgradeProblem(objects, crossplane, change.crossplane);
    if (problem !== undefined) throw new InputError(problem);
  }
}

/** Objects that came to be before the first step are lost with the cluster, too. */
export function withEarlierObjectsLost(restore: RestoreSetup, objects: readonly KubeObject[]): RestoreSetup {
  const {lost, written} = lostKinds(objects);
  const both = (some: readonly string[], more: readonly string[]) => [...new Set([...some, ...more])];
  return {...restore, lost: both(restore.lost, lost), written: both(restore.written, written)};
}

function objectsOf(change: Change): readonly KubeObject[] {
  if (change.kind !== 'apply') return [];
  return change.objects;
}

const ownFunction = 'function-tether';

/** The decisions of function-tether in the last reconcile of each XR. */
function decisionsOf({decide}: RehearseOptions) {
  const requests = new Map<string, Uint8Array>();
  return {
    observe: ({entry}: Happening): void => {
      if (decide === undefined || entry.kind !== 'function' || !entry.target.includes(ownFunction)) return;
      requests.set(entry.run, entry.request);
    },
    last: (): ReadonlyMap<string, readonly Decided[]> => {
      const found = new Map<string, readonly Decided[]>();
      for (const request of requests.values()) {
        const uid = decodeRequest(request).observed.composite?.field(['metadata', 'uid']);
        if (typeof uid === 'string') found.set(uid, decide?.(request) ?? []);
      }
      return found;
    },
  };
}

// Definitions whose copy in a backup a new cluster would refuse. A rehearsal installs them before the restore, as a platform
// does. A person who counts on the restore for them has to know that it cannot bring them.

const namesMax = 6;

/** A sentence where a restore onto a new cluster has such definitions; none where it has none. */
function refusedDefinitions(
  objects: readonly KubeObject[],
  changes: readonly Change[],
  {tool, onto}: RestoreSetup,
): readonly string[] {
  if (tool === 'etcd' || onto === 'living' || !changes.some(({kind}) => kind === 'restore')) return [];
  const names = objects.filter((one) => legacyFields(one).length > 0).map(({metadata}) => metadata.name);
  if (names.length === 0) return [];
  return [
    `not restored: CompositeResourceDefinition ${listed(names, namesMax)}, which the backup has as v2 with what only v1 may have; a new cluster refuses to create them, and without them no XR or claim of their kinds comes back. Here they are installed before the restore`,
  ];
}
