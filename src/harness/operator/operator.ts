import type {ApiRequest, ApiResponse} from '../../cluster/api/request.ts';
import {etcdRestore, etcdSnapshot} from '../../cluster/backup/etcd.ts';
import {gitOpsSync, manifestOf} from '../../cluster/backup/git-ops.ts';
import type {SavedKind} from '../../cluster/backup/saved.ts';
import {veleroBackup} from '../../cluster/backup/velero-backup.ts';
import {type VeleroRestoreOptions, veleroRestore} from '../../cluster/backup/velero-restore.ts';
import {wipe} from '../../cluster/backup/wipe.ts';
import {armCrash} from '../../cluster/kernel/step.ts';
import {groupOf, type KubeObject, refOf} from '../../cluster/object.ts';
import {defaultNamespace} from '../control-plane/catalogue.ts';
import type {Laboratory} from '../control-plane/control-plane.ts';
import type {Drive} from '../control-plane/session.ts';
import {type Evidence, selectorText} from '../scenario/check.ts';
import type {Saved, Stage, Told} from '../scenario/stage.ts';
import type {Fault, ProcessName, RestoreSetting, StepAction} from './action.ts';
import {driveAtOnce, driveStep} from './drive-step.ts';
import {fillPlaceholders} from './placeholders.ts';

// What an operator, a backup tool or an accident does to the control plane in one step of a scenario.

const callMs = 4;

/** Undefined where the action was carried out. A refused request is no failure where the step expects it: see `expect`. */
export function* act(action: StepAction, told: Told): Drive<string | undefined> {
  const {session, catalogue} = told.stage.laboratory;
  switch (action.kind) {
    case 'apply':
    case 'create':
      return firstProblem(action.objects.map((object) => send(object, action.kind, told)));
    case 'patch': {
      const filled = fillPlaceholders(action.body, catalogue);
      if (!filled.ok) return `cannot change ${selectorText(action.target)}: ${filled.problem}`;
      return eachTarget(action.target, told, (object) => {
        const {type, status} = action;
        const body = filled.value;
        const request: ApiRequest = {verb: 'patch', type, ref: refOf(object), body, manager: told.actor};
        return session.submit(told.actor, status ? {...request, subresource: 'status'} : request);
      });
    }
    case 'delete':
      return deleteTargets(action, told);
    case 'backup':
      told.saved = yield* takeBackup(action, told);
      return undefined;
    case 'wipe': {
      const kinds = action.kinds.length > 0 ? action.kinds : told.kinds;
      if (kinds.length === 0) return 'cannot wipe: name the `kinds`, or take a backup in a step before this one';
      // A disaster is one instant. Were it one request after the other, an XR's loss would have its composed resources
      // deleted, and theirs the cloud's, before the disaster gets to them.
      driveAtOnce(session, 'disaster', wipe(kinds.flatMap((kind) => catalogue.find({kind}))));
      return undefined;
    }
    case 'restore':
      return yield* restore(action.options, told);
    case 'process':
      changeProcess(action, told.stage);
      return undefined;
    case 'upgrade':
      told.stage.upgrade(action.crossplane);
      return undefined;
    case 'fault':
      inject(action.fault, told);
      return undefined;
  }
}

function send(template: KubeObject, verb: 'apply' | 'create', {actor, stage}: Told): string | undefined {
  const {laboratory} = stage;
  const {session, catalogue} = laboratory;
  const filled = fillPlaceholders(template, catalogue);
  if (!filled.ok) return `cannot ${verb} ${template.kind} "${template.metadata.name}": ${filled.problem}`;
  const object = placed(filled.value as KubeObject, laboratory);
  const ref = refOf(object);
  const request: ApiRequest =
    verb === 'create'
      ? {verb, object, manager: actor}
      : {verb: 'patch', type: 'apply', ref, body: object, manager: actor, force: true};
  return problemOf(`${verb} ${object.kind} "${object.metadata.name}"`, session.submit(actor, request));
}

/** The object with a namespace where its kind has one and the author left it out. */
export function placed(object: KubeObject, {catalogue}: Pick<Laboratory, 'catalogue'>): KubeObject {
  const [kind] = catalogue.kinds(object.kind, object.apiVersion);
  if (kind?.namespaced !== true || object.metadata.namespace !== undefined) return object;
  return {...object, metadata: {...object.metadata, namespace: defaultNamespace}};
}

function problemOf(what: string, response: ApiResponse): string | undefined {
  return response.ok ? undefined : `cannot ${what}: ${response.message}${missingAdvice(response.message)}`;
}

/** What to add to the scenario where the API server misses something that a cluster would have. */
export function missingAdvice(message: string): string {
  const namespace = /namespaces "([^"]+)" not found/.exec(message)?.[1];
  if (namespace !== undefined) return `; add a Namespace "${namespace}" to \`fixtures\``;
  if (!/no matches for kind|could not find the requested resource|does not serve/.test(message)) return '';
  return '; add its CustomResourceDefinition, or the definition it comes from, to `fixtures`';
}

function firstProblem(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find((problem) => problem !== undefined);
}

function eachTarget(
  target: Parameters<Evidence['find']>[0],
  {stage}: Told,
  change: (object: KubeObject) => ApiResponse,
): string | undefined {
  const found = stage.laboratory.catalogue.find(target);
  if (found.length === 0) return `cannot find ${selectorText(target)}`;
  return firstProblem(found.map((object) => problemOf(`change ${selectorText(target)}`, change(object))));
}

/** A delete that is denied is part of the story: the timeline shows it. */
function deleteTargets(action: StepAction & {readonly kind: 'delete'}, {stage, actor}: Told): string | undefined {
  const {session, catalogue} = stage.laboratory;
  const found = catalogue.find(action.target);
  if (found.length === 0 && !action.ignoreNotFound) return `cannot find ${selectorText(action.target)}`;
  for (const object of found) {
    const {propagationPolicy} = action;
    const request: ApiRequest = {verb: 'delete', ref: refOf(object)};
    session.submit(actor, propagationPolicy === undefined ? request : {...request, propagationPolicy});
  }
  return undefined;
}

function* takeBackup(action: StepAction & {readonly kind: 'backup'}, told: Told): Drive<Saved> {
  const {session, catalogue} = told.stage.laboratory;
  const kinds = action.kinds.length > 0 ? action.kinds : customKinds(told.stage.laboratory);
  told.kinds = kinds;
  if (action.tool === 'etcd') return {tool: 'etcd', snapshot: etcdSnapshot(session.world)};
  if (action.tool === 'gitops') {
    return {tool: 'gitops', manifests: kinds.flatMap((kind) => catalogue.find({kind})).map(manifestOf)};
  }
  const options = {name: 'backup', kinds: savedKinds(kinds, told.stage.laboratory)};
  return {tool: 'velero', backup: yield* driveStep(session, 'velero', veleroBackup(options), callMs)};
}

/** Groups that are there before and after any disaster: what a platform reinstalls instead of restoring. */
const platformGroups = ['', 'apiextensions.k8s.io', 'apiextensions.crossplane.io', 'pkg.crossplane.io'];

export function customKinds({session}: Laboratory): readonly string[] {
  const definitions = [...session.world.server.kinds.values()].map(({definition}) => definition);
  const custom = definitions.filter(({group, kind}) => !platformGroups.includes(group) || kind === 'Usage');
  return [...new Set(custom.map(({kind}) => kind))];
}

export function savedKinds(kinds: readonly string[], {session, catalogue}: Laboratory): readonly SavedKind[] {
  const definitions = [...session.world.server.kinds.values()].map(({definition}) => definition);
  return kinds.flatMap((kind) =>
    catalogue.kinds(kind).map((served) => {
      const group = groupOf(served.apiVersion);
      const definition = definitions.find((one) => one.kind === kind && one.group === group);
      return {...served, plural: definition?.plural ?? kind.toLowerCase()};
    }),
  );
}

function* restore(options: RestoreSetting, told: Told): Drive<string | undefined> {
  const {session, definition} = told.stage.laboratory;
  const {saved} = told;
  if (saved === undefined) return 'cannot restore: no step before this one took a backup';
  if (saved.tool === 'etcd') {
    session.change((world) => etcdRestore(definition, world, saved.snapshot));
    for (const process of definition.processes) session.start(process.name);
    return undefined;
  }
  if (saved.tool === 'gitops') {
    const result = yield* driveStep(session, 'gitops', gitOpsSync(saved.manifests, {manager: 'gitops'}), callMs);
    return result.errors[0];
  }
  const restored: VeleroRestoreOptions = {name: 'restore', ...options};
  const report = yield* driveStep(session, 'velero', veleroRestore(saved.backup, restored), callMs);
  return report.errors[0];
}

function processOf(name: ProcessName, {processes}: Laboratory): string {
  return {crossplane: processes.crossplane, 'owner-gc': processes.ownerGc, provider: processes.provider}[name];
}

function changeProcess(action: StepAction & {readonly kind: 'process'}, {laboratory}: Stage): void {
  const {session} = laboratory;
  const name = processOf(action.process, laboratory);
  if (action.change === 'kill') session.kill(name, 'killed by the scenario');
  else if (action.change !== 'start') session.stop(name);
  if (action.change === 'start' || action.change === 'restart') session.start(name);
}

function inject(fault: Fault, told: Told): void {
  const {laboratory, breakFunction} = told.stage;
  if (fault.kind === 'crash') {
    const point = {process: processOf(fault.process, laboratory), point: fault.point};
    laboratory.session.change((world) => armCrash(world, point));
    return;
  }
  if (fault.kind === 'function') {
    breakFunction(fault.name, fault.error);
    told.broken.push(fault.name);
    return;
  }
  for (const name of told.broken) breakFunction(name, undefined);
  told.broken = [];
}
