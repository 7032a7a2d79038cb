// The steps of a rehearsal as the steps of a story, in the order of the command line. A restore onto an empty control plane is
// more than one: the loss, the changes since the backup, the tool, and the starts of processes.

import type {ProfileName} from '../../cluster/crossplane/profiles.ts';
import type {KubeObject} from '../../cluster/object.ts';
import type {Selector} from '../control-plane/catalogue.ts';
import {
  type BackupTool,
  describe,
  type ProcessName,
  type RestoreSetting,
  type StepAction,
} from '../control-plane/operator/action.ts';
import type {Step, Wait} from '../scenario/scenario.ts';

export type Change =
  | {
      readonly kind: 'apply';
      readonly actions: readonly StepAction[];
      readonly objects: readonly KubeObject[];
      /** The gaps in what is known of it, a sentence each. */
      readonly notes?: readonly string[];
    }
  | {readonly kind: 'delete'; readonly target: Selector}
  | {readonly kind: 'upgrade'; readonly crossplane: ProfileName}
  | {readonly kind: 'restore'};

export interface RestoreSetup {
  readonly tool: BackupTool;
  readonly onto: 'empty' | 'living';
  readonly options: RestoreSetting;
  /** The restores that it is made of where it is more than one, instead of `options`. */
  readonly rounds?: readonly RestoreSetting[];
  /** The actions after everything runs again: resources that the restore had paused go on. */
  readonly unpausing?: readonly StepAction[];
  /** The processes that stop during the restore, and start after it in this order. */
  readonly stopped: readonly ProcessName[];
  /** The kinds that a new cluster lacks, and a backup has. */
  readonly lost: readonly string[];
  /** The kinds that people write, and a repository has. */
  readonly written: readonly string[];
}

/** Longer than any poll, and than a provider waits between two tries. */
export const quietMs = 90_000;
const rest: Wait = {kind: 'quiet', quietMs, timeoutMs: 3_600_000};

export function stepsOf(changes: readonly Change[], restore: RestoreSetup): readonly Step[] {
  if (!changes.some(({kind}) => kind === 'restore')) return changes.flatMap(stepOf);
  const {before, after} = aroundRestore(changes);
  return [
    step('the backup is taken', {
      kind: 'backup',
      tool: restore.tool,
      kinds: restore.tool === 'gitops' ? restore.written : restore.lost,
    }),
    ...(restore.onto === 'living' ? ontoLiving(before, restore) : ontoEmpty(before, restore)),
    ...after.flatMap(stepOf),
  ];
}

/** The changes before the restore and those after it. */
export function aroundRestore(changes: readonly Change[]) {
  const at = changes.findIndex(({kind}) => kind === 'restore');
  return {before: changes.slice(0, at), after: changes.slice(at + 1)};
}

function ontoLiving(before: readonly Change[], restore: RestoreSetup): readonly Step[] {
  return [
    ...before.flatMap(stepOf),
    ...restore.stopped.map((process) => processStep('stop', process)),
    ...restoring('the backup is restored onto the living control plane', restore),
    ...starting(restore),
  ];
}

/** Those of a new cluster remember nothing. */
const processes: readonly ProcessName[] = ['owner-gc', 'provider', 'crossplane'];

/** An edit before the restore is the state of the new cluster, instead of the state at the time of the backup. */
function ontoEmpty(before: readonly Change[], restore: RestoreSetup): readonly Step[] {
  const {tool, stopped, lost} = restore;
  return [
    ...processes.map((process) => processStep('stop', process)),
    ...(tool === 'etcd' ? [] : [step('everything but the platform is lost', {kind: 'wipe', kinds: lost})]),
    // A process that a change restarts is down here already.
    ...before.flatMap(stepOf).flatMap(({wait: _, ...one}) => (one.action?.kind === 'process' ? [] : [one])),
    ...processes.filter((process) => !stopped.includes(process)).map((process) => processStep('start', process)),
    ...restoring(`the backup is restored (${tool})`, restore),
    ...starting(restore),
  ];
}

/** With every process running all comes to rest; else that is waited for when the last of them has started. */
function restoring(name: string, {options, rounds = [options], stopped}: RestoreSetup): readonly Step[] {
  return rounds.map((one, index) => {
    const restore = step(rounds.length === 1 ? name : `${name}, part ${index + 1}`, {kind: 'restore', options: one});
    return stopped.length === 0 ? resting(restore, true) : {...restore, wait: {kind: 'time', ms: 5000}, mayFail: true};
  });
}

function starting({stopped, unpausing = []}: RestoreSetup): readonly Step[] {
  return [
    ...stopped.map((process) => resting(processStep('start', process), true)),
    ...unpausing.map((action) => resting(step(unpausingName(action), action), true)),
  ];
}

function unpausingName(action: StepAction): string {
  return action.kind === 'patch' ? `${action.target.kind} ${action.target.name ?? 'objects'} go on` : describe(action);
}

function stepOf(change: Change): readonly Step[] {
  switch (change.kind) {
    case 'apply':
      return change.actions.map((action, index) =>
        resting(step(nameOf(action), action), index === change.actions.length - 1),
      );
    case 'delete': {
      const action: StepAction = {
        kind: 'delete',
        target: change.target,
        ignoreNotFound: false,
        propagationPolicy: 'Background',
      };
      return [resting(step(describe(action), action), true)];
    }
    case 'upgrade':
      return [resting(step(`upgrade to Crossplane ${change.crossplane}`, change), true)];
    case 'restore':
      return [];
  }
}

function nameOf(action: StepAction): string {
  return describe(action).replace(/^patch /, 'edit ');
}

function step(name: string, action: StepAction): Step {
  return {name, place: 'the rehearsal', expect: [], action};
}

function processStep(change: 'start' | 'stop', process: ProcessName): Step {
  const names = {crossplane: 'Crossplane', provider: 'the provider', 'owner-gc': "Kubernetes' garbage collector"};
  return step(`${names[process]} ${change === 'stop' ? 'is stopped' : 'starts'}`, {kind: 'process', change, process});
}

function resting(one: Step, rests: boolean): Step {
  return rests ? {...one, wait: rest, mayFail: true} : one;
}
