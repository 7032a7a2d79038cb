// Carries out the actions of an operator, a backup tool or an accident on a control plane, from the action to its outcome. This
// is the only place that carries actions out. A scenario's step, a method of the library, a move of the explorer and a step of a
// replayed recording are all actions that an operator carries out on a control plane.

import type {ApiRequest, ApiResponse} from '../../../cluster/api/request.ts';
import {etcdRestore} from '../../../cluster/backup/etcd.ts';
import {wipe} from '../../../cluster/backup/wipe.ts';
import {nativeAdvice} from '../../../cluster/crossplane/native-mode.ts';
import type {ProfileName} from '../../../cluster/crossplane/profiles.ts';
import {withStaleCache} from '../../../cluster/kernel/stale-cache.ts';
import {allowAll, armCrash, forbid} from '../../../cluster/kernel/step.ts';
import {groupKindOf, type KubeObject, refOf, shortName} from '../../../cluster/object.ts';
import type {Drive} from '../../functions/drive.ts';
import {defaultNamespace, selectorText} from '../catalogue.ts';
import type {ControlPlane} from '../control-plane.ts';
import {nativeUpgradeProblem} from '../native-left.ts';
import {profileNamed} from '../profile-names.ts';
import type {Fault, StepAction} from './action.ts';
import {checkResources, restoreSteps, type Saved, takeBackup} from './backup-tool.ts';
import {driveAtOnce, driveStep} from './drive-step.ts';
import {installedFunctions, packageActions, type Write} from './package-manager.ts';
import {fillPlaceholders} from './placeholders.ts';

/** The outcome of an action. A refused request is an outcome, too. */
export type Outcome =
  | {readonly kind: 'done'; readonly answers: readonly Answer[]}
  /** Nothing was asked for, or a tool gave up; why, in one sentence. */
  | {readonly kind: 'failed'; readonly problem: string};

type Answer =
  | {
      readonly kind: 'answered';
      readonly what: string;
      readonly object: string;
      readonly response: ApiResponse;
      /** The version in which the kind is served, if the object has another one of its group. */
      readonly servedAs?: string;
    }
  /** Whatever the answer was: a delete that is denied is part of what happens. */
  | {readonly kind: 'deleted'; readonly object: string; readonly response: ApiResponse}
  /** A request that could not be made. */
  | {readonly kind: 'not-sent'; readonly object: string; readonly problem: string};

/** The memory once this backup is the one to restore; undefined if none of that name was taken. */
export function withBackup(memory: Memory, name: string | undefined): Memory | undefined {
  const saved = name === undefined ? memory.saved : memory.named.get(name);
  return saved && {...memory, saved};
}

/** An operator's knowledge from earlier actions. */
export interface Memory {
  /** The last backup that was taken or restored. */
  readonly saved: Saved | undefined;
  readonly named: ReadonlyMap<string, Saved>;
  /** Processes that were stopped or killed and not started since. */
  readonly stopped: readonly string[];
}

export const noMemory: Memory = {saved: undefined, named: new Map(), stopped: []};

export interface OperatorOptions {
  readonly memory?: Memory;
  /** How long a request of a backup tool takes; a backup or a restore is one instant where undefined is given. */
  readonly toolCallMs?: number | undefined;
}

const done: Outcome = {kind: 'done', answers: []};

export class Operator {
  readonly controlPlane: ControlPlane;
  readonly #toolCallMs: number | undefined;
  #memory: Memory;

  constructor(controlPlane: ControlPlane, options: OperatorOptions = {}) {
    const {memory, toolCallMs} = {memory: noMemory, toolCallMs: 4, ...options};
    this.controlPlane = controlPlane;
    this.#memory = memory;
    this.#toolCallMs = toolCallMs;
  }

  get memory(): Memory {
    return this.#memory;
  }

  /** Carries the action out as `actor`. Only a backup and a restore take their time; all else is one moment. */
  *carryOut(action: StepAction, actor = 'user'): Drive<Outcome> {
    const {controlPlane} = this;
    switch (action.kind) {
      case 'apply':
      case 'create':
      case 'patch':
        return write(action, actor, controlPlane);
      case 'delete':
        return remove(action, actor, controlPlane);
      case 'backup':
        this.#remember(action.name, yield* takeBackup(action, controlPlane, this.#toolCallMs));
        return done;
      case 'wipe':
        return this.#wipe(action.kinds);
      case 'restore':
        return yield* this.#restore(action);
      case 'process':
        this.#changeProcess(action);
        return done;
      case 'upgrade':
        return upgrade(profileNamed(action.crossplane), controlPlane);
      case 'fault':
        inject(action.fault, controlPlane);
        return done;
    }
  }

  #remember(name: string | undefined, saved: Saved): void {
    const {named} = this.#memory;
    this.#memory = {...this.#memory, saved, named: name === undefined ? named : new Map([...named, [name, saved]])};
  }

  /**
   * A disaster is one instant. Were it one request after the other, an XR's loss would have its composed resources
   * deleted, and theirs the cloud's, before the disaster gets to them.
   */
  #wipe(named: readonly string[]): Outcome {
    const {session, catalogue} = this.controlPlane;
    const kinds = named.length > 0 ? named : (this.#memory.saved?.kinds ?? []);
    if (kinds.length === 0) {
      return {kind: 'failed', problem: 'cannot wipe: name the `kinds`, or take a backup in a step before this one'};
    }
    driveAtOnce(session, 'disaster', wipe(kinds.flatMap((kind) => catalogue.find({kind}))));
    return done;
  }

  *#restore({options}: StepAction & {readonly kind: 'restore'}): Drive<Outcome> {
    const memory = withBackup(this.#memory, options.backup);
    if (memory?.saved === undefined) {
      const wanted = options.backup === undefined ? 'a backup' : `the backup "${options.backup}"`;
      return {kind: 'failed', problem: `cannot restore: no step before this one took ${wanted}`};
    }
    this.#memory = memory;
    const {saved, stopped} = memory;
    const {session, definition} = this.controlPlane;
    if (saved.tool === 'etcd') {
      session.change((world) => etcdRestore(definition, world, saved.snapshot));
      for (const {name} of definition.processes) if (!stopped.includes(name)) session.start(name);
      return done;
    }
    if (saved.tool === 'velero') checkResources(saved.backup, options, this.controlPlane);
    const steps = restoreSteps(saved, options);
    const {errors} =
      this.#toolCallMs === undefined
        ? driveAtOnce(session, saved.tool, steps)
        : yield* driveStep(session, saved.tool, steps, this.#toolCallMs);
    return errors[0] === undefined ? done : {kind: 'failed', problem: errors[0]};
  }

  #changeProcess({process, change}: StepAction & {readonly kind: 'process'}): void {
    const {session, processes} = this.controlPlane;
    const name = processes[process];
    if (change === 'kill') session.kill(name, 'killed by the scenario');
    else if (change !== 'start') session.stop(name);
    const starts = change === 'start' || change === 'restart';
    if (starts) session.start(name);
    const others = this.#memory.stopped.filter((one) => one !== name);
    this.#memory = {...this.#memory, stopped: starts ? others : [...others, name]};
  }
}

/** Why the action is no success: what failed, or the first request that was not made or refused. */
export function problemOf(outcome: Outcome): string | undefined {
  if (outcome.kind === 'failed') return outcome.problem;
  for (const answer of outcome.answers) {
    if (answer.kind === 'not-sent') return answer.problem;
    if (answer.kind === 'deleted' || answer.response.ok) continue;
    // The API server quotes the whole object that it cannot decode.
    const message = answer.response.message.replace(/Invalid value: "\{(?!\{).*\}": /s, '');
    return `cannot ${answer.what}: ${message}${missingAdvice(answer, message)}`;
  }
  return undefined;
}

/** The kinds that Crossplane has since v2. */
const sinceTwo = /(ManagedResourceDefinition|ManagedResourceActivationPolicy|(Cron|Watch)?Operation) "/;

/** Crossplane's error for a Composition without a pipeline, since v2. */
const needsPipeline =
  /an array of pipeline steps is required|spec\.mode: Unsupported value|\.spec\.resources: field not declared/;

/** Advice for the scenario, if the API server lacks something that a cluster would have. */
function missingAdvice({what, servedAs}: Answer & {readonly kind: 'answered'}, message: string): string {
  const namespace = /namespaces "([^"]+)" not found/.exec(message)?.[1];
  if (namespace !== undefined) return `; add a Namespace "${namespace}" to \`fixtures\``;
  if (needsPipeline.test(message)) return `; ${nativeAdvice}`;
  if (!/no matches for kind|could not find the requested resource|does not serve/.test(message)) return '';
  if (servedAs !== undefined) return `; this control plane serves it as ${servedAs}`;
  if (sinceTwo.test(what)) return '; Crossplane has this kind since v2.0';
  return '; add its CustomResourceDefinition, or the definition it comes from, to `fixtures`';
}

/** With what the package manager does about Functions that have another package then. */
function write(action: Write, actor: string, controlPlane: ControlPlane): Outcome {
  const before = installedFunctions(controlPlane);
  const outcome = written(action, actor, controlPlane);
  for (const one of before.length === 0 ? [] : packageActions(before, controlPlane)) {
    const installed = written(one, 'package manager', controlPlane);
    if (problemOf(installed) !== undefined) return installed;
  }
  return outcome;
}

function written(action: Write, actor: string, controlPlane: ControlPlane): Outcome {
  if (action.kind === 'patch') return patch(action, actor, controlPlane);
  return {kind: 'done', answers: action.objects.map((object) => send(object, action.kind, actor, controlPlane))};
}

function send(template: KubeObject, verb: 'apply' | 'create', actor: string, controlPlane: ControlPlane): Answer {
  const {session, catalogue} = controlPlane;
  const filled = fillPlaceholders(template, catalogue);
  if (!filled.ok) {
    const problem = `cannot ${verb} ${template.kind} "${template.metadata.name}": ${filled.problem}`;
    return {kind: 'not-sent', object: shortName(template), problem};
  }
  const object = placed(filled.value as KubeObject, controlPlane);
  const request: ApiRequest =
    verb === 'create'
      ? {verb, object, manager: actor}
      : {verb: 'patch', type: 'apply', ref: refOf(object), body: object, manager: actor, force: true};
  const what = `${verb} ${object.kind} "${object.metadata.name}"`;
  const answer = {kind: 'answered', what, object: shortName(object), response: session.submit(actor, request)} as const;
  const servedAs = answer.response.ok ? undefined : otherVersion(object, controlPlane);
  return servedAs === undefined ? answer : {...answer, servedAs};
}

function otherVersion(object: KubeObject, {catalogue}: ControlPlane): string | undefined {
  if (catalogue.kinds(object.kind, object.apiVersion).length > 0) return undefined;
  const group = groupKindOf(object);
  return catalogue.kinds(object.kind).find((one) => groupKindOf(one) === group)?.apiVersion;
}

/** The object with a namespace where its kind has one and the author left it out. */
function placed(object: KubeObject, {catalogue}: ControlPlane): KubeObject {
  const [kind] = catalogue.kinds(object.kind, object.apiVersion);
  if (kind?.namespaced !== true || object.metadata.namespace !== undefined) return object;
  return {...object, metadata: {...object.metadata, namespace: defaultNamespace}};
}

function upgrade(crossplane: ProfileName, controlPlane: ControlPlane): Outcome {
  const problem = nativeUpgradeProblem(
    controlPlane.catalogue.find({kind: 'Composition'}),
    controlPlane.crossplane,
    crossplane,
  );
  if (problem !== undefined) return {kind: 'failed', problem};
  controlPlane.upgrade(crossplane);
  return done;
}

function patch(
  {target, type, body, status}: StepAction & {readonly kind: 'patch'},
  actor: string,
  {session, catalogue}: ControlPlane,
): Outcome {
  const what = `change ${selectorText(target)}`;
  const filled = fillPlaceholders(body, catalogue);
  if (!filled.ok) return {kind: 'failed', problem: `cannot ${what}: ${filled.problem}`};
  const found = catalogue.find(target);
  if (found.length === 0) return notFound(target);
  const answers = found.map((object): Answer => {
    const request: ApiRequest = {verb: 'patch', type, ref: refOf(object), body: filled.value, manager: actor};
    const response = session.submit(actor, status ? {...request, subresource: 'status'} : request);
    return {kind: 'answered', what, object: shortName(object), response};
  });
  return {kind: 'done', answers};
}

function remove(
  {target, propagationPolicy, ignoreNotFound}: StepAction & {readonly kind: 'delete'},
  actor: string,
  {session, catalogue}: ControlPlane,
): Outcome {
  const found = catalogue.find(target);
  if (found.length === 0 && !ignoreNotFound) return notFound(target);
  const answers = found.map((object): Answer => {
    const request: ApiRequest = {verb: 'delete', ref: refOf(object)};
    const asked = propagationPolicy === undefined ? request : {...request, propagationPolicy};
    const response = session.submit(actor, asked);
    return {kind: 'deleted', object: shortName(object), response};
  });
  return {kind: 'done', answers};
}

function notFound(target: Parameters<typeof selectorText>[0]): Outcome {
  return {kind: 'failed', problem: `cannot find ${selectorText(target)}`};
}

function inject(fault: Fault, {session, processes, broken}: ControlPlane): void {
  switch (fault.kind) {
    case 'crash': {
      const point = {process: processes[fault.process], point: fault.point};
      session.change((world) => armCrash(world, point));
      return;
    }
    case 'function':
      broken.set(fault.name, fault.error);
      return;
    case 'forbid': {
      const {process, verbs, kinds} = fault;
      session.change((world) => forbid(world, {process: processes[process], verbs, kinds}));
      return;
    }
    case 'stale': {
      const {kinds, forMs} = fault;
      const isStale = (kind: string): boolean => kinds.length === 0 || kinds.includes(kind);
      session.change((world) => withStaleCache(world, processes[fault.process], session.nowMs + forMs, isStale));
      return;
    }
    case 'end':
      broken.clear();
      session.change(allowAll);
  }
}
